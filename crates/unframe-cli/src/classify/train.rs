//! Training examples, from folders with one subfolder per template or from JSON lines.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;
use unframe::Page;
use unframe::fingerprint::{Classifier, SignatureMaker};
use unframe::limits::PAGE_BYTES_MAX;
use unframe_crawl::{Event, ReadOptions};

use crate::args::ClassifyArgs;

/// Adds all examples, and returns the number of bad records that were skipped.
pub(super) fn add_all(classifier: &mut Classifier, args: &ClassifyArgs) -> anyhow::Result<u64> {
    let mut problems = 0;
    for path in &args.train {
        let bad = match path.is_dir() {
            true => add_folder(classifier, path, &args.reading.options()),
            false => add_lines(classifier, path),
        };
        let bad = bad.with_context(|| format!("cannot learn from {}", path.display()))?;
        if bad > 0 && !args.reading.quiet {
            message!("unframe: {bad} bad records among the examples in {} were skipped", path.display());
        }
        problems += bad;
    }
    Ok(problems)
}

/// Adds a folder in which each subfolder contains the examples of a template. Files directly in the folder are ignored.
fn add_folder(classifier: &mut Classifier, folder: &Path, options: &ReadOptions) -> anyhow::Result<u64> {
    let mut templates: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?
        .into_iter()
        .filter(|path| {
            path.is_dir() && !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
        })
        .collect();
    templates.sort();
    if templates.is_empty() {
        bail!("it contains no folders: each template needs one");
    }
    let mut problems = 0;
    for path in templates {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        problems += add_template(classifier, &name, path, options)?;
    }
    Ok(problems)
}

/// Adds all pages of a folder as examples of one template.
fn add_template(
    classifier: &mut Classifier,
    name: &str,
    folder: PathBuf,
    options: &ReadOptions,
) -> anyhow::Result<u64> {
    let settings = *classifier.settings();
    let new_worker = || {
        let mut maker = SignatureMaker::new(&settings);
        move |page: Page| maker.make(&page.payload, page.charset.encoding)
    };
    let mut failure = None;
    let summary = unframe_crawl::read(&[folder], options, new_worker, |event| match event {
        Event::Page(signature) => match classifier.add(name, &signature) {
            Ok(()) => ControlFlow::Continue(()),
            Err(full) => {
                failure = Some(full);
                ControlFlow::Break(())
            }
        },
        Event::Problem { .. } => ControlFlow::Continue(()),
    })?;
    failure.map_or(Ok(summary.problems), |full| Err(full.into()))
}

/// An example in JSON. Unknown fields are ignored.
#[derive(Deserialize)]
struct Example {
    html: String,
    template: String,
}

/// Maximum length of a line, in bytes. JSON needs at most two bytes for a byte of ordinary text in any script.
const LINE_BYTES_MAX: u64 = 2 * PAGE_BYTES_MAX as u64;

/// Adds the examples of a JSON Lines file.
fn add_lines(classifier: &mut Classifier, path: &Path) -> anyhow::Result<u64> {
    let mut file = BufReader::new(File::open(path)?);
    let mut maker = SignatureMaker::new(classifier.settings());
    let mut line = Vec::new();
    let (mut problems, mut examples) = (0, 0u64);
    loop {
        line.clear();
        if (&mut file).take(LINE_BYTES_MAX).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Example>(&line) {
            Ok(example) => {
                // JSON is text already, whatever charset the page declares.
                let signature = maker.make(example.html.as_bytes(), encoding_rs::UTF_8);
                classifier.add(&example.template, &signature)?;
                examples += 1;
            }
            Err(_) => problems += 1,
        }
    }
    if examples == 0 {
        bail!("it contains no line of JSON with `html` and `template`");
    }
    Ok(problems)
}
