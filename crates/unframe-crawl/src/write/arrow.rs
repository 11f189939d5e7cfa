//! Arrow: the same rows as Parquet, as record batches (IPC) for DuckDB, Polars and others. They are a stream, which works through a pipe too, or a
//! file, which ends with the positions of its batches and is named `.arrow` by convention.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};

use super::columns::{self, Cell, Column, ColumnKind};
use super::target::Target;
use super::{CleanPage, PageWriter, RowKind};
use crate::limits::{ARROW_BATCH_BYTES_MAX, ARROW_BATCH_ROWS_MAX};

/// Collects rows and writes them in batches of bounded size.
pub(super) struct Batches {
    writer: BatchWriter,
    unfinished: Option<PathBuf>,
    kind: RowKind,
    schema: SchemaRef,
    columns: Vec<Values>,
    rows: usize,
    bytes: usize,
    bytes_max: usize,
}

enum BatchWriter {
    Stream(StreamWriter<Target>),
    File(FileWriter<Target>),
}

impl BatchWriter {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            BatchWriter::Stream(writer) => writer.write(batch),
            BatchWriter::File(writer) => writer.write(batch),
        }
    }

    fn into_inner(self) -> Result<Target, ArrowError> {
        match self {
            BatchWriter::Stream(writer) => writer.into_inner(),
            BatchWriter::File(writer) => writer.into_inner(),
        }
    }
}

/// The values of a column.
enum Values {
    Text(StringBuilder),
    Texts(ListBuilder<StringBuilder>),
    Time(TimestampMicrosecondBuilder),
    Number(Int64Builder),
    Share(Float64Builder),
}

impl Batches {
    /// A stream, or a file with the positions of its batches.
    pub(super) fn new(
        target: Target,
        kind: RowKind,
        is_file: bool,
        bytes_held: usize,
    ) -> io::Result<Batches> {
        let unfinished = target.unfinished().map(Path::to_owned);
        let columns = columns::all(kind);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<Field>>()));
        let writer = match is_file {
            true => FileWriter::try_new(target, &schema).map(BatchWriter::File),
            false => StreamWriter::try_new(target, &schema).map(BatchWriter::Stream),
        };
        let writer = writer.map_err(io_error)?;
        let columns = columns.iter().map(|column| Values::new(column.kind)).collect();
        let bytes_max = bytes_held.min(ARROW_BATCH_BYTES_MAX);
        Ok(Batches { writer, unfinished, kind, schema, columns, rows: 0, bytes: 0, bytes_max })
    }

    fn end_batch(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        (self.rows, self.bytes) = (0, 0);
        let arrays = self.columns.iter_mut().map(Values::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(io_error)?;
        self.writer.write(&batch).map_err(io_error)
    }
}

impl PageWriter for Batches {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        columns::each_row(page, self.kind, |cells| {
            for (values, cell) in self.columns.iter_mut().zip(cells) {
                self.bytes += cell.bytes();
                values.push(cell);
            }
            self.rows += 1;
        });
        if self.bytes >= self.bytes_max || self.rows >= ARROW_BATCH_ROWS_MAX {
            self.end_batch()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.end_batch()?;
        self.writer.into_inner().map_err(io_error)?.finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        self.unfinished.as_deref()
    }
}

impl Values {
    fn new(kind: ColumnKind) -> Values {
        match kind {
            ColumnKind::Text => Values::Text(StringBuilder::new()),
            ColumnKind::Texts => Values::Texts(ListBuilder::new(StringBuilder::new()).with_field(element())),
            ColumnKind::Time => Values::Time(TimestampMicrosecondBuilder::new().with_timezone("UTC")),
            ColumnKind::Number => Values::Number(Int64Builder::new()),
            ColumnKind::Share => Values::Share(Float64Builder::new()),
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        match self {
            Values::Text(values) => values.append_option(cell.text()),
            Values::Texts(values) => values.append_value(cell.texts().iter().map(Some)),
            Values::Time(values) => values.append_option(cell.number()),
            Values::Number(values) => values.append_option(cell.number()),
            Values::Share(values) => values.append_option(cell.share()),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Values::Text(values) => ArrayBuilder::finish(values),
            Values::Texts(values) => ArrayBuilder::finish(values),
            Values::Time(values) => ArrayBuilder::finish(values),
            Values::Number(values) => ArrayBuilder::finish(values),
            Values::Share(values) => ArrayBuilder::finish(values),
        }
    }
}

fn field(column: &Column) -> Field {
    let kind = match column.kind {
        ColumnKind::Text => DataType::Utf8,
        ColumnKind::Texts => DataType::List(Arc::new(element())),
        ColumnKind::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        ColumnKind::Number => DataType::Int64,
        ColumnKind::Share => DataType::Float64,
    };
    Field::new(column.name, kind, !column.is_required)
}

/// The elements of a list.
fn element() -> Field {
    Field::new("element", DataType::Utf8, false)
}

/// Unwraps I/O errors, so that a full disk or a closed pipe is reported as such.
fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}
