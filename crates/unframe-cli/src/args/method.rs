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
    #[arg(long)]
    pub(crate) fast: bool,
    /// Number of pages per site that are compared with each other
    #[arg(long, value_name = "NUMBER")]
    pub(crate) sample: Option<String>,
    /// Seed of the random choice of pages that are compared on a large site
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Options that apply to learning only, so that they have no effect with a saved model.
pub(crate) const LEARNED: [&str; 4] = ["method", "fast", "sample", "seed"];

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
