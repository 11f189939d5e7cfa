//! What was typed. Nothing is done here: each verb has a file of its own.

mod draw;
mod evolve;
mod fingerprint;
mod search;
mod serve;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use unframe::SiteBy;
use unframe_crawl::ReadOptions;
use unframe_crawl::write::OutputFormat;

pub(crate) use draw::{DrawArgs, PictureFormat};
pub(crate) use evolve::EvolveArgs;
pub(crate) use fingerprint::{ClassifyArgs, ClusterArgs, EvalFingerprintsArgs, FingerprintArgs, Split};
pub(crate) use search::{EvalBlocksArgs, EvalSearchArgs, IndexArgs, SearchArgs};
pub(crate) use serve::{ServeArgs, ServeLog};

/// Finds the template of every page of a crawl by comparing the pages of each site.
#[derive(Debug, Parser)]
#[command(name = "unframe", version, help_expected = true, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXIT_CODES: &str = "\
Exit codes: 0 all went well; 1 some records were bad (which ones is on standard error); \
2 wrong usage, or nothing could be done.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Pages(PagesArgs),
    Parse(ParseArgs),
    Clean(CleanArgs),
    Learn(LearnArgs),
    Label(LabelArgs),
    Explain(ExplainArgs),
    Templates(TemplatesArgs),
    Follow(FollowArgs),
    Volume(VolumeArgs),
    Draw(DrawArgs),
    Evolve(EvolveArgs),
    Fingerprint(FingerprintArgs),
    Classify(ClassifyArgs),
    Cluster(ClusterArgs),
    Index(IndexArgs),
    Search(SearchArgs),
    Serve(ServeArgs),
    Eval(EvalArgs),
    Demo(DemoArgs),
}

/// List the pages of a crawl: one JSON object a line, or a summary of each site on a terminal
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: which pages of two crawls are not in UTF-8?
  unframe pages monday.warc.gz tuesday/ | jq -r 'select(.charset != \"UTF-8\") | .url'

Each line has url, site, date, bytes, charset, charset_source (bom, http, meta, detected or default), file, offset \
and problems.")]
pub(crate) struct PagesArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Write here instead of to standard output; the file appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write JSON lines even on a terminal
    #[arg(long, conflicts_with = "table")]
    pub(crate) jsonl: bool,
    /// Write the summary of each site even if it is not for a terminal
    #[arg(long)]
    pub(crate) table: bool,
}

/// Show the tree of a page: every node with the bytes that it came from
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the tree of one page of a crawl, as JSON
  unframe parse crawl.warc.gz --url https://example.org/ --json | jq '.nodes[] | select(.name == \"h1\")'

As text, one node a line: name and attributes or the text itself, the bytes of the whole node, of its start tag and of \
its end tag. `moved` marks nodes that the HTML rules put elsewhere than where their bytes lie. As JSON, one object a page; \
`parent` is the place of the parent in `nodes`.")]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Only the page with this address
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Write JSON, one object a page
    #[arg(long)]
    pub(crate) json: bool,
    /// Write here instead of to standard output; the file appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Write the content of every page: what is left when the templates of its site are gone
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the texts of a crawl without menus and footers
  unframe clean crawl.warc.gz -o texts.jsonl

Each line has url, site, date, title, text and volume. The crawl is read twice: first to learn each site, then to clean its \
pages. --model uses what `unframe learn` saved, and reads it once.")]
pub(crate) struct CleanArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// Use this model instead of learning from the input
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// What to write: jsonl, text, markdown, html (a folder), warc (conversion records) or parquet
    #[arg(long, value_name = "FORMAT", default_value_t = OutputFormat::Jsonl)]
    pub(crate) format: OutputFormat,
    /// What the pages become in a WARC file
    #[arg(long, value_enum, value_name = "KIND", default_value = "text")]
    pub(crate) body: BodyKind,
    /// Keep each template where it occurs first on its site
    #[arg(long)]
    pub(crate) keep_once: bool,
    /// Write here instead of to standard output; the file or folder appears when it is complete. A WARC file is compressed
    /// if its name ends in .gz
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
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

