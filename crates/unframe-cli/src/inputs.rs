//! The inputs of a verb: lists of inputs, pipes that are read more than once, and the check that no output overwrites an input.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ArgMatches;
use tempfile::NamedTempFile;
use unframe::{Origin, Page};
use unframe_crawl::file_url;
use unframe_crawl::limits::SPOOL_BYTES_MAX;

use crate::args::ReadingArgs;
use crate::output::create_unfinished;
use crate::reading::Reading;
use crate::spill::ModelFailure;

/// Inputs that can be read more than once.
pub(crate) struct Inputs {
    paths: Vec<PathBuf>,
    piped: Vec<PipedInput>,
    failed: ModelFailure,
}

/// A pipe that was copied to a temporary file, so that it can be read again.
pub(crate) struct PipedInput {
    file: NamedTempFile,
    /// The path that the user specified.
    name: Arc<str>,
}

impl Inputs {
    /// The inputs. If there are two or more passes, pipes are copied to temporary files first.
    pub(crate) fn new(args: &ReadingArgs, has_two_passes: bool) -> anyhow::Result<Inputs> {
        let mut inputs =
            Inputs { paths: args.inputs.clone(), piped: Vec::new(), failed: ModelFailure::default() };
        for path in inputs.paths.iter_mut().filter(|path| has_two_passes && is_pipe(path)) {
            let name: Arc<str> = path.to_string_lossy().into();
            if inputs.piped.iter().any(|other| other.name == name) {
                bail!("{} can be given only once", display_name(&name));
            }
            let piped = PipedInput::new(path, name)?;
            *path = piped.file.path().to_owned();
            inputs.piped.push(piped);
        }
        Ok(inputs)
    }

    /// A pass over all inputs.
    pub(crate) fn reading<'a>(&'a self, args: &'a ReadingArgs) -> Reading<'a> {
        let failed = ModelFailure::clone(&self.failed);
        Reading { inputs: &self.paths, piped: &self.piped, failed, ..Reading::from(args) }
    }

    /// A pass over one of the inputs.
    pub(crate) fn reading_one<'a>(&'a self, args: &'a ReadingArgs, number: usize) -> Reading<'a> {
        Reading { inputs: &self.paths[number..=number], ..self.reading(args) }
    }

    /// The place where labelling reports that a model cannot be read. Such a failure ends the pass.
    pub(crate) fn failed(&self) -> &ModelFailure {
        &self.failed
    }
}

