//! `follow`: the cost of durable state, the latency of pages, and the scaling with the number of sites.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use unframe::detect::{FollowMethod, Segments};
use unframe::segments::{PageId, Table};
use unframe::text::content;
use unframe::{Charset, Page, PageParser, ParsedPage, Region};
use unframe_crawl::write::label_line;
use unframe_crawl::{Event, ReadOptions};
use unframe_store::{Options, PageRecord, Store};

use crate::rounds::{Engine, Work, compare};

/// Number of pages in each commit.
const GROUP: usize = 256;

/// Runs all measurements, or one.
pub(crate) fn run(
    inputs: &[PathBuf],
    rounds: usize,
    only: Option<&str>,
    state: Option<&Path>,
) -> anyhow::Result<()> {
    let folder = match state {
        Some(path) => tempfile::tempdir_in(path)?,
        None => tempfile::tempdir()?,
    };
    let wants = |what: &str| only.is_none_or(|only| only == what);
    if wants("pages") {
        pages(&read(inputs)?, rounds.max(1), folder.path())?;
    }
    if wants("pauses") {
        pauses(&folder.path().join("pauses"))?;
    }
    if wants("scale") {
        scale(folder.path())?;
    }
    Ok(())
}

/// A pseudo-random number generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) ^ (mixed >> 31)
    }
}

fn read(inputs: &[PathBuf]) -> anyhow::Result<Vec<Page>> {
    let mut pages = Vec::new();
    if inputs.is_empty() {
        for (number, site) in (0..2000u64)
            .flat_map(|n| unframe_sample::sites(1).into_iter().map(move |site| (n, site)))
            .take(2000)
        {
            let page = site.page(number);
            let origin = unframe::Origin { file: "synthetic".into(), offset: number };
            let charset: Charset = unframe::charset::find(&page.html, Some(page.content_type));
            let site = site.name().to_owned();
            pages.push(Page {
                url: page.url,
                site,
                date: None,
                payload: page.html,
                record_id: None,
                charset,
                origin,
                problems: Vec::new(),
            });
        }
        return Ok(pages);
    }
    unframe_crawl::read(
        inputs,
        &ReadOptions::default(),
        || |page: Page| page,
        |event| {
            if let Event::Page(page) = event {
                pages.push(page);
            }
            ControlFlow::Continue(())
        },
    )?;
    // The pages of all sites are interleaved, as in a crawl of many sites.
    let mut counts: HashMap<String, usize> = HashMap::new();
    pages.sort_by_cached_key(|page| {
        let count = counts.entry(page.site.clone()).or_default();
        *count += 1;
        *count
    });
    Ok(pages)
}

/// Labels the same pages with durable state and without, on one thread; durable state needs another thread, which writes tables.
fn pages(pages: &[Page], rounds: usize, folder: &Path) -> anyhow::Result<()> {
    let bytes: usize = pages.iter().map(|page| page.payload.len()).sum();
    println!(
        "{} pages of {:.1} kB, {rounds} rounds, one thread\n",
        pages.len(),
        bytes as f64 / 1e3 / pages.len() as f64
    );
    let mut number = 0;
    let mut state = || {
        number += 1;
        folder.join(format!("pages-{number}"))
    };
    let mut durably = |name, method: &'static str, with_lines| {
        let mut states: Vec<PathBuf> = (0..rounds).map(|_| state()).collect();
        let work = move || durable(method, pages, &states.pop().unwrap_or_default(), with_lines);
        Engine { name, work: Box::new(work) }
    };
    let mut engines = vec![
        Engine { name: "segments, labels, no state kept", work: Box::new(|| Ok(in_memory(pages, false))) },
        durably("segments, labels, durable", "segments", false),
        Engine {
            name: "segments, lines of labels, no state kept",
            work: Box::new(|| Ok(in_memory(pages, true))),
        },
        durably("segments, lines of labels, durable", "segments", true),
        durably("places, labels, durable", "places", false),
        durably("places, lines of labels, durable", "places", true),
    ];
    let times = compare(&mut engines, rounds, bytes, "segments, labels, no state kept")?;
    println!("\n| engine | pages/s |\n|---|---|");
    for (engine, seconds) in engines.iter().zip(times) {
        println!("| {} | {:.0} |", engine.name, pages.len() as f64 / seconds);
    }
    Ok(())
}

fn in_memory(pages: &[Page], with_lines: bool) -> Work {
    let segments = Segments::default();
    let mut parser = PageParser::new();
    let mut tables: HashMap<&str, Table> = HashMap::new();
    let mut found = 0;
    for page in pages {
        let cut = segments.cut(&parser.open(page));
        let table = tables.entry(&page.site).or_default();
        segments.visit(table, PageId::of(&page.url, &page.payload), &cut.keys());
        let regions = segments.label_cut(table, &cut);
        found += regions.len();
        if with_lines {
            std::hint::black_box(line(page, &regions, &parser.open(page)));
        }
    }
    Work::found(found)
}