/// Learn the templates of every site of a crawl and save them as a model
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: learn from two crawls on two machines, then use what both found on a third
  unframe learn monday.warc.gz -o monday.model
  unframe learn tuesday.warc.gz -o tuesday.model
  unframe learn --merge monday.model tuesday.model --compact -o week.model
  unframe label --model week.model wednesday.warc.gz")]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// The inputs are models: fold them together instead of learning
    #[arg(long)]
    pub(crate) merge: bool,
    /// Keep only what labelling needs: a much smaller file, which cannot be merged any more
    #[arg(long)]
    pub(crate) compact: bool,
    /// The model file; it appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Write the template regions of every page, one JSON object a line
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the ten templates that cover most bytes of a crawl
  unframe label crawl.warc.gz | jq -r '.regions[] | [.template, .end - .start] | @tsv' |
    awk '{ bytes[$1] += $2 } END { for (t in bytes) print bytes[t], t }' | sort -rn | head

Each line has url, site, date, bytes, regions (start and end in bytes of the page, template, pages) and volume: how much of \
the page is template in bytes of HTML, characters of visible text, and links.")]
pub(crate) struct LabelArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// Use this model instead of learning from the input
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Write here instead of to standard output; the file appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Show one page with its template regions: what they are, why, how often, and where else
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: why is this paragraph gone?
  unframe explain crawl.warc.gz --url https://example.org/tea

The text of the page is printed line by line. Template is marked with `|` and dimmed in colour, and after it comes its id, the number \
of compared pages that have it, and other pages that have it too.")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// The address of the page
    #[arg(long, value_name = "URL")]
    pub(crate) url: String,
    /// Use this model instead of learning from the input
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Whether to use colour
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) color: Color,
}

/// When colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Show the templates of each site: their text, how often and where they occur, and how to select them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: rules that hide the templates of a site, for crawlers, change monitors and content blockers
  unframe templates crawl.warc.gz --format rules -o templates.txt

A rule is a line `SITE##SELECTOR` (a cosmetic filter); lines that begin with `!` are comments. Every selector was tried on every page of \
the input: none ever selects content. As JSON, `selected` is the share of a template's elements that its selectors select, and `reason` \
says why it is not 1; `first` and `last` are places in bytes of the page. The crawl is read three times, with --model twice.")]
pub(crate) struct TemplatesArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// Use this model instead of learning from the input
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: TemplatesFormat,
    /// At most so many templates of each site, 0 for all; a table has 20 unless told otherwise
    #[arg(long, value_name = "NUMBER")]
    pub(crate) top: Option<usize>,
    /// Also list the template hashes that occur on more than one site
    #[arg(long)]
    pub(crate) shared: bool,
    /// Write ranks.csv (occurrences by rank) and coverage.csv (what the first templates cover) into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) curves: Option<PathBuf>,
    /// Write here instead of to standard output; the file appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How templates are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplatesFormat {
    /// For people
    Table,
    /// Everything
    Json,
    /// Cosmetic filters, one line for each site and selector
    Rules,
}

/// Label or clean every page the moment it is crawled, with what was learned of its site so far
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: clean pages while a crawler writes them, and list the pages to index again
  unframe follow --state crawl.state --tail --clean crawl-0001.warc.gz --reindex-log again.jsonl -o texts.jsonl
Example: a crawler that hands over its pages, one JSON object a line
  my-crawler | unframe follow --state crawl.state - | my-indexer

