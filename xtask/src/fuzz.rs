//! Runs the fuzz targets of `fuzz/`, and records the results in `docs/fuzzing.md`.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::project;

/// Minimum time per target, in seconds, for a run to be recorded.
const RECORDED_SECONDS_MIN: u64 = 300;
/// Memory limit of a target, in megabytes.
const MEMORY: u32 = 2048;

/// An input that takes longer than this, with the sanitizer, counts as a finding.
const SLOW_MILLISECONDS: u64 = 2000;

/// The exit code of libFuzzer after an interrupt, which ends a run. After a finding it exits with another code.
const INTERRUPTED: i32 = 72;

/// The result of running a target.
struct Row {
    target: String,
    seconds: u64,
    executions: u64,
    found: Finding,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Finding {
    Nothing,
    /// Inputs that take longer than [`SLOW_MILLISECONDS`].
    SlowInputs,
    Fault,
}

impl Finding {
    fn name(self) -> &'static str {
        match self {
            Finding::Nothing => "nothing",
            Finding::SlowInputs => "slow inputs",
            Finding::Fault => "a fault",
        }
    }
}

/// Runs the named targets, or all, for `seconds` of processor time each. At most `at_a_time` targets run concurrently.
pub(crate) fn run(seconds: u64, at_a_time: usize, only: &[&str]) -> Result<(), String> {
    let folder = project::root().join("fuzz");
    project::install_if_missing("fuzz")?;
    let mut targets = targets(&folder)?;
    targets.retain(|target| only.is_empty() || only.contains(&target.as_str()));
    println!("{} targets, {seconds} s of processor time each, {at_a_time} at a time", targets.len());
    build(only)?;
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..at_a_time.max(1) {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = run_target(&folder, target, seconds).and_then(|row| {
                        // Each result is recorded immediately, so that an interrupt does not lose hours of work.
                        let mut rows = rows.lock().map_err(|error| error.to_string())?;
                        if seconds >= RECORDED_SECONDS_MIN {
                            record_row(&row)?;
                        }
                        let Row { executions, seconds, found, .. } = &row;
                        println!("{target}: {executions} executions in {seconds} s, found: {}", found.name());
                        rows.push(row);
                        Ok(())
                    });
                    if let Err(error) = row {
                        println!("{target}: {error}");
                    }
                }
            });
        }
    });
    let rows = rows.into_inner().map_err(|error| error.to_string())?;
    let has_found = rows.iter().filter(|row| row.found != Finding::Nothing);
    let found: Vec<&str> = has_found.map(|row| row.target.as_str()).collect();
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

/// Builds the named targets, or all.
fn build(only: &[&str]) -> Result<(), String> {
    // With `--release`, `fuzz/Cargo.toml` decides which assertions are enabled. Without it, cargo-fuzz enables all.
    let all = ["build", "--release"];
    let builds = match only {
        [] => vec![command(&all)],
        names => names.iter().map(|name| command(&[&all[..], &[name]].concat())).collect(),
    };
    for mut build in builds {
        if !build.status().is_ok_and(|status| status.success()) {
            return Err("the targets could not be built".to_owned());
        }
    }
    Ok(())
}

/// Runs a target. New inputs go to `fuzz/corpus`, which is not committed. The inputs in `fuzz/seeds` are committed, and only read.
fn run_target(folder: &Path, target: &str, seconds: u64) -> Result<Row, String> {
    let artifacts = folder.join("artifacts").join(target);
    fs::create_dir_all(&artifacts).map_err(|error| format!("{}: {error}", artifacts.display()))?;
    let log = artifacts.join("log");
    let output = File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
    let binary = binary(folder, target)?;
    let begin = SystemTime::now();
    let mut command = Command::new("nice");
    command.current_dir(project::root()).args(["-n", "19"]).arg(&binary);
    command.arg(folder.join("corpus").join(target));
    let seeds = folder.join("seeds").join(target);
    command.args(seeds.exists().then_some(seeds));
    command.arg(format!("-rss_limit_mb={MEMORY}"));
    // `thread::scope` does not wait until its threads have dropped their thread-local values, which looks like a leak.
    command.arg("-detect_leaks=0");
    command.arg(format!("-artifact_prefix={}/", artifacts.display())).arg("-print_final_stats=1");
    // cargo-fuzz sets this, too. libdeflate defines the same constant in two files, which is harmless.
    command.env("ASAN_OPTIONS", "detect_odr_violation=0");
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(output).spawn();
    let (status, seconds) = child
        .and_then(|child| run_for(child, seconds))
        .map_err(|error| format!("{target} cannot be run: {error}"))?;
    let log = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
    let stat =
        |name: &str| log.lines().rev().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    Ok(Row {
        target: target.to_owned(),
        seconds,
        executions: stat("stat::number_of_executed_units:").unwrap_or(0),
        found: match status.code() {
            Some(INTERRUPTED) if has_slow_inputs(&binary, &artifacts, begin) => Finding::SlowInputs,
            Some(INTERRUPTED) => Finding::Nothing,
            _ => Finding::Fault,
        },
    })
}

