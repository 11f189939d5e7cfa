//! The cost of finding templates for a search index: while the index is built, before it, and not at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// Variants of building an index: their names in the table, and their `--method`.
const VARIANTS: [(&str, &str); 4] = [
    ("plain", "none"),
    ("`blocks` inside", "blocks"),
    ("`shingle` + index", "shingle"),
    ("`sst` + index", "sst"),
];

/// The cost of one run.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    seconds: f64,
    /// The processor time of all threads.
    cpu_seconds: f64,
    memory: u64,
    index: u64,
}

/// Runs the program with all variants, interleaved, and prints medians.
pub(crate) fn run(program: &Path, inputs: &[PathBuf], rounds: usize, threads: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); VARIANTS.len()];
    for round in 0..rounds {
        for offset in 0..VARIANTS.len() {
            let at = (round + offset) % VARIANTS.len();
            let index = folder.path().join("index");
            costs[at].push(build(program, inputs, VARIANTS[at].1, threads, &index)?);
            fs::remove_dir_all(&index)?;
        }
    }
    println!(
        "| | seconds | slowest–fastest | against plain | CPU seconds | against plain | memory MB | index MB |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let sorted = |at: usize, figure: fn(&Cost) -> f64| {
        let mut figures: Vec<f64> = costs[at].iter().map(figure).collect();
        figures.sort_by(f64::total_cmp);
        figures
    };
    let median = |at: usize, figure: fn(&Cost) -> f64| sorted(at, figure)[rounds / 2];
    for (at, (name, _)) in VARIANTS.iter().enumerate() {
        let times = sorted(at, |cost| cost.seconds);
        println!(
            "| {name} | {:.2} | {:.2}–{:.2} | {:.2} | {:.2} | {:.2} | {:.0} | {:.1} |",
            times[rounds / 2],
            times[rounds - 1],
            times[0],
            times[rounds / 2] / median(0, |cost| cost.seconds),
            median(at, |cost| cost.cpu_seconds),
            median(at, |cost| cost.cpu_seconds) / median(0, |cost| cost.cpu_seconds),
            median(at, |cost| cost.memory as f64) / 1e6,
            median(at, |cost| cost.index as f64) / 1e6,
        );
    }
    Ok(())
}

fn build(
    program: &Path,
    inputs: &[PathBuf],
    method: &str,
    threads: usize,
    index: &Path,
) -> anyhow::Result<Cost> {
    let start = Instant::now();
    let mut child = Command::new(program)
        .arg("index")
        .args(inputs)
        .args(["-q", "--drop-templates", "--method", method, "--threads", &threads.to_string(), "-o"])
        .arg(index)
        .stdin(Stdio::null())
        .spawn()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    let mut cost = Cost::default();
    // The counters of a process disappear when it exits, so they are polled.
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        cost.memory = cost.memory.max(memory(child.id()).unwrap_or_default());
        cost.cpu_seconds = cost.cpu_seconds.max(cpu_seconds(child.id()).unwrap_or_default());
        thread::sleep(Duration::from_millis(5));
    };
    cost.seconds = start.elapsed().as_secs_f64();
    ensure!(status.code().is_some_and(|code| code < 2), "the index could not be built by {method}");
    for file in fs::read_dir(index)? {
        cost.index += file?.metadata()?.len();
    }
    Ok(cost)
}

/// The peak memory of a process.
fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// The processor time of all threads of a process, which Linux counts in hundredths of a second.
fn cpu_seconds(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The program name, in brackets, may contain spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks: u64 = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(ticks as f64 / 100.0)
}
