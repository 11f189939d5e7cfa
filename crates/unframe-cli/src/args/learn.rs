//! Arguments of `learn`.

use std::path::PathBuf;

use super::method::LEARNED;
use super::{MethodArgs, ReadingArgs};

/// Learn the templates of every site of a crawl and save them as a model
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: learn from two crawls on two machines, then use the merged model on a third
  unframe learn monday.warc.gz -o monday.model
  unframe learn tuesday.warc.gz -o tuesday.model
  unframe learn --merge monday.model tuesday.model --compact -o week.model
  unframe label --model week.model wednesday.warc.gz")]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// The inputs are model files: merge them instead of learning
    #[arg(long, conflicts_with_all = LEARNED)]
    pub(crate) merge: bool,
    /// Keep only what labelling needs: a much smaller file, which can no longer be merged
    #[arg(long)]
    pub(crate) compact: bool,
    /// Write the model to this file; it appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}
