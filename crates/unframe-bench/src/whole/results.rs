//! The measurements as data: `results.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::growth::Growth;
use super::process::Cost;

/// The file name of the results.
const FILE: &str = "results.json";

/// All measurements that a report is made from.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) unframe: String,
    pub(crate) machine: Machine,
    /// The versions of the peers.
    pub(crate) peers: BTreeMap<String, String>,
    pub(crate) crawl: CrawlFacts,
    pub(crate) rounds: usize,
    pub(crate) jobs: Vec<Job>,
    pub(crate) growth: Option<Growth>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) cores: usize,
}

/// The pages that all programs process.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct CrawlFacts {
    pub(crate) name: String,
    pub(crate) sites: usize,
    pub(crate) pages: usize,
    /// Uncompressed bytes of the records.
    pub(crate) bytes: u64,
    pub(crate) compressed_bytes: u64,
    /// Number of pages in the sample for slow programs.
    pub(crate) sample_pages: usize,
    /// Number of pages whose extracted content is compared with gold texts.
    pub(crate) scored_pages: usize,
}

/// One job, with a row for each program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) name: String,
    /// A description of the work.
    pub(crate) about: String,
    pub(crate) rows: Vec<Row>,
}

/// The role of a program in the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// A baseline that is a lower bound of the time.
    Limit,
    Ours,
    Peer,
}

/// One program in a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) side: Side,
    pub(crate) command: String,
    /// The pages and bytes of one run.
    pub(crate) pages: usize,
    pub(crate) bytes: u64,
    /// `None` if the program failed.
    pub(crate) figures: Option<Figures>,
    pub(crate) word_f1: Option<f64>,
    pub(crate) runs: Vec<Cost>,
}

/// The speed and memory of a program over all runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) pages_per_second: Spread,
    pub(crate) megabytes_per_second: f64,
    pub(crate) cpu_seconds: f64,
    /// The highest peak of all runs.
    pub(crate) peak_megabytes: f64,
}

/// The median, lowest and highest value of several runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) lowest: f64,
    pub(crate) highest: f64,
}

impl Spread {
    /// `None` if there are no values.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (lowest, highest) = (*values.first()?, *values.last()?);
        let median = f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2]);
        Some(Spread { median, lowest, highest })
    }
}

impl Figures {
    /// `None` if there are no runs.
    pub(crate) fn of(runs: &[Cost], pages: usize, bytes: u64) -> Option<Figures> {
        let rate = |run: &Cost| pages as f64 / run.seconds.max(1e-9);
        let pages_per_second = Spread::of(runs.iter().map(rate))?;
        Some(Figures {
            pages_per_second,
            megabytes_per_second: pages_per_second.median * bytes as f64 / 1e6 / pages.max(1) as f64,
            cpu_seconds: Spread::of(runs.iter().map(|run| run.cpu_seconds))?.median,
            peak_megabytes: runs.iter().map(|run| run.peak_bytes).max()? as f64 / 1e6,
        })
    }
}

impl Job {
    /// The row that all others are compared with: the first one of unframe.
    pub(crate) fn reference(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.side == Side::Ours)
    }
}

impl Row {
    /// Megabytes a second. Rows are compared by bytes, because the pages of the sample may be larger than the others.
    pub(crate) fn speed(&self) -> Option<f64> {
        self.figures.map(|figures| figures.megabytes_per_second)
    }
}

impl Results {
    /// Loads the results of an earlier run.
    pub(crate) fn load(folder: &Path) -> anyhow::Result<Results> {
        let file = folder.join(FILE);
        let text = fs::read(&file).with_context(|| {
            format!(
                "{} is not there: `cargo xtask bench` and `cargo xtask bench growth` make it",
                file.display()
            )
        })?;
        serde_json::from_slice(&text).with_context(|| file.display().to_string())
    }

    pub(crate) fn save(&self, folder: &Path) -> anyhow::Result<()> {
        let file = folder.join(FILE);
        fs::write(&file, serde_json::to_vec_pretty(self)?).with_context(|| file.display().to_string())
    }
}

impl Machine {
    pub(crate) fn here() -> Machine {
        let facts = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = facts.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        Machine {
            processor: model.map_or("unknown processor", |(_, name)| name.trim()).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_the_middle_and_the_ends() {
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([7.0]), Some(Spread { median: 7.0, lowest: 7.0, highest: 7.0 }));
        assert_eq!(Spread::of([9.0, 1.0, 2.0]), Some(Spread { median: 2.0, lowest: 1.0, highest: 9.0 }));
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 9.0]).map(|spread| spread.median), Some(3.0));
    }

    #[test]
    fn figures_are_rates_of_the_median_turn() {
        let run = |seconds, peak_bytes| Cost { seconds, cpu_seconds: 1.0, peak_bytes };
        let figures =
            Figures::of(&[run(1.0, 5_000_000), run(4.0, 7_000_000), run(2.0, 6_000_000)], 100, 3_000_000);
        let expected = Figures {
            pages_per_second: Spread { median: 50.0, lowest: 25.0, highest: 100.0 },
            megabytes_per_second: 1.5,
            cpu_seconds: 1.0,
            peak_megabytes: 7.0,
        };
        assert_eq!(figures, Some(expected));
        assert_eq!(Figures::of(&[], 100, 1), None);
    }
}
