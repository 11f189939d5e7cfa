//! Parquet: a row a page, compressed with zstd.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::limits::{ROW_GROUP_BYTES_MAX, ROW_GROUP_ROWS_MAX};
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;
use ::parquet::schema::types::ColumnPath;
use unframe::text::content::Volume;

use super::target::Target;
use super::{CleanPage, METADATA_COLUMNS, PageWriter};

const SCHEMA: &str = "message pages {
    required binary url (STRING);
    required binary site (STRING);
    optional int64 date (TIMESTAMP(MICROS,true));
    optional binary title (STRING);
    optional binary headline (STRING);
    optional binary author (STRING);
    optional binary published (STRING);
    optional binary modified (STRING);
    optional binary description (STRING);
    optional binary site_name (STRING);
    optional binary language (STRING);
    optional binary canonical (STRING);
    optional binary page_type (STRING);
    optional binary license (STRING);
    required binary text (STRING);
    required binary evidence (STRING);
    required int64 html_template;
    required int64 html_total;
    required int64 text_template;
    required int64 text_total;
    required int64 links_template;
    required int64 links_total;
}";

/// Collects rows and writes them in groups of bounded size.
pub(super) struct Rows {
    writer: SerializedFileWriter<Target>,
    unfinished: Option<PathBuf>,
    group: Group,
}

/// The rows of a group, column by column.
#[derive(Default)]
struct Group {
    urls: Vec<ByteArray>,
    sites: Vec<ByteArray>,
    dates: Vec<Option<i64>>,
    titles: Vec<Option<ByteArray>>,
    metadata: [Vec<Option<ByteArray>>; METADATA_COLUMNS.len()],
    texts: Vec<ByteArray>,
    evidence: Vec<ByteArray>,
    volumes: Vec<Volume>,
    bytes: usize,
}

impl Rows {
    pub(super) fn new(target: Target) -> io::Result<Rows> {
        let unfinished = target.unfinished().map(Path::to_owned);
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("unframe ", env!("CARGO_PKG_VERSION")).to_owned())
            // Texts hardly ever repeat.
            .set_column_dictionary_enabled(ColumnPath::from("text"), false)
            .set_column_dictionary_enabled(ColumnPath::from("url"), false)
            .build();
        let writer = SerializedFileWriter::new(target, schema, Arc::new(properties))?;
        Ok(Rows { writer, unfinished, group: Group::default() })
    }

    fn end_group(&mut self) -> Result<()> {
        let group = std::mem::take(&mut self.group);
        if group.urls.is_empty() {
            return Ok(());
        }
        let mut to = self.writer.next_row_group()?;
        column::<ByteArrayType>(&mut to, &group.urls)?;
        column::<ByteArrayType>(&mut to, &group.sites)?;
        optional_column::<Int64Type>(&mut to, group.dates)?;
        optional_column::<ByteArrayType>(&mut to, group.titles)?;
        for column in group.metadata {
            optional_column::<ByteArrayType>(&mut to, column)?;
        }
        column::<ByteArrayType>(&mut to, &group.texts)?;
        column::<ByteArrayType>(&mut to, &group.evidence)?;
        let numbers: [fn(&Volume) -> u64; 6] = [
            |volume| volume.html.template,
            |volume| volume.html.total,
            |volume| volume.text.template,
            |volume| volume.text.total,
            |volume| volume.links.template,
            |volume| volume.links.total,
        ];
        for number in numbers {
            let values = group.volumes.iter().map(|volume| i64::try_from(number(volume)).unwrap_or(i64::MAX));
            column::<Int64Type>(&mut to, &values.collect::<Vec<i64>>())?;
        }
        to.close()?;
        Ok(())
    }
}

impl Group {
    fn push(&mut self, page: &CleanPage) {
        let text = page.body.text();
        self.bytes += text.len() + page.url.len() + page.title.as_ref().map_or(0, String::len);
        self.urls.push(ByteArray::from(page.url.as_str()));
        self.sites.push(ByteArray::from(page.site.as_str()));
        self.dates.push(page.date.map(|date| date.as_microsecond()));
        self.titles.push(page.title.as_deref().map(ByteArray::from));
        for (column, value) in self.metadata.iter_mut().zip(page.metadata_values()) {
            self.bytes += value.map_or(0, str::len);
            column.push(value.map(ByteArray::from));
        }
        self.texts.push(ByteArray::from(text.into_owned().into_bytes()));
        self.evidence.push(ByteArray::from(page.evidence.name()));
        self.volumes.push(page.volume);
    }

    fn is_full(&self) -> bool {
        self.bytes >= ROW_GROUP_BYTES_MAX || self.urls.len() >= ROW_GROUP_ROWS_MAX
    }
}

impl PageWriter for Rows {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        self.group.push(page);
        if self.group.is_full() {
            self.end_group()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.end_group()?;
        self.writer.into_inner()?.finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        self.unfinished.as_deref()
    }
}

fn column<T: DataType>(to: &mut SerializedRowGroupWriter<'_, Target>, values: &[T::T]) -> Result<()> {
    write_column::<T>(to, values, None)
}

fn optional_column<T: DataType>(
    to: &mut SerializedRowGroupWriter<'_, Target>,
    values: Vec<Option<T::T>>,
) -> Result<()> {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    write_column::<T>(to, &values, Some(&levels))
}

fn write_column<T: DataType>(
    to: &mut SerializedRowGroupWriter<'_, Target>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    let missing = || ParquetError::General("the schema has too few columns".to_owned());
    let mut column = to.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}
