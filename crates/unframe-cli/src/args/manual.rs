//! Arguments of `manual`.

use std::path::PathBuf;

use clap::Subcommand;
use clap_complete::Shell;

use super::OutputArgs;

/// Write man pages, shell completions, or the reference of all commands
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: manual pages and completions for one user
  unframe manual man -o ~/.local/share/man/man1
  mkdir -p ~/.local/share/bash-completion/completions
  unframe manual completions bash -o ~/.local/share/bash-completion/completions/unframe

Everything is generated from the definitions behind --help.")]
pub(crate) struct ManualArgs {
    #[command(subcommand)]
    pub(crate) kind: ManualKind,
}

/// Which kind of manual.
#[derive(Debug, Subcommand)]
pub(crate) enum ManualKind {
    /// Man pages: one for the program and one for each command
    Man {
        /// Folder for the man pages; it is created if it does not exist
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
    /// Completions for one shell
    Completions {
        /// Shell to complete for
        shell: Shell,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// The help of all commands as one Markdown page
    Markdown {
        #[command(flatten)]
        output: OutputArgs,
    },
}
