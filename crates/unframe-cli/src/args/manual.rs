//! What was typed after `manual`.

use std::path::PathBuf;

use clap::Subcommand;
use clap_complete::Shell;

use super::OutputArgs;

/// Write manual pages, completions for shells, or the reference of all verbs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: manual pages and completions for one user
  unframe manual man -o ~/.local/share/man/man1
  unframe manual completions bash -o ~/.local/share/bash-completion/completions/unframe

All is made from the same definitions as --help.")]
pub(crate) struct ManualArgs {
    #[command(subcommand)]
    pub(crate) kind: ManualKind,
}

/// Which kind of manual.
#[derive(Debug, Subcommand)]
pub(crate) enum ManualKind {
    /// Manual pages for `man`: one for the program and one for each verb
    Man {
        /// The folder to write them into; it is made if it is not there
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
    /// Completions for a shell
    Completions {
        /// The shell
        shell: Shell,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// The help of all verbs in one Markdown page
    Markdown {
        #[command(flatten)]
        output: OutputArgs,
    },
}
