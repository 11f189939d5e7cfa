//! Batches of records, which readers pass to the threads that extract pages.

use std::ops::ControlFlow;
use std::sync::Arc;

use unframe::Problem;

use crate::Summary;
use crate::raw_page::RawPage;
use crate::record::Record;

/// The consumer of batches. It may take the bytes and items; the rest is reused.
pub(crate) type Emit<'a> = dyn FnMut(&mut Batch) -> ControlFlow<()> + 'a;

/// Consecutive records of one file.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) file: Arc<str>,
    /// The bytes that the ranges of the records refer to.
    pub(crate) bytes: Vec<u8>,
    pub(crate) items: Vec<Item>,
    /// The counts for these records.
    pub(crate) counts: Summary,
}

impl Batch {
    /// An estimate of the memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.bytes.len() + self.items.iter().map(Item::held_bytes).sum::<usize>()
    }
}

/// A record or a page, or a problem in its place.
#[derive(Debug)]
pub(crate) enum Item {
    Record(Record),
    /// A record that was joined from segments, with bytes of its own.
    Owned(Box<(Record, Vec<u8>)>),
    Page(Box<RawPage>),
    Problem(u64, Problem),
}

impl Item {
    pub(crate) fn owned(record: (Record, Vec<u8>)) -> Item {
        Item::Owned(Box::new(record))
    }

    /// Adds to the offset.
    pub(crate) fn move_by(&mut self, bytes: u64) {
        *match self {
            Item::Record(record) => &mut record.offset,
            Item::Owned(owned) => &mut owned.0.offset,
            Item::Page(page) => &mut page.offset,
            Item::Problem(offset, _) => offset,
        } += bytes;
    }

    /// An estimate of the memory that it takes, without the bytes of its batch.
    pub(crate) fn held_bytes(&self) -> usize {
        let problems = |problems: &[Problem]| {
            problems.iter().map(|problem| size_of::<Problem>() + problem.message.len()).sum::<usize>()
        };
        let more = match self {
            Item::Record(record) => record.problem.as_ref().map_or(0, |problem| problem.message.len()),
            Item::Owned(owned) => size_of::<Record>() + owned.1.len(),
            Item::Page(page) => {
                size_of::<RawPage>() + page.url.len() + page.payload.len() + problems(&page.problems)
            }
            Item::Problem(_, problem) => problem.message.len(),
        };
        size_of::<Item>() + more
    }
}

impl Batch {
    pub(crate) fn new(file: Arc<str>) -> Batch {
        Batch { file, bytes: Vec::new(), items: Vec::new(), counts: Summary::default() }
    }

    pub(crate) fn problem(&mut self, offset: u64, problem: Problem) {
        self.items.push(Item::Problem(offset, problem));
    }

    /// Whether there is nothing to emit, not even a count.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.counts.records == 0 && self.counts.skipped.is_empty()
    }

    /// Takes the contents, for a thread that extracts pages.
    pub(crate) fn take(&mut self) -> Batch {
        Batch { file: self.file.clone(), ..std::mem::replace(self, Batch::new(self.file.clone())) }
    }
}