The line of a page is written when the page is safe on disk: whatever happens then, it is not lost, and it is not counted twice \
when it comes again. Pages that come close to each other become safe together. Several processes can work on the same input, each \
on its part of the sites: --part 1/4, --part 2/4 and so on.")]
pub(crate) struct FollowArgs {
    /// Folder of what was learned; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) state: PathBuf,
    /// Files and folders in any mix: WARC, ARC, WACZ, HTML, JSONL, Parquet; `-` is standard input
    #[arg(value_name = "INPUT", required_unless_present_any = ["status", "check", "repair", "list"])]
    pub(crate) inputs: Vec<PathBuf>,
    /// Standard input is a list of files, one a line, each read when its line arrives
    #[arg(long, conflicts_with_all = ["inputs", "tail"])]
    pub(crate) list: bool,
    /// The inputs are files that still grow: wait for more at their ends
    #[arg(long)]
    pub(crate) tail: bool,
    /// With --tail: stop when nothing has come for so many seconds; 0 waits forever
    #[arg(long, value_name = "SECONDS", default_value_t = 0, requires = "tail")]
    pub(crate) idle: u64,
    /// Write the content of each page, as `unframe clean` does, instead of its template regions
    #[arg(long)]
    pub(crate) clean: bool,
    /// Append to this file instead of writing to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write nothing for pages that are known as they are, such as those of a file that is read again
    #[arg(long)]
    pub(crate) skip_known: bool,
    /// Append here, one JSON object a line, the pages whose texts became template or are template no more
    #[arg(long, value_name = "FILE")]
    pub(crate) reindex_log: Option<PathBuf>,
    /// Memory for the pages that --reindex-log can name, in megabytes: when it is full, the oldest are dropped
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub(crate) reindex_memory: usize,
    /// Memory for what was learned, in megabytes; the sites that were not seen for the longest time are on disk only
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub(crate) memory: usize,
    /// Take only a part of the sites, such as 2/4: the second of four
    #[arg(long, value_name = "PART")]
    pub(crate) part: Option<String>,
    /// Print what the state holds: sites, segments, bytes, oldest and newest page
    #[arg(long, conflicts_with_all = ["inputs", "list"])]
    pub(crate) status: bool,
    /// Look for damage in the state; nothing is changed
    #[arg(long, conflicts_with_all = ["inputs", "list", "status"])]
    pub(crate) check: bool,
    /// Drop what is damaged in the state, and keep the rest
    #[arg(long, conflicts_with_all = ["inputs", "list", "status", "check"])]
    pub(crate) repair: bool,
    /// What makes two pages belong to the same site: host, domain, prefix or all
    #[arg(long, value_name = "WAY", default_value_t = SiteBy::Host)]
    pub(crate) site_by: SiteBy,
    /// Take pages of any HTTP status, not only of 200
    #[arg(long)]
    pub(crate) any_status: bool,
    /// A parameter of a new state, such as df=5, ratio=0.7, base=10, factor=50 or blocks=table+div+p; can be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Write all problems here, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    /// No summary and no list of problems; the exit code still tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Measure how much of each site is template: of HTML, of text, of links
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: by site and by category
  unframe volume crawl.warc.gz --categories sites.csv
Example: which pages owe their rank to menus?
  unframe volume crawl.warc.gz --links links/

sites.csv has a line `site,category` for each site; several categories are separated by `;`. The share of a category is the \
mean over its sites. `difference` is how far `text` and `dom` are apart on the text of a site.")]
pub(crate) struct VolumeArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Methods to measure with, with parameters if wanted (`text:density=40`); can be given more than once
    /// [default: text and dom; places with --links and --savings]
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Vec<String>,
    /// Instead: write links.csv (each link, in a template or in content) and pagerank.csv (pages ranked with and without template links) into
    /// this folder, and show which pages gain and lose
    #[arg(long, value_name = "DIR", conflicts_with = "savings")]
    pub(crate) links: Option<PathBuf>,
    /// Instead: store every page in several ways, and show what is saved by keeping each template once
    #[arg(long)]
    pub(crate) savings: bool,
    /// Categories of sites
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) categories: Option<PathBuf>,
    /// Which pages of a large site are compared: another seed, other pages
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// What to write
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    /// Write here instead of to standard output; the file appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Score methods on gold data: which words of the content survive, and which words of the templates go
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Example: both methods, and one with other parameters, on a folder of gold data
  unframe eval gold/sites --method all --method text:density=40
