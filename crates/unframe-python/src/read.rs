//! Iterates over the pages of a crawl.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use unframe_crawl::{Event, ReadOptions, pages, pages_of_stream};

use crate::page::{Page, site_by_name};
use crate::{arrow, errors};

/// Maximum number of stored problems; further ones are only counted.
const PROBLEMS_KEPT: usize = 1000;
/// Number of bytes that are requested from a Python file at a time. A megabyte makes the cost of taking the interpreter's lock negligible.
const CHUNK_BYTES: usize = 1 << 20;

/// The pages of files and folders in any mix: WARC, WET, ARC, WACZ, folders of HTML files, JSONL, Parquet.
///
/// An input is a path, or one file object. `start` and `end` read a part of one file: `start` must be the
/// offset of a record. `site_by` is `host`, `domain`, `prefix` or `all`; `any_status` takes pages of any HTTP
/// status, not only of 200; `unique` leaves out pages that came before. Broken records are skipped and
/// reported in `problems` of the iterator. 0 threads is one per core.
#[pyfunction]
#[pyo3(signature = (*inputs, site_by="host", any_status=false, unique=true, threads=0, start=0, end=None))]
pub(crate) fn read(
    inputs: Vec<Bound<'_, PyAny>>,
    site_by: &str,
    any_status: bool,
    unique: bool,
    threads: usize,
    start: u64,
    end: Option<u64>,
) -> PyResult<Pages> {
    let options = ReadOptions {
        site_by: site_by_name(site_by)?,
        any_status,
        unique,
        threads,
        ..ReadOptions::default()
    };
    let pages = open(inputs, options, start, end)?;
    Ok(Pages { pages: Mutex::new(pages), start, problems: Mutex::default() })
}

/// Opens paths, or one file object, or a part of one file.
pub(crate) fn open(
    inputs: Vec<Bound<'_, PyAny>>,
    options: ReadOptions,
    start: u64,
    end: Option<u64>,
) -> PyResult<unframe_crawl::Pages> {
    let length = end.map_or(u64::MAX, |end| end.saturating_sub(start));
    if let [input] = &inputs[..] {
        if input.hasattr("read")? {
            let name = input.getattr("name").and_then(|name| name.extract::<String>()).unwrap_or_default();
            if start > 0 {
                input.call_method1("seek", (start,))?;
            }
            let file = PythonFile { file: input.clone().unbind(), ready: None, at: 0 };
            return Ok(pages_of_stream(name, file.take(length), options));
        }
        if start > 0 || end.is_some() {
            let path: PathBuf = input.extract()?;
            let say = |error: io::Error| errors::input(format!("{}: {error}", path.display()));
            let mut file = File::open(&path).map_err(say)?;
            file.seek(SeekFrom::Start(start)).map_err(say)?;
            return Ok(pages_of_stream(path.to_string_lossy().into_owned(), file.take(length), options));
        }
    }
    if start > 0 || end.is_some() {
        return Err(errors::input("`start` and `end` need exactly one file"));
    }
    let inputs = inputs.iter().map(|input| input.extract::<PathBuf>()).collect::<PyResult<Vec<_>>>()?;
    pages(inputs, options).map_err(errors::input)
}

/// A Python file object, read through its method `read`.
struct PythonFile {
    file: Py<PyAny>,
    ready: Option<PyBackedBytes>,
    at: usize,
}

impl Read for PythonFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ready.as_ref().is_none_or(|ready| self.at >= ready.len()) {
            let chunk = Python::attach(|py| {
                let chunk = self.file.call_method1(py, "read", (CHUNK_BYTES,))?;
                chunk.extract::<PyBackedBytes>(py).map_err(PyErr::from)
            });
            self.ready = Some(chunk.map_err(io::Error::other)?);
            self.at = 0;
        }
        let rest = self.ready.as_ref().map_or(&[][..], |ready| &ready[self.at..]);
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}

/// A problem as Python receives it: file, offset, code, message.
type ProblemTuple = (String, u64, &'static str, String);

/// An iterator of pages, as `read` returns it. Reading goes on in the background, a few pages ahead.
#[pyclass(module = "unframe", frozen)]
pub(crate) struct Pages {
    pages: Mutex<unframe_crawl::Pages>,
    /// The offset in the file at which reading started.
    start: u64,
    problems: Mutex<(u64, Vec<ProblemTuple>)>,
}

#[pymethods]
impl Pages {
    fn __iter__(this: Bound<'_, Pages>) -> Bound<'_, Pages> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> Option<Page> {
        py.detach(|| self.next_page()).map(|page| Page(Arc::new(page)))
    }

    /// The next pages as a batch of Arrow, as many as fit into `rows` and `bytes`; `None` at the end.
    #[pyo3(signature = (*, rows=1000, bytes=16 << 20))]
    fn next_batch<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
        bytes: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let batch = py.detach(|| {
            let (mut pages, mut held) = (Vec::new(), 0);
            while pages.len() < rows.max(1) && held < bytes.max(1) {
                let Some(page) = self.next_page() else { break };
                held += page.payload.len();
                pages.push(page);
            }
            (!pages.is_empty()).then(|| arrow::pages(&pages)).transpose()
        })?;
        batch.map(|batch| arrow::batch_for_python(py, batch)).transpose()
    }

    /// The problems so far: tuples of file, offset, code and message, the first 1,000 of them.
    #[getter]
    fn problems(&self) -> Vec<ProblemTuple> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    /// How many problems there were so far.
    #[getter]
    fn problem_count(&self) -> u64 {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Pages {
    fn next_page(&self) -> Option<unframe::Page> {
        loop {
            match self.pages.lock().unwrap_or_else(PoisonError::into_inner).next()? {
                Event::Page(mut page) => {
                    page.origin.offset += self.start;
                    let (file, offset) = (&page.origin.file, page.origin.offset);
                    for problem in &page.problems {
                        self.add_problem((file.to_string(), offset, problem.code, problem.message.clone()));
                    }
                    return Some(page);
                }
                Event::Problem { origin, problem } => {
                    let offset = origin.offset + self.start;
                    self.add_problem((origin.file.to_string(), offset, problem.code, problem.message));
                }
            }
        }
    }

    fn add_problem(&self, problem: ProblemTuple) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.0 += 1;
        if problems.1.len() < PROBLEMS_KEPT {
            problems.1.push(problem);
        }
    }
}
