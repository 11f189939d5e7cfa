//! Arguments of `index`, `search` and `eval search`.

use std::path::PathBuf;

use unframe_search::Ranking;

use super::{Color, MethodArgs, ModelArgs, OutputArgs, ReadingArgs, threads};

/// Build or update a search index of a crawl without its templates
#[derive(Debug, clap::Args)]
#[command(
    after_help = "\
Example: index Monday's crawl, add Tuesday's, and search
  unframe index monday.warc.gz -o site.index
  unframe index tuesday.warc.gz -o site.index
  unframe search site.index 'green tea'

With the method `blocks`, templates are found while the index is built, in one pass over the crawl. Pages already in the index are \
corrected in the same run when one of their blocks turns out to be template. `none` removes nothing. Other methods learn first, so that the \
crawl is read in two passes, and do not change pages already in the index. A page with the URL of an indexed page replaces it. The index changes atomically when the run \
ends: an interrupted run leaves it unchanged.",
    mut_arg("inputs", |arg| arg.required_unless_present_any(["delete", "inputs_from"])),
    mut_arg("method", |arg| arg.default_value("blocks").help("How templates are found: `blocks` (while the index is built), `none`, or any other method")),
    mut_arg("memory", |arg| arg.default_value("256M").help("Memory to use, such as 500M or 2G; what does not fit spills to disk"))
)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// Folder of the index; it is created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Delete the page with this URL from the index. Can be repeated
    #[arg(long, value_name = "URL")]
    pub(crate) delete: Vec<String>,
    /// Leave the text of templates out of the index, which makes it smaller
    #[arg(long)]
    pub(crate) drop_templates: bool,
}

/// Search an index
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the second page of results of one site, as JSON
  unframe search site.index '\"green tea\" -milk' --site example.org --page 2 --json

Words can be joined by AND, OR, + and -; \"…\" is a phrase; title:, site:, language: and date: search these fields \
(date:[2024-01-01T00:00:00Z TO *]), url:\"http://example.org/tea\" finds one page by its whole address, template: searches templates. Put words that contain \
one of these characters in quotation marks. A query that begins with - comes after --: unframe search site.index -- '-milk tea'.")]
pub(crate) struct SearchArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub(crate) index: PathBuf,
    /// Words to search for
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,
    /// Require all words instead of any
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
    /// Ranking function: bm25, okapi (BM25 as in Chen, Ye and Li: k1 = 2, and words of more than half of the pages lower the score)
    /// or pivoted (TF-IDF with pivoted length normalisation)
    #[arg(long, value_name = "RANKING", default_value_t = Ranking::Bm25)]
    pub(crate) rank: Ranking,
    /// Results per page, up to 1000
    #[arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) limit: u16,
    /// Page of results to show
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) page: u16,
    /// Write one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// When to use colour
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) color: Color,
}

/// Measure how removing templates affects search: known-item queries on an index of each site
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the four default methods, with examples of queries that each of them helps or hurts
  unframe eval search gold/sites --examples 3
Example: queries and judgements of your own
  unframe eval search crawl.warc.gz --queries topics.txt --qrels qrels.txt

Queries are generated from the pages and their gold content, independently of any method: headings of a single page, phrases that \
only one page has in its content, anchor texts of links to a page, and words that most pages of the site have but few have in their content.")]
pub(crate) struct EvalSearchArgs {
    /// Folders of gold data
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// Method, or `all`. Can be repeated; `none` is always included
    #[arg(long, value_name = "METHOD", default_values = ["blocks", "shingle", "dom", "places"])]
    pub(crate) method: Vec<String>,
    /// Ask these queries instead of generated ones, of one index of all pages: TREC topics, or lines of an id, a tab and a query.
    /// DIR is any crawl then
    #[arg(long, value_name = "FILE", requires = "qrels")]
    pub(crate) queries: Option<PathBuf>,
    /// Judgements of the pages for --queries: TREC qrels (topic, iteration, URL, relevance), or lines of a query's id, a URL and its relevance
    #[arg(long, value_name = "FILE", requires = "queries")]
    pub(crate) qrels: Option<PathBuf>,
    /// Maximum number of generated queries per kind and site
    #[arg(long, value_name = "NUMBER", default_value_t = 20, conflicts_with = "queries")]
    pub(crate) of_each: usize,
    /// Number of example queries to show for each kind that a method helps or hurts
    #[arg(long, value_name = "NUMBER", default_value_t = 0, conflicts_with = "queries")]
    pub(crate) examples: usize,
    /// Number of threads; 0 uses all cores. The scores do not depend on it
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
