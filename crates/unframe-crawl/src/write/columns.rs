//! The columns of the tabular formats, with the same names and order in all of them.
//!
//! `id`, `text`, `url`, `date`, `language`, `warc_id` and `file_path` are named as in datatrove and NeMo Curator.

use std::borrow::Cow;

use unframe::render::Chunk;

use super::{Body, CleanPage, KIND_CONFIDENCE_COLUMN, METADATA_COLUMNS, Measure, RowKind, VOLUME_COLUMNS};

/// A column of a table of pages or chunks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: ColumnKind,
    /// Whether every row has a value.
    pub(super) is_required: bool,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Text,
    /// A list of texts.
    Texts,
    /// Microseconds since the Unix epoch.
    Time,
    Number,
    /// A share from 0 to 1.
    Share,
}

/// A value of a row.
pub(super) enum Cell<'p> {
    Text(Option<Cow<'p, str>>),
    Texts(&'p [String]),
    /// A number or a time.
    Number(Option<i64>),
    Share(Option<f64>),
}

impl<'p> Cell<'p> {
    /// Its text; `None` for another kind, which a test of the columns rules out.
    pub(super) fn text(self) -> Option<Cow<'p, str>> {
        if let Cell::Text(text) = self { text } else { None }
    }

    pub(super) fn texts(self) -> &'p [String] {
        if let Cell::Texts(texts) = self { texts } else { &[] }
    }

    pub(super) fn number(self) -> Option<i64> {
        if let Cell::Number(number) = self { number } else { None }
    }

    pub(super) fn share(self) -> Option<f64> {
        if let Cell::Share(share) = self { share } else { None }
    }

    /// An estimate of the memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Cell::Text(text) => text.as_ref().map_or(0, |text| text.len()),
            Cell::Texts(texts) => texts.iter().map(String::len).sum(),
            Cell::Number(_) | Cell::Share(_) => size_of::<i64>(),
        }
    }
}

/// All columns. New ones come last, for readers that address columns by position.
pub(super) fn all(rows: RowKind) -> Vec<Column> {
    let column = |name, kind, is_required| Column { name, kind, is_required };
    let mut columns = vec![
        column("url", ColumnKind::Text, true),
        column("site", ColumnKind::Text, true),
        column("date", ColumnKind::Time, false),
        column("title", ColumnKind::Text, false),
    ];
    if rows == RowKind::Chunk {
        columns.extend([
            column("chunk", ColumnKind::Number, true),
            column("headings", ColumnKind::Texts, true),
            column("tokens", ColumnKind::Number, true),
            column("start", ColumnKind::Number, true),
            column("end", ColumnKind::Number, true),
        ]);
    }
    columns.extend(METADATA_COLUMNS.map(|name| column(name, ColumnKind::Text, false)));
    columns.extend(["text", "evidence"].map(|name| column(name, ColumnKind::Text, true)));
    columns.extend(VOLUME_COLUMNS.map(|(name, _)| column(name, ColumnKind::Number, true)));
    columns.extend([
        column("id", ColumnKind::Text, true),
        column("warc_id", ColumnKind::Text, false),
        column("file_path", ColumnKind::Text, false),
        column("offset", ColumnKind::Number, false),
        column(KIND_CONFIDENCE_COLUMN, ColumnKind::Share, false),
    ]);
    columns
}

/// Calls `each` with the values of each row of a page, in the order of the columns.
pub(super) fn each_row<'p>(page: &'p CleanPage, rows: RowKind, mut each: impl FnMut(Vec<Cell<'p>>)) {
    match (&page.body, rows) {
        (Body::Chunks(chunks), RowKind::Chunk) => {
            chunks.iter().enumerate().for_each(|chunk| each(cells(page, Some(chunk))));
        }
        (_, RowKind::Page) => each(cells(page, None)),
        // Only chunks are rows of such a table.
        (_, RowKind::Chunk) => {}
    }
}

/// The values of a page, or of one of its chunks with its number.
fn cells<'p>(page: &'p CleanPage, chunk: Option<(usize, &'p Chunk)>) -> Vec<Cell<'p>> {
    let text = |text| Cell::Text(Some(Cow::Borrowed(text)));
    let count = |count: usize| Cell::Number(i64::try_from(count).ok());
    let mut cells = vec![
        text(&page.url),
        text(&page.site),
        Cell::Number(page.date.map(|date| date.as_microsecond())),
        Cell::Text(page.title.as_deref().map(Cow::Borrowed)),
    ];
    if let Some((number, chunk)) = chunk {
        cells.extend([count(number), Cell::Texts(&chunk.headings), count(chunk.tokens)]);
        cells.extend([chunk.span.start, chunk.span.end].map(|at| Cell::Number(Some(at.into()))));
    }
    cells.extend(page.metadata_values().map(|value| Cell::Text(value.map(Cow::Borrowed))));
    let content = chunk.map_or_else(|| page.body.text(), |(_, chunk)| Cow::Borrowed(&chunk.text));
    cells.extend([Cell::Text(Some(content)), text(page.evidence.name())]);
    let measured = |of: Measure| i64::try_from(of(&page.volume)).unwrap_or(i64::MAX);
    cells.extend(VOLUME_COLUMNS.map(|(_, of)| Cell::Number(Some(measured(of)))));
    let id = match chunk {
        Some((number, _)) => Cow::Owned(format!("{}#{number}", page.id())),
        None => page.id(),
    };
    let origin = page.origin.as_ref();
    cells.extend([
        Cell::Text(Some(id)),
        Cell::Text(page.record_id.as_deref().map(Cow::Borrowed)),
        Cell::Text(origin.map(|origin| Cow::Borrowed(&*origin.file))),
        Cell::Number(origin.and_then(|origin| i64::try_from(origin.offset).ok())),
        Cell::Share(page.kind_confidence()),
    ]);
    cells
}
