//! How cost grows: the verbs of unframe on a thousand pages and on a million.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::{Deserialize, Serialize};
use unframe_crawl::WarcWriter;
use unframe_picture::figures::count;

use super::process::{self, Cost, Ending};
use super::results::Results;

const STEPS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const QUICK_STEPS: [usize; 2] = [100, 1_000];
/// Pages of a synthetic site; a larger crawl has more sites.
const PAGES_A_SITE: usize = 1_000;

/// The verbs, with their options and the files that they write.
const VERBS: [(&str, &str, &str); 9] = [
    ("pages", "--jsonl", "pages.jsonl"),
    ("fingerprint", "", "fingerprints.jsonl"),
    ("cluster", "", "clusters.jsonl"),
    ("follow", "--state", "labels.jsonl"),
    ("index", "", "index"),
    ("learn", "", "sites.model"),
    ("label", "", "labels.jsonl"),
    ("clean", "", "texts.jsonl"),
    ("templates", "--format json", "templates.json"),
];

#[derive(Debug, Args)]
pub(crate) struct GrowthArguments {
    /// The program `unframe`.
    #[arg(long, default_value = "target/dist/unframe")]
    program: PathBuf,
    /// Folder for results and report.
    #[arg(long, default_value = "target/bench")]
    out: PathBuf,
    /// Time limit in minutes for one verb on one number of pages.
    #[arg(long, default_value_t = 20)]
    minutes: u64,
    /// Use few pages, for a trial run.
    #[arg(long)]
    quick: bool,
}

/// The measurements of all verbs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Growth {
    pub(crate) pages_a_site: usize,
    pub(crate) cores: usize,
    pub(crate) minutes: u64,
    pub(crate) verbs: Vec<Verb>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Verb {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
    /// Why no more pages were measured.
    pub(crate) stopped: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) pages: usize,
    pub(crate) cost: Cost,
}

/// Measures all verbs, and adds the measurements to the existing results.
pub(crate) fn run(arguments: &GrowthArguments) -> anyhow::Result<()> {
    let out = &arguments.out;
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let steps: &[usize] = if arguments.quick { &QUICK_STEPS } else { &STEPS };
    let verb =
        |(name, ..): (&str, &str, &str)| Verb { name: name.to_owned(), points: Vec::new(), stopped: None };
    let mut verbs = VERBS.map(verb);
    let limit = Duration::from_secs(60 * arguments.minutes);
    let crawl = out.join("growth.warc.gz");
    let scratch = out.join("scratch");
    for pages in steps {
        write_crawl(&crawl, *pages, PAGES_A_SITE)?;
        println!("{} pages", count(*pages as u64));
        for (verb, (_, options, output)) in verbs.iter_mut().zip(VERBS) {
            let _ = fs::remove_dir_all(&scratch);
            fs::create_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
            let command = command(&arguments.program, &verb.name, options, &crawl, &scratch, output);
            verb.step(*pages, limit, |limit| process::run(&command, limit))?;
        }
    }
    let _ = fs::remove_dir_all(&scratch);
    fs::remove_file(&crawl)?;
    let mut results = Results::load(out).unwrap_or_else(|_| Results::begin());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    results.growth =
        Some(Growth { pages_a_site: PAGES_A_SITE, cores, minutes: arguments.minutes, verbs: verbs.into() });
    super::finish(&results, out)
}

fn command(
    program: &Path,
    verb: &str,
    options: &str,
    crawl: &Path,
    scratch: &Path,
    output: &str,
) -> Vec<OsString> {
    let mut command: Vec<OsString> = vec![program.into(), verb.into(), crawl.into(), "-q".into()];
    command.extend(options.split_whitespace().map(OsString::from));
    if verb == "follow" {
        command.push(scratch.join("state").into());
    }
    command.extend(["-o".into(), scratch.join(output).into()]);
    command
}

impl Verb {
    /// Measures the next number of pages, unless an earlier step failed or this one is expected to exceed the time limit.
    fn step(
        &mut self,
        pages: usize,
        limit: Duration,
        run: impl FnOnce(Duration) -> anyhow::Result<process::Finished>,
    ) -> anyhow::Result<()> {
        if self.stopped.is_some() {
            return Ok(());
        }
        if let Some(last) = self.points.last() {
            let expected = last.cost.seconds * pages as f64 / last.pages as f64;
            if expected > limit.as_secs_f64() {
                let (minutes, pages) = ((expected / 60.0).round(), count(pages as u64));
                return self.stop(format!("{pages} pages would take {minutes} minutes or more"));
            }
        }
        let ended = run(limit)?;
        match ended.ending {
            Ending::Done => {
                println!(
                    "  {}: {:.2} s, {:.0} MB",
                    self.name,
                    ended.cost.seconds,
                    ended.cost.peak_bytes as f64 / 1e6
                );
                self.points.push(Point { pages, cost: ended.cost });
                Ok(())
            }
            Ending::Failed => self.stop(format!("it failed with {} pages", count(pages as u64))),
            Ending::TookTooLong => self.stop(format!(
                "{} pages took more than {} minutes",
                count(pages as u64),
                limit.as_secs() / 60
            )),
        }
    }

    fn stop(&mut self, reason: String) -> anyhow::Result<()> {
        println!("  {}: {reason}", self.name);
        self.stopped = Some(reason);
        Ok(())
    }

    /// The exponent of growth between the last two steps; 1 is linear growth.
    pub(crate) fn exponent(&self, figure: impl Fn(&Cost) -> f64) -> Option<f64> {
        let [.., before, last] = &self.points[..] else { return None };
        let times = last.pages as f64 / before.pages as f64;
        Some((figure(&last.cost) / figure(&before.cost).max(1e-9)).ln() / times.ln())
    }

