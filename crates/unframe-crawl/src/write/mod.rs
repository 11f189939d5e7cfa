//! Writes cleaned pages: JSONL, text, Markdown, a folder of HTML files, simple HTML, WARC, WET,
//! Parquet, Arrow, chunks for retrieval, lines for search engines.
//!
//! [`create`] opens a file or folder for a format. The file or folder appears under its name when it is complete. [`CleanPage`] is a page
//! to be written.
//!
//! The text formats hold many pages in one file. A line with only a form feed (U+000C) separates pages; form feeds in pages become spaces.
//! The first line of each page is its address; in Markdown it is in a comment.

#[cfg(feature = "parquet")]
mod arrow;
mod bulk;
#[cfg(feature = "parquet")]
mod columns;
mod folder;
mod json;
mod page;
#[cfg(feature = "parquet")]
mod parquet;
mod partitions;
mod plain;
mod target;
#[cfg(test)]
mod tests;
mod warc;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

pub use bulk::{BadIndexName, IndexName};
pub use json::{clean_line, label_line};
pub use page::{
    Body, BodyFormat, CleanPage, KIND_CONFIDENCE_COLUMN, METADATA_COLUMNS, Measure, PageView, VOLUME_COLUMNS,
};

pub use partitions::{PartitionBy, UnknownPartition};

pub use target::{Target, UnfinishedFolder};

use unframe::render::RenderOptions;

use crate::limits::ROW_GROUP_BYTES_MAX;

/// A sink for cleaned pages, which are written one after the other.
///
/// The same pages in the same order give the same bytes. The file or folder appears under its name only when [`finish`](PageWriter::finish)
/// returns. Without `finish`, nothing is left behind.
pub trait PageWriter: Send {
    /// Writes a page.
    fn write(&mut self, page: &CleanPage) -> io::Result<()>;

    /// Writes the remaining data, and gives the file or folder its name.
    fn finish(self: Box<Self>) -> io::Result<()>;

    /// The temporary file or folder, for callers that are interrupted and want to remove it.
    fn unfinished(&self) -> Option<&Path>;
}

/// The formats of cleaned pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OutputFormat {
    /// One line of JSON per page.
    #[default]
    Jsonl,
    /// The text of the pages in one file.
    Text,
    /// The pages as Markdown, in one file.
    Markdown,
    /// A folder with a file for each page.
    Html,
    /// The same folder with simple HTML: only those elements and attributes that mean something to readers.
    SimpleHtml,
    /// One record of the type `conversion` per page; compressed if the file's name ends in `.gz`.
    Warc,
    /// The texts of the pages, as in the WET files of Common Crawl; compressed if the file's name ends in `.gz`.
    Wet,
    /// One row per page.
    Parquet,
    /// The same rows as Parquet, as a stream of Arrow's IPC format.
    Arrow,
    /// One line of JSON per chunk of a page, for retrieval.
    Chunks,
    /// Two lines of JSON per page, for the bulk API of Elasticsearch and OpenSearch.
    Bulk,
}

/// The default maximum number of tokens in a chunk.
pub const CHUNK_TOKENS: usize = 500;

impl OutputFormat {
    /// All formats.
    pub const ALL: [OutputFormat; 11] = [
        OutputFormat::Jsonl,
        OutputFormat::Text,
        OutputFormat::Markdown,
        OutputFormat::Html,
        OutputFormat::SimpleHtml,
        OutputFormat::Warc,
        OutputFormat::Wet,
        OutputFormat::Parquet,
        OutputFormat::Arrow,
        OutputFormat::Chunks,
        OutputFormat::Bulk,
    ];

