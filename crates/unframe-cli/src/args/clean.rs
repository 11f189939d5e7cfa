//! Arguments of `clean`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ValueEnum;
use unframe::render::{ImageMode, LinkMode, RenderOptions};
use unframe_crawl::write::{
    BodyFormat, CHUNK_TOKENS, IndexName, OutputFormat, PartitionBy, RowKind, WriteOptions,
};

use super::{MethodArgs, ModelArgs, ReadingArgs};

/// Extract the content of every page, without templates and clutter
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the texts of a crawl without menus and footers
  unframe clean crawl.warc.gz -o texts.jsonl

Each line has url, site, date, title, text, volume and evidence (`site` if the page was compared with others, otherwise `page`); with --metadata also the metadata of the page. The crawl is read in two passes: the first learns each site, the second cleans \
its pages. With --model, which takes a model saved by `unframe learn`, one pass is enough.")]
pub(crate) struct CleanArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Output format: jsonl, text, markdown, html (a folder with the pages themselves), simple-html (a folder; only headings, paragraphs,
    /// lists, tables, links, images and the like), warc (conversion records), wet (like Common Crawl's WET files),
    /// parquet, arrow (a stream of the same rows), chunks (JSON lines for retrieval), or bulk (for Elasticsearch and OpenSearch)
    /// [default: by the name of the output, such as pages.parquet; else jsonl]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<OutputFormat>,
    /// With --format warc: the type of the records. With jsonl, parquet, arrow and bulk: what `text` contains, and with `chunks` what a
    /// line, row or document is [default: text]
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) body: Option<BodyKind>,
    /// In Markdown and simple HTML: write links with their addresses (`keep`), or only their text (`text`) [default: keep]
    #[arg(long, value_name = "keep|text")]
    pub(crate) links: Option<LinkMode>,
    /// In Markdown and simple HTML: write images with their addresses (`keep`), only their alternative text (`alt`), or nothing
    /// (`drop`) [default: keep]
    #[arg(long, value_name = "keep|alt|drop")]
    pub(crate) images: Option<ImageMode>,
    /// With --format chunks or --body chunks: maximum number of tokens per chunk, estimated as one for every four characters, and one for each
    /// Chinese, Japanese or Korean character [default: 500]
    #[arg(long, value_name = "N")]
    pub(crate) chunk_tokens: Option<NonZero<usize>>,
    /// With --format bulk: name of the target index; without it, name the index in the path of the request (`/INDEX/_bulk`)
    #[arg(long, value_name = "INDEX")]
    pub(crate) bulk_index: Option<IndexName>,
    /// Partition the output, which becomes a folder: by `site` (site=example.com/part-0.parquet), or by `hash:N` (hash=0 to N-1,
    /// by the hash of the site)
    #[arg(long, value_name = "WAY", requires = "output")]
    pub(crate) partition_by: Option<PartitionBy>,
    /// places: keep parts that are not main content and that other pages do not repeat word for word: `clutter` keeps all of
    /// them; or name the kinds to keep: navigation,
    /// header, footer, sidebar, related, comments, byline, share, tags, form, notice, advert, legal, widget
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Add the metadata of each page: headline, author, published, modified, description, site_name, language, canonical,
    /// page_type, license, the language of its content, comments of readers, and page_kind (article, listing, product, forum,
    /// documentation, service or other) with page_kind_confidence. For jsonl, parquet, arrow, chunks and bulk
    #[arg(long)]
    pub(crate) metadata: bool,
    /// Remove nothing but repetition: keep the first occurrence of each text on its site, also of templates and clutter
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
    /// Write to this file or folder instead of standard output; it appears when it is complete. A file is compressed with gzip if
    /// its name ends in .gz
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl CleanArgs {
    /// The options of the page writer.
    pub(crate) fn write_options(&self) -> WriteOptions {
        WriteOptions {
            format: self.format_or_default(),
            index: self.bulk_index.clone(),
            partition_by: self.partition_by,
            rows: match self.body_format() {
                BodyFormat::Chunks { .. } => RowKind::Chunk,
                _ => RowKind::Page,
            },
        }
    }

    /// The format: as requested, else by the extension of the output.
    pub(crate) fn format_or_default(&self) -> OutputFormat {
        self.format.or_else(|| self.format_of_name()).unwrap_or_default()
    }

    /// The format of the content.
    pub(crate) fn body_format(&self) -> BodyFormat {
        let mut options = RenderOptions::default();
        options.links = self.links.unwrap_or_default();
        options.images = self.images.unwrap_or_default();
        let tokens = self.chunk_tokens.map_or(CHUNK_TOKENS, NonZero::get);
        match self.body {
            Some(BodyKind::Text) => BodyFormat::Text,
            Some(BodyKind::Markdown) => BodyFormat::Markdown(options),
            Some(BodyKind::Html) => BodyFormat::Html,
            Some(BodyKind::SimpleHtml) => BodyFormat::SimpleHtml(options),
            Some(BodyKind::Chunks) => BodyFormat::Chunks { tokens },
            None => match self.format_or_default().body() {
                BodyFormat::Markdown(_) => BodyFormat::Markdown(options),
                BodyFormat::SimpleHtml(_) => BodyFormat::SimpleHtml(options),
                BodyFormat::Chunks { .. } => BodyFormat::Chunks { tokens },
                other => other,
            },
        }
    }

    /// The format that the extension of the file names. Folders have none.
    fn format_of_name(&self) -> Option<OutputFormat> {
        let file = self.output.as_ref().filter(|_| !self.by_input && self.partition_by.is_none());
        file.and_then(|path| OutputFormat::of_name(path))
    }

    /// Refuses options that contradict each other, or that would have no effect.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let format = self.format_or_default();
        let name = self.output.as_deref().unwrap_or(Path::new("-")).display();
        match (self.format, self.format_of_name()) {
            (None, Some(OutputFormat::Html)) => {
                bail!(
                    "{name}: HTML is written into a folder, one file per page: give the name of a folder, and --format html or simple-html"
                )
            }
            (Some(format), Some(other)) if !format.can_be_named(other) => {
                bail!("{name} ends like a file of the format {other}, but --format is {format}")
            }
            _ => {}
        }
        let with_text_field =
            [OutputFormat::Jsonl, OutputFormat::Parquet, OutputFormat::Arrow, OutputFormat::Bulk];
        let has_fields = format == OutputFormat::Chunks || with_text_field.contains(&format);
        let has_kinds = format == OutputFormat::Warc || with_text_field.contains(&format);
        let is_marked = matches!(self.body_format(), BodyFormat::Markdown(_) | BodyFormat::SimpleHtml(_));
        let is_chunked = matches!(self.body_format(), BodyFormat::Chunks { .. });
        let marked = "markdown or simple-html, or --body markdown or simple-html";
        let without_effect = [
            (self.body.is_some() && !has_kinds, "--body", "warc, jsonl, parquet, arrow or bulk"),
            (self.links.is_some() && !is_marked, "--links", marked),
            (self.images.is_some() && !is_marked, "--images", marked),
            (self.chunk_tokens.is_some() && !is_chunked, "--chunk-tokens", "chunks, or --body chunks"),
            (self.bulk_index.is_some() && format != OutputFormat::Bulk, "--bulk-index", "bulk"),
            (self.metadata && !has_fields, "--metadata", "jsonl, parquet, arrow, chunks or bulk"),
        ];
        if format == OutputFormat::Warc && self.body == Some(BodyKind::Chunks) {
            bail!(
                "--body chunks needs --format jsonl, parquet, arrow or bulk: a record of WARC is a whole page"
            )
        }
        match without_effect.iter().find(|(is_wrong, ..)| *is_wrong) {
            Some((_, option, formats)) => {
                bail!("{option} needs --format {formats}, and the format is {format}")
            }
            None => Ok(()),
        }
    }
}

/// The content of a page in a record of a WARC file or in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyKind {
    /// text/plain
    Text,
    /// text/markdown
    Markdown,
    /// text/html: the page itself without its templates
    Html,
    /// text/html: only headings, paragraphs, lists, tables, links, images and the like
    SimpleHtml,
    /// parts of pages for retrieval: a line, row or document for each, with the headings above it
    Chunks,
}
