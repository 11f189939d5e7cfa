//! Arguments of `label`.

use super::{MethodArgs, ModelArgs, OutputArgs, ReadingArgs};

/// Write the template regions of every page, one JSON object per line
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the ten templates that cover most bytes of a crawl
  unframe label crawl.warc.gz | jq -r '.regions[] | [.template, .end - .start] | @tsv' |
    awk '{ bytes[$1] += $2 } END { for (t in bytes) print bytes[t], t }' | sort -rn | head

Each line has url, site, date, bytes, evidence (`site` if the page was compared with others, otherwise `page`), regions (start and end \
in bytes of the page, template, pages and kind; if known, also sort, confidence, and within: the template that contains it) and volume: the share of \
the page that is template, in bytes of HTML, characters of visible text, and links.")]
pub(crate) struct LabelArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
