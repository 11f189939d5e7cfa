//! The columns of pages in a batch: `url`, `html` and optionally `date` and `charset`.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use jiff::Timestamp;
use pyo3::PyResult;
use unframe::{Charset, SiteBy, charset};
use unframe_crawl::write::PageView;

use crate::errors;
use crate::html::{UTF8_HTML, within_limit};
use crate::page::charset_by_name;

/// The columns of a batch.
pub(crate) struct Columns<'a> {
    url: Values<'a>,
    html: Values<'a>,
    date: Option<&'a dyn Array>,
    charset: Option<Values<'a>>,
}

/// The page in a row. Its bytes are borrowed from the batch.
pub(crate) struct RowPage<'a> {
    url: Cow<'a, str>,
    site: String,
    date: Option<Timestamp>,
    payload: &'a [u8],
    charset: Charset,
}

impl RowPage<'_> {
    pub(crate) fn view(&self) -> PageView<'_> {
        PageView {
            url: &self.url,
            site: &self.site,
            date: self.date,
            record_id: None,
            origin: None,
            payload: self.payload,
            charset: self.charset,
        }
    }
}

impl<'a> Columns<'a> {
    pub(crate) fn of(batch: &'a RecordBatch) -> PyResult<Columns<'a>> {
        let needed = |name: &str| match batch.column_by_name(name) {
            Some(column) => Values::of(name, column),
            None => {
                let schema = batch.schema();
                let present: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
                let present = present.join(", ");
                Err(errors::input(format!("there is no column `{name}`; the columns are {present}")))
            }
        };
        let date = batch.column_by_name("date").map(|column| &**column);
        if let Some(date) = date.filter(|date| !is_date(date.data_type())) {
            return Err(errors::input(format!("the column `date` contains {}, not dates", date.data_type())));
        }
        let charset =
            batch.column_by_name("charset").map(|column| Values::of("charset", column)).transpose()?;
        Ok(Columns { url: needed("url")?, html: needed("html")?, date, charset })
    }

    /// The page in a row; `None` if the address or the HTML is missing, as when files are read.
    pub(crate) fn page(&self, row: usize, site_by: SiteBy) -> Option<RowPage<'a>> {
        let url = String::from_utf8_lossy(self.url.get(row)?);
        if url.trim().is_empty() {
            return None;
        }
        let payload = within_limit(self.html.get(row)?);
        let named = self.charset.as_ref().and_then(|charset| charset.get(row));
        let named = named.and_then(|name| charset_by_name(std::str::from_utf8(name).ok()?));
        let content_type = self.html.is_text.then_some(UTF8_HTML);
        Some(RowPage {
            site: site_by.key(&url),
            url,
            date: self.date.and_then(|dates| date(dates, row)),
            payload,
            charset: named.unwrap_or_else(|| charset::find(payload, content_type)),
        })
    }
}

/// Returns the value of a row.
type Get<'a> = fn(&'a dyn Array, usize) -> &'a [u8];

/// A column of text or bytes in any of Arrow's layouts.
struct Values<'a> {
    array: &'a dyn Array,
    get: Get<'a>,
    is_text: bool,
}

impl<'a> Values<'a> {
    fn of(name: &str, array: &'a dyn Array) -> PyResult<Values<'a>> {
        let (get, is_text): (Get<'a>, bool) = match array.data_type() {
            DataType::Utf8 => (|array, row| array.as_string::<i32>().value(row).as_bytes(), true),
            DataType::LargeUtf8 => (|array, row| array.as_string::<i64>().value(row).as_bytes(), true),
            DataType::Utf8View => (|array, row| array.as_string_view().value(row).as_bytes(), true),
            DataType::Binary => (|array, row| array.as_binary::<i32>().value(row), false),
            DataType::LargeBinary => (|array, row| array.as_binary::<i64>().value(row), false),
            DataType::BinaryView => (|array, row| array.as_binary_view().value(row), false),
            other => {
                let message =
                    format!("the column `{name}` contains {other}, not text or bytes: cast it first");
                return Err(errors::input(message));
            }
        };
        Ok(Values { array, get, is_text })
    }

    fn get(&self, row: usize) -> Option<&'a [u8]> {
        (!self.array.is_null(row)).then(|| (self.get)(self.array, row))
    }
}

fn is_date(kind: &DataType) -> bool {
    use DataType::{LargeUtf8, Null, Timestamp, Utf8, Utf8View};
    matches!(kind, Timestamp(..) | Utf8 | LargeUtf8 | Utf8View | Null)
}

fn date(dates: &dyn Array, row: usize) -> Option<Timestamp> {
    if dates.is_null(row) {
        return None;
    }
    let text = match dates.data_type() {
        DataType::Timestamp(unit, _) => return time(dates, row, *unit),
        DataType::Utf8 => dates.as_string::<i32>().value(row),
        DataType::LargeUtf8 => dates.as_string::<i64>().value(row),
        DataType::Utf8View => dates.as_string_view().value(row),
        _ => return None,
    };
    unframe_crawl::parse_date(text)
}

fn time(dates: &dyn Array, row: usize, unit: TimeUnit) -> Option<Timestamp> {
    match unit {
        TimeUnit::Second => Timestamp::from_second(dates.as_primitive::<TimestampSecondType>().value(row)),
        TimeUnit::Millisecond => {
            Timestamp::from_millisecond(dates.as_primitive::<TimestampMillisecondType>().value(row))
        }
        TimeUnit::Microsecond => {
            Timestamp::from_microsecond(dates.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        TimeUnit::Nanosecond => {
            Timestamp::from_nanosecond(dates.as_primitive::<TimestampNanosecondType>().value(row).into())
        }
    }
    .ok()
}
