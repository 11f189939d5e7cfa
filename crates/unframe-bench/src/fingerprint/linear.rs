//! Measures whether the time for a page depends on the number of pages before it.
//!
//! Pages are generated from real tags with what follows them: attributes, text, scripts. A site is a real page with 5 to 30 changes (a
//! tag inserted, removed or replaced). Each site has 100 pages, each with up to 3 more changes anywhere in its first 400 tags, so that new
//! sites and new variants of their templates keep arriving. The sketches of `fingerprint+` are real ones in which one to three numbers are
//! replaced for each site, and up to two more for each page. Making sketches from pages takes constant time and is not measured here. Generating
//! the pages is not timed.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use encoding_rs::UTF_8;
use unframe::fingerprint::signature::LENGTH;
use unframe::fingerprint::vocabulary::VocabularyMaker;
use unframe::fingerprint::{Clusters, Fingerprinter, Method, Settings, Signature, Vocabulary};
use unframe::html::tokenizer::Tokenizer;

use super::plot;
use crate::corpus::Corpus;

/// Number of pages in each measurement.
const STEP: usize = 10_000;
const PAGES_A_SITE: u64 = 100;
const TAGS: usize = 400;

/// One row of the exported data.
pub(super) struct Point {
    pub(super) pages: usize,
    pub(super) pages_per_second: f64,
    pub(super) different: usize,
    resident_bytes: u64,
}

pub(super) fn run(corpus: &Corpus, pages: usize, out: &Path) -> anyhow::Result<()> {
    let sequences: Vec<Vec<&[u8]>> = corpus.pages.iter().map(|page| tags_of(page.as_bytes())).collect();
    let tags: Vec<&[u8]> = sequences.iter().flatten().copied().collect();
    anyhow::ensure!(!tags.is_empty(), "the pages have no tags");
    std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let page = |number: u64| mutated(&sequences, &tags, number).concat();
    let mut maker = Fingerprinter::new(LENGTH);
    let plain = measure(pages, Method::Fingerprint, page, |page| {
        Signature::Fingerprint(maker.fingerprint(page, UTF_8))
    })?;
    report("fingerprint", &plain, out)?;
    let mut vocabularies = VocabularyMaker::default();
    let sketches: Vec<Vocabulary> =
        corpus.pages.iter().map(|page| vocabularies.vocabulary(page.as_bytes(), UTF_8)).collect();
    let page = |number: u64| changed(&sketches, number);
    let sketched = measure(pages, Method::Vocabulary, page, |sketch| Signature::Vocabulary(*sketch))?;
    report("fingerprint+", &sketched, out)
}

/// The first tags of a page, each with all bytes up to the next tag.
fn tags_of(page: &[u8]) -> Vec<&[u8]> {
    let mut tokens = Tokenizer::new(page);
    let mut starts = Vec::new();
    while starts.len() <= TAGS
        && let Some(tag) = tokens.next_name(|_, _| ())
    {
        starts.push(tag.span.start as usize - 1 - usize::from(tag.is_end));
    }
    starts.windows(2).map(|ends| &page[ends[0]..ends[1]]).collect()
}

/// Clusters generated pages, and measures the time of each step.
fn measure<P>(
    pages: usize,
    method: Method,
    page: impl Fn(u64) -> P,
    mut signature: impl FnMut(&P) -> Signature,
) -> anyhow::Result<Vec<Point>> {
    let mut clusters = Clusters::new(Settings::new(method));
    let mut points = Vec::new();
    let before = resident_bytes();
    for step in 0..pages.div_ceil(STEP) {
        let mut time = Duration::ZERO;
        for number in 0..STEP {
            let page = page((step * STEP + number) as u64);
            let start = Instant::now();
            clusters.add(0, &signature(&page))?;
            time += start.elapsed();
        }
        points.push(Point {
            pages: (step + 1) * STEP,
            pages_per_second: STEP as f64 / time.as_secs_f64(),
            different: clusters.len(),
            resident_bytes: resident_bytes().saturating_sub(before),
        });
    }
    Ok(points)
}

fn report(name: &str, points: &[Point], out: &Path) -> anyhow::Result<()> {
    let mut csv = "pages_seen,pages_per_second,different_signatures,resident_bytes\n".to_owned();
    for point in points {
        let Point { pages, pages_per_second, different, resident_bytes } = point;
        writeln!(csv, "{pages},{pages_per_second:.0},{different},{resident_bytes}")?;
    }
    let file = out.join(format!("linear-{}.csv", name.replace('+', "-plus")));
    std::fs::write(&file, csv).with_context(|| file.display().to_string())?;
    let file = file.with_extension("svg");
    std::fs::write(&file, plot::svg(name, points)).with_context(|| file.display().to_string())?;
    let mean = |points: &[Point]| {
        points.iter().map(|point| point.pages_per_second).sum::<f64>() / points.len().max(1) as f64
    };
    let tenth = points.len().div_ceil(10);
    if let Some(last) = points.last() {
        println!(
            "{name}, {} generated pages: {:.0} pages/s in the first tenth, {:.0} in the last; {} different signatures, {:.0} bytes \
             of memory for each, {:.0} for each page",
            last.pages,
            mean(&points[..tenth]),
            mean(&points[points.len() - tenth..]),
            last.different,
            last.resident_bytes as f64 / last.different as f64,
            last.resident_bytes as f64 / last.pages as f64,
        );
    }
    Ok(())
}

/// The tags of a generated page.
fn mutated<'c>(sequences: &[Vec<&'c [u8]>], tags: &[&'c [u8]], number: u64) -> Vec<&'c [u8]> {
    let mut site = Random::new(number / PAGES_A_SITE);
    let mut sequence = sequences[site.below(sequences.len())].clone();
    let changes = 5 + site.below(26);
    (0..changes).for_each(|_| change(&mut sequence, tags, &mut site));
    let mut page = Random::new(number ^ 0x5DEE_CE66_D1CE_5EED);
    let changes = page.below(4);
    (0..changes).for_each(|_| change(&mut sequence, tags, &mut page));
    sequence
}

fn change<'c>(sequence: &mut Vec<&'c [u8]>, tags: &[&'c [u8]], random: &mut Random) {
    let at = random.below(sequence.len() + 1);
    let tag = tags[random.below(tags.len())];
    match random.below(3) {
        0 => sequence.insert(at, tag),
        1 if at < sequence.len() => {
            sequence.remove(at);
        }
        _ => {
            if let Some(changed) = sequence.get_mut(at) {
                *changed = tag;
            }
        }
    }
}

/// The sketch of a generated page.
fn changed(sketches: &[Vocabulary], number: u64) -> Vocabulary {
    let mut site = Random::new(number / PAGES_A_SITE);
    let mut sketch = sketches[site.below(sketches.len())];
    let mut change = |random: &mut Random| sketch.0[random.below(sketch.0.len())] = random.next() as u32;
    (0..1 + site.below(3)).for_each(|_| change(&mut site));
    let mut page = Random::new(number ^ 0x5DEE_CE66_D1CE_5EED);
    (0..page.below(3)).for_each(|_| change(&mut page));
    sketch
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0xA076_1D64_78BD_642F))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// The resident memory of this process; 0 on systems that do not report it.
fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}
