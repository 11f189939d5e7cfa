//! Models of sites: learning, labelling and cleaning.

pub(crate) mod source;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use unframe::SiteBy;
use unframe::detect::{self, Detector};
use unframe::learn::Learned;
use unframe::learn::{Learner, Models};
use unframe::model_file::ModelFile;

use crate::cleaning::Cleaning;
use crate::parsers::PooledParser;
use crate::results::{CleanPage, Region, regions};
use crate::saving::save;
use crate::threads::map_rows;
use crate::{arrow, errors, page};
use source::{Source, sources};

/// The learned templates of one or many sites.
///
/// A page is given as a `Page`, or as HTML (bytes or str) with its `url`. Wherever many pages are taken, they are
/// `Page` objects, pairs `(url, html)`, triples `(url, html, date)` or dicts with these keys.
///
/// >>> from unframe import Model
/// >>> page = "<ul><li><a href=/>Home</a><li>About us</ul><p>{}"
/// >>> pages = [(f"http://example.org/{n}", page.format(text)) for n, text in
/// ...          enumerate(["tea is hot", "milk is cold", "water is wet"])]
/// >>> model = Model.learn(pages, "dom")
/// >>> html = page.format("ice is cold")
/// >>> [html[region.start:region.end] for region in model.label(html)]
/// ['<ul><li><a href=/>Home</a><li>About us</ul>']
/// >>> model.clean(html).text
/// 'ice is cold'
#[pyclass(module = "unframe", frozen)]
pub(crate) struct Model {
    site_by: SiteBy,
    state: RwLock<State>,
    /// The models for labelling. They are made on demand and dropped when the state changes.
    models: Mutex<Option<Arc<Models>>>,
}

