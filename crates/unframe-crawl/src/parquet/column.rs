//! Reads the columns of a row group in parallel, row by row.

use ::parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type, Int96Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::RowGroupReader;
use ::parquet::schema::types::ColumnDescriptor;
use jiff::Timestamp;
use unframe::caught;

use super::Schema;
use crate::date::{from_unix, from_unix_fraction, parse_date};

const SECONDS_A_DAY: i64 = 86_400;

/// Calls the parquet library. A panic on a damaged file becomes an error.
pub(super) fn guarded<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match caught::catch(call) {
        Some(result) => result.map_err(|error| error.to_string()),
        None => Err("the file is damaged".to_owned()),
    }
}

/// One row. An invalid date is returned as text.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) url: Option<Vec<u8>>,
    pub(super) html: Option<Vec<u8>>,
    pub(super) date: Result<Option<Timestamp>, String>,
}

/// The columns of a row group.
pub(super) struct RowColumns {
    url: ColumnCursor<ByteArrayType>,
    html: ColumnCursor<ByteArrayType>,
    date: Option<DateColumn>,
}

impl RowColumns {
    pub(super) fn open(group: &dyn RowGroupReader, schema: &Schema) -> Result<RowColumns, ParquetError> {
        let bytes = |index: usize| match group.get_column_reader(index)? {
            ColumnReader::ByteArrayColumnReader(reader) => Ok(ColumnCursor::new(reader)),
            _ => Err(ParquetError::General("a column changed its type".to_owned())),
        };
        let date = schema.date.map(|index| DateColumn::open(group, index)).transpose()?;
        Ok(RowColumns { url: bytes(schema.url)?, html: bytes(schema.html)?, date: date.flatten() })
    }

    pub(super) fn next(&mut self) -> Result<Row, ParquetError> {
        // The bytes must be copied now, because the library panics on values that it left unset.
        let copy = |bytes: ByteArray| bytes.data().to_vec();
        let url = self.url.next()?.map(copy);
        let html = self.html.next()?.map(copy);
        let date = self.date.as_mut().map_or(Ok(Ok(None)), DateColumn::next)?;
        Ok(Row { url, html, date })
    }
}

/// A column of values that may be null.
struct ColumnCursor<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
    levels: Vec<i16>,
}

impl<T: DataType> ColumnCursor<T> {
    fn new(reader: ColumnReaderImpl<T>) -> ColumnCursor<T> {
        ColumnCursor { reader, values: Vec::new(), levels: Vec::new() }
    }

    fn next(&mut self) -> Result<Option<T::T>, ParquetError> {
        self.levels.clear();
        let (records, _, _) = self.reader.read_records(1, Some(&mut self.levels), None, &mut self.values)?;
        if records == 0 {
            return Err(ParquetError::EOF("the column ends early".to_owned()));
        }
        Ok(self.values.pop())
    }
}

/// A column of dates.
enum DateColumn {
    Text(ColumnCursor<ByteArrayType>),
    /// Days or seconds since 1970.
    Small(ColumnCursor<Int32Type>, Unit),
    Number(ColumnCursor<Int64Type>, Unit),
    /// The legacy nanosecond timestamps of Impala and Spark.
    Int96(ColumnCursor<Int96Type>),
    Seconds(ColumnCursor<DoubleType>),
}

/// The unit of a number since 1970.
#[derive(Debug, Clone, Copy)]
enum Unit {
    Days,
    Milliseconds,
    Microseconds,
    Nanoseconds,
    /// The file does not declare the unit.
    Unknown,
}

impl Unit {
    fn of(column: &ColumnDescriptor) -> Unit {
        match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Timestamp(time)), _) => match time.unit {
                TimeUnit::MILLIS => Unit::Milliseconds,
                TimeUnit::MICROS => Unit::Microseconds,
                TimeUnit::NANOS => Unit::Nanoseconds,
            },
            (Some(LogicalType::Date), _) | (_, ConvertedType::DATE) => Unit::Days,
            (_, ConvertedType::TIMESTAMP_MILLIS) => Unit::Milliseconds,
            (_, ConvertedType::TIMESTAMP_MICROS) => Unit::Microseconds,
            _ => Unit::Unknown,
        }
    }

    fn date(self, number: i64) -> Option<Timestamp> {
        match self {
            Unit::Days => Timestamp::from_second(number.checked_mul(SECONDS_A_DAY)?).ok(),
            Unit::Milliseconds => Timestamp::from_millisecond(number).ok(),
            Unit::Microseconds => Timestamp::from_microsecond(number).ok(),
            Unit::Nanoseconds => Timestamp::from_nanosecond(i128::from(number)).ok(),
            Unit::Unknown => from_unix(number),
        }
    }
}

impl DateColumn {
    /// Opens the column; `None` if its type cannot hold dates.
    fn open(group: &dyn RowGroupReader, index: usize) -> Result<Option<DateColumn>, ParquetError> {
        let unit = Unit::of(&group.metadata().schema_descr().column(index));
        Ok(match group.get_column_reader(index)? {
            ColumnReader::ByteArrayColumnReader(reader) => Some(DateColumn::Text(ColumnCursor::new(reader))),
            ColumnReader::Int32ColumnReader(reader) => {
                Some(DateColumn::Small(ColumnCursor::new(reader), unit))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                Some(DateColumn::Number(ColumnCursor::new(reader), unit))
            }
            ColumnReader::Int96ColumnReader(reader) => Some(DateColumn::Int96(ColumnCursor::new(reader))),
            ColumnReader::DoubleColumnReader(reader) => Some(DateColumn::Seconds(ColumnCursor::new(reader))),
            _ => None,
        })
    }

    fn next(&mut self) -> Result<Result<Option<Timestamp>, String>, ParquetError> {
        Ok(match self {
            DateColumn::Text(column) => {
                let text = column.next()?.map(|bytes| String::from_utf8_lossy(bytes.data()).into_owned());
                date_of(text, |text| parse_date(text))
            }
            DateColumn::Small(column, unit) => {
                date_of(column.next()?, |number| unit.date(i64::from(*number)))
            }
            DateColumn::Number(column, unit) => date_of(column.next()?, |number| unit.date(*number)),
            DateColumn::Int96(column) => {
                date_of(column.next()?, |time| Timestamp::from_microsecond(time.to_micros()).ok())
            }
            DateColumn::Seconds(column) => date_of(column.next()?, |seconds| from_unix_fraction(*seconds)),
        })
    }
}

fn date_of<T: ToString>(
    value: Option<T>,
    parse: impl Fn(&T) -> Option<Timestamp>,
) -> Result<Option<Timestamp>, String> {
    value.map(|value| parse(&value).ok_or_else(|| value.to_string())).transpose()
}
