//! How templates are found: the method and its parameters, or a saved model.

use std::path::{Path, PathBuf};

/// How templates are found.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct MethodArgs {
    /// How templates are found: `places` (features of the page and of the site, scored by boosted trees), `dom` (repeated nodes),
    /// `text` (repeated windows of text), `segments` (texts of earlier pages), `blocks` (words at the same positions in similar
    /// blocks), `shingle` (near-duplicate blocks) or `sst` (elements with little information); `clean` also has `none` (the whole
    /// visible text). Parameters follow the name: `dom:low=0.2,sample=100`; an unknown parameter prints the list of them
    #[arg(long, value_name = "NAME[:KEY=VALUE,…]", default_value = "places")]
    pub(crate) method: String,
    /// places: remove more, so that little boilerplate is left in the content
    #[arg(long, conflicts_with_all = ["recall", "certainty"])]
    pub(crate) precision: bool,
    /// places: remove less, so that little content is lost
    #[arg(long, conflicts_with = "certainty")]
    pub(crate) recall: bool,
    /// places: remove what is boilerplate with at least this probability, from 0 to 1 [default: 0.5]
    #[arg(long, value_name = "PROBABILITY")]
    pub(crate) certainty: Option<String>,
    /// With --method text: look at one window in 40, which is faster; the same as --method text:density=40
    #[arg(long, conflicts_with = "density")]
    pub(crate) fast: bool,
    /// Number of pages per site that are compared with each other
    #[arg(long, value_name = "NUMBER")]
    pub(crate) sample: Option<String>,
    /// Seed of the random choice of pages that are compared on a large site
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    // The parameters of single methods as flags of their own, as earlier versions had them.
    /// dom: a template node occurs at least so often, as a share of the compared pages
    #[arg(long, hide = true, value_name = "SHARE")]
    pub(crate) low: Option<String>,
    /// dom: a template node occurs at most so often, as a share of the compared pages
    #[arg(long, hide = true, value_name = "SHARE")]
    pub(crate) high: Option<String>,
    /// dom: bytes of text that may lie between two nodes of one region
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(crate) gap: Option<String>,
    /// dom: count `occurrences` or `pages`; text: occurrences that make a window frequent
    #[arg(long, hide = true, value_name = "COUNT")]
    pub(crate) count: Option<String>,
    /// text: characters in a window; shingle: words in a shingle
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) window: Option<String>,
    /// text: one in so many windows is looked at; 0 is all
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) density: Option<String>,
    /// segments, shingle: pages that make a text or a block template; blocks: blocks that make a word template
    #[arg(long, hide = true, value_name = "PAGES")]
    pub(crate) df: Option<String>,
    /// segments, blocks: share of its text above which, or of its words from which, a block is template
    #[arg(long, hide = true, value_name = "SHARE")]
    pub(crate) ratio: Option<String>,
    /// segments: pages after which a text is forgotten that was on one page only (Tb)
    #[arg(long, hide = true, value_name = "PAGES")]
    pub(crate) base: Option<String>,
    /// segments: how many times longer a text is remembered that was on many pages (N)
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) factor: Option<String>,
    /// segments, blocks, shingle: tags that cut a page into blocks, such as table+div+p
    #[arg(long, hide = true, value_name = "TAGS")]
    pub(crate) blocks: Option<String>,
    /// blocks: share of their bits from which signatures of places are similar
    #[arg(long, hide = true, value_name = "SHARE")]
    pub(crate) similarity: Option<String>,
    /// blocks: `path` compares blocks at the same position, `any` all with the same attributes
    #[arg(long, hide = true, value_name = "WHICH")]
    pub(crate) position: Option<String>,
    /// shingle: smallest hashes in a supershingle
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) minima: Option<String>,
    /// shingle: supershingles of a block; one that is the same is enough
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) supershingles: Option<String>,
    /// sst: an element that says less is template, from 0 to 1
    #[arg(long, hide = true, value_name = "IMPORTANCE")]
    pub(crate) threshold: Option<String>,
    /// sst: how much the inside of an element counts, from 0 to 1
    #[arg(long, hide = true, value_name = "WEIGHT")]
    pub(crate) gamma: Option<String>,
}

/// Options that a model was learned with, so that they mean nothing to those who use it.
#[rustfmt::skip]
pub(crate) const LEARNED: [&str; 21] = [
    "method", "sample", "seed", "low", "high", "gap", "count", "window", "density", "fast", "df", "ratio", "base",
    "factor", "blocks", "similarity", "position", "minima", "supershingles", "threshold", "gamma",
];

/// A model that was saved.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// Use this model, saved by `unframe learn`, instead of learning from the input. The model determines the method; only
    /// --certainty, --precision and --recall can still be changed
    #[arg(long = "model", value_name = "FILE", id = "model", conflicts_with_all = LEARNED)]
    path: Option<PathBuf>,
}

impl ModelArgs {
    /// The file, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}
