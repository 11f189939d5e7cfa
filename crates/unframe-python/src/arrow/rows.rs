//! Builds the columns of results.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use jiff::Timestamp;
use pyo3::PyResult;
use unframe::learn::Evidence;
use unframe::model_file::ModelFile;
use unframe::text::content::Volume;
use unframe::{Page, Region};
use unframe_crawl::write::{CleanPage, KIND_CONFIDENCE_COLUMN, METADATA_COLUMNS, PageView, VOLUME_COLUMNS};

use crate::errors;

/// Maximum number of bytes in a column of Arrow's default layout, which has 32-bit offsets.
const COLUMN_BYTES_MAX: usize = i32::MAX as usize;

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

fn number(name: &str) -> Field {
    Field::new(name, DataType::Int64, false)
}

fn date() -> Field {
    Field::new("date", DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())), true)
}

fn schema(fields: impl Into<Fields>) -> SchemaRef {
    Arc::new(Schema::new(fields))
}

/// The schema of lines of JSON in one column.
pub(super) fn line_schema() -> SchemaRef {
    schema(vec![text("value")])
}

pub(super) fn clean_schema() -> SchemaRef {
    let title = Field::new("title", DataType::Utf8, true);
    let mut fields = vec![text("url"), text("site"), date(), title];
    fields.extend(METADATA_COLUMNS.map(|name| Field::new(name, DataType::Utf8, true)));
    fields.extend([text("text"), text("evidence")]);
    fields.extend(VOLUME_COLUMNS.map(|(name, _)| number(name)));
    fields.push(Field::new(KIND_CONFIDENCE_COLUMN, DataType::Float64, true));
    schema(fields)
}

pub(super) fn label_schema() -> SchemaRef {
    let regions = Field::new("regions", DataType::List(Arc::new(region_item())), false);
    let mut fields = vec![text("url"), text("site"), date(), number("bytes"), text("evidence"), regions];
    fields.extend(VOLUME_COLUMNS.map(|(name, _)| number(name)));
    schema(fields)
}

fn region_item() -> Field {
    Field::new("item", DataType::Struct(region_fields()), true)
}

fn region_fields() -> Fields {
    let confidence = Field::new("confidence", DataType::Float64, true);
    let nullable = |field: Field| field.with_nullable(true);
    let fields = [
        number("start"),
        number("end"),
        text("template"),
        number("pages"),
        text("kind"),
        confidence,
        text("sort"),
        text("within"),
    ];
    fields.map(nullable).to_vec().into()
}

/// A cleaned page before it is written to columns.
pub(super) enum Cleaned {
    Line(Vec<u8>),
    Page(Box<CleanPage>),
}

/// A batch of cleaned pages. Rows without a page are left out.
pub(super) fn cleaned(rows: Vec<Option<Cleaned>>, lines: bool) -> PyResult<RecordBatch> {
    let (mut json, mut pages) = (Vec::new(), Vec::new());
    for row in rows.into_iter().flatten() {
        match row {
            Cleaned::Line(line) => json.push(line),
            Cleaned::Page(page) => pages.push(page),
        }
    }
    if lines {
        return lines_batch(json);
    }
    let titles: StringArray = pages.iter().map(|page| page.title.as_deref()).collect();
    let mut columns: Vec<ArrayRef> = vec![
        strings(pages.iter().map(|page| &*page.url))?,
        strings(pages.iter().map(|page| &*page.site))?,
        dates(pages.iter().map(|page| page.date)),
        Arc::new(titles),
    ];
    columns.extend((0..METADATA_COLUMNS.len()).map(|at| -> ArrayRef {
        Arc::new(pages.iter().map(|page| page.metadata_values()[at]).collect::<StringArray>())
    }));
    columns.push(strings(pages.iter().map(|page| page.body.text()))?);
    columns.push(strings(pages.iter().map(|page| page.evidence.name()))?);
    columns.extend(volumes(pages.iter().map(|page| page.volume)));
    columns.push(Arc::new(pages.iter().map(|page| page.kind_confidence()).collect::<Float64Array>()));
    batch(clean_schema(), columns)
}

/// A labelled page before it is written to columns.
pub(super) enum Labelled {
    Line(Vec<u8>),
    Row(Box<LabelledRow>),
}

pub(super) struct LabelledRow {
    url: String,
    site: String,
    date: Option<Timestamp>,
    bytes: usize,
    evidence: Evidence,
    regions: Vec<Region>,
    volume: Volume,
}

impl Labelled {
    pub(super) fn row(
        page: &PageView<'_>,
        regions: Vec<Region>,
        evidence: Evidence,
        volume: Volume,
    ) -> Labelled {
        Labelled::Row(Box::new(LabelledRow {
            url: page.url.to_owned(),
            site: page.site.to_owned(),
            date: page.date,
            bytes: page.payload.len(),
            evidence,
            regions,
            volume,
        }))
    }
}

/// A batch of labelled pages. Rows without a page are left out.
pub(super) fn labelled(rows: Vec<Option<Labelled>>, lines: bool) -> PyResult<RecordBatch> {
    let (mut json, mut pages) = (Vec::new(), Vec::new());
    for row in rows.into_iter().flatten() {
        match row {
            Labelled::Line(line) => json.push(line),
            Labelled::Row(row) => pages.push(row),
        }
    }
    if lines {
        return lines_batch(json);
    }
    let mut columns: Vec<ArrayRef> = vec![
        strings(pages.iter().map(|page| &*page.url))?,
        strings(pages.iter().map(|page| &*page.site))?,
        dates(pages.iter().map(|page| page.date)),
        numbers(pages.iter().map(|page| page.bytes as u64)),
        strings(pages.iter().map(|page| page.evidence.name()))?,
        Arc::new(regions(pages.iter().map(|page| &page.regions[..]))),
    ];
    columns.extend(volumes(pages.iter().map(|page| page.volume)));
    batch(label_schema(), columns)
}

