//! Arguments of `fingerprint`, `classify`, `cluster` and `eval fingerprints`.

use std::path::PathBuf;
use std::str::FromStr;

use unframe::fingerprint::Method;
use unframe::fingerprint::index::SPLIT;
use unframe::fingerprint::signature::LENGTH;

use super::{OutputArgs, ReadingArgs, ReportFormat};

/// Write the fingerprint of every page: a short hash of its structure, similar for pages of the same template
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the ten most frequent fingerprints of a crawl
  unframe fingerprint crawl.warc.gz | jq -r .fingerprint | sort | uniq -c | sort -rn | head

Each line has url, site and fingerprint (hex). Fingerprints of pages with the same template differ in at most one number (two digits); \
with fingerprint+, at least three of the eight groups of eight digits are equal.")]
pub(crate) struct FingerprintArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Method: fingerprint, fingerprint+, md5 or mdh5
    #[arg(long, value_name = "NAME", default_value_t = Method::Fingerprint)]
    pub(crate) method: Method,
    /// Length of a fingerprint in numbers, 1 to 63
    #[arg(long, value_name = "NUMBER", default_value_t = LENGTH, value_parser = parse_length)]
    pub(crate) length: usize,
    /// Instead of fingerprints, write the entropy in bits of the parts before and after each position, and the best position for
    /// --split
    #[arg(long)]
    pub(crate) entropy: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Assign every page to one of the known templates
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: classify a crawl by hand-picked examples, one folder per template, and save what was learned
  unframe classify --train examples/ --state templates.fp crawl.warc.gz -o pages.jsonl
  unframe classify --index templates.fp tomorrow.warc.gz

Each line has url and template (null if no template matches). Examples in JSONL are lines of {\"html\",\"template\"}. In a folder, each subfolder is \
a template and holds pages or crawls of any format.")]
pub(crate) struct ClassifyArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Training examples: a folder with a subfolder per template, or JSONL with a field `template`. Can be repeated
    #[arg(long, value_name = "DIR|JSONL")]
    pub(crate) train: Vec<PathBuf>,
    /// Use the templates of this file, which was written by --state, and leave it unchanged
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "state"])]
    pub(crate) index: Option<PathBuf>,
    /// Load the templates of this file if it exists, and save all templates to it
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) method: StructureArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Cluster pages by the template that they were made from
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: cluster Monday's crawl, then assign Tuesday's pages to the same clusters
  unframe cluster monday.warc.gz --state week.fp -o monday.jsonl
  unframe cluster tuesday.warc.gz --state week.fp -o tuesday.jsonl

Each line has url, site and cluster, in the order of the input. The name of a cluster depends on its pages and not on their order. \
It stays the same when pages join later.")]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: StructureArgs,
    /// Minimum similarity of pages in a cluster, for methods that compare pages in pairs
    #[arg(long, value_name = "SHARE", default_value_t = 0.8)]
    pub(crate) threshold: f64,
    /// Cluster each site separately
    #[arg(long)]
    pub(crate) within_sites: bool,
    /// Load the clusters of this file if it exists, and save all clusters to it
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Write the pages into this new folder, with a subfolder per cluster; the input is read in two passes
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How structure is compared.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct StructureArgs {
    /// Method: fingerprint, fingerprint+ (distinguishes types of pages), md5, mdh5; or, much slower, ctss, cps, cp, tv, lcts,
    /// rtdm. A --state or --index file determines the method
    #[arg(long, value_name = "NAME", default_value_t = Method::Fingerprint)]
    pub(crate) method: Method,
    /// Length of a fingerprint in numbers, 1 to 63
    #[arg(long, value_name = "NUMBER", default_value_t = LENGTH, value_parser = parse_length)]
    pub(crate) length: usize,
    /// Position at which the index splits fingerprints, or `auto`; it changes the speed, not the result
    #[arg(long, value_name = "NUMBER|auto", default_value = "17")]
    pub(crate) split: Split,
}

/// Where fingerprints are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Split {
    /// Where both parts have the same entropy.
    Auto,
    /// After this many numbers.
    At(usize),
}

impl Split {
    pub(crate) fn number(self) -> usize {
        match self {
            Split::Auto => SPLIT,
            Split::At(number) => number,
        }
    }
}

impl FromStr for Split {
    type Err = String;

    fn from_str(text: &str) -> Result<Split, String> {
        match text {
            "auto" => Ok(Split::Auto),
            number => {
                number.parse().map(Split::At).map_err(|_| format!("`{text}` is neither a number nor `auto`"))
            }
        }
    }
}

fn parse_length(text: &str) -> Result<usize, String> {
    let max = unframe::limits::FINGERPRINT_LENGTH_MAX;
    text.parse()
        .ok()
        .filter(|length| (1..=max).contains(length))
        .ok_or_else(|| format!("`{text}` is not a number from 1 to {max}"))
}

/// Score methods that compare the structure of pages: classification and clustering
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: all methods, at most a minute each for classification and for clustering
  unframe eval fingerprints gold/swde --budget 60

Where gold files have `page_type`, it is the template of a page within its site; otherwise each site is one template. Classification is \
cross-validated; precision, recall, F1 and accuracy are over all decisions (this page is of this template: yes or no).")]
pub(crate) struct EvalFingerprintsArgs {
    /// Folders of gold data
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// Method, or `all`. Can be repeated
    #[arg(long, value_name = "METHOD", default_value = "all")]
    pub(crate) method: Vec<String>,
    /// What counts as one template: `site`, `page-type`, or `auto`
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    pub(crate) by: unframe_study::fingerprints::By,
    /// Folds of the cross-validation
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    pub(crate) folds: usize,
    /// Limit of processor time per method, for classification and for clustering each
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) budget: u64,
    /// Seed of the random folds
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
