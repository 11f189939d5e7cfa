//! Runs the fuzz targets of `fuzz/`, and writes what they did to `docs/fuzzing.md`.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::project;

/// From so many seconds a target on, a run is worth to be written down.
const WORTH_SECONDS: u64 = 300;
/// Memory that one target may take, in megabytes.
const MEMORY: u32 = 2048;

/// What became of a target.
struct Row {
    target: String,
    seconds: u64,
    executions: u64,
    has_found: bool,
}

/// Runs every target, or those that are named, for so many seconds, some at a time.
pub(crate) fn run(seconds: u64, at_a_time: usize, only: &[&str]) -> Result<(), String> {
    let folder = project::root().join("fuzz");
    install_if_missing()?;
    let mut targets = targets(&folder)?;
    targets.retain(|target| only.is_empty() || only.contains(&target.as_str()));
    println!("{} targets, {seconds} s each, {at_a_time} at a time", targets.len());
    if !command(&["build"]).status().is_ok_and(|status| status.success()) {
        return Err("the targets could not be built".to_owned());
    }
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..at_a_time.max(1) {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = run_target(&folder, target, seconds);
                    if let (Ok(row), Ok(mut rows)) = (row, rows.lock()) {
                        let found = if row.has_found { "FOUND SOMETHING" } else { "nothing found" };
                        println!("{target}: {} executions in {} s, {found}", row.executions, row.seconds);
                        rows.push(row);
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().map_err(|error| error.to_string())?;
    rows.sort_by(|one, other| one.target.cmp(&other.target));
    if seconds >= WORTH_SECONDS {
        let page = project::root().join("docs/fuzzing.md");
        fs::write(&page, document(&page, &rows)).map_err(|error| format!("{}: {error}", page.display()))?;
    }
    let found: Vec<&str> = rows.iter().filter(|row| row.has_found).map(|row| row.target.as_str()).collect();
    match found.first() {
        _ if rows.len() < targets.len() => Err("some targets could not be run".to_owned()),
        None => Ok(()),
        Some(first) => Err(format!(
            "\nFAILED: {} found something; what they printed and the inputs are in fuzz/artifacts\n\
             Repeat it with: RUSTC_BOOTSTRAP=1 cargo fuzz run {first} fuzz/artifacts/{first}/FILE",
            found.join(", ")
        )),
    }
}

/// New inputs are kept in `fuzz/corpus`, which is not committed; those in `fuzz/seeds` are, and are only read.
fn run_target(folder: &Path, target: &str, seconds: u64) -> Result<Row, String> {
    let artifacts = folder.join("artifacts").join(target);
    fs::create_dir_all(&artifacts).map_err(|error| format!("{}: {error}", artifacts.display()))?;
    let log = artifacts.join("log");
    let output = File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
    let mut command = Command::new("nice");
    command.current_dir(project::root()).args(["-n", "19"]).arg(binary(folder, target)?);
    command.arg(folder.join("corpus").join(target));
    let seeds = folder.join("seeds").join(target);
    command.args(seeds.exists().then_some(seeds));
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-rss_limit_mb={MEMORY}"));
    command.arg(format!("-artifact_prefix={}/", artifacts.display())).arg("-print_final_stats=1");
    // As cargo-fuzz has it: libdeflate has the same constant in two files, which is no fault.
    command.env("ASAN_OPTIONS", "detect_odr_violation=0");
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(output).status();
    let status = status.map_err(|error| format!("{target} cannot be started: {error}"))?;
    let log = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
    let stat =
        |name: &str| log.lines().rev().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    let done =
        log.lines().rev().find_map(|line| line.strip_prefix("Done ")?.split(' ').nth(2)?.parse::<u64>().ok());
    Ok(Row {
        target: target.to_owned(),
        seconds: done.unwrap_or(seconds),
        executions: stat("stat::number_of_executed_units:").unwrap_or(0),
        has_found: !status.success(),
    })
}

fn binary(folder: &Path, target: &str) -> Result<PathBuf, String> {
    let builds = fs::read_dir(folder.join("target")).map_err(|error| error.to_string())?;
    let mut files = builds.flatten().map(|build| build.path().join("release").join(target));
    files.find(|file| file.exists()).ok_or_else(|| format!("the target {target} was not built"))
}

/// The page with these rows in its table; rows of targets that were not run stay.
fn document(page: &Path, rows: &[Row]) -> String {
    let old = fs::read_to_string(page).unwrap_or_default();
    let (head, table) = old.split_once("|---|").unwrap_or((&old, ""));
    let row_of = |target: &str| format!("| `{target}` |");
    let kept =
        table.lines().skip(1).filter(|line| !rows.iter().any(|row| line.starts_with(&row_of(&row.target))));
    let mut lines: Vec<String> = kept.map(str::to_owned).collect();
    lines.extend(rows.iter().map(|row| {
        let found = if row.has_found { "yes" } else { "nothing" };
        let mut line = row_of(&row.target);
        let _ = write!(line, " {:.0} | {} | {found} |", row.seconds as f64 / 60.0, row.executions);
        line
    }));
    lines.sort();
    format!("{head}|---|---|---|---|\n{}\n", lines.join("\n"))
}

fn targets(folder: &Path) -> Result<Vec<String>, String> {
    let output =
        command(&["list"]).output().map_err(|error| format!("cargo fuzz cannot be started: {error}"))?;
    let targets: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    if targets.is_empty() {
        let folder = folder.display();
        return Err(format!("no targets in {folder}\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    for target in &targets {
        // cargo-fuzz makes only the folder that it chooses itself.
        let corpus = folder.join("corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    }
    Ok(targets)
}

fn install_if_missing() -> Result<(), String> {
    let version = command(&["--version"]).output();
    if version.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    println!("cargo-fuzz is not installed: installing it");
    let status = Command::new(project::cargo())
        .args(["install", "--locked", "cargo-fuzz"])
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err("cargo-fuzz could not be installed".to_owned()) }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(project::cargo());
    command.current_dir(project::root()).arg("fuzz").args(arguments);
    // The sanitizers are unstable options; this makes the stable compiler take them.
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}
