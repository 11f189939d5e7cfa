//! What was typed after `clean`.

use std::path::PathBuf;

use clap::ValueEnum;
use unframe_crawl::write::{CHUNK_TOKENS, IndexName, OutputFormat, PartitionBy, WriteOptions};

use super::{MethodArgs, ModelArgs, ReadingArgs};

/// Extract the content of every page, without templates and clutter
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the texts of a crawl without menus and footers
  unframe clean crawl.warc.gz -o texts.jsonl

Each line has url, site, date, title, text and volume; with --metadata also the metadata of the page. The crawl is read in two passes: the first learns each site, the second cleans \
its pages. With --model, which takes a model saved by `unframe learn`, one pass is enough.")]
pub(crate) struct CleanArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Output format: jsonl, text, markdown, html (a folder), warc (conversion records), wet (like Common Crawl's WET files),
    /// parquet, arrow (a stream of the same rows), chunks (JSON lines for retrieval), or bulk (for Elasticsearch and OpenSearch)
    #[arg(long, value_name = "FORMAT", default_value_t = OutputFormat::Jsonl)]
    pub(crate) format: OutputFormat,
    /// With --format warc: the type of the records
    #[arg(long, value_enum, value_name = "KIND", default_value = "text")]
    pub(crate) body: BodyKind,
    /// With --format chunks: maximum number of tokens per chunk, estimated as one for every four characters, and one for each
    /// Chinese, Japanese or Korean character
    #[arg(long, value_name = "N", default_value_t = CHUNK_TOKENS)]
    pub(crate) chunk_tokens: usize,
    /// With --format bulk: name of the target index; without it, name the index in the path of the request (`/INDEX/_bulk`)
    #[arg(long, value_name = "INDEX")]
    pub(crate) bulk_index: Option<IndexName>,
    /// Partition the output, which becomes a folder: by `site` (site=example.com/part-0.parquet), or by `hash:N` (hash=0 to N-1,
    /// by the hash of the site)
    #[arg(long, value_name = "WAY", requires = "output")]
    pub(crate) partition_by: Option<PartitionBy>,
    /// Keep parts that are neither template nor main content: `clutter` keeps all of them; or name the kinds to keep: navigation,
    /// header, footer, sidebar, related, comments, byline, share, tags, form, notice, advert, legal, widget
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Add the metadata of each page: headline, author, published, modified, description, site_name, language, canonical,
    /// page_type, license, the language of its content, comments of readers, and page_kind (article, listing, product, forum,
    /// documentation or service) with page_kind_confidence. For jsonl, parquet, arrow and bulk
    #[arg(long)]
    pub(crate) metadata: bool,
    /// Keep the first occurrence of each template on its site
    #[arg(long)]
    pub(crate) keep_once: bool,
    /// Write an HTML report to this file: what was removed, by site and by kind of region, with examples
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// Write one file per input into the folder that -o names, each as soon as it is complete. Repeats of a page are left out only within an input
    #[arg(long, requires = "output", conflicts_with_all = ["partition_by", "keep_once", "report", "problems", "cdx"])]
    pub(crate) by_input: bool,
    /// With --by-input: continue a run that was stopped. Files that are complete are left as they are, and what was learned is not learned again
    #[arg(long, requires = "by_input")]
    pub(crate) resume: bool,
    /// Write to this file or folder instead of standard output; it appears when it is complete. A WARC or WET file is compressed
    /// if its name ends in .gz
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