/// A model is either a learner or a file. A file becomes a learner when the first page is observed.
enum State {
    Learning(Learner),
    File(ModelFile),
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (method="places", *, seed=0, site_by="host", **settings))]
    fn new(method: &str, seed: u64, site_by: &str, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Model> {
        let learner = Learner::new(detector(method, settings)?, seed);
        Ok(Model::with(page::site_by_name(site_by)?, State::Learning(learner)))
    }

    /// A model of these pages. Pages are taken one batch after the other, so an iterator need not fit into memory.
    #[classmethod]
    #[pyo3(signature = (pages, method="places", *, seed=0, site_by="host", threads=0, **settings))]
    fn learn(
        _class: &Bound<'_, PyType>,
        pages: &Bound<'_, PyAny>,
        method: &str,
        seed: u64,
        site_by: &str,
        threads: usize,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Model> {
        let model = Model::new(method, seed, site_by, settings)?;
        model.observe_all(pages.py(), pages, threads)?;
        Ok(model)
    }

    /// Takes in one page: a `Page`, or HTML with its address.
    #[pyo3(signature = (page, url=None))]
    fn observe(&self, py: Python<'_>, page: Source, url: Option<&str>) -> PyResult<()> {
        let page = page.named(url, self.site_by);
        py.detach(|| {
            self.learning(|learner| {
                let view = page.view();
                learner.observe(view.site, view.url, &PooledParser::take().open(view));
            })
        })
    }

    /// Takes in many pages, some at a time, so that an iterator need not fit into memory.
    #[pyo3(signature = (pages, *, threads=0))]
    fn observe_all(&self, py: Python<'_>, pages: &Bound<'_, PyAny>, threads: usize) -> PyResult<()> {
        let mut pages = sources(pages, self.site_by)?;
        while let Some(batch) = pages.next_batch()? {
            py.detach(|| {
                self.learning(|learner| {
                    let new_worker = || {
                        let mut parser = PooledParser::take();
                        let batch = &batch;
                        move |row: usize| {
                            let view = batch[row].view();
                            learner.begin(view.site, view.url, &parser.open(view))
                        }
                    };
                    let waiting = map_rows(batch.len(), threads, new_worker);
                    waiting.into_iter().flatten().for_each(|page| learner.finish(page));
                })
            })?;
        }
        Ok(())
    }

    /// Takes in the pages of Arrow data with the columns `url`, `html` and, if there are, `date` and `charset`.
    #[pyo3(signature = (data, *, threads=0))]
    fn observe_arrow(&self, py: Python<'_>, data: &Bound<'_, PyAny>, threads: usize) -> PyResult<()> {
        let data = arrow::Input::new(data)?;
        py.detach(|| self.learning(|learner| arrow::observe(&data, learner, self.site_by, threads))?)
    }

    /// The regions of a page, sorted, none overlapping another.
    ///
    /// Without `url`, the page is taken for one of the model's site, if it has only one; a page of an unknown
    /// site is scored on its own.
    #[pyo3(signature = (page, url=None))]
    fn label(&self, py: Python<'_>, page: Source, url: Option<&str>) -> PyResult<Vec<Region>> {
        py.detach(|| {
            let page = self.known_site(page.named(url, self.site_by));
            let view = page.view();
            Ok(regions(&self.models().label(view.site, &PooledParser::take().open(view))))
        })
    }

    /// The regions of the pages of Arrow data, a row a page; with `lines`, one column `value` of the program's JSON.
    ///
    /// A RecordBatch is answered by a RecordBatch, anything else by a Table. Rows without `url` or `html` are
    /// left out.
    #[pyo3(signature = (data, *, threads=0, lines=false))]
    fn label_arrow<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        threads: usize,
        lines: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let input = arrow::Input::new(data)?;
        let labelled =
            data.py().detach(|| arrow::label(&input, &self.models(), self.site_by, threads, lines))?;
        input.answer(data.py(), labelled)
    }

    /// What is left of a page, as `text`, `markdown`, `html`, `simple-html` or `chunks`. `keep` names what stays though it is not content: `clutter`, or
    /// sorts of it such as `comments`. `metadata` adds what the page says of itself: author, dates and the like. In Markdown and
    /// simple HTML, `links` is `keep` or `text`, and `images` is `keep`, `alt` or `drop`. `chunk_tokens` limits chunks, to 500 tokens
    /// by default.
    #[pyo3(signature = (page, url=None, *, format="text", keep=Vec::new(), metadata=false, links=None, images=None, chunk_tokens=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn clean(
        &self,
        py: Python<'_>,
        page: Source,
        url: Option<&str>,
        format: &str,
        keep: Vec<String>,
        metadata: bool,
        links: Option<&str>,
        images: Option<&str>,
        chunk_tokens: Option<NonZero<usize>>,
    ) -> PyResult<CleanPage> {
        let cleaning = Cleaning::new(format, links, images, chunk_tokens, &keep, metadata)?;
        Ok(CleanPage(py.detach(|| {
            let page = self.known_site(page.named(url, self.site_by));
            cleaning.clean(&self.models(), page.view(), &mut PooledParser::take())
        })))
    }

    /// What is left of many pages, in their order.
    #[pyo3(signature = (pages, *, format="text", threads=0, keep=Vec::new(), metadata=false, links=None, images=None, chunk_tokens=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn clean_all(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        format: &str,
        threads: usize,
        keep: Vec<String>,
        metadata: bool,
        links: Option<&str>,
        images: Option<&str>,
        chunk_tokens: Option<NonZero<usize>>,
    ) -> PyResult<Vec<CleanPage>> {
        let cleaning = Cleaning::new(format, links, images, chunk_tokens, &keep, metadata)?;
        let mut pages = sources(pages, self.site_by)?;
        let mut cleaned = Vec::new();
        while let Some(batch) = pages.next_batch()? {
            cleaned.extend(py.detach(|| {
                let models = self.models();
                let new_worker = || {
                    let mut parser = PooledParser::take();
                    let (models, batch, cleaning) = (&models, &batch, &cleaning);
                    move |row: usize| cleaning.clean(models, batch[row].view(), &mut parser)
                };
                map_rows(batch.len(), threads, new_worker)
            }));
        }
        Ok(cleaned.into_iter().map(CleanPage).collect())
    }

    /// What is left of the pages of Arrow data, as `label_arrow` does it. Chunks need `lines`.
    #[pyo3(signature = (data, *, format="text", threads=0, lines=false, keep=Vec::new(), metadata=false, links=None, images=None, chunk_tokens=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn clean_arrow<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        format: &str,
        threads: usize,
        lines: bool,
        keep: Vec<String>,
        metadata: bool,
        links: Option<&str>,
        images: Option<&str>,
        chunk_tokens: Option<NonZero<usize>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let input = arrow::Input::new(data)?;
        if format == "chunks" && !lines {
            return Err(errors::setting("the format chunks needs lines=True: a row is a page, not a chunk"));
        }
        let cleaning = Cleaning::new(format, links, images, chunk_tokens, &keep, metadata)?;
        let cleaned = data
            .py()
            .detach(|| arrow::clean(&input, &self.models(), self.site_by, &cleaning, threads, lines))?;
        input.answer(data.py(), cleaned)
    }

    /// Takes in what another model (or its bytes) learned, as if its pages had been observed here.
    ///
    /// Both must have learned with the same method, parameters and seed, and not be compact.
    fn merge(&self, py: Python<'_>, other: Mergeable<'_>) -> PyResult<()> {
        let other = match other {
            Mergeable::Model(other) => {
                let other = other.get();
                py.detach(|| other.file())
            }
            Mergeable::Bytes(bytes) => py.detach(|| ModelFile::decode(&bytes)).map_err(errors::model)?,
        };
        py.detach(|| self.change(|file| file.merge(other)).map_err(errors::model))
    }

    /// Writes the same file as `unframe learn`. `compact` keeps only what labelling needs.
    #[pyo3(signature = (path, *, compact=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, compact: bool) -> PyResult<()> {
        save(py, &path, || Ok(self.encode(compact)))
    }

    /// Reads a model file, of this package or of the program.
    #[classmethod]
    #[pyo3(signature = (path, *, site_by="host"))]
    fn load(_class: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf, site_by: &str) -> PyResult<Model> {
        let say = |error: &dyn std::fmt::Display| errors::model(format!("{}: {error}", path.display()));
        let bytes = py.detach(|| std::fs::read(&path)).map_err(|error| say(&error))?;
        let file = py.detach(|| ModelFile::decode(&bytes)).map_err(|error| say(&error))?;
        Ok(Model::with(page::site_by_name(site_by)?, State::File(file)))
    }

    /// The bytes of the model file. Equal models have equal bytes.
    #[pyo3(signature = (*, compact=false))]
    fn to_bytes<'py>(&self, py: Python<'py>, compact: bool) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.encode(compact));
        PyBytes::new(py, &bytes)
    }

    /// The model in the bytes of a file.
    #[classmethod]
    #[pyo3(signature = (data, *, site_by="host"))]
    fn from_bytes(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        data: PyBackedBytes,
        site_by: &str,
    ) -> PyResult<Model> {
        let file = py.detach(|| ModelFile::decode(&data)).map_err(errors::model)?;
        Ok(Model::with(page::site_by_name(site_by)?, State::File(file)))
    }

    /// What was learned of each site as a model of its own: rows of `site`, `pages` and `state`.
    #[pyo3(signature = (*, compact=false))]
    fn states_arrow<'py>(&self, py: Python<'py>, compact: bool) -> PyResult<Bound<'py, PyAny>> {
        let states = py.detach(|| arrow::states(self.file(), compact))?;
        arrow::batch_for_python(py, states)
    }

    /// The sites that are known.
    #[getter]
    fn sites(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| match &*self.read() {
            State::Learning(learner) => {
                let mut sites = learner.sites();
                sites.sort();
                sites
            }
            State::File(file) => file.sites.keys().cloned().collect(),
        })
    }

    /// How many pages were observed.
    #[getter]
    fn pages(&self, py: Python<'_>) -> u64 {
        py.detach(|| match &*self.read() {
            State::Learning(learner) => learner.pages_observed(),
            State::File(file) => {
                file.sites.values().map(|learned| learned.pages_observed(&*file.detector)).sum()
            }
        })
    }

    /// The method with its parameters and the seed.
    #[getter]
    fn method(&self, py: Python<'_>) -> String {
        py.detach(|| self.empty_file().describe())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Model({}; {} sites, {} pages)", self.method(py), self.sites(py).len(), self.pages(py))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("unframe")?.getattr("_model_from_bytes")?;
        Ok((
            make,
            PyTuple::new(
                py,
                [self.to_bytes(py, false).into_any(), self.site_by.name().into_pyobject(py)?.into_any()],
            )?,
        ))
    }
}

