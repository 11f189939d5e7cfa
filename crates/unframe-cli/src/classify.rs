//! `unframe classify`: assigns every page to a known template.

mod train;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use unframe::Page;
use unframe::fingerprint::index::Cut;
use unframe::fingerprint::{Classifier, Settings, SignatureMaker};

use crate::args::{ClassifyArgs, Split};
use crate::cluster::{load, same_method, save};
use crate::exit::Outcome;
use crate::output::{self, Output};
use crate::reading::Reading;

/// Runs the verb.
pub(crate) fn run(args: &ClassifyArgs) -> anyhow::Result<Outcome> {
    let mut classifier = load_or_new(args)?;
    let problems = train::add_all(&mut classifier, args)?;
    if classifier.templates().is_empty() {
        bail!(
            "no template is known: give examples with --train, or a file of templates with --index or --state"
        );
    }
    if args.method.split == Split::Auto
        && let Some(split) = classifier.set_best_split().filter(|_| !args.reading.quiet)
    {
        eprintln!("unframe: fingerprints are split after {split} numbers");
    }
    classifier.learn_thresholds(|| false);
    if let Some(state) = &args.state {
        save(state, &classifier.encode()?)?;
    }
    let mut output = Output::open(args.output.path())?;
    let new_worker = || {
        let mut maker = SignatureMaker::new(classifier.settings());
        let classifier = &classifier;
        move |page: Page| {
            let signature = maker.make(&page.payload, page.charset.encoding);
            output::json_line(&Line { url: &page.url, template: classifier.answer(&signature) })
        }
    };
    let run = Reading::from(&args.reading)
        .run(new_worker, |line| output.write_all(&line?).context("cannot write the templates"))?;
    output.finish()?;
    match (run.finish()?, problems) {
        (Outcome::Clean, 1..) => Ok(Outcome::SomeBad),
        (outcome, _) => Ok(outcome),
    }
}

/// A line of the output. Fields may be added, never renamed.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    template: Option<&'a str>,
}

/// Loads the templates of a file, if there is one.
fn load_or_new(args: &ClassifyArgs) -> anyhow::Result<Classifier> {
    let method = args.method.method;
    let cut = Cut::new(args.method.length, args.method.split.number());
    let settings = Settings { cut, ..Settings::new(method) };
    if args.state.is_some() && !method.is_looked_up() {
        bail!(
            "the method `{method}` compares pages in pairs and has no state: choose fingerprint, fingerprint+, md5 or mdh5"
        );
    }
    let decode = |path: &Path, bytes: &[u8]| {
        Classifier::decode(bytes).with_context(|| format!("cannot use the templates of {}", path.display()))
    };
    if let Some(path) = &args.index {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        return decode(path, &bytes);
    }
    match &args.state {
        Some(path) => match load(path)? {
            Some(bytes) => {
                let classifier = decode(path, &bytes)?;
                same_method(classifier.settings(), &settings, path)?;
                Ok(classifier)
            }
            None => Ok(Classifier::new(settings)),
        },
        None => Ok(Classifier::new(settings)),
    }
}
