//! Makes models as the arguments request: learned from the input, or read from a file.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use unframe::detect::{self, Detector, SettingError};
use unframe::learn::Models;
use unframe::model_file::ModelFile;
use unframe::{Page, PageParser};

use crate::args::{Memory, MethodArgs, ReadingArgs};
use crate::inputs::Inputs;
use crate::reading::{Reading, Run};
use crate::spill::{Learning, saved};

/// The requested method, with its parameters.
pub(crate) fn detector(args: &MethodArgs) -> anyhow::Result<Box<dyn Detector>> {
    let mut detector = detect::parse(&args.method)?;
    if args.fast {
        detector.set("density", "40").map_err(|error| only_for("--fast", "text", &*detector, error))?;
    }
    set_certainty(&mut *detector, args)?;
    if let Some(pages) = &args.sample {
        detector.set("sample", pages)?;
    }
    Ok(detector)
}

/// Sets the threshold of `--certainty`, `--precision` or `--recall`.
fn set_certainty(detector: &mut dyn Detector, args: &MethodArgs) -> anyhow::Result<()> {
    let (option, certainty) = match (args.precision, args.recall, &args.certainty) {
        (true, ..) => ("--precision", "0.2"),
        (_, true, _) => ("--recall", "0.8"),
        (.., Some(certainty)) => ("--certainty", certainty.as_str()),
        _ => return Ok(()),
    };
    detector.set("certainty", certainty).map_err(|error| only_for(option, "places", detector, error))
}

/// The error for an option of another method, with the option as the user wrote it.
fn only_for(option: &str, method: &str, detector: &dyn Detector, error: SettingError) -> anyhow::Error {
    match error {
        SettingError::Unknown { .. } => {
            anyhow!("{option} is an option of the method `{method}`, and the method is `{}`", detector.name())
        }
        error => error.into(),
    }
}

/// Learns every site of the input.
pub(crate) fn learn(
    reading: Reading<'_>,
    args: &MethodArgs,
    memory: Memory,
) -> anyhow::Result<(Learning, Run)> {
    learn_with(reading, Learning::new(detector(args)?, args.seed, memory, 1))
}

/// Learns every site of the input with a prepared learner.
pub(crate) fn learn_with(reading: Reading<'_>, learning: Learning) -> anyhow::Result<(Learning, Run)> {
    let new_worker = || {
        let mut parser = PageParser::new();
        let learning = &learning;
        move |page: Page| learning.begin(&page.site, &page.url, &parser.open(&page))
    };
    // The results arrive in the order of the input, which some methods depend on.
    let threads = reading.options.threads;
    let run = reading.run(new_worker, |waiting| learning.finish(waiting?))?;
    on_threads(threads, &|| learning.catch_up());
    Ok((learning, run))
}

/// Reads a model file.
pub(crate) fn load(path: &Path) -> anyhow::Result<ModelFile> {
    let bytes = fs::read(path).with_context(|| format!("cannot read the model {}", path.display()))?;
    ModelFile::decode(&bytes).with_context(|| format!("cannot use the model {}", path.display()))
}

/// The models to label the input with. Without a model file, they are learned in a first pass over the input.
pub(crate) fn models(
    inputs: &Inputs,
    args: &ReadingArgs,
    method: &MethodArgs,
    file: Option<&Path>,
) -> anyhow::Result<Models> {
    match file {
        Some(file) => {
            let change = |detector: &mut dyn Detector| {
                set_certainty(detector, method)
                    .with_context(|| format!("the model {} was learned with another method", file.display()))
            };
            if saved::is_too_large(file, args.memory()) {
                return saved::models(file, args.memory(), args.threads, inputs.failed(), change);
            }
            let mut model = load(file)?;
            change(&mut *model.detector)?;
            Ok(model.into_models())
        }
        None => {
            // The second pass reports all problems, so the first one is silent.
            let reading = inputs.reading(args).not_last();
            let (learning, _) = learn(reading, method, args.memory())?;
            learning.models(args.threads, inputs.failed())
        }
    }
}

/// Calls `work` on each of this many threads (0: one per core). The calls must share the work among themselves.
pub(crate) fn on_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if threads == 0 { cores() } else { threads };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(work)));
        work();
    });
}
