//! Learning from crawls that are larger than memory, and pages of them that wait on disk ([`pages`]).
//!
//! # What it does
//! External grouping, as databases do it. What is learned of sites grows in memory until it takes its share of `--memory`. Then all of it
//! is written to an unnamed temporary file, sorted by site: a *run*. Learning continues with an empty table. In the end the runs are merged: the
//! parts of a site meet, are joined, and the site is done. So no more than one site for each thread is in memory at this time.
//!
//! Runs sorted by name, rather than parts of the crawl by a hash of the site: model files list their sites by name, and a merge
//! holds single sites, however unequal they are.
//!
//! Pages are labelled with models that are on disk as well ([`on_disk`]), of which the last ones that were used stay in memory.
//! If nothing was written to disk, all of this stays in memory: most crawls never see a temporary file.
//!
//! # Same output
//! Samples merge in any order and any split, so the parts of a site make the sample that one run in memory makes. A method to
//! which the order of the pages matters (`segments`) keeps a state of each site instead. The first run has these
//! states; pages that come later are gathered in pieces, and the merge, which takes runs in their order, lets the states have them one by one.
//!
//! # Cost
//! Disk space for the samples of all sites, at about five sixths of what they take in memory, and for their models; both are gone when the program
//! ends, however it ends, because the files have no names. [`RUNS_MAX`] runs of one size are merged into a larger one. So few files are open at
//! a time, and the parts of even the largest crawls are written only two or three times. Each site takes 16 bytes of memory.

mod on_disk;
pub(crate) mod pages;
mod runs;
pub(crate) mod saved;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::anyhow;
use unframe::ParsedPage;
use unframe::detect::Detector;
use unframe::learn::{Learned, Learner, Models, Part, PendingPage};
use unframe::model_file::ModelError;

use crate::args::Memory;
use crate::learning::on_threads;
use on_disk::ModelBuilder;
use runs::{Merge, RUNS_MAX, Run, RunWriter};

/// Why a model could not be read back from disk. Labelling cannot return errors, so the pass over the crawl checks this after each page.
pub(crate) type ModelFailure = Arc<OnceLock<io::Error>>;

/// Learns sites within the limits of memory.
pub(crate) struct Learning {
    learner: Learner,
    bytes_max: usize,
    cached_max: usize,
    runs: Mutex<Vec<Run>>,
}

impl Learning {
    /// An empty learner for one of `methods` that share the memory.
    pub(crate) fn new(detector: Box<dyn Detector>, seed: u64, memory: Memory, methods: usize) -> Learning {
        Learning {
            learner: Learner::new(detector, seed),
            bytes_max: memory.learned(methods),
            cached_max: memory.cached(methods),
            runs: Mutex::default(),
        }
    }

    pub(crate) fn detector(&self) -> &dyn Detector {
        self.learner.detector()
    }

    pub(crate) fn seed(&self) -> u64 {
        self.learner.seed()
    }

    /// Adds a page, on any thread. If it returns something, [`Learning::finish`] must be called with it in the order of the input.
    pub(crate) fn begin(
        &self,
        site: &str,
        url: &str,
        page: &ParsedPage<'_>,
    ) -> anyhow::Result<Option<PendingPage>> {
        let waiting = self.learner.begin(site, url, page);
        self.make_room()?;
        Ok(waiting)
    }

    /// Completes a page, in the order of the input.
    pub(crate) fn finish(&self, waiting: Option<PendingPage>) -> anyhow::Result<()> {
        match waiting {
            Some(waiting) => self.learner.finish(waiting),
            None => return Ok(()),
        }
        self.make_room()
    }

    /// Parses the sampled pages that wait to be parsed; several threads can call it at once.
    pub(crate) fn catch_up(&self) {
        self.learner.catch_up();
    }

    fn make_room(&self) -> anyhow::Result<()> {
        if self.learner.bytes() <= self.bytes_max {
            return Ok(());
        }
        // Other threads wait here while one of them writes.
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        if self.learner.bytes() > self.bytes_max {
            put_aside(&self.learner, &mut runs, self.joined_min())?;
        }
        Ok(())
    }