Example: what `segments` holds page by page against what other methods must hold, and how it follows a redesign
  unframe eval gold/sites --following --redesign snapshots/site.warc.gz

A folder has SITE.warc.gz and SITE.gold.jsonl.gz ({\"url\",\"text\"}: words are compared) or SITE.values.jsonl.gz ({\"url\",\"values\"}: \
values that must survive) for each site. `none` removes nothing."
)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    pub(crate) what: Option<EvalWhat>,
    /// Folders of gold data
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// Instead of scores: the pages of each site as a stream, labelled one by one by `segments`; how much it holds and finds
    #[arg(long)]
    pub(crate) following: bool,
    /// With --following: crawls with dated versions of pages, to see what a redesign does
    #[arg(long, value_name = "FILE", requires = "following")]
    pub(crate) redesign: Vec<PathBuf>,
    /// A method, one with parameters (`text:density=40,window=20`), `none`, or `all`; can be given more than once
    #[arg(long, value_name = "METHOD", default_value = "all")]
    pub(crate) method: Vec<String>,
    /// Pages of each site that are learned from; 0 is all
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) pages: usize,
    /// Pages of each site that are scored; 0 is all
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) scored: usize,
    /// Also score trafilatura and resiliparse on the same pages, where Python has them
    #[arg(long)]
    pub(crate) peers: bool,
    /// The Python that has the peers
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub(crate) python: String,
    /// Scores against the number of pages: each site is cut into groups of so many pages, each learned by itself
    #[arg(long, value_name = "PAGES,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) curve: Vec<u32>,
    /// Which pages of a large site are compared: another seed, other pages
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads to use; 0 is one for each core. The scores are the same for any number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) threads: usize,
    /// What to write
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    /// Write here instead of to standard output; the file appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What else can be scored.
#[derive(Debug, Subcommand)]
pub(crate) enum EvalWhat {
    Fingerprints(EvalFingerprintsArgs),
    Search(EvalSearchArgs),
    Blocks(EvalBlocksArgs),
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Table,
    /// One row a site and method
    Csv,
    /// Everything
    Json,
}

