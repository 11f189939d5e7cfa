//! What was typed. Nothing is done here: each verb has a file of its own.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use unframe::SiteBy;
use unframe_crawl::ReadOptions;

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

/// Make a small crawl of invented sites, read it and parse its pages
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: keep the crawl and look at it
  unframe demo demo-crawl
  unframe pages demo-crawl --jsonl")]
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
