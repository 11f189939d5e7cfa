//! One pass over a crawl, for all verbs: shows the progress, and reports problems of the input and errors of the output.

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use unframe::{Origin, Page, Problem};
use unframe_crawl::cdx::{self, Chosen, Filter};
use unframe_crawl::{Event, Progress, ReadOptions, Summary};

use crate::args::ReadingArgs;
use crate::exit::Outcome;
use crate::inputs::PipedInput;
use crate::problems::Problems;
use crate::progress::{Bar, EarlierPasses};
use crate::spill::{self, ModelFailure};

/// The CDX indexes that select records, and their filters. Without an index, all records are read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cdx<'a> {
    indexes: &'a [PathBuf],
    filters: &'a [Filter],
}

/// One pass over the inputs, with its options.
pub(crate) struct Reading<'a> {
    pub(crate) inputs: &'a [PathBuf],
    /// The inputs that are copies of pipes.
    pub(crate) piped: &'a [PipedInput],
    pub(crate) cdx: Cdx<'a>,
    pub(crate) options: ReadOptions,
    /// The file for all problems.
    pub(crate) problems: Option<&'a Path>,
    pub(crate) quiet: bool,
    /// Whether another pass over the same inputs follows. Only the last pass reports problems of the input.
    pub(crate) not_last: bool,
    /// What earlier passes of the same run have read, for the progress bar.
    pub(crate) earlier: EarlierPasses,
    /// Is set if a model cannot be read while pages are labelled.
    pub(crate) failed: ModelFailure,
}

impl<'a> From<&'a ReadingArgs> for Reading<'a> {
    fn from(args: &'a ReadingArgs) -> Reading<'a> {
        Reading {
            inputs: &args.inputs,
            piped: &[],
            cdx: Cdx { indexes: &args.cdx, filters: &args.cdx_filter },
            options: args.options(),
            problems: args.problems.as_deref(),
            quiet: args.quiet,
            not_last: false,
            earlier: EarlierPasses::default(),
            failed: ModelFailure::default(),
        }
    }
}

/// The error if no page could be read, with a description of the skipped records.
#[derive(Debug)]
pub(crate) struct OnlyProblems(String);

impl fmt::Display for OnlyProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no page could be read{}, so nothing was written", self.0)
    }
}

impl std::error::Error for OnlyProblems {}

/// A completed pass.
pub(crate) struct Run {
    pub(crate) summary: Summary,
    problems: Problems,
    quiet: bool,
}

/// The problems of one page.
struct Report {
    origin: Origin,
    url: String,
    problems: Vec<Problem>,
}

