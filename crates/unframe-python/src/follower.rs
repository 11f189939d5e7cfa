//! Labels pages as they are crawled, with state on disk.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use unframe::PageId;
use unframe::PageParser;
use unframe::SiteBy;
use unframe::detect::{self, FollowMethod};
use unframe_crawl::write::{self, BodyFormat};
use unframe_store::{Options, PageRecord, Store, StoreError};

use crate::errors;
use crate::model::source::Source;
use crate::page::site_by_name;
use crate::results::{CleanPage, Region, regions};

/// Labels each page as it is crawled, by the pages before it. The state is in the folder `state`.
///
/// One process at a time writes to a state. Pages are durable after `commit` or `close`. `method` is `places`, the default, or
/// `segments`, and further arguments are its parameters; those of a state cannot be changed.
///
/// >>> import tempfile
/// >>> from unframe import Follower
/// >>> with tempfile.TemporaryDirectory() as folder, Follower(folder + "/state", method="segments", df=2) as follower:
/// ...     page = "<div>Home | About us</div><div>{}</div>"
/// ...     for number, text in enumerate(["tea", "milk"]):
/// ...         found = follower.visit(page.format(text), f"http://example.org/{number}")
/// >>> found.clean().text
/// 'milk'
#[pyclass(module = "unframe", frozen)]
pub(crate) struct Follower {
    site_by: SiteBy,
    open: Mutex<Option<Open>>,
}

struct Open {
    store: Store,
    method: FollowMethod,
    parser: PageParser,
}

/// Makes all pages durable and acknowledges them, because `visit` has returned their results.
fn commit(store: &mut Store) -> Result<(), StoreError> {
    store.commit()?;
    store.acknowledge()
}

/// The result of a visit.
#[pyclass(module = "unframe", frozen)]
pub(crate) struct Followed {
    /// The template regions, as `Model.label` has them.
    #[pyo3(get)]
    regions: Vec<Region>,
    /// `new`, `changed` or `unchanged`.
    #[pyo3(get)]
    change: &'static str,
    /// Texts that became template with this page, as 16 hex digits.
    #[pyo3(get)]
    became: Vec<String>,
    /// Texts that are no longer template.
    #[pyo3(get)]
    ended: Vec<String>,
    clean: write::CleanPage,
}

#[pymethods]
impl Followed {
    /// The content of the page.
    fn clean(&self) -> CleanPage {
        CleanPage(self.clean.clone())
    }

    fn __repr__(&self) -> String {
        format!("Followed({}, {} regions)", self.change, self.regions.len())
    }
}

#[pymethods]
impl Follower {
    #[new]
    #[pyo3(signature = (state, *, method=None, site_by="host", memory=1 << 30, **settings))]
    fn new(
        py: Python<'_>,
        state: PathBuf,
        method: Option<&str>,
        site_by: &str,
        memory: usize,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Follower> {
        let site_by = site_by_name(site_by)?;
        let saved = unframe_store::saved_method(&state).map_err(errors::state)?;
        let method = method.or(saved.as_deref()).unwrap_or(detect::METHODS[0].0);
        let mut detector = detect::parse(method).map_err(errors::setting)?;
        for (name, value) in settings.into_iter().flatten() {
            let (name, value): (String, String) = (name.extract()?, value.str()?.extract()?);
            detector.set(&name, &value).map_err(errors::setting)?;
        }
        let method = FollowMethod::new(detector).map_err(errors::setting)?;
        let options = Options { memory, ..Options::default() };
        let store = py.detach(|| Store::open(&state, &method, options)).map_err(errors::state)?;
        let open = Open { store, method, parser: PageParser::new() };
        Ok(Follower { site_by, open: Mutex::new(Some(open)) })
    }

    /// Adds a page and labels it. It is durable after the next `commit`.
    #[pyo3(signature = (page, url=None))]
    fn visit(&self, py: Python<'_>, page: Source, url: Option<&str>) -> PyResult<Followed> {
        let page = page.named(url, self.site_by);
        py.detach(|| self.open(|open| open.visit(&page)))
    }

    /// Makes all pages so far durable.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.open(|open| commit(&mut open.store).map_err(errors::state)))
    }

    /// Makes all pages durable and ends the work. Closing twice does no harm.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let open = py.detach(|| self.open.lock().unwrap_or_else(PoisonError::into_inner).take());
        let close = |mut open: Open| commit(&mut open.store).and_then(|()| open.store.close());
        open.map_or(Ok(()), |open| py.detach(|| close(open)).map_err(errors::state))
    }

    /// The status of the state.
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let status = py.detach(|| self.open(|open| open.store.status().map_err(errors::state)))?;
        let dict = PyDict::new(py);
        dict.set_item("sites", status.sites)?;
        dict.set_item("entries", status.entries)?;
        dict.set_item("bytes", status.bytes)?;
        dict.set_item("pages", status.pages)?;
        dict.set_item("oldest", status.oldest)?;
        dict.set_item("newest", status.newest)?;
        Ok(dict)
    }

    fn __enter__(this: Bound<'_, Follower>) -> Bound<'_, Follower> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.close(py)
    }
}

impl Follower {
    fn open<T>(&self, act: impl FnOnce(&mut Open) -> PyResult<T>) -> PyResult<T> {
        match &mut *self.open.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(open) => act(open),
            None => Err(errors::state("this Follower is closed")),
        }
    }
}

impl Open {
    fn visit(&mut self, page: &Source) -> PyResult<Followed> {
        let view = page.view();
        let parsed = self.parser.open(view);
        let prepared = self.method.prepare(&parsed);
        let record = PageRecord {
            site: view.site,
            id: PageId::of(view.url, view.payload),
            date: view.date.map(|date| date.as_second()),
            pieces: &prepared.pieces,
        };
        let visited = self.store.visit(&record).map_err(errors::state)?;
        let found = self.method.label(&visited.model, &parsed, &prepared).regions;
        let hex = |keys: Vec<u64>| keys.into_iter().map(|key| format!("{key:016x}")).collect();
        Ok(Followed {
            regions: regions(&found),
            change: visited.change.name(),
            clean: write::CleanPage::new(view, &parsed, &found, BodyFormat::Text)
                .with_evidence(visited.evidence()),
            became: hex(visited.became),
            ended: hex(visited.ended),
        })
    }
}
