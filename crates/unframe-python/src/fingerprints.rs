//! Fingerprints of the structure of pages, clusters of them, and known templates.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyType;
use unframe::fingerprint::index::Cut;
use unframe::fingerprint::{self as library, Method, Settings, Signature, SignatureMaker, scope_of};

use crate::html::Html;
use crate::page::site_by_name;
use crate::saving::save;
use crate::threads::map_rows;
use crate::{arrow, errors};

fn settings(method: &str, length: Option<usize>, threshold: Option<f64>) -> PyResult<Settings> {
    let method: Method = method.parse().map_err(errors::setting)?;
    let mut settings = Settings::new(method);
    if let Some(length) = length {
        settings.cut = Cut::new(length, settings.cut.split());
    }
    Ok(Settings { threshold: threshold.unwrap_or(settings.threshold), ..settings })
}

/// The settings of a method; an error if the method has no fingerprints.
fn signature_settings(method: &str, length: Option<usize>) -> PyResult<Settings> {
    let settings = settings(method, length, None)?;
    match settings.method.is_looked_up() {
        true => Ok(settings),
        false => Err(errors::setting(format!(
            "the method `{method}` has no fingerprints: choose fingerprint, fingerprint+, md5 or mdh5"
        ))),
    }
}

/// The fingerprint of the structure of a page, in hex digits: pages of one template have equal or similar ones.
///
/// >>> import unframe
/// >>> one, other = unframe.fingerprint("<ul><li>a<li>b</ul>"), unframe.fingerprint("<ul><li>c<li>d</ul>")
/// >>> one == other
/// True
#[pyfunction]
#[pyo3(signature = (html, *, method="fingerprint", length=None))]
pub(crate) fn fingerprint(
    py: Python<'_>,
    html: Html,
    method: &str,
    length: Option<usize>,
) -> PyResult<String> {
    let settings = signature_settings(method, length)?;
    Ok(py.detach(|| SignatureMaker::new(&settings).make(html.payload(), html.charset().encoding).to_string()))
}

/// The fingerprints of the pages of Arrow data: rows of `url`, `site` and `fingerprint`.
#[pyfunction]
#[pyo3(signature = (data, *, method="fingerprint", length=None, site_by="host", threads=0))]
pub(crate) fn fingerprint_arrow<'py>(
    data: &Bound<'py, PyAny>,
    method: &str,
    length: Option<usize>,
    site_by: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (settings, site_by) = (signature_settings(method, length)?, site_by_name(site_by)?);
    let input = arrow::Input::new(data)?;
    let made = data.py().detach(|| {
        input.map(arrow::fingerprint_schema(), |batch| {
            let columns = arrow::Columns::of(batch)?;
            let new_worker = || {
                let mut maker = SignatureMaker::new(&settings);
                let columns = &columns;
                move |row: usize| {
                    let page = columns.page(row, site_by)?;
                    let view = page.view();
                    let signature = maker.make(view.payload, view.charset.encoding);
                    Some((view.url.to_owned(), view.site.to_owned(), signature.to_string()))
                }
            };
            let rows: Vec<_> =
                map_rows(batch.num_rows(), threads, new_worker).into_iter().flatten().collect();
            arrow::fingerprints(&rows)
        })
    })?;
    input.answer(data.py(), made)
}

/// Pages grouped by the template that they were made from, by their structure alone.
///
/// >>> from unframe import Clusters
/// >>> clusters = Clusters()
/// >>> numbers = [clusters.add(page) for page in ["<ul><li><li></ul><p>a", "<ul><li><li></ul><p>b", "<table><tr><td></table><hr>"]]
/// >>> names = clusters.names()
/// >>> names[numbers[0]] == names[numbers[1]], names[numbers[0]] == names[numbers[2]]
/// (True, False)
#[pyclass(module = "unframe", frozen)]
pub(crate) struct Clusters(Mutex<library::Clusters>);

#[pymethods]
impl Clusters {
    #[new]
    #[pyo3(signature = (*, method="fingerprint", length=None, threshold=None))]
    fn new(method: &str, length: Option<usize>, threshold: Option<f64>) -> PyResult<Clusters> {
        Ok(Clusters(Mutex::new(library::Clusters::new(settings(method, length, threshold)?))))
    }

    /// Adds a page, and returns the number that `names` knows it by. Pages of different `site` are never one cluster.
    #[pyo3(signature = (html, *, site=None))]
    fn add(&self, py: Python<'_>, html: Html, site: Option<&str>) -> PyResult<u32> {
        py.detach(|| {
            let settings = *self.lock().settings();
            let signature = SignatureMaker::new(&settings).make(html.payload(), html.charset().encoding);
            self.put(&signature, site)
        })
    }

