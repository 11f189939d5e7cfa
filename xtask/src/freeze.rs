//! Hashes the outputs of the program with every method, to show whether an internal change affects the output.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project;

/// The file with the hashes for the synthetic crawl.
const FROZEN: &str = "xtask/src/frozen.txt";
/// Number of pages per synthetic site.
const PAGES: &str = "6";

const METHODS: [&str; 7] = ["places", "dom", "text", "segments", "blocks", "shingle", "sst"];

/// The command lines, without the method and the input. `OUT` stands for the output file or folder, `URL` for the address of a page.
const RUNS: [&str; 14] = [
    "label",
    "clean",
    "clean --format text",
    "clean --format markdown",
    "clean --format html -o OUT",
    "clean --format simple-html -o OUT",
    "clean --format parquet -o OUT",
    "clean --format wet",
    "clean --format bulk --partition-by hash:3 -o OUT",
    "clean --keep-once",
    "templates",
    "templates --format json --shared --top 0",
    "templates --format rules",
    "explain --url URL",
];

/// Compares the hashes for the synthetic crawl with the frozen ones. Returns the lines that differ.
pub(crate) fn check() -> Result<Vec<String>, String> {
    let folder = project::target().join("freeze");
    let program = project::program()?;
    let found = hashes(&program, &synthetic(&program, &folder)?, &folder)?;
    Ok(differences(&project::read(FROZEN)?, &found))
}

/// Compares the hashes with those of the last run, and saves them: for the synthetic crawl in the project, for other files in the target
/// folder. `--program PATH` as the first argument selects another build of the program.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let folder = project::target().join("freeze");
    let (program, files) = match arguments {
        ["--program", program, files @ ..] => (PathBuf::from(program), files),
        files => (project::program()?, files),
    };
    let (inputs, place) = match files {
        [] => (synthetic(&program, &folder)?, project::root().join(FROZEN)),
        files => (absolute(files)?, folder.join("frozen.txt")),
    };
    let found = hashes(&program, &inputs, &folder)?;
    if let Ok(last) = fs::read_to_string(&place) {
        let differences = differences(&last, &found);
        differences.iter().for_each(|line| println!("{line}"));
        println!("{} of {} differ from the last run", differences.len(), found.lines().count());
    }
    fs::write(&place, found).map_err(|error| format!("{}: {error}", place.display()))?;
    println!("written to {}", place.display());
    Ok(())
}

/// The absolute paths of the files.
fn absolute(files: &[&str]) -> Result<Vec<PathBuf>, String> {
    files.iter().map(|file| std::path::absolute(file).map_err(|error| format!("{file}: {error}"))).collect()
}

/// Makes the crawl of the demo. Returns its bare file name, because outputs contain the paths of the inputs and must not depend on the
/// machine.
fn synthetic(program: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    output(Command::new(program).arg("demo").arg(folder).args(["--pages", PAGES, "-q"]))?;
    Ok(vec![PathBuf::from("demo-1.warc.gz")])
}

/// The hashes, with a line for each run.
fn hashes(program: &Path, inputs: &[PathBuf], folder: &Path) -> Result<String, String> {
    let mut lines = String::new();
    let urls = first_urls(program, inputs, folder)?;
    let out = folder.join("out");
    for method in METHODS {
        for run in RUNS {
            let urls = if run.contains("URL") { &urls[..] } else { &urls[..1] };
            let mut hash = Hash::default();
            for url in urls {
                let mut command = Command::new(program);
                command.current_dir(folder).args(run.split(' ').map(|word| match word {
                    "OUT" => out.to_string_lossy().into_owned(),
                    "URL" => url.clone(),
                    word => word.to_owned(),
                }));
                hash.add(&output(command.args(["-q", "--method", method]).args(inputs))?);
                hash.add_path(&out).map_err(|error| format!("{}: {error}", out.display()))?;
            }
            writeln!(lines, "{:016x}  {method}  {run}", hash.0).map_err(|error| error.to_string())?;
        }
    }
    Ok(lines)
}

/// The address of the first page of each site, for `explain`.
fn first_urls(program: &Path, inputs: &[PathBuf], folder: &Path) -> Result<Vec<String>, String> {
    let pages = output(Command::new(program).current_dir(folder).args(["pages", "-q"]).args(inputs))?;
    let mut urls = BTreeMap::new();
    for line in String::from_utf8_lossy(&pages).lines() {
        let page: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |name: &str| page[name].as_str().unwrap_or_default().to_owned();
        urls.entry(text("site")).or_insert_with(|| text("url"));
    }
    match urls.is_empty() {
        true => Err("the crawl has no page".to_owned()),
        false => Ok(urls.into_values().collect()),
    }
}

fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| format!("the program cannot be started: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The lines of `found` that are not in `frozen`.
fn differences(frozen: &str, found: &str) -> Vec<String> {
    let known: Vec<&str> = frozen.lines().collect();
    let new = found.lines().filter(|line| !known.contains(line));
    new.map(|line| format!("not as frozen: {line} (cargo xtask freeze, if the change is wanted)")).collect()
}

/// An FNV-1a hash, which is sufficient here and needs no library.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds a file or all files of a folder, and then removes them.
    fn add_path(&mut self, path: &Path) -> std::io::Result<()> {
        if !path.is_dir() {
            if path.exists() {
                self.add(&fs::read(path)?);
                fs::remove_file(path)?;
            }
            return Ok(());
        }
        let mut inside: Vec<PathBuf> =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        inside.sort();
        for path in inside {
            self.add(path.file_name().unwrap_or_default().as_encoded_bytes());
            self.add_path(&path)?;
        }
        fs::remove_dir(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_not_frozen_are_reported() {
        assert!(differences("1  dom  label\n", "1  dom  label\n").is_empty());
        assert_eq!(differences("1  dom  label\n", "2  dom  label\n").len(), 1);
    }
}
