//! Benchmarks against other programs (peers), which are installed first.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project;

/// The names of the peers' Python packages.
const PEERS: [&str; 7] =
    ["trafilatura", "resiliparse", "fastwarc", "justext", "readability-lxml", "warcio", "selectolax"];

/// Runs the named benchmark on the given crawls, or else on those of the shared data. Without a name, runs all benchmarks.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        ["--table"] => table(),
        ["growth", options @ ..] => growth(options),
        ["all", options @ ..] => everything(options),
        [] => everything(&[]),
        [first, ..] if first.starts_with("--") || first.contains(['.', '/']) => everything(arguments),
        [what, files @ ..] => one(what, files),
    }
}

/// Measures all jobs with all peers, and then the growth of cost. The report goes to `target/bench`.
fn everything(arguments: &[&str]) -> Result<(), String> {
    let python = install_peers()?;
    build(&["unframe-bench", "unframe-cli"])?;
    let mut command = Command::new(program("unframe-bench"));
    command.arg("all").arg("--program").arg(program("unframe")).arg("--python").arg(python);
    command.arg("--out").arg(out()).args(arguments);
    if !arguments.iter().any(|argument| Path::new(argument).exists()) {
        command.args(shared_crawls());
    }
    execute(&mut command)?;
    let quick: &[&str] = if arguments.contains(&"--quick") { &["--quick"] } else { &[] };
    growth(quick)
}

/// Measures the verbs on increasing numbers of synthetic pages. Needs no peers.
fn growth(options: &[&str]) -> Result<(), String> {
    build(&["unframe-bench", "unframe-cli"])?;
    let mut command = Command::new(program("unframe-bench"));
    command.arg("growth").arg("--program").arg(program("unframe")).arg("--out").arg(out());
    execute(command.args(options))
}

/// Writes the table of the last results into `docs/measurements.md`.
fn table() -> Result<(), String> {
    build(&["unframe-bench"])?;
    let mut command = Command::new(program("unframe-bench"));
    let page = project::root().join("docs/measurements.md");
    execute(command.arg("table").arg(page).arg("--out").arg(out()))
}

fn out() -> PathBuf {
    project::target().join("bench")
}

fn program(name: &str) -> PathBuf {
    project::target().join("dist").join(name)
}

fn build(crates: &[&str]) -> Result<(), String> {
    let mut command = project::cargo();
    command.current_dir(project::root()).args(["build", "--profile", "dist"]);
    execute(command.args(crates.iter().flat_map(|name| ["-p", name])))
}

/// Runs one benchmark by its name.
fn one(what: &str, files: &[&str]) -> Result<(), String> {
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
    let files = or_shared(files);
    build(&["unframe-bench", "unframe-cli"])?;
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
            "there is no benchmark `{what}`: choose all, growth, parse, read, text, fingerprint, follow, search, python or spark"
        )),
    }
}

/// Measures fingerprints. There are no peers, so the cost of reading alone is the baseline. The data and pictures of the linear run go to
/// `target/bench-fingerprint`.
fn fingerprint(files: &[&str]) -> Result<(), String> {
    let files = or_shared(files);
    build(&["unframe-bench"])?;
    let mut command = Command::new(program("unframe-bench"));
    let out = project::target().join("bench-fingerprint");
    execute(command.arg("fingerprint").arg("--out").arg(out).args(&files))
}

/// Measures page-by-page processing, with and without a durable state. Needs no peers.
fn follow(files: &[&str]) -> Result<(), String> {
    let files = or_shared(files);
    build(&["unframe-bench"])?;
    execute(Command::new(program("unframe-bench")).arg("follow").args(&files))
}

/// Measures the Python package or the jobs on Spark, compared with the program.
fn python(what: &str, files: &[&str]) -> Result<(), String> {
    let files = or_shared(files);
    let python = crate::python::install_dist()?;
    build(&["unframe-cli"])?;
    let mut command = Command::new(python);
    command.arg(project::root().join("crates/unframe-bench/peers").join(format!("{what}.py")));
    if what == "spark" {
        command.arg(project::root().join("crates/unframe-python/tests"));
    }
    execute(command.arg(program("unframe")).args(&files))
}

/// Measures the construction of search indexes, with template detection during it or before it. Needs no peers.
fn search(files: &[&str]) -> Result<(), String> {
    let files = or_shared(files);
    if files.is_empty() {
        return Err("name the crawls to index".to_owned());
    }
    build(&["unframe-bench", "unframe-cli"])?;
    let mut command = Command::new(program("unframe-bench"));
    execute(command.args(["search", "--program"]).arg(program("unframe")).args(&files))
}

/// Installs the peers into a virtual environment. Returns its Python interpreter.
fn install_peers() -> Result<PathBuf, String> {
    let folder = project::target().join("bench-peers");
    let python = folder.join("bin/python");
    let install = |packages: &[&str]| {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        execute(Command::new(&python).args(pip).args(packages))
    };
    if !python.exists() {
        execute(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        // The pip of older Python versions cannot install all of them into one environment.
        install(&["--upgrade", "pip"])?;
    }
    install(&PEERS)?;
    Ok(python)
}

fn or_shared(files: &[&str]) -> Vec<PathBuf> {
    if files.is_empty() { shared_crawls() } else { files.iter().map(PathBuf::from).collect() }
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