    /// Adds a page by its fingerprint.
    #[pyo3(signature = (fingerprint, *, site=None))]
    fn add_fingerprint(&self, fingerprint: &str, site: Option<&str>) -> PyResult<u32> {
        let method = self.lock().settings().method;
        let bytes = bytes_of(fingerprint).and_then(|bytes| Signature::from_bytes(method, &bytes));
        match bytes {
            Some(signature) => self.put(&signature, site),
            None => {
                Err(errors::input(format!("`{fingerprint}` is not a fingerprint of the method `{method}`")))
            }
        }
    }

    /// The name of the cluster of each page, by the number that adding it returned.
    fn names(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| {
            let mut clusters = self.lock();
            let names = clusters.names();
            let numbers = 0..clusters.len() as u32;
            numbers.map(|number| names.of(number).map(|name| name.to_string()).unwrap_or_default()).collect()
        })
    }

    fn __len__(&self) -> usize {
        self.lock().len()
    }

    /// Writes the same file as `unframe cluster --state`.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &path, || self.lock().encode().map_err(errors::model))
    }

    /// Loads clusters from a file, to which pages can be added.
    #[classmethod]
    fn load(_class: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> PyResult<Clusters> {
        let bytes = read(py, path)?;
        let clusters = py.detach(|| library::Clusters::decode(&bytes)).map_err(errors::model)?;
        Ok(Clusters(Mutex::new(clusters)))
    }
}

impl Clusters {
    fn lock(&self) -> MutexGuard<'_, library::Clusters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, signature: &Signature, site: Option<&str>) -> PyResult<u32> {
        self.lock().add(site.map_or(0, scope_of), signature).map_err(errors::input)
    }
}

/// Known templates, by examples of their pages.
///
/// >>> from unframe import Classifier
/// >>> known = Classifier()
/// >>> known.add("list", "<ul><li><li></ul>")
/// >>> known.add("table", "<table><tr><td></table>")
/// >>> known.classify("<ul><li>tea<li>milk</ul>"), known.classify("<h1>")
/// ('list', None)
#[pyclass(module = "unframe", frozen)]
pub(crate) struct Classifier(Mutex<Known>);

struct Known {
    classifier: library::Classifier,
    /// Whether examples were added since the thresholds were learned.
    is_new: bool,
}

#[pymethods]
impl Classifier {
    #[new]
    #[pyo3(signature = (*, method="fingerprint", length=None))]
    fn new(method: &str, length: Option<usize>) -> PyResult<Classifier> {
        let classifier = library::Classifier::new(settings(method, length, None)?);
        Ok(Classifier(Mutex::new(Known { classifier, is_new: false })))
    }

    /// Adds an example of a template.
    fn add(&self, py: Python<'_>, template: &str, html: Html) -> PyResult<()> {
        py.detach(|| {
            let mut known = self.lock();
            let signature = known.signature(&html);
            known.is_new = true;
            known.classifier.add(template, &signature).map_err(errors::input)
        })
    }

    /// The template of a page, if one fits.
    fn classify(&self, py: Python<'_>, html: Html) -> Option<String> {
        py.detach(|| {
            let mut known = self.lock();
            if std::mem::take(&mut known.is_new) {
                known.classifier.learn_thresholds(|| false);
            }
            let signature = known.signature(&html);
            known.classifier.answer(&signature).map(str::to_owned)
        })
    }

    /// The names of the templates, in the order in which they came.
    #[getter]
    fn templates(&self) -> Vec<String> {
        self.lock().classifier.templates().to_vec()
    }

    /// Writes the same file as `unframe classify --state`.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &path, || self.lock().classifier.encode().map_err(errors::model))
    }

    /// The templates in a file.
    #[classmethod]
    fn load(_class: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> PyResult<Classifier> {
        let bytes = read(py, path)?;
        let classifier = py.detach(|| library::Classifier::decode(&bytes)).map_err(errors::model)?;
        Ok(Classifier(Mutex::new(Known { classifier, is_new: true })))
    }
}

impl Classifier {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn signature(&self, html: &Html) -> Signature {
        SignatureMaker::new(self.classifier.settings()).make(html.payload(), html.charset().encoding)
    }
}

fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digits = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    if !hex.is_ascii() || !hex.len().is_multiple_of(2) {
        return None;
    }
    (0..hex.len()).step_by(2).map(digits).collect()
}

fn read(py: Python<'_>, path: PathBuf) -> PyResult<Vec<u8>> {
    py.detach(|| std::fs::read(&path)).map_err(|error| errors::model(format!("{}: {error}", path.display())))
}
