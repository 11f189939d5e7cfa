//! Reads folders of gold data, and labels the blocks of their pages as content or boilerplate.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unframe::detect::places::fitting::{PageBlocks, PageKind, Row, words};
use unframe::{Page, PageBytes, PageParser, SiteBy};
use unframe_crawl::{Event, ReadOptions};
use xxhash_rust::xxh3::xxh3_64;

/// How the pages of a gold folder are annotated and grouped into sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// Sites whose content was annotated by people.
    Human,
    /// Sites whose content is defined as the content container of their generator. Repeated text inside of it is ambiguous and not labelled.
    Silver,
    /// Sites of records, in which some attribute values are annotated as content.
    Values,
    /// Pages of all kinds from many sites; most sites have only one page.
    Single,
    /// Pages of `Single` whose host has several pages. Only results have this source.
    Several,
    /// Synthetic sites, used for training but never for measuring.
    Synthetic,
}

impl Source {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Source::Human => "human",
            Source::Silver => "silver",
            Source::Values => "values",
            Source::Single => "single pages",
            Source::Several => "pages of one host",
            Source::Synthetic => "synthetic",
        }
    }
}

/// A site, or a single page.
pub(crate) struct Site {
    pub(crate) name: String,
    /// The owner or generator of the site. All sites of a family are held out together.
    pub(crate) family: String,
    pub(crate) source: Source,
    /// The gold set over which results are averaged: for `Human`, the first part of the name; for single pages, their kind.
    pub(crate) set: String,
    pub(crate) pages: Vec<GoldPage>,
}

impl Site {
    fn is_training_page(&self, page: usize) -> bool {
        is_sampled(page, self.pages.len(), TRAINING_PAGES_MAX)
    }

    /// The pages that trees are trained on. A held-out site is measured on all of its pages.
    pub(crate) fn training_pages(&self) -> impl Iterator<Item = &GoldPage> {
        self.pages.iter().enumerate().filter(|(at, _)| self.is_training_page(*at)).map(|(_, page)| page)
    }
}

/// A page with labelled blocks.
pub(crate) struct GoldPage {
    pub(crate) blocks: PageBlocks,
    /// The features from which its kind is predicted.
    pub(crate) kind_row: Row,
    pub(crate) kind: Option<PageKind>,
    /// The kind as named in the gold data.
    pub(crate) kind_name: String,
    /// The share of content among each block's words; `None` for an unlabelled block.
    pub(crate) labels: Vec<Option<f32>>,
    /// Counts of the words of the content.
    pub(crate) gold_words: HashMap<u32, u32>,
    /// Counts of the words that the annotators were unsure of. They are excluded from the score.
    pub(crate) unsure_words: HashMap<u32, u32>,
    /// For each annotated value that occurs on the page, the blocks that contain it.
    pub(crate) value_blocks: Vec<Vec<u32>>,
}

/// Maximum number of pages of a site that are read. Sites with values have thousands of pages of one layout, so fewer are read.
const PAGES_MAX: usize = 120;
const PAGES_WITH_VALUES_MAX: usize = 25;
/// Maximum number of pages of a site that trees are trained on.
const TRAINING_PAGES_MAX: usize = 25;

#[derive(Deserialize)]
struct GoldLine {
    url: String,
    text: Option<String>,
    #[serde(default)]
    unsure: String,
    values: Option<BTreeMap<String, Vec<String>>>,
    page_type: Option<String>,
}