    /// The file name extension of this format.
    pub const fn extension(self) -> &'static str {
        match self {
            OutputFormat::Jsonl | OutputFormat::Chunks => "jsonl",
            OutputFormat::Text => "txt",
            OutputFormat::Markdown => "md",
            OutputFormat::Html | OutputFormat::SimpleHtml => "html",
            OutputFormat::Warc => "warc.gz",
            OutputFormat::Wet => "warc.wet.gz",
            OutputFormat::Parquet => "parquet",
            OutputFormat::Arrow => "arrows",
            OutputFormat::Bulk => "ndjson",
        }
    }

    /// The format that a file name implies: `jsonl` for `pages.jsonl.gz`. `None` if it implies none.
    pub fn of_name(path: &Path) -> Option<OutputFormat> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension {
            "jsonl" | "ndjson" => OutputFormat::Jsonl,
            "txt" => OutputFormat::Text,
            "md" | "markdown" => OutputFormat::Markdown,
            "html" | "htm" => OutputFormat::Html,
            "warc" => OutputFormat::Warc,
            "wet" => OutputFormat::Wet,
            "parquet" => OutputFormat::Parquet,
            "arrow" | "arrows" => OutputFormat::Arrow,
            _ => return None,
        })
    }

    /// Whether files of this format may have the name of another format: chunks are lines of JSON, too.
    pub fn can_be_named(self, other: OutputFormat) -> bool {
        let family = |format| match format {
            OutputFormat::Chunks | OutputFormat::Bulk => OutputFormat::Jsonl,
            OutputFormat::Markdown => OutputFormat::Text,
            OutputFormat::Wet => OutputFormat::Warc,
            OutputFormat::SimpleHtml => OutputFormat::Html,
            other => other,
        };
        family(self) == family(other)
    }

    /// The name, as `--format` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            OutputFormat::Jsonl => "jsonl",
            OutputFormat::Text => "text",
            OutputFormat::Markdown => "markdown",
            OutputFormat::Html => "html",
            OutputFormat::SimpleHtml => "simple-html",
            OutputFormat::Warc => "warc",
            OutputFormat::Wet => "wet",
            OutputFormat::Parquet => "parquet",
            OutputFormat::Arrow => "arrow",
            OutputFormat::Chunks => "chunks",
            OutputFormat::Bulk => "bulk",
        }
    }

    /// Whether the output is a folder with a file for each page.
    pub const fn is_folder(self) -> bool {
        matches!(self, OutputFormat::Html | OutputFormat::SimpleHtml)
    }

    /// The default body for this format. WARC, which stores the type of each page, and the formats with a field for the text accept any body.
    pub fn body(self) -> BodyFormat {
        match self {
            OutputFormat::Markdown => BodyFormat::Markdown(RenderOptions::default()),
            OutputFormat::Html => BodyFormat::Html,
            OutputFormat::SimpleHtml => BodyFormat::SimpleHtml(RenderOptions::default()),
            OutputFormat::Chunks => BodyFormat::Chunks { tokens: CHUNK_TOKENS },
            _ => BodyFormat::Text,
        }
    }
}

impl fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of a build without the feature `parquet`.
#[cfg(not(feature = "parquet"))]
pub(crate) const PARQUET_LEFT_OUT: &str =
    "this build cannot read or write Parquet and Arrow: build it with the cargo feature `parquet`";

/// Why a name is not a usable format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownFormat {
    /// No format has this name.
    #[error(
        "`{0}` is not an output format: choose jsonl, text, markdown, html, simple-html, warc, wet, parquet, arrow, chunks or bulk"
    )]
    Name(String),
    /// The format needs a feature of this crate that this build does not have.
    #[cfg(not(feature = "parquet"))]
    #[error("{PARQUET_LEFT_OUT}")]
    LeftOut,
}

impl FromStr for OutputFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<OutputFormat, UnknownFormat> {
        let found = OutputFormat::ALL.into_iter().find(|format| format.name() == name);
        match found {
            #[cfg(not(feature = "parquet"))]
            Some(OutputFormat::Parquet | OutputFormat::Arrow) => Err(UnknownFormat::LeftOut),
            found => found.ok_or_else(|| UnknownFormat::Name(name.to_owned())),
        }
    }
}

/// The options for writing pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The format.
    pub format: OutputFormat,
    /// With [`OutputFormat::Bulk`]: the index for the pages. Without it, requests must name the index.
    pub index: Option<IndexName>,
    /// Writes a folder of partitions instead of a file, and assigns pages to partitions by this key.
    pub partition_by: Option<PartitionBy>,
    /// With [`OutputFormat::Parquet`] and [`OutputFormat::Arrow`]: what a row is. Other formats follow the body of each page.
    pub rows: RowKind,
}

