//! Runs a process and measures its cost: time, processor time and peak memory.
//!
//! The parent of the measured process is a small process of its own (`unframe-bench measure`), for two reasons. Linux reports only the largest child
//! of a process, so each measured process needs a separate parent. The memory of the parent also counts for the child, so the parent must be small.

use std::ffi::OsString;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

/// The interval at which the end of a process is polled, which bounds the precision of times.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The cost of a process.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    /// The processor time of all its threads.
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
}

/// How a process ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    pub(crate) cost: Cost,
    pub(crate) ending: Ending,
    /// The standard output of the process.
    pub(crate) output: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    Done,
    Failed,
    /// The process was stopped at the time limit.
    TookTooLong,
}

/// Runs a command with a time limit.
pub(crate) fn run(command: &[OsString], limit: Duration) -> anyhow::Result<Finished> {
    let output = Command::new(std::env::current_exe()?)
        .args(["measure", "--seconds", &limit.as_secs().to_string(), "--"])
        .args(command)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "{command:?} cannot be measured");
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The intermediate process: runs the command and prints how it ended.
pub(crate) fn measure(command: &[OsString], limit: Duration) -> anyhow::Result<()> {
    let (program, arguments) = command.split_first().context("no command")?;
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    let mut is_late = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit && !is_late {
            is_late = true;
            child.kill()?;
        }
        std::thread::sleep(POLL_INTERVAL);
    };
    let seconds = start.elapsed().as_secs_f64();
    let (cpu_seconds, peak_bytes) = usage_of_children();
    // Every measured program prints one line at most, which fits into the buffer of the pipe.
    let mut output = String::new();
    child.stdout.take().context("no standard output")?.read_to_string(&mut output)?;
    // unframe exits with 1 if it met problems in the crawl, but it has completed its work.
    let ending = match status.code() {
        _ if is_late => Ending::TookTooLong,
        Some(0 | 1) => Ending::Done,
        _ => Ending::Failed,
    };
    let ended = Finished { cost: Cost { seconds, cpu_seconds, peak_bytes }, ending, output };
    println!("{}", serde_json::to_string(&ended)?);
    Ok(())
}

/// Seconds of processor time and peak memory in bytes of the children that have exited.
#[cfg(unix)]
fn usage_of_children() -> (f64, u64) {
    use nix::sys::resource::{UsageWho, getrusage};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return (0.0, 0) };
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    (seconds(usage.user_time()) + seconds(usage.system_time()), usage.max_rss() as u64 * RSS_UNIT)
}

/// Linux counts memory in kilobytes, macOS in bytes.
#[cfg(unix)]
const RSS_UNIT: u64 = if cfg!(target_os = "macos") { 1 } else { 1024 };

#[cfg(not(unix))]
fn usage_of_children() -> (f64, u64) {
    (0.0, 0)
}
