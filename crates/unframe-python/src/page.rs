//! A page of a crawl.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use unframe::{Charset, CharsetSource, Origin, SiteBy};
use unframe_crawl::write::PageView;

use crate::errors;
use crate::html::Html;

/// A page of a crawl: its address, its bytes, and where it was read from.
///
/// `html` is bytes, or str, which stands for its UTF-8. `date` is a datetime or text in any form that crawls
/// have; `charset` is what the HTTP header named, if anything did.
///
/// >>> from unframe import Page
/// >>> page = Page("https://www.example.org/tea", b"<p>Tea", "2024-05-06")
/// >>> page.site, page.charset, page.date.year
/// ('example.org', 'UTF-8', 2024)
#[pyclass(module = "unframe", frozen, skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Page(pub(crate) Arc<unframe::Page>);

#[pymethods]
impl Page {
    #[new]
    #[pyo3(signature = (url, html, date=None, *, charset=None, site_by="host"))]
    fn new(
        py: Python<'_>,
        url: String,
        html: Html,
        date: Option<&Bound<'_, PyAny>>,
        charset: Option<&str>,
        site_by: &str,
    ) -> PyResult<Page> {
        let named = charset.and_then(charset_by_name);
        let (charset, payload) =
            py.detach(|| (named.unwrap_or_else(|| html.charset()), html.payload().to_owned()));
        Ok(Page(Arc::new(unframe::Page {
            site: site_by_name(site_by)?.key(&url),
            url,
            date: date.map(date_of).transpose()?.flatten(),
            charset,
            payload,
            record_id: None,
            origin: Origin { file: "".into(), offset: 0 },
            problems: Vec::new(),
        })))
    }

    /// The address it was fetched from.
    #[getter]
    fn url(&self) -> &str {
        &self.0.url
    }

    /// The key of the site that it is compared with.
    #[getter]
    fn site(&self) -> &str {
        &self.0.site
    }

    /// The bytes, which all positions count. Every look makes a copy.
    #[getter]
    fn html<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.payload)
    }

    /// When it was fetched, in UTC.
    #[getter]
    fn date(&self) -> Option<Timestamp> {
        self.0.date
    }

    /// The charset, as browsers call it.
    #[getter]
    fn charset(&self) -> &'static str {
        self.0.charset.name()
    }

    /// The file that it was read from.
    #[getter]
    fn file(&self) -> &str {
        &self.0.origin.file
    }

    /// Where its record begins in that file, in bytes; the row's number for Parquet.
    #[getter]
    fn offset(&self) -> u64 {
        self.0.origin.offset
    }

    /// What was wrong with it, as pairs of a stable code and a message. The page is usable all the same.
    #[getter]
    fn problems(&self) -> Vec<(&'static str, &str)> {
        self.0.problems.iter().map(|problem| (problem.code, problem.message.as_str())).collect()
    }

    fn __repr__(&self) -> String {
        format!("Page({:?}, {} bytes, {})", self.0.url, self.0.payload.len(), self.0.charset.name())
    }
}

impl Page {
    pub(crate) fn view(&self) -> PageView<'_> {
        PageView::from(&*self.0)
    }
}

/// The key of the site that an address belongs to, by `host`, `domain`, `prefix` or `all`.
///
/// >>> import unframe
/// >>> unframe.site_of("https://www.news.example.co.uk/sport/", "domain")
/// 'example.co.uk'
#[pyfunction]
#[pyo3(signature = (url, site_by="host"))]
pub(crate) fn site_of(url: &str, site_by: &str) -> PyResult<String> {
    Ok(site_by_name(site_by)?.key(url))
}

/// Parses the name of a criterion that assigns pages to sites.
pub(crate) fn site_by_name(name: &str) -> PyResult<SiteBy> {
    name.parse().map_err(errors::setting)
}

/// A charset by the name that an earlier read detected.
pub(crate) fn charset_by_name(name: &str) -> Option<Charset> {
    let encoding = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes())?;
    Some(Charset { encoding, source: CharsetSource::Http })
}

/// Converts a date: a `datetime` (UTC if it has no time zone), or text in any of the date formats of crawls.
pub(crate) fn date_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Timestamp>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(unframe_crawl::parse_date(&text));
    }
    if let Ok(date) = value.extract::<Timestamp>() {
        return Ok(Some(date));
    }
    let civil: DateTime =
        value.extract().map_err(|_| PyTypeError::new_err("a date must be a datetime, a str or None"))?;
    Ok(TimeZone::UTC.to_timestamp(civil).ok())
}