/// What a row of a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RowKind {
    /// A page.
    #[default]
    Page,
    /// A chunk of a page, for pages whose body is [`Body::Chunks`].
    Chunk,
}

impl From<OutputFormat> for WriteOptions {
    fn from(format: OutputFormat) -> WriteOptions {
        WriteOptions { format, ..WriteOptions::default() }
    }
}

/// Opens a file, or for HTML and partitions a folder, which must be new or empty.
pub fn create(options: impl Into<WriteOptions>, path: &Path) -> io::Result<Box<dyn PageWriter>> {
    let options = options.into();
    if let Some(by) = options.partition_by {
        return Ok(Box::new(partitions::Partitions::create(options, by, path)?));
    }
    if options.format.is_folder() {
        return Ok(Box::new(folder::Folder::create(path)?));
    }
    let is_named = |ending: &str| path.extension().is_some_and(|name| name.eq_ignore_ascii_case(ending));
    let is_gzip = is_named("gz");
    let is_table = matches!(options.format, OutputFormat::Parquet | OutputFormat::Arrow);
    if is_named("zst") || is_gzip && is_table {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, not_compressed(options.format)));
    }
    // The records of WARC files are compressed one by one, by their writer.
    let is_record = matches!(options.format, OutputFormat::Warc | OutputFormat::Wet);
    let target = Target::file(path)?;
    let target = if is_gzip && !is_record { target.compressed() } else { target };
    #[cfg(feature = "parquet")]
    if options.format == OutputFormat::Arrow && is_named("arrow") {
        return Ok(Box::new(arrow::Batches::new(target, options.rows, true, ROW_GROUP_BYTES_MAX)?));
    }
    writer_of(options, target, is_gzip, ROW_GROUP_BYTES_MAX)
}

/// The hint for a file name that promises a compression which the format does not support.
fn not_compressed(format: OutputFormat) -> &'static str {
    match format {
        OutputFormat::Parquet => "Parquet files are compressed inside: leave out this ending",
        OutputFormat::Arrow => "Arrow is not compressed: leave out this ending",
        _ => "files are compressed with gzip only: let the name end in .gz, or pipe the output through zstd",
    }
}

/// Writes to an open stream, such as standard output. A folder of HTML files cannot be written this way.
pub fn to_writer(
    options: impl Into<WriteOptions>,
    writer: Box<dyn Write + Send>,
) -> io::Result<Box<dyn PageWriter>> {
    let options = options.into();
    if options.partition_by.is_some() {
        let message = "partitions are written into a folder: give the name of a folder";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    writer_of(options, Target::open(writer), false, ROW_GROUP_BYTES_MAX)
}

/// A writer that holds at most about `bytes_held` of pages in memory, if it buffers pages at all.
#[cfg_attr(not(feature = "parquet"), expect(unused_variables))]
fn writer_of(
    options: WriteOptions,
    target: Target,
    is_gzip: bool,
    bytes_held: usize,
) -> io::Result<Box<dyn PageWriter>> {
    let format = options.format;
    Ok(match format {
        OutputFormat::Jsonl | OutputFormat::Chunks => Box::new(json::Lines::new(target)),
        OutputFormat::Text | OutputFormat::Markdown => {
            Box::new(plain::Plain::new(target, format == OutputFormat::Markdown))
        }
        OutputFormat::Bulk => Box::new(bulk::Bulk::new(target, options.index)),
        OutputFormat::Warc => Box::new(warc::Conversions::new(target, is_gzip)),
        OutputFormat::Wet => Box::new(warc::Conversions::wet(target, is_gzip)),
        #[cfg(feature = "parquet")]
        OutputFormat::Parquet => Box::new(parquet::Rows::new(target, options.rows, bytes_held)?),
        #[cfg(feature = "parquet")]
        OutputFormat::Arrow => Box::new(arrow::Batches::new(target, options.rows, false, bytes_held)?),
        #[cfg(not(feature = "parquet"))]
        OutputFormat::Parquet | OutputFormat::Arrow => {
            return Err(io::Error::new(io::ErrorKind::Unsupported, PARQUET_LEFT_OUT));
        }
        OutputFormat::Html | OutputFormat::SimpleHtml => {
            let message = "HTML is written into a folder, one file per page: give the name of a folder";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    })
}
