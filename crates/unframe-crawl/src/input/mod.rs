//! Reads inputs: finds the files of all paths, and splits each file into batches of records.
//!
//! [`sources`] lists the files of all inputs in order, one at a time. [`file`] detects the format of each file from its contents and reads it.

mod chosen;
mod file;
mod folder;
mod position;
mod rows;
mod sources;
mod zip;

use std::collections::VecDeque;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Sender;

use crate::Progress;
use crate::batch::Emit;
use crate::cdx::Chosen;
use crate::decode::InflateTask;
use file::Opened;
use sources::Discovered;

pub use folder::file_url;
pub(crate) use folder::{Entry, entries};
pub(crate) use sources::{check, total_bytes};

/// The inputs of a run.
pub(crate) enum Inputs<'a> {
    Paths(&'a [PathBuf]),
    /// Records that an index lists.
    Chosen(&'a Chosen),
    /// A stream of bytes, and its name in reports.
    Stream(&'a str, Box<dyn Read + Send>),
}

impl<'a> Inputs<'a> {
    fn sources(self) -> Box<dyn Iterator<Item = Discovered> + 'a> {
        match self {
            Inputs::Paths(paths) => Box::new(sources::all(paths)),
            Inputs::Chosen(chosen) => Box::new(chosen::all(chosen)),
            Inputs::Stream(name, reader) => {
                Box::new(std::iter::once(Discovered::Source(sources::stream(name, reader))))
            }
        }
    }
}

/// Reads inputs from the first to the last.
pub(crate) struct Reader {
    pub(crate) progress: Arc<Progress>,
    /// Minimum size of a batch in bytes.
    pub(crate) batch_bytes: usize,
    /// Threads that inflate gzip, if there are any.
    pub(crate) helpers: Option<Sender<InflateTask>>,
    /// Number of files that are opened ahead, so that the threads can start on them.
    pub(crate) files_ahead: usize,
}

impl Reader {
    /// Reads all inputs and emits their records in order.
    pub(crate) fn read(&self, inputs: Inputs<'_>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let mut found = inputs.sources().map(|found| Opened::new(found, self));
        let mut waiting: VecDeque<Opened> = VecDeque::new();
        loop {
            let room = (self.files_ahead + 1).saturating_sub(waiting.len());
            waiting.extend(found.by_ref().take(room));
            match waiting.pop_front() {
                None => return ControlFlow::Continue(()),
                Some(opened) => opened.read(self, emit)?,
            }
        }
    }
}
