//! A temporary file of pages whose clusters are not known yet.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Seek, Write};

use anyhow::Context;
use serde::{Deserialize, Serialize};

/// The data of a page that the output needs.
#[derive(Debug, Serialize, Deserialize, PartialEq)]
pub(super) struct PendingPage {
    pub(super) entry: u32,
    pub(super) url: String,
    pub(super) site: String,
}

/// A list of any length, on disk.
pub(super) struct PendingPages {
    file: BufWriter<File>,
}

impl PendingPages {
    pub(super) fn new() -> anyhow::Result<PendingPages> {
        let file = tempfile::tempfile().context("cannot make a temporary file")?;
        Ok(PendingPages { file: BufWriter::with_capacity(256 << 10, file) })
    }

    pub(super) fn push(&mut self, page: &PendingPage) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.file, page)?;
        self.file.write_all(b"\n").context("cannot write to a temporary file")
    }

    /// The pages in the order in which they were added.
    pub(super) fn pages(&mut self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<PendingPage>>> {
        self.file.flush().context("cannot write to a temporary file")?;
        let mut file = self.file.get_ref().try_clone().context("cannot read a temporary file")?;
        file.rewind().context("cannot read a temporary file")?;
        let lines = BufReader::with_capacity(256 << 10, file).lines();
        Ok(lines.map(|line| Ok(serde_json::from_str(&line.context("cannot read a temporary file")?)?)))
    }

    pub(super) fn for_each(
        &mut self,
        mut each: impl FnMut(PendingPage) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.pages()?.try_for_each(|page| each(page?))
    }
}
