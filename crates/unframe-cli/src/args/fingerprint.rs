//! What was typed after `fingerprint`, `classify`, `cluster` and `eval fingerprints`.

use std::path::PathBuf;
use std::str::FromStr;

use unframe::fingerprint::Method;
use unframe::fingerprint::index::SPLIT;
use unframe::fingerprint::signature::LENGTH;

use super::{OutputArgs, ReadingArgs, ReportFormat};

/// Write the fingerprint of every page: a short value that pages of one template have in common
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the ten most frequent fingerprints of a crawl
  unframe fingerprint crawl.warc.gz | jq -r .fingerprint | sort | uniq -c | sort -rn | head

Each line has url, site and fingerprint (hex). Pages of one template have fingerprints that differ in one number (two digits) at \
most; of those of fingerprint+, at least three of the eight groups of eight digits are equal.")]
pub(crate) struct FingerprintArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// fingerprint, fingerprint+, md5 or mdh5
    #[arg(long, value_name = "NAME", default_value_t = Method::Fingerprint)]
    pub(crate) method: Method,
    /// Numbers of a fingerprint, 1 to 63
    #[arg(long, value_name = "NUMBER", default_value_t = LENGTH, value_parser = parse_length)]
    pub(crate) length: usize,
    /// Instead of fingerprints, write how much the parts before and after each place say (bits of entropy), and where to cut
    #[arg(long)]
    pub(crate) entropy: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Tell of which known template every page is
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: sort a crawl by hand-picked examples, a folder for each template, and keep what was learned
  unframe classify --train examples/ --state templates.fp crawl.warc.gz -o pages.jsonl
  unframe classify --index templates.fp tomorrow.warc.gz

Each line has url and template, null for none. Examples in JSONL are lines of {\"html\",\"template\"}. In a folder, each folder in it is \
a template, with pages or crawls of any format in it.")]
pub(crate) struct ClassifyArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Examples: a folder with a folder for each template, or JSONL with a field `template`; can be given more than once
    #[arg(long, value_name = "DIR|JSONL")]
    pub(crate) train: Vec<PathBuf>,
    /// Use the templates in this file, which --state wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "state"])]
    pub(crate) index: Option<PathBuf>,
    /// Go on from this file, if it is there, and save all templates in it
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) method: StructureArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Group pages by the template that they were made from
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the clusters of Monday's crawl, and then where Tuesday's pages belong
  unframe cluster monday.warc.gz --state week.fp -o monday.jsonl
  unframe cluster tuesday.warc.gz --state week.fp -o tuesday.jsonl

Each line has url, site and cluster, in the order of the input. The names of clusters depend on what is in them and not on the order. \
They stay when pages join later.")]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: StructureArgs,
    /// The similarity from which pages belong together, for methods that compare pages one by one
    #[arg(long, value_name = "SHARE", default_value_t = 0.8)]
    pub(crate) threshold: f64,
    /// Never put pages of different sites into one cluster
    #[arg(long)]
    pub(crate) within_sites: bool,
    /// Go on from this file, if it is there, and save all clusters in it
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Write the pages into this new folder, a folder for each cluster; the input is read twice
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How structure is compared.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct StructureArgs {
    /// fingerprint, fingerprint+ (tells kinds of pages apart), md5, mdh5; and, slower by far, ctss, cps, cp, tv, lcts, rtdm. A file
    /// that is gone on from has its own
    #[arg(long, value_name = "NAME", default_value_t = Method::Fingerprint)]
    pub(crate) method: Method,
    /// Numbers of a fingerprint, 1 to 63
    #[arg(long, value_name = "NUMBER", default_value_t = LENGTH, value_parser = parse_length)]
    pub(crate) length: usize,
    /// After how many numbers fingerprints are cut in the index, or `auto`; the result is the same, only the speed is not
    #[arg(long, value_name = "NUMBER|auto", default_value = "17")]
    pub(crate) split: Split,
}

/// Where fingerprints are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Split {
    /// Where both parts say equally much.
    Auto,
    /// After so many numbers.
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

Where gold files have `page_type`, pages of each site are told apart by it; else the sites are told apart. Classification is \
cross-validated; precision, recall, F1 and accuracy are over all decisions (this page is of this template: yes or no).")]
pub(crate) struct EvalFingerprintsArgs {
    /// Folders of gold data
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// A method, or `all`; can be given more than once
    #[arg(long, value_name = "METHOD", default_value = "all")]
    pub(crate) method: Vec<String>,
    /// What templates are: `site`, `page-type`, or `auto`
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    pub(crate) by: unframe_study::fingerprints::By,
    /// Parts of the cross validation
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    pub(crate) folds: usize,
    /// Seconds that a method gets for classification, and again for clustering
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) budget: u64,
    /// Other seeds make other parts
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// What to write
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
