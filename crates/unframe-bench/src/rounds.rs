//! Interleaved runs of several engines.

use std::time::{Duration, Instant};

/// One of the engines that are compared.
pub(crate) struct Engine<'a> {
    pub(crate) name: &'static str,
    /// Does the work once. Returns its duration, unless the whole call is to be timed, and a count of its results, which shows
    /// that all engines do the same work.
    pub(crate) work: Box<dyn FnMut() -> anyhow::Result<Work> + 'a>,
}

/// The result of one run.
pub(crate) struct Work {
    pub(crate) found: usize,
    pub(crate) time: Option<Duration>,
}

impl Work {
    pub(crate) fn found(found: usize) -> Work {
        Work { found, time: None }
    }
}

/// Runs the engines in interleaved rounds, each starting with a different engine, prints the results, and returns the median
/// seconds of each engine.
pub(crate) fn compare(
    engines: &mut [Engine<'_>],
    rounds: usize,
    bytes: usize,
    reference: &str,
) -> anyhow::Result<Vec<f64>> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); engines.len()];
    let mut found = vec![0; engines.len()];
    for round in 0..rounds {
        for offset in 0..engines.len() {
            let at = (round + offset) % engines.len();
            let start = Instant::now();
            let work = (engines[at].work)()?;
            times[at].push(work.time.unwrap_or_else(|| start.elapsed()).as_secs_f64());
            found[at] = work.found;
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let median = |at: usize| times[at][times[at].len() / 2];
    let reference = engines.iter().position(|engine| engine.name == reference).unwrap_or(0);
    println!("| engine | MB/s | slowest–fastest | against {} | found |", engines[reference].name);
    println!("|---|---|---|---|---|");
    for (at, engine) in engines.iter().enumerate() {
        let speed = |seconds: f64| bytes as f64 / 1e6 / seconds;
        println!(
            "| {} | {:.0} | {:.0}–{:.0} | {:.2} | {} |",
            engine.name,
            speed(median(at)),
            speed(times[at][rounds - 1]),
            speed(times[at][0]),
            median(reference) / median(at),
            found[at],
        );
    }
    Ok((0..engines.len()).map(median).collect())
}
