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
    /// With --method text: sample one window in 40, which is faster; the same as --method text:density=40
    #[arg(long, conflicts_with = "density")]
    pub(crate) fast: bool,
    /// Number of pages per site that are compared with each other
    #[arg(long, value_name = "NUMBER")]
    pub(crate) sample: Option<String>,
    /// Seed of the random choice of pages that are compared on a large site
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    // The parameters of single methods as hidden flags, as earlier versions had them.
    /// dom: minimum frequency of a template node, as a share of the compared pages
    #[arg(long, hide = true, value_name = "SHARE")]
    pub(crate) low: Option<String>,
    /// dom: maximum frequency of a template node, as a share of the compared pages
    #[arg(long, hide = true, value_name = "SHARE")]
    pub(crate) high: Option<String>,
    /// dom: maximum number of bytes of text between two nodes of one region
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(crate) gap: Option<String>,
    /// dom: count `occurrences` or `pages`; text: number of occurrences that makes a window frequent
    #[arg(long, hide = true, value_name = "COUNT")]
    pub(crate) count: Option<String>,
    /// text: characters in a window; shingle: words in a shingle
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) window: Option<String>,
    /// text: sample one in this many windows; 0 takes all
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) density: Option<String>,
    /// segments, shingle: number of pages that makes a text or a block template; blocks: number of blocks that makes a word template
    #[arg(long, hide = true, value_name = "PAGES")]
    pub(crate) df: Option<String>,
    /// segments, blocks: share of template text or words at which a block is template
    #[arg(long, hide = true, value_name = "SHARE")]
    pub(crate) ratio: Option<String>,
    /// segments: number of pages after which a text seen on only one page is forgotten (Tb)
    #[arg(long, hide = true, value_name = "PAGES")]
    pub(crate) base: Option<String>,
    /// segments: how many times longer a text seen on many pages is remembered (N)
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) factor: Option<String>,
    /// segments, blocks, shingle: tags that split a page into blocks, such as table+div+p
    #[arg(long, hide = true, value_name = "TAGS")]
    pub(crate) blocks: Option<String>,
    /// blocks: share of equal bits at which signatures of positions are similar
    #[arg(long, hide = true, value_name = "SHARE")]
    pub(crate) similarity: Option<String>,
    /// blocks: `path` compares blocks at the same position, `any` all with the same attributes
    #[arg(long, hide = true, value_name = "WHICH")]
    pub(crate) position: Option<String>,
    /// shingle: number of smallest hashes per supershingle
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) minima: Option<String>,
    /// shingle: supershingles per block; blocks with one in common are near duplicates
    #[arg(long, hide = true, value_name = "NUMBER")]
    pub(crate) supershingles: Option<String>,
    /// sst: importance below which an element is template, from 0 to 1
    #[arg(long, hide = true, value_name = "IMPORTANCE")]
    pub(crate) threshold: Option<String>,
    /// sst: weight of the content of an element, from 0 to 1
    #[arg(long, hide = true, value_name = "WEIGHT")]
    pub(crate) gamma: Option<String>,
}

/// Options that apply to learning only, so that they have no effect with a saved model.
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
