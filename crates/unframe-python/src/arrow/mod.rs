//! Exchanges columns of pages and results with Python through Arrow's C data interface. The input is not copied.

mod columns;
mod rows;

use arrow_array::RecordBatch;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_pyarrow::{FromPyArrow, IntoPyArrow, PyArrowType, Table, ToPyArrow};
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use unframe::learn::{Learner, Models};
use unframe::model_file::ModelFile;
use unframe::text::content;
use unframe::{Page, SiteBy};
use unframe_crawl::write::{clean_line, label_line};

use crate::cleaning::Cleaning;
use crate::errors;
use crate::parsers::PooledParser;
use crate::threads::map_rows;
pub(crate) use columns::Columns;
use rows::Labelled;
pub(crate) use rows::{fingerprint_schema, fingerprints};

/// Arrow data received from Python.
pub(crate) struct Input {
    pub(crate) batches: Vec<RecordBatch>,
    /// Whether the input was a single batch. Then the result is a batch, too; otherwise it is a table.
    is_batch: bool,
}

impl Input {
    /// Accepts a `RecordBatch`, a `Table`, a `RecordBatchReader` or a data frame: anything with `__arrow_c_stream__`.
    pub(crate) fn new(data: &Bound<'_, PyAny>) -> PyResult<Input> {
        if data.hasattr("__arrow_c_array__")? {
            let batch = RecordBatch::from_pyarrow_bound(data)?;
            return Ok(Input { batches: vec![batch], is_batch: true });
        }
        if !data.hasattr("__arrow_c_stream__")? {
            let kind = data.get_type().name()?;
            return Err(errors::input(format!(
                "columns of pages must be Arrow data (pyarrow, polars, pandas), not {kind}"
            )));
        }
        let reader = RecordBatchStreamReader::from_pyarrow_bound(data)?;
        // Reading may run Python code on this thread, such as a generator.
        let batches = reader.collect::<Result<Vec<_>, _>>().map_err(errors::input)?;
        Ok(Input { batches, is_batch: false })
    }

    /// Converts results to the form of the input.
    pub(crate) fn answer<'py>(&self, py: Python<'py>, answer: Answer) -> PyResult<Bound<'py, PyAny>> {
        match (self.is_batch, &answer.batches[..]) {
            (true, [batch]) => batch.to_pyarrow(py),
            _ => Table::try_new(answer.batches, answer.schema).map_err(errors::input)?.into_pyarrow(py),
        }
    }

    /// Calls `make` for each batch and collects the results.
    pub(crate) fn map(
        &self,
        schema: SchemaRef,
        make: impl Fn(&RecordBatch) -> PyResult<RecordBatch>,
    ) -> PyResult<Answer> {
        Ok(Answer { batches: self.batches.iter().map(make).collect::<PyResult<_>>()?, schema })
    }
}

/// The results for an input.
pub(crate) struct Answer {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
}

/// Converts a batch to a Python object.
pub(crate) fn batch_for_python(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyAny>> {
    PyArrowType(batch).into_pyobject(py)
}

/// A batch with these pages.
pub(crate) fn pages(pages: &[Page]) -> PyResult<RecordBatch> {
    rows::pages(pages)
}

/// Observes the pages of all rows.
pub(crate) fn observe(input: &Input, learner: &Learner, site_by: SiteBy, threads: usize) -> PyResult<()> {
    for batch in &input.batches {
        let columns = Columns::of(batch)?;
        let new_worker = || {
            let mut parser = PooledParser::take();
            let columns = &columns;
            move |row: usize| {
                let page = columns.page(row, site_by)?;
                let view = page.view();
                learner.begin(view.site, view.url, &parser.open(view))
            }
        };
        let waiting = map_rows(batch.num_rows(), threads, new_worker);
        waiting.into_iter().flatten().for_each(|page| learner.finish(page));
    }
    Ok(())
}

/// The regions of the pages of all rows, in columns or as lines of JSON.
pub(crate) fn label(
    input: &Input,
    models: &Models,
    site_by: SiteBy,
    threads: usize,
    lines: bool,
) -> PyResult<Answer> {
    let schema = if lines { rows::line_schema() } else { rows::label_schema() };
    input.map(schema, |batch| {
        let columns = Columns::of(batch)?;
        let new_worker = || {
            let mut parser = PooledParser::take();
            let columns = &columns;
            move |row: usize| {
                let page = columns.page(row, site_by)?;
                let view = page.view();
                let parsed = parser.open(view);
                let regions = models.label(view.site, &parsed);
                let evidence = models.evidence(view.site);
                let volume = content::extract(&parsed, &regions).volume;
                Some(match lines {
                    true => Labelled::Line(label_line(view, &regions, evidence, volume).unwrap_or_default()),
                    false => Labelled::row(&view, regions, evidence, volume),
                })
            }
        };
        rows::labelled(map_rows(batch.num_rows(), threads, new_worker), lines)
    })
}

/// The cleaned pages of all rows, in columns or as lines of JSON.
pub(crate) fn clean(
    input: &Input,
    models: &Models,
    site_by: SiteBy,
    cleaning: &Cleaning,
    threads: usize,
    lines: bool,
) -> PyResult<Answer> {
    let schema = if lines { rows::line_schema() } else { rows::clean_schema() };
    input.map(schema, |batch| {
        let columns = Columns::of(batch)?;
        let new_worker = || {
            let mut parser = PooledParser::take();
            let columns = &columns;
            move |row: usize| {
                let page = columns.page(row, site_by)?;
                let page = cleaning.clean(models, page.view(), &mut parser);
                Some(match lines {
                    true => rows::Cleaned::Line(clean_line(&page).unwrap_or_default()),
                    false => rows::Cleaned::Page(Box::new(page)),
                })
            }
        };
        rows::cleaned(map_rows(batch.num_rows(), threads, new_worker), lines)
    })
}

/// The state of each site of a model, as a separate model file.
pub(crate) fn states(mut file: ModelFile, compact: bool) -> PyResult<RecordBatch> {
    if compact {
        file.compact();
    }
    rows::states(file)
}