    /// Bytes of the parts of one site that are joined when runs are merged: those of as many runs fit into memory.
    fn joined_min(&self) -> usize {
        self.bytes_max / RUNS_MAX
    }

    /// The models of all sites, made on this many threads.
    pub(crate) fn models(self, threads: usize, failed: &ModelFailure) -> anyhow::Result<Models> {
        let joined_min = self.joined_min();
        let mut runs = self.runs.into_inner().unwrap_or_else(PoisonError::into_inner);
        if runs.is_empty() {
            return Ok(self.learner.models_on(|work| on_threads(threads, work)));
        }
        put_aside(&self.learner, &mut runs, joined_min)?;
        let detector = self.learner.detector().copy();
        let mut merge = Merge::of(&runs)?;
        ModelBuilder { detector, threads, cached_max: self.cached_max, failed }
            .models(|| merge.next(), |parts, detector| Ok(joined(&parts, detector)?.finish(detector)))
    }

    /// All that was learned, site by site in the order of their names: `begin` gets their number, then `each` gets them.
    pub(crate) fn sites<S>(
        self,
        begin: impl FnOnce(usize) -> anyhow::Result<S>,
        mut each: impl FnMut(&mut S, &str, Learned) -> anyhow::Result<()>,
    ) -> anyhow::Result<S> {
        let (detector, joined_min) = (self.learner.detector(), self.joined_min());
        let mut runs = self.runs.into_inner().unwrap_or_else(PoisonError::into_inner);
        if runs.is_empty() {
            let sites = self.learner.put_aside();
            let mut state = begin(sites.len())?;
            for (site, part) in sites {
                each(&mut state, &site, part.finish(detector))?;
            }
            return Ok(state);
        }
        put_aside(&self.learner, &mut runs, joined_min)?;
        let mut state = begin(Merge::of(&runs)?.count()?)?;
        let mut merge = Merge::of(&runs)?;
        while let Some((site, parts)) = merge.next()? {
            each(&mut state, &site, joined(&parts, detector)?.finish(detector))?;
        }
        Ok(state)
    }
}

/// Writes all that was learned to disk. A larger run holds at most `joined_min` bytes of parts of one site, unless they are joined.
fn put_aside(learner: &Learner, runs: &mut Vec<Run>, joined_min: usize) -> anyhow::Result<()> {
    let detector = learner.detector();
    let mut run = RunWriter::new(0)?;
    learner.put_aside().into_iter().try_for_each(|(site, part)| run.add(&site, &part.encode(detector)))?;
    runs::push(runs, run.finish()?, |merge, larger| {
        while let Some((site, parts)) = merge.next()? {
            // Copying parts is many times as fast as joining them, but only joined parts drop pages that are no longer sampled.
            if parts.len() > 1 && parts.iter().map(Vec::len).sum::<usize>() > joined_min {
                larger.add(&site, &joined(&parts, detector)?.encode(detector))?;
            } else {
                parts.iter().try_for_each(|part| larger.add(&site, part))?;
            }
        }
        Ok(())
    })
}

/// Joins the parts of a site, in their order.
fn joined(parts: &[Vec<u8>], detector: &dyn Detector) -> anyhow::Result<Part> {
    let join = || {
        let (first, others) = parts.split_first().ok_or(ModelError::Damaged)?;
        let mut whole = Part::decode(first, detector)?;
        others.iter().try_for_each(|part| whole.join(Part::decode(part, detector)?, detector))?;
        Ok(whole)
    };
    join().map_err(|_: ModelError| anyhow!("{}: what was learned is damaged there; run again", cannot_read()))
}

/// A temporary file and its folder, for messages.
fn temporary_file() -> String {
    format!("a temporary file in {}", std::env::temp_dir().display())
}

/// The message if one of them cannot be written.
fn cannot_write() -> String {
    format!(
        "cannot write to {}; TMPDIR can name a folder with more room, or --memory allow more",
        temporary_file()
    )
}

/// The message if one of them cannot be read.
pub(crate) fn cannot_read() -> String {
    format!("cannot read from {}", temporary_file())
}