/// Reads all sites of a folder.
pub(crate) fn read(folder: &Path, source: Source) -> anyhow::Result<Vec<Site>> {
    let mut names: Vec<(String, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let name = file.strip_suffix(".gold.jsonl.gz").or_else(|| file.strip_suffix(".values.jsonl.gz"));
        names.extend(name.map(|name| (name.to_owned(), path.clone())));
    }
    names.sort();
    let generators = generators(folder);
    let (one, other) = names.split_at(names.len() / 2);
    let read = |names: &[(String, PathBuf)]| -> anyhow::Result<Vec<Site>> {
        let mut sites = Vec::new();
        for (name, gold) in names {
            sites.extend(read_site(folder, name, gold, source, &generators)?);
        }
        Ok(sites)
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| read(other));
        let mut sites = read(one)?;
        sites.extend(other.join().ok().context("reading failed")??);
        Ok(if source == Source::Single { group_by_host(sites) } else { sites })
    })
}

/// Joins the pages of each host into one site, even if they are in different files.
fn group_by_host(sites: Vec<Site>) -> Vec<Site> {
    let mut hosts: BTreeMap<String, Site> = BTreeMap::new();
    for site in sites {
        match hosts.entry(site.name.clone()) {
            Entry::Occupied(entry) => entry.into_mut().pages.extend(site.pages),
            Entry::Vacant(entry) => drop(entry.insert(site)),
        }
    }
    hosts.into_values().collect()
}

/// A checksum of the bytes of all files of a folder, in the order of their names.
pub(crate) fn checksum(folder: &Path) -> anyhow::Result<u64> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let mut sums = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "gz")) {
        sums.extend(xxh3_64(&std::fs::read(path)?).to_le_bytes());
    }
    Ok(xxh3_64(&sums))
}

/// The generator of each site of a folder, from its `SITES.tsv` if there is one.
fn generators(folder: &Path) -> HashMap<String, String> {
    let table = std::fs::read_to_string(folder.join("SITES.tsv")).unwrap_or_default();
    let row = |line: &str| {
        let mut columns = line.split('\t');
        let site = columns.next()?.to_owned();
        let generator = columns.nth(3)?.split([' ', ';', ',']).next()?.to_lowercase();
        Some((site, generator))
    };
    table.lines().filter_map(row).collect()
}

fn read_site(
    folder: &Path,
    name: &str,
    gold: &Path,
    source: Source,
    generators: &HashMap<String, String>,
) -> anyhow::Result<Vec<Site>> {
    let mut lines: HashMap<String, GoldLine> = HashMap::new();
    for line in BufReader::new(MultiGzDecoder::new(File::open(gold)?)).lines() {
        let line: GoldLine = serde_json::from_str(&line?).with_context(|| gold.display().to_string())?;
        lines.insert(line.url.clone(), line);
    }
    let mut pages: Vec<(Page, GoldLine)> = Vec::new();
    let options = ReadOptions { site_by: SiteBy::All, threads: 1, ..ReadOptions::default() };
    let sink = |event| {
        if let Event::Page(page) = event {
            let page: Page = page;
            if let Some(line) = lines.remove(&page.url) {
                pages.push((page, line));
            }
        }
        ControlFlow::Continue(())
    };
    unframe_crawl::read(&[folder.join(format!("{name}.warc.gz"))], &options, || |page| page, sink)?;
    if source == Source::Single {
        // Pages with an empty gold text are dropped: they do have content, but the annotators marked nothing.
        pages.retain(|(_, line)| line.text.as_ref().is_some_and(|text| !text.trim().is_empty()));
    } else {
        let most = if source == Source::Values { PAGES_WITH_VALUES_MAX } else { PAGES_MAX };
        sample_evenly(&mut pages, most);
    }
    let mut parser = PageParser::new();
    let labelled = pages.iter().map(|(page, line)| label(page, line, &mut parser));
    if source == Source::Single {
        let single = |(labelled, (page, _)): (GoldPage, &(Page, GoldLine))| {
            let host = page.url.split('/').nth(2).unwrap_or_default();
            let host = host.strip_prefix("www.").unwrap_or(host).to_owned();
            Site { family: owner(&host), name: host, source, set: String::new(), pages: vec![labelled] }
        };
        return Ok(labelled.zip(&pages).map(single).collect());
    }
    let mut pages: Vec<GoldPage> = labelled.collect();
    match source {
        Source::Silver => mask_repeated(&mut pages),
        Source::Values => label_repeated_text(&mut pages),
        _ => {}
    }
    let kind = match source {
        Source::Human => PageKind::Article,
        Source::Values => PageKind::Product,
        _ => PageKind::Documentation,
    };
    pages.iter_mut().for_each(|page| page.kind = Some(kind));
    let (set, rest) = name.split_once('-').unwrap_or((name, name));
    let (set, family) = match source {
        Source::Human => (set.to_owned(), owner(rest)),
        Source::Silver => {
            ("silver".to_owned(), generators.get(name).cloned().unwrap_or_else(|| name.to_owned()))
        }
        _ => ("values".to_owned(), name.to_owned()),
    };
    Ok(vec![Site { name: name.to_owned(), family, source, set, pages }])
}

