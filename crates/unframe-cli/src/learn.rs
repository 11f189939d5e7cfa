//! `unframe learn`: what is learned of the sites of a crawl, saved.

use std::io::Write;

use anyhow::Context;
use unframe::model_file::ModelFile;

use crate::args::LearnArgs;
use crate::exit::Outcome;
use crate::learning;
use crate::output::Output;
use crate::reading::Reading;

/// Runs the verb.
pub(crate) fn run(args: &LearnArgs) -> anyhow::Result<Outcome> {
    let (file, run) = if args.merge {
        (merged(args)?, None)
    } else {
        let (learner, run) = learning::learn(Reading::from(&args.reading), &args.method)?;
        (ModelFile::from_learner(&learner), Some(run))
    };
    save(args, file)?;
    run.map_or(Ok(Outcome::Clean), |run| run.finish())
}

fn merged(args: &LearnArgs) -> anyhow::Result<ModelFile> {
    let mut files = args.reading.inputs.iter();
    let first = files.next().context("no model was given")?;
    let mut merged = learning::load(first)?;
    for path in files {
        let file = learning::load(path)?;
        merged.merge(file).with_context(|| format!("cannot fold in {}", path.display()))?;
    }
    Ok(merged)
}

fn save(args: &LearnArgs, mut file: ModelFile) -> anyhow::Result<()> {
    if args.compact {
        file.compact();
    }
    let bytes = file.encode();
    let mut output = Output::open(Some(&args.output))?;
    output.write_all(&bytes).context("cannot write the model")?;
    output.finish()?;
    if !args.reading.quiet {
        eprintln!(
            "unframe: {} sites, {} bytes, learned with {}",
            file.sites.len(),
            bytes.len(),
            file.describe()
        );
    }
    Ok(())
}