/// Runs the slow inputs that were found since `begin` again. Returns whether one is slow again: the first time, the machine may have
/// been busy.
fn has_slow_inputs(binary: &Path, artifacts: &Path, begin: SystemTime) -> bool {
    let is_new =
        |file: &DirEntry| file.metadata().and_then(|data| data.modified()).is_ok_and(|at| at >= begin);
    let is_slow =
        |file: &DirEntry| file.file_name().to_string_lossy().starts_with("slow-unit-") && is_new(file);
    let files = fs::read_dir(artifacts).into_iter().flatten().flatten();
    files.filter(is_slow).any(|file| {
        let mut command = Command::new(binary);
        command.env("ASAN_OPTIONS", "detect_odr_violation=0").args(["-detect_leaks=0", "-timeout=60"]);
        let output = command.arg(file.path()).output().map(|output| output.stderr).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        // libFuzzer prints `Executed FILE in 12 ms`, unless the run timed out.
        let took =
            output.lines().find_map(|line| line.strip_suffix(" ms")?.rsplit_once(" in ")?.1.parse().ok());
        took.is_none_or(|milliseconds: u64| milliseconds > SLOW_MILLISECONDS)
    })
}

/// Runs a process for this many seconds of processor time, because wall-clock time means little on a busy machine. Returns its exit
/// status and the seconds that it used.
fn run_for(mut child: Child, seconds: u64) -> io::Result<(ExitStatus, u64)> {
    let mut used = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, used));
        }
        used = processor_seconds(child.id()).unwrap_or(used);
        if used >= seconds {
            Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
            return Ok((child.wait()?, used));
        }
        thread::sleep(Duration::from_secs(1));
    }
}

/// The processor time that a process has used. Linux counts it in hundredths of a second.
fn processor_seconds(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The program name in parentheses may contain spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(ticks / 100)
}

fn binary(folder: &Path, target: &str) -> Result<PathBuf, String> {
    let builds = fs::read_dir(folder.join("target")).map_err(|error| error.to_string())?;
    let mut files = builds.flatten().map(|build| build.path().join("release").join(target));
    files.find(|file| file.exists()).ok_or_else(|| format!("the target {target} was not built"))
}

/// Adds a row to the table of the page, in place of an older row of the same target.
fn record_row(row: &Row) -> Result<(), String> {
    let page = project::root().join("docs/fuzzing.md");
    let failed = |error: io::Error| format!("{}: {error}", page.display());
    let old = fs::read_to_string(&page).map_err(failed)?;
    fs::write(&page, with_row(&old, row)).map_err(failed)
}

fn with_row(page: &str, row: &Row) -> String {
    let (head, table) = page.split_once("|---|").unwrap_or((page, ""));
    let begin = format!("| `{}` |", row.target);
    let found = row.found.name();
    let line = format!("{begin} {:.0} | {} | {found} |", row.seconds as f64 / 60.0, row.executions);
    let others = table.lines().skip(1).filter(|other| !other.starts_with(&begin));
    let mut lines: Vec<&str> = others.chain([line.as_str()]).collect();
    lines.sort_unstable();
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
        // cargo-fuzz would create only its default folder.
        let corpus = folder.join("corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    }
    Ok(targets)
}

fn command(arguments: &[&str]) -> Command {
    let mut command = project::cargo();
    command.current_dir(project::root()).arg("fuzz").args(arguments);
    // The sanitizers are unstable compiler options. This makes the stable compiler accept them.
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}
