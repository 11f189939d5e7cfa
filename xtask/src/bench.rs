//! Benchmarks against other programs, which are installed first.

use std::path::PathBuf;
use std::process::Command;

use crate::project;

/// What the peers are called where Python packages come from.
const PEERS: [&str; 2] = ["selectolax", "fastwarc"];

/// Runs one benchmark on the given crawls, or on those of the shared data where they are.
pub(crate) fn run(what: &str, files: &[&str]) -> Result<(), String> {
    if what == "fingerprint" {
        return fingerprint(files);
    }
    if what == "follow" {
        return follow(files);
    }
    if what == "python" || what == "spark" {
        return python(what, files);
    }
    if what == "search" {
        return search(files);
    }
    let python = install_peers()?;
    let files = if files.is_empty() { shared_crawls() } else { files.iter().map(PathBuf::from).collect() };
    let build = ["build", "--release", "-p", "unframe-bench", "-p", "unframe-cli"];
    execute(Command::new(project::cargo()).current_dir(project::root()).args(build))?;
    let program = |name: &str| project::target().join("release").join(name);
    match what {
        "parse" => {
            let mut command = Command::new(program("unframe-bench"));
            execute(command.arg("parse").arg("--python").arg(&python).args(&files))
        }
        "text" if files.is_empty() => Err("name the .warc.gz files to find templates in".to_owned()),
        "text" => execute(Command::new(program("unframe-bench")).arg("text").args(&files)),
        "read" if files.is_empty() => Err("name the .warc.gz files to read".to_owned()),
        "read" => {
            let script = project::root().join("crates/unframe-bench/peers/read.py");
            execute(Command::new(&python).arg(script).arg(program("unframe")).args(&files))
        }
        _ => Err(format!(
            "there is no benchmark `{what}`: choose parse, read, text, fingerprint, follow, search, python or spark"
        )),
    }
}

/// Fingerprints have no peers to install, and are measured beside nothing but reading. The data and pictures of the linear run are in
/// `target/bench-fingerprint`.
fn fingerprint(files: &[&str]) -> Result<(), String> {
    let files = if files.is_empty() { shared_crawls() } else { files.iter().map(PathBuf::from).collect() };
    let build = ["build", "--release", "-p", "unframe-bench"];
    execute(Command::new(project::cargo()).current_dir(project::root()).args(build))?;
    let mut command = Command::new(project::target().join("release/unframe-bench"));
    let out = project::target().join("bench-fingerprint");
    execute(command.arg("fingerprint").arg("--out").arg(out).args(&files))
}

/// Page by page, with durable state and without; needs no peers.
fn follow(files: &[&str]) -> Result<(), String> {
    let files = if files.is_empty() { shared_crawls() } else { files.iter().map(PathBuf::from).collect() };
    let build = ["build", "--release", "-p", "unframe-bench"];
    execute(Command::new(project::cargo()).current_dir(project::root()).args(build))?;
    let program = project::target().join("release").join("unframe-bench");
    execute(Command::new(program).arg("follow").args(&files))
}

/// The Python package and the jobs on Spark, beside the program.
fn python(what: &str, files: &[&str]) -> Result<(), String> {
    let files = if files.is_empty() { shared_crawls() } else { files.iter().map(PathBuf::from).collect() };
    let python = crate::python::install_release()?;
    let build = ["build", "--release", "-p", "unframe-cli"];
    execute(Command::new(project::cargo()).current_dir(project::root()).args(build))?;
    let mut command = Command::new(python);
    command.arg(project::root().join("crates/unframe-bench/peers").join(format!("{what}.py")));
    if what == "spark" {
        command.arg(project::root().join("crates/unframe-python/tests"));
    }
    execute(command.arg(project::target().join("release/unframe")).args(&files))
}

/// Search indexes, with templates found inside of the building and before it; needs no peers.
fn search(files: &[&str]) -> Result<(), String> {
    let files = if files.is_empty() { shared_crawls() } else { files.iter().map(PathBuf::from).collect() };
    if files.is_empty() {
        return Err("name the crawls to index".to_owned());
    }
    let build = ["build", "--release", "-p", "unframe-bench", "-p", "unframe-cli"];
    execute(Command::new(project::cargo()).current_dir(project::root()).args(build))?;
    let program = |name: &str| project::target().join("release").join(name);
    let mut command = Command::new(program("unframe-bench"));
    execute(command.args(["search", "--program"]).arg(program("unframe")).args(&files))
}

/// A Python environment with the peers in it.
fn install_peers() -> Result<PathBuf, String> {
    let folder = project::target().join("bench-peers");
    let python = folder.join("bin/python");
    if !python.exists() {
        execute(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        execute(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PEERS))?;
    }
    Ok(python)
}

fn shared_crawls() -> Vec<PathBuf> {
    let data = std::env::var_os("UNFRAME_DATA")
        .map_or_else(|| project::root().join("../shared/data"), PathBuf::from);
    let mut files: Vec<PathBuf> = std::fs::read_dir(data.join("sites"))
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    files.retain(|file| file.to_string_lossy().ends_with(".warc.gz"));
    files.sort();
    files
}

fn execute(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}