/// Keeps at most this many items, evenly spaced, because adjacent pages may be alike.
fn sample_evenly<T>(items: &mut Vec<T>, most: usize) {
    let (all, mut at) = (items.len(), 0);
    items.retain(|_| {
        at += 1;
        is_sampled(at - 1, all, most)
    });
}

/// Whether an item is one of at most this many that are evenly spaced.
fn is_sampled(at: usize, all: usize, most: usize) -> bool {
    let all = all.max(most);
    (at + 1) * most / all > at * most / all
}

/// The owner of a host: usually its registered domain, but each blog of a blog provider has its own owner.
fn owner(host: &str) -> String {
    let host = host.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-');
    let parts: Vec<&str> = host.split('.').collect();
    let is_provider =
        ["blogspot.com", "wordpress.com", "typepad.com"].iter().any(|provider| host.ends_with(provider));
    if is_provider || parts.len() < 3 {
        return host.to_owned();
    }
    let is_short = parts[parts.len() - 2].len() <= 3 && parts[parts.len() - 1] != "com";
    parts[parts.len() - if is_short { 3 } else { 2 }..].join(".")
}

fn kind_of(name: Option<&str>) -> Option<PageKind> {
    match name? {
        "collection" => Some(PageKind::Listing),
        name => PageKind::ALL.into_iter().find(|kind| kind.name() == name),
    }
}

fn label(page: &Page, line: &GoldLine, parser: &mut PageParser) -> GoldPage {
    let mut labelled = unlabelled(PageBytes::from(page), parser);
    labelled.kind = kind_of(line.page_type.as_deref());
    labelled.kind_name = line.page_type.clone().unwrap_or_default();
    if let Some(text) = &line.text {
        labelled.set_content(text);
        words(&line.unsure).into_iter().for_each(|word| *labelled.unsure_words.entry(word).or_default() += 1);
    }
    if let Some(values) = &line.values {
        values.values().flatten().for_each(|value| labelled.add_value(value));
    }
    labelled
}

/// A page whose blocks are labelled by the gold text of its content.
pub(crate) fn labelled(page: PageBytes<'_>, content: &str, parser: &mut PageParser) -> GoldPage {
    let mut labelled = unlabelled(page, parser);
    labelled.set_content(content);
    labelled
}

fn unlabelled(page: PageBytes<'_>, parser: &mut PageParser) -> GoldPage {
    let blocks = PageBlocks::of(parser.open(page).document());
    GoldPage {
        labels: vec![None; blocks.len()],
        kind_row: blocks.kind_row(),
        kind: None,
        kind_name: String::new(),
        blocks,
        gold_words: HashMap::new(),
        unsure_words: HashMap::new(),
        value_blocks: Vec::new(),
    }
}

impl GoldPage {
    fn set_content(&mut self, text: &str) {
        let gold = words(text);
        self.labels = align(&self.blocks, &gold).into_iter().map(Some).collect();
        gold.iter().for_each(|word| *self.gold_words.entry(*word).or_default() += 1);
    }