/// How templates are found.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct MethodArgs {
    /// `places` (repetition weighed for the places of a site), `dom` (repeated nodes), `text` (repeated windows of text),
    /// `segments` (texts of the pages before), `blocks` (words at the same places of blocks), `shingle` (blocks that say nearly the
    /// same) or `sst` (elements that say little)
    #[arg(long, value_name = "NAME", default_value = "places")]
    pub(crate) method: String,
    /// places: remove more, for content without template
    #[arg(long, conflicts_with_all = ["recall", "certainty"])]
    pub(crate) precision: bool,
    /// places: remove less, for content that is whole
    #[arg(long, conflicts_with = "certainty")]
    pub(crate) recall: bool,
    /// places: how likely template must be to be removed, from 0 to 1 [default: 0.5]
    #[arg(long, value_name = "PROBABILITY")]
    pub(crate) certainty: Option<String>,
    /// Pages of a site that are compared with each other
    #[arg(long, value_name = "NUMBER")]
    pub(crate) sample: Option<String>,
    /// Which pages of a large site are compared: another seed, other pages
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// dom: a template node occurs at least so often, as a share of the compared pages
    #[arg(long, value_name = "SHARE")]
    pub(crate) low: Option<String>,
    /// dom: a template node occurs at most so often, as a share of the compared pages
    #[arg(long, value_name = "SHARE")]
    pub(crate) high: Option<String>,
    /// dom: bytes of text that may lie between two nodes of one region
    #[arg(long, value_name = "BYTES")]
    pub(crate) gap: Option<String>,
    /// dom: count `occurrences` or `pages`; text: occurrences that make a window frequent
    #[arg(long, value_name = "COUNT")]
    pub(crate) count: Option<String>,
    /// text: characters in a window; shingle: words in a shingle
    #[arg(long, value_name = "NUMBER")]
    pub(crate) window: Option<String>,
    /// text: one in so many windows is looked at; 0 is all
    #[arg(long, value_name = "NUMBER")]
    pub(crate) density: Option<String>,
    /// text: the same as --density 40
    #[arg(long, conflicts_with = "density")]
    pub(crate) fast: bool,
    /// segments, shingle: pages that make a text or a block template; blocks: blocks that make a word template
    #[arg(long, value_name = "PAGES")]
    pub(crate) df: Option<String>,
    /// segments, blocks: share of its text above which, or of its words from which, a block is template
    #[arg(long, value_name = "SHARE")]
    pub(crate) ratio: Option<String>,
    /// segments: pages after which a text is forgotten that was on one page only (Tb)
    #[arg(long, value_name = "PAGES")]
    pub(crate) base: Option<String>,
    /// segments: how many times longer a text is remembered that was on many pages (N)
    #[arg(long, value_name = "NUMBER")]
    pub(crate) factor: Option<String>,
    /// segments, blocks, shingle: tags that cut a page into blocks, such as table+div+p
    #[arg(long, value_name = "TAGS")]
    pub(crate) blocks: Option<String>,
    /// blocks: share of their bits from which signatures of places are similar
    #[arg(long, value_name = "SHARE")]
    pub(crate) similarity: Option<String>,
    /// blocks: `path` compares blocks at the same position, `any` all with the same attributes
    #[arg(long, value_name = "WHICH")]
    pub(crate) position: Option<String>,
    /// shingle: smallest hashes in a supershingle
    #[arg(long, value_name = "NUMBER")]
    pub(crate) minima: Option<String>,
    /// shingle: supershingles of a block; one that is the same is enough
    #[arg(long, value_name = "NUMBER")]
    pub(crate) supershingles: Option<String>,
    /// sst: an element that says less is template, from 0 to 1
    #[arg(long, value_name = "IMPORTANCE")]
    pub(crate) threshold: Option<String>,
    /// sst: how much the inside of an element counts, from 0 to 1
    #[arg(long, value_name = "WEIGHT")]
    pub(crate) gamma: Option<String>,
}

/// Make a small crawl of invented sites and clean its pages
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: keep the crawl and the texts, and look at one page before and after
  unframe demo demo-crawl
  unframe parse demo-crawl --url https://www.far-harbour-news.example/
  head -1 demo-crawl/demo-1.jsonl")]
pub(crate) struct DemoArgs {
    /// Folder to keep the crawl in; without it, the crawl is deleted again
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Other seeds make other sites; the same seed makes the same bytes
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Pages of each site
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    pub(crate) pages: u64,
    /// No progress bar, and only the table
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// How a crawl is read; the same for all verbs that read one.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Files and folders in any mix: WARC, ARC, WACZ, HTML, JSONL, Parquet; `-` is standard input
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// What makes two pages belong to the same site: host, domain, prefix or all
    #[arg(long, value_name = "WAY", default_value_t = SiteBy::Host)]
    pub(crate) site_by: SiteBy,
    /// Which HTTP status a page must have
    #[arg(long, value_enum, value_name = "STATUS", default_value = "200")]
    pub(crate) status: Status,
    /// Keep pages that repeat the address and the bytes of an earlier one
    #[arg(long)]
    pub(crate) duplicates: bool,
    /// Threads to use; 0 is one for each core. The output is the same for any number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Write all problems here, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    /// No progress bar and no list of problems; the exit code still tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Which HTTP status a page must have.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Status {
    /// Only successful answers
    #[value(name = "200")]
    Ok,
    /// All answers that are HTML
    Any,
}

impl ReadingArgs {
    /// What the arguments mean to the reader of crawls.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            site_by: self.site_by,
            any_status: matches!(self.status, Status::Any),
            unique: !self.duplicates,
            threads: self.threads,
            progress: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn flags_are_consistent_and_all_have_help() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_verb_has_an_example() {
        for verb in Args::command().get_subcommands() {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{} has no example", verb.get_name());
        }
    }
}
