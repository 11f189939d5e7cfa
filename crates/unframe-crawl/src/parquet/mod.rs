//! Parquet with one page per row, in columns `url`, `html` (text or bytes) and, optionally, `date` (text or a time of any unit). Columns
//! are found by the names in [`raw_page`](crate::raw_page); other columns are not read.
//!
//! Rows are read one by one, so memory holds one value per column, whatever the size of the row groups. If a row group is damaged, the rows
//! before the damage and all other row groups are still read. All codecs of the format are read but Brotli and LZO.
//!
//! Problem codes: `bad-parquet`, `missing-column`, `bad-column`, `bad-row-group`, `missing-field`; and for pages that are kept: `bad-date`,
//! `bad-utf8`, `body-too-large`.

mod column;
mod footer;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use ::parquet::basic::{Compression, ConvertedType, LogicalType, Type};
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use ::parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};
use unframe::Problem;
use unframe::limits::PAGE_BYTES_MAX;

use crate::raw_page::{DATE_NAMES, HTML_NAMES, RawPage, RowError, RowResult, URL_NAMES, UTF8_HTML, rank};
use column::{Row, RowColumns, guarded};

/// Calls `each` with the page or the problem of each row, until `each` breaks or the file ends. Offsets are row indexes, from 0.
pub(crate) fn read(file: impl ChunkReader + 'static, mut each: impl FnMut(RowResult) -> ControlFlow<()>) {
    let opened = footer::check(&file).and_then(|()| guarded(|| SerializedFileReader::new(file)));
    let opened = opened.map_err(|message| RowError::new(0, "bad-parquet", message));
    let (reader, mut schema) = match opened.and_then(|reader| Ok((Schema::find(reader.metadata())?, reader)))
    {
        Ok((schema, reader)) => (reader, schema),
        Err(misread) => {
            let _ = each(Err(misread));
            return;
        }
    };
    if let Some(misread) = schema.drop_useless_date(reader.metadata())
        && each(Err(misread)).is_break()
    {
        return;
    }
    let mut first_row = 0;
    for group in 0..reader.num_row_groups() {
        let rows = u64::try_from(reader.metadata().row_group(group).num_rows()).unwrap_or(0);
        let rows = Rows { first: first_row, count: rows };
        if read_row_group(&reader, group, rows, &schema, &mut each).is_break() {
            return;
        }
        first_row = rows.first.saturating_add(rows.count);
    }
}

/// The rows of a row group.
#[derive(Debug, Clone, Copy)]
struct Rows {
    first: u64,
    count: u64,
}

fn read_row_group(
    reader: &dyn FileReader,
    group: usize,
    rows: Rows,
    schema: &Schema,
    each: &mut impl FnMut(RowResult) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let end = rows.first.saturating_add(rows.count);
    let bad = |row: u64, message: String| {
        let message = format!("rows {row} to {} cannot be read: {message}", end.saturating_sub(1));
        Err(RowError::new(row, "bad-row-group", message))
    };
    let mut columns = match guarded(|| RowColumns::open(&*reader.get_row_group(group)?, schema)) {
        Ok(columns) => columns,
        Err(message) => return each(bad(rows.first, message)),
    };
    for row in rows.first..end {
        match guarded(|| columns.next()) {
            Ok(found) => each(schema.page(found, row))?,
            Err(message) => return each(bad(row, message)),
        }
    }
    ControlFlow::Continue(())
}

/// The indexes of the columns.
#[derive(Debug)]
struct Schema {
    url: usize,
    html: usize,
    date: Option<usize>,
    /// Whether the file declares the HTML as text.
    html_is_text: bool,
}

impl Schema {
    fn find(metadata: &ParquetMetaData) -> Result<Schema, RowError> {
        let schema = metadata.file_metadata().schema_descr();
        let html = bytes_column(schema, &HTML_NAMES)?;
        let described = schema.column(html);
        let is_string = matches!(described.logical_type_ref(), Some(LogicalType::String));
        let html_is_text = is_string || described.converted_type() == ConvertedType::UTF8;
        let url = bytes_column(schema, &URL_NAMES)?;
        let date = column(schema, &DATE_NAMES);
        for index in [Some(url), Some(html), date].into_iter().flatten() {
            check_codec(metadata, index)?;
        }
        Ok(Schema { url, html, date, html_is_text })
    }

