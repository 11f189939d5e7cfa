//! `unframe clean --by-input`: writes one file for each input into a folder. Complete files stay when a run is stopped, and `--resume`
//! continues the run.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::{check_keep, clean, keep, models};
use crate::args::CleanArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learn::{self, ModelDestination};
use crate::learning;
use crate::output::Output;
use crate::progress::EarlierPasses;
use crate::reading::{OnlyProblems, Reading};

/// The model learned from all inputs, in the output folder. The file is hidden, so that programs that read the folder skip it.
const MODEL: &str = ".unframe-model";
/// The options with which the folder was created.
const SETTINGS: &str = ".unframe-settings";

/// Runs the verb.
pub(super) fn run(args: &CleanArgs, folder: &Path) -> anyhow::Result<Outcome> {
    let keep = keep(&args.keep)?;
    let outputs = outputs(args, folder)?;
    begin(args, folder)?;
    let learned = folder.join(MODEL);
    let learns = args.model.path().is_none() && args.method.method != "none";
    let inputs = Inputs::new(&args.reading, learns && !learned.exists())?;
    let model = match args.model.path() {
        Some(model) => Some(model),
        None if !learns => None,
        None => {
            learn_once(args, &inputs, &learned)?;
            Some(learned.as_path())
        }
    };
    let models = models(args, &inputs, model)?;
    check_keep(args, models.detector())?;
    let sizes: Vec<u64> = args.reading.inputs.iter().map(|input| size(input)).collect();
    let mut before = EarlierPasses { bytes_total: sizes.iter().sum(), ..EarlierPasses::default() };
    let mut outcome = Outcome::Clean;
    for (number, output) in outputs.iter().enumerate() {
        if !output.exists() {
            let reading = Reading { earlier: before, ..inputs.reading_one(&args.reading, number) };
            match clean(args, &models, &keep, reading, Some(output)) {
                Ok(Outcome::Clean) => {}
                Ok(_) => outcome = Outcome::SomeBad,
                // An input without a readable page does not stop the others.
                Err(error) if error.is::<OnlyProblems>() => {
                    message!("unframe: {}: {error}", args.reading.inputs[number].display());
                    outcome = Outcome::SomeBad;
                }
                Err(error) => return Err(error),
            }
        }
        before.bytes += sizes[number];
    }
    Ok(outcome)
}

/// The output file of each input.
fn outputs(args: &CleanArgs, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut names: BTreeMap<String, &Path> = BTreeMap::new();
    let mut outputs = Vec::new();
    for input in &args.reading.inputs {
        let Some(name) = input.file_name().filter(|name| *name != "-") else {
            bail!("--by-input needs inputs with names, and {} has none", input.display());
        };
        let name = format!("{}.{}", stem(&name.to_string_lossy()), args.format_or_default().extension());
        if let Some(other) = names.insert(name.clone(), input) {
            bail!("{} and {} would both become {name}: rename one of them", other.display(), input.display());
        }
        outputs.push(folder.join(name));
    }
    Ok(outputs)
}

/// The name of an input without the extensions of its format and compression.
fn stem(name: &str) -> &str {
    const ENDINGS: [&str; 13] = [
        ".gz", ".zst", ".lz4", ".bz2", ".warc", ".arc", ".wacz", ".html", ".htm", ".jsonl", ".ndjson",
        ".json", ".parquet",
    ];
    let shorter = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    shorter.filter(|shorter| !shorter.is_empty()).map_or(name, stem)
}

fn size(input: &Path) -> u64 {
    fs::metadata(input).map_or(0, |data| if data.is_file() { data.len() } else { 0 })
}

/// Creates the folder, or checks that it was created with the same options.
fn begin(args: &CleanArgs, folder: &Path) -> anyhow::Result<()> {
    let (name, path, now) = (folder.display(), folder.join(SETTINGS), settings(args));
    fs::create_dir_all(folder).with_context(|| format!("cannot write to {name}"))?;
    match fs::read_to_string(&path) {
        Ok(_) if !args.resume => bail!("{name} has the files of an earlier run: --resume continues it"),
        Ok(then) if then != now => {
            bail!(
                "{name} was started with other options or inputs (see {}): use another folder",
                path.display()
            )
        }
        Ok(_) => return Ok(()),
        Err(_) => {}
    }
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{name} is not empty: use another folder");
    }
    let mut file = Output::open(Some(&path))?;
    file.write_all(now.as_bytes()).with_context(|| format!("cannot write to {name}"))?;
    file.finish()
}

/// All options that affect the output, as text that users can compare.
fn settings(args: &CleanArgs) -> String {
    let reading = &args.reading;
    let mut lines = vec![
        format!("unframe {}", env!("CARGO_PKG_VERSION")),
        format!("{:?}", args.method),
        format!(
            "{:?} {:?} {:?} {:?}",
            args.format_or_default(),
            args.body,
            args.chunk_tokens,
            args.bulk_index
        ),
        format!("keep {:?}, metadata {}", args.keep, args.metadata),
        format!(
            "site by {:?}, status {:?}, duplicates {}",
            reading.site_by, reading.status, reading.duplicates
        ),
    ];
    match args.model.path() {
        // A saved model does not depend on the inputs, so inputs may be added later.
        Some(model) => lines.push(format!("model {}", model.display())),
        None => lines.extend(reading.inputs.iter().map(|input| input.display().to_string())),
    }
    lines.join("\n") + "\n"
}

/// Learns from all inputs, unless an earlier run has saved the model.
fn learn_once(args: &CleanArgs, inputs: &Inputs, path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let reading = inputs.reading(&args.reading).not_last();
    let (learning, _) = learning::learn(reading, &args.method, args.reading.memory())?;
    learn::save(learning, &ModelDestination { path, compact: true, quiet: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_tells_their_format() {
        let names = ["a.warc.gz", "b.jsonl", "c", ".gz", "CC-MAIN-2026.warc.wet.gz", "x.y.html"];
        assert_eq!(names.map(stem), ["a", "b", "c", ".gz", "CC-MAIN-2026.warc.wet", "x.y"]);
    }
}