/// Whether a path can be read only once: standard input, or anything other than a file or a folder.
fn is_pipe(path: &Path) -> bool {
    path.as_os_str() == "-" || fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

fn display_name(name: &str) -> &str {
    if name == "-" { "standard input" } else { name }
}

impl PipedInput {
    fn new(path: &Path, name: Arc<str>) -> anyhow::Result<PipedInput> {
        let display_name = display_name(&name);
        let mut file = create_unfinished(|| {
            let file = NamedTempFile::with_prefix("unframe-pipe-")?;
            let path = file.path().to_owned();
            Ok((file, Some(path)))
        })
        .context("cannot make a temporary file")?;
        let pipe: Box<dyn Read> = match &*name {
            "-" => Box::new(io::stdin()),
            _ => Box::new(File::open(path).with_context(|| format!("cannot read {display_name}"))?),
        };
        let bytes = io::copy(&mut pipe.take(SPOOL_BYTES_MAX + 1), &mut file)
            .with_context(|| format!("cannot keep {display_name}"))?;
        if bytes > SPOOL_BYTES_MAX {
            bail!("{display_name} has more than {SPOOL_BYTES_MAX} bytes: save it to a file first");
        }
        Ok(PipedInput { file, name })
    }

    /// Replaces the address of a temporary file, which differs in each run, with that of the path that the user specified.
    pub(crate) fn readdress(all: &[PipedInput], page: &mut Page) {
        let Some(piped) = all.iter().find(|piped| piped.file.path() == Path::new(&*page.origin.file)) else {
            return;
        };
        if page.url == file_url(piped.file.path()) {
            let name = if &*piped.name == "-" { "/dev/stdin" } else { &piped.name };
            page.url = file_url(Path::new(name));
        }
    }

    /// Replaces the name of a temporary file with the path that the user specified.
    pub(crate) fn rename(all: &[PipedInput], origin: &mut Origin) {
        if let Some(piped) = all.iter().find(|piped| piped.file.path() == Path::new(&*origin.file)) {
            origin.file = piped.name.clone();
        }
    }
}

/// Maximum number of inputs in a list.
const LISTED_MAX: usize = 1 << 20;

/// Adds the inputs in the file of `--inputs-from` to those of the command line. Returns the added ones.
pub(crate) fn add_listed(args: &mut ReadingArgs) -> anyhow::Result<Vec<PathBuf>> {
    let Some(path) = &args.inputs_from else { return Ok(Vec::new()) };
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
    let list: Box<dyn BufRead> = match is_stdin {
        true => Box::new(io::stdin().lock()),
        false => {
            let file = File::open(path).with_context(|| format!("cannot read the list of inputs {name}"))?;
            Box::new(BufReader::new(file))
        }
    };
    let listed =
        read_list(list, LISTED_MAX).with_context(|| format!("cannot use the list of inputs {name}"))?;
    args.inputs.extend(listed.iter().cloned());
    if args.inputs.is_empty() {
        bail!("the list of inputs {name} is empty");
    }
    if is_stdin && args.inputs.iter().any(|input| input.as_os_str() == "-") {
        bail!("standard input cannot be both the list of inputs and an input");
    }
    Ok(listed)
}

/// The non-empty lines of a list.
fn read_list(list: impl BufRead, inputs_max: usize) -> anyhow::Result<Vec<PathBuf>> {
    let mut inputs = Vec::new();
    for line in list.lines() {
        let line = line?;
        let line = line.trim_end_matches('\r');
        if line.is_empty() {
            continue;
        }
        if inputs.len() == inputs_max {
            bail!("it lists more than {inputs_max} inputs: give their folder as input, or split the list");
        }
        inputs.push(PathBuf::from(line));
    }
    Ok(inputs)
}

/// Arguments, of any verb, that name input files.
const READ: [&str; 7] = ["inputs", "inputs_from", "cdx", "model", "begin_with", "train", "index"];
/// Arguments, of any verb, that name output files.
const WRITTEN: [&str; 5] = ["output", "problems", "report", "reindex_log", "export"];

/// Refuses outputs that would overwrite an input or another output.
pub(crate) fn check_no_overwrite(typed: &ArgMatches, listed: Vec<PathBuf>) -> anyhow::Result<()> {
    let Some((_, verb)) = typed.subcommand() else { return Ok(()) };
    let paths = |names: &[&str]| -> Vec<PathBuf> {
        let of = |name: &&str| verb.try_get_many::<PathBuf>(name).ok().flatten().unwrap_or_default();
        names.iter().flat_map(of).filter(|path| !is_pipe(path)).cloned().collect()
    };
    // A merge may replace one of its inputs, because the output appears only when it is complete.
    let is_merge = matches!(verb.try_get_one::<bool>("merge"), Ok(Some(true)));
    let mut read = if is_merge { Vec::new() } else { paths(&READ) };
    read.extend(listed.into_iter().filter(|path| !is_merge && !is_pipe(path)));
    let written = paths(&WRITTEN);
    for path in &written {
        if read.iter().any(|other| is_same(path, other)) {
            bail!(
                "{} is an input and would be overwritten: choose another name for the output",
                path.display()
            );
        }
    }
    let again =
        |(number, path): (usize, &PathBuf)| written[..number].iter().any(|other| is_same(path, other));
    match written.iter().enumerate().find(|written| again(*written)) {
        Some((_, path)) => {
            bail!("{} is given twice: each thing that is written needs a file of its own", path.display())
        }
        None => Ok(()),
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path)).ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_so_many_inputs_and_no_more() {
        let list = "a.warc\r\n\n b c.warc\n";
        assert_eq!(read_list(list.as_bytes(), 2).unwrap(), [Path::new("a.warc"), Path::new(" b c.warc")]);
        let error = read_list(list.as_bytes(), 1).unwrap_err().to_string();
        assert!(error.starts_with("it lists more than 1 inputs: "), "{error}");
    }
}