    fn add_value(&mut self, value: &str) {
        let value = words(value);
        let contains_value = |at: &u32| {
            self.blocks.block_words(*at as usize).windows(value.len().max(1)).any(|run| run == value)
        };
        let blocks: Vec<u32> = (0..self.blocks.len() as u32).filter(contains_value).collect();
        if !blocks.is_empty() {
            blocks.iter().for_each(|at| self.labels[*at as usize] = Some(1.0));
            self.value_blocks.push(blocks);
        }
    }
}

/// The share of each block's words that align with words of the gold text. A longer block also counts if most of its four-word
/// sequences occur in unaligned gold text, because gold text is not always in the order of the page.
fn align(blocks: &PageBlocks, gold: &[u32]) -> Vec<f32> {
    let words: Vec<u32> = (0..blocks.len()).flat_map(|at| blocks.block_words(at)).copied().collect();
    let owners: Vec<usize> =
        (0..blocks.len()).flat_map(|at| std::iter::repeat_n(at, blocks.block_words(at).len())).collect();
    let mut aligned = vec![0u32; blocks.len()];
    let mut used = vec![false; gold.len()];
    for change in capture_diff_slices(Algorithm::Myers, &words, gold) {
        if let DiffOp::Equal { old_index, new_index, len } = change {
            owners[old_index..old_index + len].iter().for_each(|owner| aligned[*owner] += 1);
            used[new_index..new_index + len].iter_mut().for_each(|used| *used = true);
        }
    }
    let unaligned: HashSet<&[u32]> = gold
        .windows(4)
        .zip(used.windows(4))
        .filter(|(_, used)| !(used[0] && used[3]))
        .map(|(run, _)| run)
        .collect();
    (0..blocks.len())
        .map(|at| {
            let words = blocks.block_words(at);
            let share = aligned[at] as f32 / words.len().max(1) as f32;
            if share < 0.5 && words.len() >= 6 && !unaligned.is_empty() {
                let hits = words.windows(4).filter(|run| unaligned.contains(run)).count() as f32;
                let hits = hits / (words.len() - 3) as f32;
                return if hits >= 0.7 { share.max(hits) } else { share };
            }
            share
        })
        .collect()
}

/// Removes the content labels of text that a fifth of the pages share, because it may be template.
pub(crate) fn mask_repeated(pages: &mut [GoldPage]) {
    let frequencies = document_frequencies(pages, |page, at| page.blocks.block_text(at).1);
    let enough = (pages.len() as u32).div_ceil(5).max(2);
    for page in pages {
        for at in 0..page.blocks.len() {
            let is_repeated = frequencies[&page.blocks.block_text(at).1] >= enough;
            if is_repeated && page.labels[at].is_some_and(|label| label >= 0.5) {
                page.labels[at] = None;
            }
        }
    }
}

/// Labels text that half of the pages share word for word as boilerplate. Blocks with annotated values keep their labels; others stay unlabelled.
fn label_repeated_text(pages: &mut [GoldPage]) {
    let frequencies = document_frequencies(pages, |page, at| page.blocks.block_text(at).0);
    let enough = (pages.len() as u32).div_ceil(2).max(2);
    for page in pages {
        for at in 0..page.blocks.len() {
            if page.labels[at].is_none() && frequencies[&page.blocks.block_text(at).0] >= enough {
                page.labels[at] = Some(0.0);
            }
        }
    }
}

/// The number of pages that each key occurs on.
fn document_frequencies(pages: &[GoldPage], key: impl Fn(&GoldPage, usize) -> u64) -> HashMap<u64, u32> {
    let mut frequencies = HashMap::new();
    for page in pages {
        let keys: HashSet<u64> = (0..page.blocks.len()).map(|at| key(page, at)).collect();
        keys.into_iter().for_each(|key| *frequencies.entry(key).or_default() += 1);
    }
    frequencies
}