fn regions<'a>(pages: impl Iterator<Item = &'a [Region]>) -> ListArray {
    let mut list = ListBuilder::new(StructBuilder::from_fields(region_fields(), 0)).with_field(region_item());
    for page in pages {
        let rows = list.values();
        for region in page {
            for (column, value) in [(0, region.span.start), (1, region.span.end), (3, region.pages)] {
                if let Some(builder) = rows.field_builder::<Int64Builder>(column) {
                    builder.append_value(i64::from(value));
                }
            }
            for (column, value) in [(2, region.template.to_string()), (4, region.kind.name().to_owned())] {
                if let Some(builder) = rows.field_builder::<StringBuilder>(column) {
                    builder.append_value(value);
                }
            }
            if let Some(builder) = rows.field_builder::<Float64Builder>(5) {
                builder.append_option((region.confidence > 0).then(|| f64::from(region.confidence) / 100.0));
            }
            if let Some(builder) = rows.field_builder::<StringBuilder>(6) {
                builder.append_option(region.sort.name());
            }
            if let Some(builder) = rows.field_builder::<StringBuilder>(7) {
                builder.append_option(region.within.map(|template| template.to_string()));
            }
            rows.append(true);
        }
        list.append(true);
    }
    list.finish()
}

/// A batch of pages that were read from a crawl.
pub(super) fn pages(pages: &[Page]) -> PyResult<RecordBatch> {
    let fields = vec![
        text("url"),
        Field::new("html", DataType::Binary, false),
        date(),
        text("charset"),
        text("file"),
        number("offset"),
    ];
    fits(pages.iter().map(|page| page.payload.len()).sum())?;
    let columns: Vec<ArrayRef> = vec![
        strings(pages.iter().map(|page| &*page.url))?,
        Arc::new(BinaryArray::from_iter_values(pages.iter().map(|page| &page.payload))),
        dates(pages.iter().map(|page| page.date)),
        strings(pages.iter().map(|page| page.charset.name()))?,
        strings(pages.iter().map(|page| &*page.origin.file))?,
        numbers(pages.iter().map(|page| page.origin.offset)),
    ];
    batch(schema(fields), columns)
}

/// The schema of addresses, sites and fingerprints.
pub(crate) fn fingerprint_schema() -> SchemaRef {
    schema(vec![text("url"), text("site"), text("fingerprint")])
}

/// A batch of fingerprints.
pub(crate) fn fingerprints(rows: &[(String, String, String)]) -> PyResult<RecordBatch> {
    let columns = vec![
        strings(rows.iter().map(|row| &*row.0))?,
        strings(rows.iter().map(|row| &*row.1))?,
        strings(rows.iter().map(|row| &*row.2))?,
    ];
    batch(fingerprint_schema(), columns)
}

/// The state of each site of a model, as a separate model file.
pub(super) fn states(file: ModelFile) -> PyResult<RecordBatch> {
    let state = Field::new("state", DataType::Binary, false);
    let fields = vec![text("site"), number("pages"), state];
    let (mut sites, mut observed, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for (site, learned) in file.sites {
        observed.push(learned.pages_observed(&*file.detector));
        let mut alone = ModelFile::empty(&*file.detector, file.seed);
        alone.sites.insert(site.clone(), learned);
        states.push(alone.encode());
        sites.push(site);
    }
    fits(states.iter().map(Vec::len).sum())?;
    let columns: Vec<ArrayRef> = vec![
        strings(sites.iter().map(String::as_str))?,
        numbers(observed.into_iter()),
        Arc::new(BinaryArray::from_iter_values(states)),
    ];
    batch(schema(fields), columns)
}

fn lines_batch(lines: Vec<Vec<u8>>) -> PyResult<RecordBatch> {
    // The line breaks are removed; the program that writes the lines adds them again.
    // JSON is always UTF-8, so no line is lost here.
    let lines = lines
        .iter()
        .map(|line| std::str::from_utf8(line.strip_suffix(b"\n").unwrap_or(line)).unwrap_or_default());
    batch(line_schema(), vec![strings(lines)?])
}

fn strings<T: AsRef<str>>(values: impl Iterator<Item = T> + Clone) -> PyResult<ArrayRef> {
    fits(values.clone().map(|value| value.as_ref().len()).sum())?;
    Ok(Arc::new(StringArray::from_iter_values(values)))
}

fn fits(bytes: usize) -> PyResult<()> {
    match bytes > COLUMN_BYTES_MAX {
        true => Err(errors::input("a column of this batch would be longer than 2 GB: give smaller batches")),
        false => Ok(()),
    }
}

fn numbers(values: impl Iterator<Item = u64>) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(values.map(|value| i64::try_from(value).unwrap_or(i64::MAX))))
}

fn volumes(values: impl Iterator<Item = Volume> + Clone) -> Vec<ArrayRef> {
    VOLUME_COLUMNS.iter().map(|(_, number)| numbers(values.clone().map(|volume| number(&volume)))).collect()
}

fn dates(values: impl Iterator<Item = Option<Timestamp>>) -> ArrayRef {
    let dates: TimestampMicrosecondArray =
        values.map(|date| date.map(|date| date.as_microsecond())).collect();
    Arc::new(dates.with_timezone("UTC"))
}

fn batch(schema: SchemaRef, columns: Vec<ArrayRef>) -> PyResult<RecordBatch> {
    RecordBatch::try_new(schema, columns).map_err(errors::input)
}
