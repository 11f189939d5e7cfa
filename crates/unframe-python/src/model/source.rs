//! Pages received from Python: `Page` objects, pairs of address and HTML, or HTML alone.

use jiff::Timestamp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};
use unframe::SiteBy;
use unframe_crawl::write::PageView;

use crate::html::Html;
use crate::page::{Page, date_of};

/// The maximum number of pages and of their bytes in a batch: enough work for all threads with little memory.
const BATCH_PAGES: usize = 256;
const BATCH_BYTES: usize = 32 << 20;

/// One page, which can be read without the interpreter's lock.
pub(crate) enum Source {
    Page(Page),
    Html { html: Html, url: String, site: String, date: Option<Timestamp> },
}

impl Source {
    fn html(html: Html) -> Source {
        Source::Html { html, url: String::new(), site: String::new(), date: None }
    }

    /// Sets the address. A `Page` keeps its own.
    pub(crate) fn named(mut self, address: Option<&str>, site_by: SiteBy) -> Source {
        if let (Source::Html { url, site, .. }, Some(address)) = (&mut self, address) {
            *site = site_by.key(address);
            *url = address.to_owned();
        }
        self
    }

    /// Sets the site. A `Page` keeps its own.
    pub(crate) fn of_site(mut self, key: &str) -> Source {
        if let Source::Html { site, .. } = &mut self {
            *site = key.to_owned();
        }
        self
    }

    /// The number of bytes of its HTML.
    fn length(&self) -> usize {
        match self {
            Source::Page(page) => page.view().payload.len(),
            Source::Html { html, .. } => html.payload().len(),
        }
    }

    /// The view that the library takes. This may detect the charset, which takes time, so it must not be called with the interpreter's lock held.
    pub(crate) fn view(&self) -> PageView<'_> {
        match self {
            Source::Page(page) => page.view(),
            Source::Html { html, url, site, date } => PageView {
                url,
                site,
                date: *date,
                record_id: None,
                origin: None,
                payload: html.payload(),
                charset: html.charset(),
            },
        }
    }
}

/// Accepts a `Page`, or HTML without an address.
impl FromPyObject<'_, '_> for Source {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Source> {
        match value.cast::<Page>() {
            Ok(page) => Ok(Source::Page(page.get().clone())),
            Err(_) => Ok(Source::html(value.extract()?)),
        }
    }
}

/// Iterates over pages in batches.
pub(crate) fn sources<'py>(pages: &Bound<'py, PyAny>, site_by: SiteBy) -> PyResult<Sources<'py>> {
    Ok(Sources { pages: pages.try_iter()?, site_by })
}

pub(crate) struct Sources<'py> {
    pages: Bound<'py, PyIterator>,
    site_by: SiteBy,
}

impl Sources<'_> {
    pub(crate) fn next_batch(&mut self) -> PyResult<Option<Vec<Source>>> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < BATCH_PAGES && bytes < BATCH_BYTES {
            let Some(item) = self.pages.next() else { break };
            let source = one(&item?, self.site_by)?;
            bytes += source.length();
            batch.push(source);
        }
        Ok((!batch.is_empty()).then_some(batch))
    }
}

/// Converts `Page`, `(url, html)`, `(url, html, date)` or `{"url": …, "html": …, "date": …}`.
fn one(item: &Bound<'_, PyAny>, site_by: SiteBy) -> PyResult<Source> {
    if let Ok(page) = item.cast::<Page>() {
        return Ok(Source::Page(page.get().clone()));
    }
    let (address, html, found) = if let Ok(fields) = item.cast::<PyDict>() {
        let needed = |name: &str| {
            fields.get_item(name)?.ok_or_else(|| PyTypeError::new_err(format!("a page has no `{name}`")))
        };
        (needed("url")?, needed("html")?, fields.get_item("date")?)
    } else if let Ok((url, html)) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
        (url, html, None)
    } else if let Ok((url, html, date)) =
        item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>)>()
    {
        (url, html, Some(date))
    } else {
        let kind = item.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a page must be a Page, a pair of url and html, or a dict with url and html, not {kind}"
        )));
    };
    let address: String = address.extract()?;
    let mut source = Source::html(html.extract()?).named(Some(&address), site_by);
    if let (Source::Html { date, .. }, Some(found)) = (&mut source, found) {
        *date = date_of(&found)?;
    }
    Ok(source)
}