impl Reading<'_> {
    /// Marks a pass before the last one, which reports nothing.
    pub(crate) fn not_last(self) -> Self {
        Reading { problems: None, not_last: true, ..self }
    }

    /// The records that the indexes select; `None` without an index.
    fn chosen(&self, problems: &mut Problems) -> anyhow::Result<Option<Chosen>> {
        let Cdx { indexes, filters } = self.cdx;
        if indexes.is_empty() {
            return Ok(None);
        }
        let chosen = cdx::choose(indexes, self.inputs, filters).context("cannot use the index")?;
        for (origin, problem) in &chosen.problems {
            problems.add(origin, None, problem)?;
        }
        if chosen.elsewhere > 0 && !self.quiet && !self.not_last {
            message!(
                "unframe: {} records of the index are in files that are not among the inputs",
                chosen.elsewhere
            );
        }
        Ok(Some(chosen))
    }

    /// Reads all pages. Workers made by `new_worker` process them on all cores. `sink` gets the results in the order of the input, and its
    /// first error ends the run. It is also an error if there were problems but no pages, so that an empty output does not replace that of an
    /// earlier run.
    pub(crate) fn run<T: Send + 'static, W: FnMut(Page) -> T>(
        self,
        new_worker: impl Fn() -> W + Sync,
        mut sink: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Run> {
        let counters = Arc::new(Progress::default());
        let options = ReadOptions { progress: Some(counters.clone()), ..self.options };
        let mut problems = Problems::new(self.problems)?;
        let chosen = self.chosen(&mut problems)?;
        let bar = Bar::new(counters, self.earlier, self.quiet);
        let mut failure = None;
        let new_worker = || with_report(new_worker(), self.piped);
        let sink = |event| {
            bar.update();
            // After such a failure, the labels of a page are wrong, and the page must not be written.
            let made = check_models(&self.failed);
            match made.and_then(|()| accept(event, self.piped, &mut problems, &mut sink)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let summary = match &chosen {
            Some(chosen) => unframe_crawl::read_chosen(chosen, &options, new_worker, sink),
            None => unframe_crawl::read(self.inputs, &options, new_worker, sink)
                .context("cannot read the crawl")?,
        };
        if let Some(error) = failure {
            return Err(error);
        }
        if summary.pages == 0 && problems.count() > 0 && !self.not_last {
            problems.finish(self.quiet)?;
            return Err(OnlyProblems(skipped(&summary)).into());
        }
        Ok(Run { summary, problems, quiet: self.quiet })
    }
}

/// An error if a model could not be read, so that pages were labelled without it.
pub(crate) fn check_models(failed: &ModelFailure) -> anyhow::Result<()> {
    match failed.get() {
        Some(error) => Err(anyhow!("{}: {error}", spill::cannot_read())),
        None => Ok(()),
    }
}

/// Wraps a worker. Takes the problems of a page before the worker consumes it, and gives pages from pipes the name that the user
/// specified.
fn with_report<T>(
    mut worker: impl FnMut(Page) -> T,
    piped: &[PipedInput],
) -> impl FnMut(Page) -> (T, Option<Report>) {
    move |mut page| {
        PipedInput::readdress(piped, &mut page);
        PipedInput::rename(piped, &mut page.origin);
        let report = (!page.problems.is_empty()).then(|| Report {
            origin: page.origin.clone(),
            url: page.url.clone(),
            problems: page.problems.clone(),
        });
        (worker(page), report)
    }
}

fn accept<T>(
    event: Event<(T, Option<Report>)>,
    piped: &[PipedInput],
    problems: &mut Problems,
    sink: &mut impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    match event {
        Event::Problem { mut origin, problem } => {
            PipedInput::rename(piped, &mut origin);
            problems.add(&origin, None, &problem)
        }
        Event::Page((made, report)) => {
            if let Some(report) = report {
                for problem in &report.problems {
                    problems.add(&report.origin, Some(&report.url), problem)?;
                }
            }
            sink(made)
        }
    }
}

impl Run {
    /// Reports the problems. Call it when the output is complete.
    pub(crate) fn finish(self) -> anyhow::Result<Outcome> {
        let outcome = if self.problems.count() == 0 { Outcome::Clean } else { Outcome::SomeBad };
        self.problems.finish(self.quiet)?;
        if self.summary.pages == 0 && !self.quiet {
            message!("unframe: no HTML page was found{}{}", skipped(&self.summary), advice(&self.summary));
        }
        Ok(outcome)
    }
}

/// Advice for inputs whose pages are not read, such as WET files in a folder.
fn advice(summary: &Summary) -> &'static str {
    let has = |reason| summary.skipped.contains_key(reason);
    match (has("wet"), has("wat"), has("index")) {
        (true, ..) => {
            ". WET files in a folder are read only if they are named: unframe clean FOLDER/*.wet.gz"
        }
        (_, true, _) => {
            ". WAT files have metadata instead of pages: read the WARC files that they were made from; `--cdx FILE.wat.gz` chooses records"
        }
        (.., true) => ". An index has no pages: read the WARC files that it lists",
        _ => "",
    }
}

/// The skipped records in words: ` (skipped: 3 request, 1 status)`; empty if there are none.
pub(crate) fn skipped(summary: &Summary) -> String {
    if summary.skipped.is_empty() {
        return String::new();
    }
    let reasons: Vec<_> = summary.skipped.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    format!(" (skipped: {})", reasons.join(", "))
}