fn durable(method: &str, pages: &[Page], state: &Path, with_lines: bool) -> anyhow::Result<Work> {
    let method = FollowMethod::parse(method)?;
    let mut store = Store::open(state, &method, Options::default())?;
    let start = Instant::now();
    let mut parser = PageParser::new();
    let mut found = 0;
    for (number, page) in pages.iter().enumerate() {
        let parsed = parser.open(page);
        let prepared = method.prepare(&parsed);
        let id = PageId::of(&page.url, &page.payload);
        let record = PageRecord { site: &page.site, id, date: None, pieces: &prepared.pieces };
        let visited = store.visit(&record)?;
        let regions = method.label(&visited.model, &parsed, &prepared).regions;
        found += regions.len();
        if with_lines {
            std::hint::black_box(line(page, &regions, &parsed));
        }
        if number % GROUP == GROUP - 1 {
            store.commit()?;
        }
    }
    store.commit()?;
    let time = start.elapsed();
    store.close()?;
    Ok(Work { found, time: Some(time) })
}

fn line(page: &Page, regions: &[Region], parsed: &ParsedPage<'_>) -> usize {
    let volume = content::extract(parsed, regions).volume;
    label_line(page, regions, unframe::learn::Evidence::Site, volume).map_or(0, |line| line.len())
}

/// The latency of pages on a site of a million segments, where each page adds and removes a thousand.
fn pauses(folder: &Path) -> anyhow::Result<()> {
    let method = FollowMethod::parse("segments:base=1000")?;
    // Short journals, so that tables are copied to the database many times.
    let options = Options { journal_bytes: 8 << 20, ..Options::default() };
    let mut store = Store::open(folder, &method, options)?;
    let mut random = Random(7);
    let (mut visits, mut commits, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    let mut plain = fs::File::create(folder.join("plain"))?;
    let site = "large.example";
    for page in 0..6000u64 {
        let mut keys: Vec<u64> = (0..1000).map(|_| random.next()).chain(0..50).collect();
        keys.sort_unstable();
        let record = PageRecord { site, id: PageId { url: page, content: 0 }, date: None, pieces: &keys };
        let start = Instant::now();
        store.visit(&record)?;
        visits.push(start.elapsed());
        let start = Instant::now();
        store.commit()?;
        commits.push(start.elapsed());
        let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        let start = Instant::now();
        plain.write_all(&bytes)?;
        plain.sync_data()?;
        bare.push(start.elapsed());
    }
    let held = store.state(site)?.map_or(0, |state| method.len(state));
    println!(
        "\nA site of {held} segments; each page brings 1000 and lets 1000 go; 6000 pages, each committed:\n"
    );
    println!("| | median | 99 % | 99.9 % | longest |\n|---|---|---|---|---|");
    distribution("count, label, forget", visits);
    distribution("commit", commits);
    distribution("the same bytes appended to a plain file and synced", bare);
    store.close()?;
    Ok(())
}

fn distribution(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!("| {name} | {:.2} ms | {:.2} ms | {:.2} ms | {:.2} ms |", at(0.5), at(0.99), at(0.999), at(1.0));
}

/// Ten thousand sites with a thousand segments each, with memory for all of them and for few.
fn scale(folder: &Path) -> anyhow::Result<()> {
    println!("\n10,000 sites, pages of 60 segments of which 50 are new, sites at random:\n");
    println!("| memory asked for | pages/s | segments | tables in memory | process | on disk | reopening |");
    println!("|---|---|---|---|---|---|---|");
    for memory in [2048usize, 128] {
        let path = folder.join(format!("scale-{memory}"));
        let method = FollowMethod::parse("segments:base=20")?;
        let options = Options { memory: memory << 20, ..Options::default() };
        let mut store = Store::open(&path, &method, options.clone())?;
        let mut random = Random(3);
        let pages = 240_000u64;
        let start = Instant::now();
        for page in 0..pages {
            let number = random.next() % 10_000;
            let site = format!("site-{number}.example");
            let own = (0..10).map(|at| number * 16 + at);
            let mut keys: Vec<u64> = (0..50).map(|_| random.next()).chain(own).collect();
            keys.sort_unstable();
            let record =
                PageRecord { site: &site, id: PageId { url: page, content: 0 }, date: None, pieces: &keys };
            store.visit(&record)?;
            if page % GROUP as u64 == 0 {
                store.commit()?;
            }
        }
        store.commit()?;
        let seconds = start.elapsed().as_secs_f64();
        let (tables, process) = (store.memory(), resident());
        let status = store.status()?;
        drop(store);
        let start = Instant::now();
        let store = Store::open(&path, &method, options)?;
        let reopening = start.elapsed().as_secs_f64();
        println!(
            "| {memory} MB | {:.0} | {} | {} MB | {process} | {} MB | {reopening:.2} s |",
            pages as f64 / seconds,
            status.entries,
            tables >> 20,
            status.bytes >> 20,
        );
        store.close()?;
    }
    Ok(())
}

/// The resident memory of this process, if the system reports it.
fn resident() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or_else(|| "unknown".to_owned(), |kilobytes| format!("{} MB", kilobytes >> 10))
}