    /// Ignores an unusable date column: pages without a date are better than no pages.
    fn drop_useless_date(&mut self, metadata: &ParquetMetaData) -> Option<RowError> {
        let column = metadata.file_metadata().schema_descr().column(self.date?);
        let kind = column.physical_type();
        if !matches!(kind, Type::BOOLEAN | Type::FLOAT | Type::FIXED_LEN_BYTE_ARRAY) {
            return None;
        }
        self.date = None;
        Some(RowError::new(
            0,
            "bad-column",
            format!("the column {} contains {kind}, not dates", column.name()),
        ))
    }

    /// Reads the page of a row.
    fn page(&self, row: Row, number: u64) -> RowResult {
        let missing = |name| RowError::new(number, "missing-field", format!("{name} is null"));
        let url = row.url.ok_or_else(|| missing("url"))?;
        let html = row.html.ok_or_else(|| missing("html"))?;
        let mut problems = Vec::new();
        let url = String::from_utf8(url).unwrap_or_else(|error| {
            problems.push(Problem::new("bad-utf8", "url is not UTF-8; bad characters were replaced"));
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        if url.trim().is_empty() {
            return Err(RowError::new(number, "missing-field", "url is empty"));
        }
        if let Err(text) = &row.date {
            problems.push(Problem::new(
                "bad-date",
                format!("{} is not a date", text.chars().take(40).collect::<String>()),
            ));
        }
        // Some writers declare bytes as text. If the bytes are not UTF-8, the charset is detected.
        let is_text = self.html_is_text && str::from_utf8(&html).is_ok();
        let content_type = is_text.then_some(UTF8_HTML.into());
        let mut payload = html;
        if payload.len() > PAGE_BYTES_MAX {
            problems.push(Problem::new(
                "body-too-large",
                format!("the page was cut after {PAGE_BYTES_MAX} bytes"),
            ));
            payload.truncate(PAGE_BYTES_MAX);
        }
        Ok(RawPage { url, date: row.date.unwrap_or(None), payload, content_type, offset: number, problems })
    }
}

/// The top-level column whose name ranks best in this list.
fn column(schema: &SchemaDescriptor, names: &[&str]) -> Option<usize> {
    let rank_of = |column: &ColumnDescriptor| match column.path().parts() {
        [name] if column.max_rep_level() == 0 => rank(names, name),
        _ => None,
    };
    let ranked =
        schema.columns().iter().enumerate().filter_map(|(index, column)| Some((rank_of(column)?, index)));
    ranked.min().map(|(_, index)| index)
}

/// Refuses a column in a codec that is not built in, before each row group fails by itself.
fn check_codec(metadata: &ParquetMetaData, index: usize) -> Result<(), RowError> {
    let mut codecs =
        metadata.row_groups().iter().filter_map(|group| Some(group.columns().get(index)?.compression()));
    let unread = codecs.find_map(|codec| match codec {
        Compression::BROTLI(_) => Some("Brotli"),
        Compression::LZO => Some("LZO"),
        _ => None,
    });
    let Some(codec) = unread else { return Ok(()) };
    let column = metadata.file_metadata().schema_descr().column(index);
    let message = format!(
        "the column {} is compressed with {codec}, which unframe cannot read; write the file with zstd or snappy",
        column.name()
    );
    Err(RowError::new(0, "bad-column", message))
}

/// Like `column`, for a column that must exist and hold text or bytes.
fn bytes_column(schema: &SchemaDescriptor, names: &[&str]) -> Result<usize, RowError> {
    let Some(index) = column(schema, names) else {
        let present: Vec<_> = schema.columns().iter().map(|column| column.path().string()).collect();
        let (name, present) = (names.first().unwrap_or(&""), present.join(", "));
        let message = format!("there is no column {name}; the columns are {present}");
        return Err(RowError::new(0, "missing-column", message));
    };
    let found = schema.column(index);
    match found.physical_type() {
        Type::BYTE_ARRAY => Ok(index),
        other => {
            let message = format!("the column {} contains {other}, not text or bytes", found.name());
            Err(RowError::new(0, "bad-column", message))
        }
    }
}