/// What can be merged into a model.
#[derive(FromPyObject)]
enum Mergeable<'py> {
    Model(Bound<'py, Model>),
    Bytes(PyBackedBytes),
}

impl Model {
    pub(crate) fn site_by(&self) -> SiteBy {
        self.site_by
    }

    fn with(site_by: SiteBy, state: State) -> Model {
        Model { site_by, state: RwLock::new(state), models: Mutex::new(None) }
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `observe` with the learner; several threads may do so at the same time.
    fn learning<T>(&self, observe: impl FnOnce(&Learner) -> T) -> PyResult<T> {
        if matches!(&*self.read(), State::File(_)) {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            if let State::File(file) = &mut *state {
                let compact = file.sites.iter().find(|(_, learned)| matches!(learned, Learned::Templates(_)));
                if let Some((site, _)) = compact {
                    return Err(errors::model(unframe::model_file::ModelError::Compact(site.clone())));
                }
                *state = State::Learning(take(file).into_learner().map_err(errors::model)?);
            }
        }
        let state = self.read();
        // Another thread may have merged between the two locks, which turns the state into a file again. This is rare, so the retries end.
        let State::Learning(learner) = &*state else {
            drop(state);
            return self.learning(observe);
        };
        let result = observe(learner);
        // The lock of the state must be released first: `models` locks the models and then the state, so holding both here could deadlock.
        drop(state);
        self.forget_models();
        Ok(result)
    }

    /// Changes the learned state as a whole. On an error, the previous state is kept.
    fn change<T, E>(&self, change: impl FnOnce(&mut ModelFile) -> Result<T, E>) -> Result<T, E> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if let State::Learning(learner) = &*state {
            *state = State::File(ModelFile::from_learner(learner));
        }
        let State::File(file) = &mut *state else { unreachable!("it became a file just now") };
        let result = change(file);
        drop(state);
        self.forget_models();
        result
    }

