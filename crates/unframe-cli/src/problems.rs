//! Problems of the input. They are counted, the first ones are shown, and all are written to the file of `--problems`.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use unframe::{Origin, Problem};

use crate::output::Output;

/// Maximum number of problems that are shown. The others are only counted.
const SHOWN_MAX: usize = 10;

/// The problems of a run so far.
pub(crate) struct Problems {
    count: u64,
    shown: Vec<String>,
    file: Option<Output>,
}

/// A line of the file of `--problems`.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    offset: u64,
    /// The address of the page, if the record has one.
    url: Option<&'a str>,
    code: &'a str,
    message: &'a str,
}

impl Problems {
    /// An empty list. All problems are also written to the file, if there is one.
    pub(crate) fn new(path: Option<&Path>) -> anyhow::Result<Problems> {
        Ok(Problems {
            count: 0,
            shown: Vec::new(),
            file: path.map(|path| Output::open(Some(path))).transpose()?,
        })
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn add(
        &mut self,
        origin: &Origin,
        url: Option<&str>,
        problem: &Problem,
    ) -> anyhow::Result<()> {
        self.count += 1;
        if self.shown.len() < SHOWN_MAX {
            self.shown.push(format!("{origin}: {problem}"));
        }
        if let Some(file) = &mut self.file {
            let line = Line {
                file: &origin.file,
                offset: origin.offset,
                url,
                code: problem.code,
                message: &problem.message,
            };
            serde_json::to_writer(&mut *file, &line).context("cannot write the problems")?;
            file.write_all(b"\n").context("cannot write the problems")?;
        }
        Ok(())
    }

    /// Completes the file, and prints the problems to standard error unless `quiet`.
    pub(crate) fn finish(self, quiet: bool) -> anyhow::Result<()> {
        let in_file = self.file.is_some();
        self.file.map(Output::finish).transpose()?;
        if self.count == 0 || quiet {
            return Ok(());
        }
        let noun = if self.count == 1 { "problem" } else { "problems" };
        message!("unframe: {} {noun} in the input", self.count);
        for problem in &self.shown {
            message!("  {problem}");
        }
        let hidden = self.count - self.shown.len() as u64;
        if hidden > 0 {
            let hint = if in_file { "" } else { "; --problems FILE writes them all" };
            message!("  … and {hidden} more{hint}");
        }
        Ok(())
    }
}
