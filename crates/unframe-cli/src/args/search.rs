//! What was typed after `index`, `search` and `eval search`.

use std::path::PathBuf;

use unframe_search::Ranking;

use super::{Color, MethodArgs, ModelArgs, OutputArgs, ReadingArgs};

/// Build a search index of a crawl without its templates, or change one
#[derive(Debug, clap::Args)]
#[command(
    after_help = "\
Example: index Monday's crawl, add Tuesday's, and search
  unframe index monday.warc.gz -o site.index
  unframe index tuesday.warc.gz -o site.index
  unframe search site.index 'green tea'

With the method `blocks`, templates are found while the index is built: the crawl is read once. Pages that were in the index before are \
corrected when one of their blocks turns out to be template, in the same run. `none` removes nothing; other methods learn first, so that the \
crawl is read twice, and pages that are in the index stay as they are. A page with a known address replaces the old one. The index changes when the run \
ends, and all at once: after an interruption it is as before.",
    mut_arg("inputs", |arg| arg.required_unless_present_any(["delete", "inputs_from"])),
    mut_arg("method", |arg| arg.default_value("blocks").help("`blocks` (while the index is built), `none`, or any other method")),
    mut_arg("memory", |arg| arg.default_value("256M").help("How much memory to use, such as 500M or 2G; what is more goes to disk"))
)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// The folder of the index; it is made if it is not there
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Delete the page with this address; can be given more than once
    #[arg(long, value_name = "URL")]
    pub(crate) delete: Vec<String>,
    /// Do not make the text of templates searchable: a smaller index
    #[arg(long)]
    pub(crate) drop_templates: bool,
}

/// Search an index
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the second page of results of one site, as JSON
  unframe search site.index '\"green tea\" -milk' --site example.org --page 2 --json

Words can be joined by AND, OR, + and -; \"…\" is a phrase; title:, url:, site:, language: and date: search these fields \
(date:[2024-01-01T00:00:00Z TO *]), template: searches templates. Words with one of these in them belong into quotation marks.")]
pub(crate) struct SearchArgs {
    /// The folder of the index
    #[arg(value_name = "DIR")]
    pub(crate) index: PathBuf,
    /// What to search for
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,
    /// All words must be there, not only one of them
    #[arg(long)]
    pub(crate) all: bool,
    /// Search the text of templates as well
    #[arg(long)]
    pub(crate) in_templates: bool,
    /// Only pages of this site
    #[arg(long, value_name = "SITE")]
    pub(crate) site: Option<String>,
    /// Only pages in this language, such as `en`
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// How results are ordered: bm25 or pivoted (TF-IDF with pivoted length)
    #[arg(long, value_name = "RANKING", default_value_t = Ranking::Bm25)]
    pub(crate) rank: Ranking,
    /// Results of a page, up to 1000
    #[arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) limit: u16,
    /// Which page of results
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) page: u16,
    /// Write one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Whether to use colour
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) color: Color,
}

/// Measure what removing templates does to search: known pages are searched for in indexes of each site
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: four ways to build an index, and examples of queries that each of them helps or hurts
  unframe eval search gold/sites --examples 3

Queries are made from the pages and their known content, without asking any method: headings that one page has, words that stand together \
in the content of one page only, texts of links to a page, and words that stand on most pages of the site but in the content of few.")]
pub(crate) struct EvalSearchArgs {
    /// Folders of gold texts
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// A method, or `all`; can be given more than once. `none` is always there
    #[arg(long, value_name = "METHOD", default_values = ["blocks", "shingle", "dom", "places"])]
    pub(crate) method: Vec<String>,
    /// At most so many queries of each kind and site
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) queries: usize,
    /// Examples of each kind that a method helps or hurts
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) examples: usize,
    /// Threads to use; 0 is one for each core. The scores are the same for any number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
