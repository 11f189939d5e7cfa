//! Where results go, and how reports are written.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

/// Where the result of a verb goes.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output; it appears when it is complete
    #[arg(short = 'o', long = "output", value_name = "FILE", id = "output")]
    path: Option<PathBuf>,
}

impl OutputArgs {
    /// The file, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// A table for people
    Table,
    /// CSV with one row per site and method
    Csv,
    /// JSON with all details
    Json,
}
