//! The results for a page: its template regions and its content.

use jiff::Timestamp;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use unframe::render::Chunk;
use unframe::text::content::Volume;
use unframe_crawl::write::{self, Body, clean_line};

/// A range of bytes of a page that is template: `html[region.start:region.end]`.
///
/// Positions count bytes of the page as it was given; for a page that was given as str, bytes of its UTF-8.
#[pyclass(module = "unframe", frozen, eq, skip_from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Region(unframe::Region);

#[pymethods]
impl Region {
    /// The first byte.
    #[getter]
    fn start(&self) -> u32 {
        self.0.span.start
    }

    /// The first byte after it.
    #[getter]
    fn end(&self) -> u32 {
        self.0.span.end
    }

    /// The id of its template, 16 hex digits: the same on all pages and in all runs.
    #[getter]
    fn template(&self) -> String {
        self.0.template.to_string()
    }

    /// How many of the observed pages of the site have it.
    #[getter]
    fn pages(&self) -> u32 {
        self.0.pages
    }

    /// `repeated`, `changing` for what changes inside a template, such as a date in a footer, `markup` for what is repeated and nobody reads, or `clutter` for what is neither
    /// template nor content, such as teasers.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// Its sort, such as `navigation` or `comments`; None if it is unknown.
    #[getter]
    fn sort(&self) -> Option<&'static str> {
        self.0.sort.name()
    }

    /// The probability that this is not content, from 0 to 1; None if the method gives none.
    #[getter]
    fn confidence(&self) -> Option<f64> {
        (self.0.confidence > 0).then(|| f64::from(self.0.confidence) / 100.0)
    }

    /// The id of the template that contains this one, such as the header of a menu; None if there is none.
    #[getter]
    fn within(&self) -> Option<String> {
        self.0.within.map(|template| template.to_string())
    }

    fn __repr__(&self) -> String {
        format!(
            "Region({}, {}, template={:?}, pages={})",
            self.start(),
            self.end(),
            self.template(),
            self.pages()
        )
    }
}

/// Converts regions to Python objects.
pub(crate) fn regions(found: &[unframe::Region]) -> Vec<Region> {
    found.iter().copied().map(Region).collect()
}

/// The content of a page, without its templates. `str(page)` is its text, `bytes(page)` its bytes.
#[pyclass(module = "unframe", frozen, skip_from_py_object)]
pub(crate) struct CleanPage(pub(crate) write::CleanPage);

#[pymethods]
impl CleanPage {
    /// The address it was fetched from.
    #[getter]
    fn url(&self) -> &str {
        &self.0.url
    }

    /// The key of its site.
    #[getter]
    fn site(&self) -> &str {
        &self.0.site
    }

    /// When it was fetched, in UTC.
    #[getter]
    fn date(&self) -> Option<Timestamp> {
        self.0.date
    }

    /// Its title.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }

    /// The title of the content, without the name of the site.
    #[getter]
    fn headline(&self) -> Option<&str> {
        self.0.metadata_value("headline")
    }

    /// The author; several are separated by `; `.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.0.metadata_value("author")
    }

    /// When it was published: `YYYY-MM-DD`, or RFC 3339 if the page says time and zone.
    #[getter]
    fn published(&self) -> Option<&str> {
        self.0.metadata_value("published")
    }

    /// When it was last changed, in the same form.
    #[getter]
    fn modified(&self) -> Option<&str> {
        self.0.metadata_value("modified")
    }

    /// A short description.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.0.metadata_value("description")
    }

    /// The name of the site.
    #[getter]
    fn site_name(&self) -> Option<&str> {
        self.0.metadata_value("site_name")
    }

    /// The language to go by: the declared one, unless the content is clearly in another.
    #[getter]
    fn language(&self) -> Option<&str> {
        self.0.metadata_value("language")
    }

    /// The address that the page calls its own, absolute.
    #[getter]
    fn canonical(&self) -> Option<&str> {
        self.0.metadata_value("canonical")
    }

    /// What it is, in the words of Open Graph or schema.org, such as `article` or `Product`.
    #[getter]
    fn page_type(&self) -> Option<&str> {
        self.0.metadata_value("page_type")
    }

    /// The licence: an address, or what the page says of its rights.
    #[getter]
    fn license(&self) -> Option<&str> {
        self.0.metadata_value("license")
    }

    /// The language that the page declares, such as `en-US`.
    #[getter]
    fn language_declared(&self) -> Option<&str> {
        self.0.metadata_value("language_declared")
    }

    /// The language of the content, where it is known.
    #[getter]
    fn language_detected(&self) -> Option<&str> {
        self.0.metadata_value("language_detected")
    }

    /// The comments of readers.
    #[getter]
    fn comments(&self) -> Option<&str> {
        self.0.metadata_value("comments")
    }

    /// `article`, `listing`, `product`, `forum`, `documentation`, `service` or `other`, from what the page looks like and declares.
    #[getter]
    fn page_kind(&self) -> Option<&str> {
        self.0.metadata_value("page_kind")
    }

    /// The confidence of the kind, from 0 to 1.
    #[getter]
    fn page_kind_confidence(&self) -> Option<f64> {
        self.0.kind_confidence()
    }

    /// The content: text, Markdown, HTML or simple HTML, as `format` asked for; for chunks, their texts.
    #[getter]
    fn text(&self) -> std::borrow::Cow<'_, str> {
        self.0.body.text()
    }

    /// With the format `chunks`: the parts of the content, as dicts with `headings`, `text`, `tokens`, `start` and `end`; else None.
    #[getter]
    fn chunks<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
        let Body::Chunks(chunks) = &self.0.body else { return Ok(None) };
        let dict = |chunk: &Chunk| {
            let fields = PyDict::new(py);
            fields.set_item("headings", &chunk.headings)?;
            fields.set_item("text", &chunk.text)?;
            fields.set_item("tokens", chunk.tokens)?;
            fields.set_item("start", chunk.span.start)?;
            fields.set_item("end", chunk.span.end)?;
            Ok(fields)
        };
        chunks.iter().map(dict).collect::<PyResult<_>>().map(Some)
    }

    /// `site` if its templates were found by comparing pages of its site, `page` if it was scored on its own.
    #[getter]
    fn evidence(&self) -> &'static str {
        self.0.evidence.name()
    }

    /// How much of it is template: `{"html": {"template", "total"}, "text": …, "links": …}`.
    #[getter]
    fn volume<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        volume(self.0.volume, py)
    }

    /// The line of JSON that the program writes for it, line break and all.
    fn json(&self) -> PyResult<String> {
        let line = clean_line(&self.0).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        String::from_utf8(line).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.body.bytes())
    }

    fn __str__(&self) -> std::borrow::Cow<'_, str> {
        self.0.body.text()
    }

    fn __repr__(&self) -> String {
        let kind = match self.0.body {
            Body::Text(_) => "text",
            Body::Markdown(_) => "markdown",
            Body::Html { .. } => "html",
            Body::SimpleHtml(_) => "simple HTML",
            Body::Chunks(_) => "chunks",
        };
        format!("CleanPage({:?}, {} bytes of {kind})", self.0.url, self.0.body.bytes().len())
    }
}

fn volume(volume: Volume, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let shares = PyDict::new(py);
    for (name, share) in [("html", volume.html), ("text", volume.text), ("links", volume.links)] {
        let numbers = PyDict::new(py);
        numbers.set_item("template", share.template)?;
        numbers.set_item("total", share.total)?;
        shares.set_item(name, numbers)?;
    }
    Ok(shares)
}