    fn forget_models(&self) {
        *self.models.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The models for labelling. Concurrent threads wait until one thread has made them.
    pub(crate) fn models(&self) -> Arc<Models> {
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || match &*self.read() {
            State::Learning(learner) => learner.models_so_far(),
            State::File(file) => file.models(),
        };
        Arc::clone(models.get_or_insert_with(|| Arc::new(make())))
    }

    /// A copy of the learned state as a file.
    fn file(&self) -> ModelFile {
        match &*self.read() {
            State::Learning(learner) => ModelFile::from_learner(learner),
            State::File(file) => file.copy(),
        }
    }

    /// A file with the method, but without learned sites.
    fn empty_file(&self) -> ModelFile {
        match &*self.read() {
            State::Learning(learner) => ModelFile::empty(learner.detector(), learner.seed()),
            State::File(file) => ModelFile::empty(&*file.detector, file.seed),
        }
    }

    fn encode(&self, compact: bool) -> Vec<u8> {
        let mut file = match &*self.read() {
            State::File(file) if !compact => return file.encode(),
            State::File(file) => file.copy(),
            State::Learning(learner) => ModelFile::from_learner(learner),
        };
        if compact {
            file.compact();
        }
        file.encode()
    }

    /// Assigns a page without an address to the only known site, if there is exactly one.
    fn known_site(&self, page: Source) -> Source {
        match (&page, &*self.models().sites().keys().take(2).collect::<Vec<_>>()) {
            (Source::Html { site, .. }, [only]) if site.is_empty() => page.of_site(only.as_str()),
            _ => page,
        }
    }
}

/// Takes the file out of its place and leaves a file without learned sites there.
fn take(file: &mut ModelFile) -> ModelFile {
    let rest = ModelFile::empty(&*file.detector, file.seed);
    std::mem::replace(file, rest)
}

/// A method by its name, with parameters.
pub(crate) fn detector(method: &str, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Box<dyn Detector>> {
    let mut detector = detect::parse(method).map_err(errors::setting)?;
    let settings: BTreeMap<String, String> = match settings {
        None => BTreeMap::new(),
        Some(settings) => {
            let text = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
                Ok((name.extract()?, value.str()?.extract()?))
            };
            settings.iter().map(text).collect::<PyResult<_>>()?
        }
    };
    for (name, value) in settings {
        detector.set(&name, &value).map_err(errors::setting)?;
    }
    Ok(detector)
}
