//! Writes cleaned pages: JSONL, text, Markdown, a folder of HTML files, WARC, WET,
//! Parquet, Arrow, chunks for retrieval, lines for search engines.
//!
//! [`create`] opens a file or folder for a format; it appears under its name when it is complete. [`CleanPage`] is a page to be
//! written.
//!
//! The text formats hold many pages in one file: pages are separated by a line with nothing but a form feed (U+000C, which
//! no page has: those in pages become spaces), and the first line of each is its address, in Markdown as a comment.

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

use crate::limits::ROW_GROUP_BYTES_MAX;
use target::Target;

/// Something that cleaned pages are written to, one after the other.
///
/// The same pages in the same order give the same bytes. What was written to a file or folder appears under its name only
/// when [`finish`](PageWriter::finish) returns; without it, nothing is left.
pub trait PageWriter: Send {
    /// Writes a page.
    fn write(&mut self, page: &CleanPage) -> io::Result<()>;

    /// Writes what is left to write, and gives the file or folder its name.
    fn finish(self: Box<Self>) -> io::Result<()>;

    /// The file or folder that has no name yet, for those who are interrupted and want to remove it.
    fn unfinished(&self) -> Option<&Path>;
}

/// How cleaned pages are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OutputFormat {
    /// A line of JSON a page.
    #[default]
    Jsonl,
    /// The text of the pages in one file.
    Text,
    /// The pages as Markdown, in one file.
    Markdown,
    /// A folder with a file for each page.
    Html,
    /// A record of the type `conversion` a page; compressed if the file's name ends in `.gz`.
    Warc,
    /// The texts of the pages, as in the WET files of Common Crawl; compressed if the file's name ends in `.gz`.
    Wet,
    /// A row a page.
    Parquet,
    /// The same rows as a stream of Arrow's IPC format.
    Arrow,
    /// A line of JSON a chunk of a page, for retrieval.
    Chunks,
    /// Two lines of JSON a page, for the bulk API of Elasticsearch and OpenSearch.
    Bulk,
}

/// Tokens of a chunk at most, unless others are asked for.
pub const CHUNK_TOKENS: usize = 500;

impl OutputFormat {
    /// All formats.
    pub const ALL: [OutputFormat; 10] = [
        OutputFormat::Jsonl,
        OutputFormat::Text,
        OutputFormat::Markdown,
        OutputFormat::Html,
        OutputFormat::Warc,
        OutputFormat::Wet,
        OutputFormat::Parquet,
        OutputFormat::Arrow,
        OutputFormat::Chunks,
        OutputFormat::Bulk,
    ];

    /// How the names of files with this format end.
    pub const fn extension(self) -> &'static str {
        match self {
            OutputFormat::Jsonl | OutputFormat::Chunks => "jsonl",
            OutputFormat::Text => "txt",
            OutputFormat::Markdown => "md",
            OutputFormat::Html => "html",
            OutputFormat::Warc => "warc.gz",
            OutputFormat::Wet => "warc.wet.gz",
            OutputFormat::Parquet => "parquet",
            OutputFormat::Arrow => "arrows",
            OutputFormat::Bulk => "ndjson",
        }
    }

    /// The format that the name of a file says: `jsonl` of `pages.jsonl.gz`. None if it says nothing.
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

    /// Whether a file of this format can be named like one of another: chunks are lines of JSON, too.
    pub fn can_be_named(self, other: OutputFormat) -> bool {
        let family = |format| match format {
            OutputFormat::Chunks | OutputFormat::Bulk => OutputFormat::Jsonl,
            OutputFormat::Markdown => OutputFormat::Text,
            OutputFormat::Wet => OutputFormat::Warc,
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
            OutputFormat::Warc => "warc",
            OutputFormat::Wet => "wet",
            OutputFormat::Parquet => "parquet",
            OutputFormat::Arrow => "arrow",
            OutputFormat::Chunks => "chunks",
            OutputFormat::Bulk => "bulk",
        }
    }

    /// What the pages are usually made into for this format. Files that know the types of their pages (WARC) take all.
    pub const fn body(self) -> BodyFormat {
        match self {
            OutputFormat::Markdown => BodyFormat::Markdown,
            OutputFormat::Html => BodyFormat::Html,
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

/// Why a name gives no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownFormat {
    /// It is the name of no format.
    #[error(
        "`{0}` is not an output format: choose jsonl, text, markdown, html, warc, wet, parquet, arrow, chunks or bulk"
    )]
    Name(String),
    /// The format is a feature of this crate that this build does not have.
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

/// What is written, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The format.
    pub format: OutputFormat,
    /// With [`OutputFormat::Bulk`]: the index that the pages are for, unless requests name it.
    pub index: Option<IndexName>,
    /// Whether a folder is written instead of a file, with folders in it that the pages are sorted into.
    pub partition_by: Option<PartitionBy>,
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
    if options.format == OutputFormat::Html {
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
    writer_of(options, target, is_gzip, ROW_GROUP_BYTES_MAX)
}

/// What to do where a file's name promises a compression that it does not get.
fn not_compressed(format: OutputFormat) -> &'static str {
    match format {
        OutputFormat::Parquet => "Parquet files are compressed inside: leave out this ending",
        OutputFormat::Arrow => "Arrow streams are not compressed: leave out this ending",
        _ => "files are compressed with gzip only: let the name end in .gz, or pipe the output through zstd",
    }
}

/// Writes to something that is open already, such as standard output. A folder of HTML files cannot be written so.
pub fn to_writer(
    options: impl Into<WriteOptions>,
    writer: Box<dyn Write + Send>,
) -> io::Result<Box<dyn PageWriter>> {
    let options = options.into();
    if options.partition_by.is_some() {
        let message = "partitions are written into a folder: give the name of a folder";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    writer_of(options, Target::Open(writer), false, ROW_GROUP_BYTES_MAX)
}

/// A writer that holds about `bytes_held` of pages in memory at most, if it is one that holds any.
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
        OutputFormat::Parquet => Box::new(parquet::Rows::new(target, bytes_held)?),
        #[cfg(feature = "parquet")]
        OutputFormat::Arrow => Box::new(arrow::Batches::new(target, bytes_held)?),
        #[cfg(not(feature = "parquet"))]
        OutputFormat::Parquet | OutputFormat::Arrow => {
            return Err(io::Error::new(io::ErrorKind::Unsupported, PARQUET_LEFT_OUT));
        }
        OutputFormat::Html => {
            let message = "HTML is written into a folder, one file per page: give the name of a folder";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    })
}
