//! Parquet with one row per page or chunk, compressed with zstd.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::limits::ROW_GROUP_ROWS_MAX;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;
use ::parquet::schema::types::ColumnPath;

use super::columns::{self, Cell, Column, ColumnKind};
use super::target::Target;
use super::{CleanPage, PageWriter, RowKind};

/// Collects rows and writes them in groups of bounded size.
pub(super) struct Rows {
    writer: SerializedFileWriter<Target>,
    unfinished: Option<PathBuf>,
    kind: RowKind,
    columns: Vec<Column>,
    group: Group,
    group_bytes_max: usize,
}

/// The rows of a group, column by column.
struct Group {
    columns: Vec<Values>,
    rows: usize,
    bytes: usize,
}

/// The values of a column.
enum Values {
    Text(Vec<Option<ByteArray>>),
    Texts(Vec<Vec<ByteArray>>),
    Number(Vec<Option<i64>>),
    Share(Vec<Option<f64>>),
}

impl Rows {
    pub(super) fn new(target: Target, kind: RowKind, group_bytes_max: usize) -> io::Result<Rows> {
        let unfinished = target.unfinished().map(Path::to_owned);
        let columns = columns::all(kind);
        let schema = Arc::new(parse_message_type(&schema(kind, &columns))?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("unframe ", env!("CARGO_PKG_VERSION")).to_owned())
            // Texts rarely repeat, so a dictionary would not help.
            .set_column_dictionary_enabled(ColumnPath::from("text"), false)
            .set_column_dictionary_enabled(ColumnPath::from("url"), false)
            .set_column_dictionary_enabled(ColumnPath::from("id"), false)
            .set_column_dictionary_enabled(ColumnPath::from("warc_id"), false)
            .build();
        let writer = SerializedFileWriter::new(target, schema, Arc::new(properties))?;
        let group = Group::new(&columns);
        Ok(Rows { writer, unfinished, kind, columns, group, group_bytes_max })
    }

    fn end_group(&mut self) -> Result<()> {
        let group = std::mem::replace(&mut self.group, Group::new(&self.columns));
        if group.rows == 0 {
            return Ok(());
        }
        let mut to = self.writer.next_row_group()?;
        for (column, values) in self.columns.iter().zip(group.columns) {
            match values {
                Values::Texts(values) => write_lists(&mut to, values)?,
                Values::Text(values) => write_column::<ByteArrayType>(&mut to, values, column)?,
                Values::Number(values) => write_column::<Int64Type>(&mut to, values, column)?,
                Values::Share(values) => write_column::<DoubleType>(&mut to, values, column)?,
            }
        }
        to.close()?;
        Ok(())
    }
}

impl Group {
    fn new(columns: &[Column]) -> Group {
        Group { columns: columns.iter().map(|column| Values::new(column.kind)).collect(), rows: 0, bytes: 0 }
    }

    fn push(&mut self, cells: Vec<Cell<'_>>) {
        self.rows += 1;
        for (values, cell) in self.columns.iter_mut().zip(cells) {
            self.bytes += cell.bytes();
            values.push(cell);
        }
    }
}

impl Values {
    fn new(kind: ColumnKind) -> Values {
        match kind {
            ColumnKind::Text => Values::Text(Vec::new()),
            ColumnKind::Texts => Values::Texts(Vec::new()),
            ColumnKind::Time | ColumnKind::Number => Values::Number(Vec::new()),
            ColumnKind::Share => Values::Share(Vec::new()),
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        match self {
            Values::Text(values) => {
                values.push(cell.text().map(|text| ByteArray::from(text.into_owned().into_bytes())));
            }
            Values::Texts(values) => {
                values.push(cell.texts().iter().map(|text| ByteArray::from(text.as_str())).collect());
            }
            Values::Number(values) => values.push(cell.number()),
            Values::Share(values) => values.push(cell.share()),
        }
    }
}

impl PageWriter for Rows {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        columns::each_row(page, self.kind, |cells| self.group.push(cells));
        if self.group.bytes >= self.group_bytes_max || self.group.rows >= ROW_GROUP_ROWS_MAX {
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

/// The schema of the columns.
fn schema(rows: RowKind, columns: &[Column]) -> String {
    let line = |column: &Column| {
        let (kind, meaning) = match column.kind {
            ColumnKind::Texts => {
                let element = "repeated group list { required binary element (STRING); }";
                return format!("required group {} (LIST) {{ {element} }}\n", column.name);
            }
            ColumnKind::Text => ("binary", " (STRING)"),
            ColumnKind::Time => ("int64", " (TIMESTAMP(MICROS,true))"),
            ColumnKind::Number => ("int64", ""),
            ColumnKind::Share => ("double", ""),
        };
        let presence = if column.is_required { "required" } else { "optional" };
        format!("{presence} {kind} {}{meaning};\n", column.name)
    };
    let name = match rows {
        RowKind::Page => "pages",
        RowKind::Chunk => "chunks",
    };
    format!("message {name} {{\n{}}}", columns.iter().map(line).collect::<String>())
}

fn write_column<T: DataType>(
    to: &mut SerializedRowGroupWriter<'_, Target>,
    values: Vec<Option<T::T>>,
    column: &Column,
) -> Result<()> {
    let levels: Option<Vec<i16>> =
        (!column.is_required).then(|| values.iter().map(|value| i16::from(value.is_some())).collect());
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    let mut to = to.next_column()?.ok_or_else(too_few_columns)?;
    to.typed::<T>().write_batch(&values, levels.as_deref(), None)?;
    to.close()
}

/// Writes a column of lists. Definition levels tell elements (1) from empty lists (0), and repetition levels tell the first element of a list (0)
/// from the others (1).
fn write_lists(to: &mut SerializedRowGroupWriter<'_, Target>, lists: Vec<Vec<ByteArray>>) -> Result<()> {
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    for list in &lists {
        definition.push(i16::from(!list.is_empty()));
        repetition.push(0);
        for _ in list.iter().skip(1) {
            definition.push(1);
            repetition.push(1);
        }
    }
    let values: Vec<ByteArray> = lists.into_iter().flatten().collect();
    let mut to = to.next_column()?.ok_or_else(too_few_columns)?;
    to.typed::<ByteArrayType>().write_batch(&values, Some(&definition), Some(&repetition))?;
    to.close()
}

fn too_few_columns() -> ParquetError {
    ParquetError::General("the schema has too few columns".to_owned())
}