    /// Time and memory of each step, and the exponents of growth.
    pub(crate) fn cells(&self, steps: &[usize]) -> Vec<String> {
        let cell = |pages: &usize| match self.points.iter().find(|point| point.pages == *pages) {
            Some(Point { cost, .. }) => {
                format!("{}, {:.0} MB", seconds(cost.seconds), cost.peak_bytes as f64 / 1e6)
            }
            None => self.stopped.clone().unwrap_or_default(),
        };
        let exponent = |value: Option<f64>| value.map_or(String::new(), |value| format!("n^{value:.2}"));
        let mut cells: Vec<String> = steps.iter().map(cell).collect();
        cells.push(exponent(self.exponent(|cost| cost.seconds)));
        cells.push(exponent(self.exponent(|cost| cost.peak_bytes as f64)));
        cells
    }
}

impl Growth {
    /// The numbers of pages that any verb was measured with.
    pub(crate) fn steps(&self) -> Vec<usize> {
        let mut steps: Vec<usize> =
            self.verbs.iter().flat_map(|verb| verb.points.iter().map(|point| point.pages)).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// A description of the measurement.
    pub(crate) fn about(&self) -> String {
        format!(
            "Verbs on more and more pages: synthetic sites of up to {} pages of 3 to 4 kB, so that a larger crawl has more sites; {} cores; \
             whole processes, once each, with the most memory they had. `n^1.00` is ten times as much for ten times the pages, measured \
             between the last two steps. A verb that would take more than {} minutes stops.",
            count(self.pages_a_site as u64),
            self.cores,
            self.minutes
        )
    }
}

pub(crate) fn seconds(value: f64) -> String {
    match value {
        ..0.995 => format!("{value:.2} s"),
        ..9.95 => format!("{value:.1} s"),
        _ => format!("{value:.0} s"),
    }
}

/// Writes synthetic pages. The pages of one site of each make are interleaved; when these sites are full, the next seed makes new ones.
fn write_crawl(path: &Path, pages: usize, pages_a_site: usize) -> anyhow::Result<()> {
    let file = File::create(path).with_context(|| path.display().to_string())?;
    let mut writer = WarcWriter::gzip(BufWriter::new(file));
    let mut written = 0;
    for seed in 0.. {
        let sites = unframe_sample::sites(seed);
        for number in 0..pages_a_site as u64 {
            for site in &sites {
                if written == pages {
                    writer.into_inner().into_inner()?;
                    return Ok(());
                }
                written += 1;
                let page = site.page(number);
                // Two seeds may produce the same host name.
                let url = page.url.replacen("//www.", &format!("//s{seed}."), 1);
                let headers = [("Content-Type", page.content_type)];
                writer.response(&url, page.date, 200, &headers, &page.html)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verb(points: &[(usize, f64)]) -> Verb {
        let point = |(pages, seconds): &(usize, f64)| {
            let cost = Cost { seconds: *seconds, cpu_seconds: 0.0, peak_bytes: 20_000_000 };
            Point { pages: *pages, cost }
        };
        Verb { name: "verb".to_owned(), points: points.iter().map(point).collect(), stopped: None }
    }

    fn ended(ending: Ending) -> process::Finished {
        let cost = Cost { seconds: 2.0, cpu_seconds: 2.0, peak_bytes: 20_000_000 };
        process::Finished { cost, ending, output: String::new() }
    }

    #[test]
    fn a_larger_crawl_has_more_sites_and_no_page_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("growth.warc.gz");
        let makes = unframe_sample::sites(0).len();
        let pages_of = |pages: usize| {
            write_crawl(&path, pages, 2).unwrap();
            let mut sites = std::collections::BTreeMap::<String, usize>::new();
            let sink = |event| {
                if let unframe_crawl::Event::Page(site) = event {
                    *sites.entry(site).or_default() += 1;
                }
                std::ops::ControlFlow::Continue(())
            };
            let options = unframe_crawl::ReadOptions::default();
            unframe_crawl::read(
                std::slice::from_ref(&path),
                &options,
                || |page: unframe::Page| page.site,
                sink,
            )
            .unwrap();
            sites
        };
        assert_eq!(pages_of(3).into_values().collect::<Vec<_>>(), [1, 1, 1]);
        let sites = pages_of(4 * makes);
        assert_eq!((sites.len(), sites.into_values().max()), (2 * makes, Some(2)));
    }

    #[test]
    fn growth_is_measured_between_the_last_two_steps() {
        assert_eq!(verb(&[(10, 1.0)]).exponent(|cost| cost.seconds), None);
        let linear = verb(&[(1, 5.0), (10, 1.0), (100, 10.0)]);
        assert_eq!(linear.cells(&[10, 100, 1000]), ["1.0 s, 20 MB", "10 s, 20 MB", "", "n^1.00", "n^0.00"]);
    }

    #[test]
    fn a_verb_that_takes_too_long_stops_and_says_so() {
        let limit = Duration::from_secs(60);
        let mut slow = verb(&[(10, 30.0)]);
        slow.step(100, limit, |_| panic!("it must not be started")).unwrap();
        assert_eq!(slow.stopped.as_deref(), Some("100 pages would take 5 minutes or more"));
        let mut late = verb(&[(10, 1.0)]);
        late.step(100, limit, |_| Ok(ended(Ending::TookTooLong))).unwrap();
        late.step(1000, limit, |_| panic!("it must not be started")).unwrap();
        assert_eq!(late.stopped.as_deref(), Some("100 pages took more than 1 minutes"));
        let mut quick = verb(&[(10, 1.0)]);
        quick.step(100, limit, |_| Ok(ended(Ending::Done))).unwrap();
        assert_eq!((quick.points.len(), quick.stopped), (2, None));
    }
}
