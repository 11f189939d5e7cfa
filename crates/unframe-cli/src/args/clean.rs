//! What was typed after `clean`.

use std::path::PathBuf;

use clap::ValueEnum;
use unframe_crawl::write::{CHUNK_TOKENS, IndexName, OutputFormat, PartitionBy, WriteOptions};

use super::{MethodArgs, ModelArgs, ReadingArgs};

/// Write the content of every page: what is left when templates and clutter are gone
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the texts of a crawl without menus and footers
  unframe clean crawl.warc.gz -o texts.jsonl

Each line has url, site, date, title, text and volume; with --metadata also what the page says of itself. The crawl is read twice: first to learn each site, then to clean its \
pages. --model uses what `unframe learn` saved, and reads it once.")]
pub(crate) struct CleanArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// What to write: jsonl, text, markdown, html (a folder), warc (conversion records), wet (as Common Crawl's texts), parquet, arrow (a stream
    /// of the same rows), chunks (JSON lines for retrieval), or bulk (for Elasticsearch and OpenSearch)
    #[arg(long, value_name = "FORMAT", default_value_t = OutputFormat::Jsonl)]
    pub(crate) format: OutputFormat,
    /// What the pages become in a WARC file
    #[arg(long, value_enum, value_name = "KIND", default_value = "text")]
    pub(crate) body: BodyKind,
    /// With --format chunks: how many tokens a chunk has at most, estimated as one for four characters, and one for each Chinese,
    /// Japanese or Korean character
    #[arg(long, value_name = "N", default_value_t = CHUNK_TOKENS)]
    pub(crate) chunk_tokens: usize,
    /// With --format bulk: the index that the pages are for; without it, name it in the path of the request (`/INDEX/_bulk`)
    #[arg(long, value_name = "INDEX")]
    pub(crate) bulk_index: Option<IndexName>,
    /// Write a folder, with the pages in folders of their own: `site` (site=example.com/part-0.parquet), or `hash:N` (hash=0 to
    /// N-1, by the hash of the site)
    #[arg(long, value_name = "WAY", requires = "output")]
    pub(crate) partition_by: Option<PartitionBy>,
    /// Keep what is not template though readers would not call it content: `clutter` (all of it), or sorts of it: navigation, header,
    /// footer, sidebar, related, comments, byline, share, tags, form, notice, advert, legal, widget
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Add what each page says of itself: headline, author, published, modified, description, site_name, language, canonical, page_type,
    /// license; and the language of its content. For jsonl, parquet, arrow and bulk
    #[arg(long)]
    pub(crate) metadata: bool,
    /// Keep each template where it occurs first on its site
    #[arg(long)]
    pub(crate) keep_once: bool,
    /// Write an HTML page here that shows what was removed, by site and by kind of region, with examples
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// Write here instead of to standard output; the file or folder appears when it is complete. A WARC or WET file
    /// is compressed if its name ends in .gz
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl CleanArgs {
    /// What the arguments mean to the writer of pages.
    pub(crate) fn write_options(&self) -> WriteOptions {
        WriteOptions { format: self.format, index: self.bulk_index.clone(), partition_by: self.partition_by }
    }
}

/// What the pages become in a WARC file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyKind {
    /// text/plain
    Text,
    /// text/markdown
    Markdown,
    /// text/html
    Html,
}
