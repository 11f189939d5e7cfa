//! Gold folders: pages whose blocks are known to be content or not.

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

/// What is known of the pages of a folder, and how they belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// Sites whose content people marked.
    Human,
    /// Sites whose content is the generator's container. Repeated text inside of it may be either, and does not count.
    Silver,
    /// Sites of which some values are known to be content.
    Values,
    /// Pages of all kinds from many sites, most of them the only one of their site.
    Single,
    /// Those of them whose site has several; only results have this source.
    Several,
    /// Sites that were made up: fitted on, and never measured on.
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
    /// Sites of one owner or generator are left out together.
    pub(crate) family: String,
    pub(crate) source: Source,
    /// The collection that results are averaged over: of `Human` the first part of the name. Single pages are averaged by their own kind.
    pub(crate) set: String,
    pub(crate) pages: Vec<KnownPage>,
}

impl Site {
    /// Whether the trees are fitted on a page; all are measured on.
    pub(crate) fn is_fitted(&self, page: usize) -> bool {
        is_spread(page, self.pages.len(), FITTED_MAX)
    }

    /// The pages that the trees are fitted on.
    pub(crate) fn fitted(&self) -> impl Iterator<Item = &KnownPage> {
        self.pages.iter().enumerate().filter(|(at, _)| self.is_fitted(*at)).map(|(_, page)| page)
    }
}

/// A page whose content is known.
pub(crate) struct KnownPage {
    pub(crate) blocks: PageBlocks,
    /// The features of its kind, and the kind.
    pub(crate) kind_row: Row,
    pub(crate) kind: Option<PageKind>,
    /// What the gold data call the kind.
    pub(crate) kind_name: String,
    /// The share of each block's words that are content; none where it is not known.
    pub(crate) labels: Vec<Option<f32>>,
    /// How often each word occurs in the content.
    pub(crate) gold: HashMap<u32, u32>,
    /// The same of text that counts neither way.
    pub(crate) unsure: HashMap<u32, u32>,
    /// For each value that the page shows, the blocks that have it.
    pub(crate) values: Vec<Vec<u32>>,
}

/// Pages of a site that are read, and of those with values, which have thousands.
const PAGES_MAX: usize = 120;
const PAGES_WITH_VALUES_MAX: usize = 25;
/// Pages of a site that the trees are fitted on.
const FITTED_MAX: usize = 25;

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
        Ok(if source == Source::Single { by_host(sites) } else { sites })
    })
}

/// Pages of one host as one site, whatever files they are in.
fn by_host(sites: Vec<Site>) -> Vec<Site> {
    let mut hosts: BTreeMap<String, Site> = BTreeMap::new();
    for site in sites {
        match hosts.entry(site.name.clone()) {
            Entry::Occupied(known) => known.into_mut().pages.extend(site.pages),
            Entry::Vacant(free) => drop(free.insert(site)),
        }
    }
    hosts.into_values().collect()
}

/// A checksum of all files of a folder, by their names and bytes.
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
        // Nobody marked anything there, though the pages have content.
        pages.retain(|(_, line)| line.text.as_ref().is_some_and(|text| !text.trim().is_empty()));
    } else {
        let most = if source == Source::Values { PAGES_WITH_VALUES_MAX } else { PAGES_MAX };
        spread(&mut pages, most);
    }
    let mut parser = PageParser::new();
    let known = pages.iter().map(|(page, line)| know(page, line, &mut parser));
    if source == Source::Single {
        let single = |(known, (page, _)): (KnownPage, &(Page, GoldLine))| {
            let host = page.url.split('/').nth(2).unwrap_or_default();
            let host = host.strip_prefix("www.").unwrap_or(host).to_owned();
            Site { family: owner(&host), name: host, source, set: String::new(), pages: vec![known] }
        };
        return Ok(known.zip(&pages).map(single).collect());
    }
    let mut pages: Vec<KnownPage> = known.collect();
    match source {
        Source::Silver => mask_repeated(&mut pages),
        Source::Values => negatives_of_values(&mut pages),
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

/// Leaves at most so many, from all parts of the list: pages beside each other may be alike.
fn spread<T>(items: &mut Vec<T>, most: usize) {
    let (all, mut at) = (items.len(), 0);
    items.retain(|_| {
        at += 1;
        is_spread(at - 1, all, most)
    });
}

/// Whether an item is one of at most so many, which are spread over all.
fn is_spread(at: usize, all: usize, most: usize) -> bool {
    let all = all.max(most);
    (at + 1) * most / all > at * most / all
}

/// The owner of a host: its registered domain, more or less; blogs of one provider have many owners.
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

fn know(page: &Page, line: &GoldLine, parser: &mut PageParser) -> KnownPage {
    let mut known = unknown(PageBytes::from(page), parser);
    known.kind = kind_of(line.page_type.as_deref());
    known.kind_name = line.page_type.clone().unwrap_or_default();
    if let Some(text) = &line.text {
        known.set_text(text);
        words(&line.unsure).into_iter().for_each(|word| *known.unsure.entry(word).or_default() += 1);
    }
    if let Some(values) = &line.values {
        values.values().flatten().for_each(|value| known.add_value(value));
    }
    known
}

/// A page whose content is known.
pub(crate) fn known(page: PageBytes<'_>, content: &str, parser: &mut PageParser) -> KnownPage {
    let mut known = unknown(page, parser);
    known.set_text(content);
    known
}

fn unknown(page: PageBytes<'_>, parser: &mut PageParser) -> KnownPage {
    let blocks = PageBlocks::of(parser.open(page).document());
    KnownPage {
        labels: vec![None; blocks.len()],
        kind_row: blocks.kind_row(),
        kind: None,
        kind_name: String::new(),
        blocks,
        gold: HashMap::new(),
        unsure: HashMap::new(),
        values: Vec::new(),
    }
}

impl KnownPage {
    fn set_text(&mut self, text: &str) {
        let gold = words(text);
        self.labels = align(&self.blocks, &gold).into_iter().map(Some).collect();
        gold.iter().for_each(|word| *self.gold.entry(*word).or_default() += 1);
    }

    fn add_value(&mut self, value: &str) {
        let value = words(value);
        let has_value = |at: &u32| {
            self.blocks.block_words(*at as usize).windows(value.len().max(1)).any(|run| run == value)
        };
        let holders: Vec<u32> = (0..self.blocks.len() as u32).filter(has_value).collect();
        if !holders.is_empty() {
            holders.iter().for_each(|at| self.labels[*at as usize] = Some(1.0));
            self.values.push(holders);
        }
    }
}

/// The share of each block's words that are words of the content, in its order; or long runs of it out of order.
fn align(blocks: &PageBlocks, gold: &[u32]) -> Vec<f32> {
    let words: Vec<u32> = (0..blocks.len()).flat_map(|at| blocks.block_words(at)).copied().collect();
    let owners: Vec<usize> =
        (0..blocks.len()).flat_map(|at| std::iter::repeat_n(at, blocks.block_words(at).len())).collect();
    let mut right = vec![0u32; blocks.len()];
    let mut used = vec![false; gold.len()];
    for change in capture_diff_slices(Algorithm::Myers, &words, gold) {
        if let DiffOp::Equal { old_index, new_index, len } = change {
            owners[old_index..old_index + len].iter().for_each(|owner| right[*owner] += 1);
            used[new_index..new_index + len].iter_mut().for_each(|used| *used = true);
        }
    }
    let missed: HashSet<&[u32]> = gold
        .windows(4)
        .zip(used.windows(4))
        .filter(|(_, used)| !(used[0] && used[3]))
        .map(|(run, _)| run)
        .collect();
    (0..blocks.len())
        .map(|at| {
            let words = blocks.block_words(at);
            let share = right[at] as f32 / words.len().max(1) as f32;
            if share < 0.5 && words.len() >= 6 && !missed.is_empty() {
                let hits = words.windows(4).filter(|run| missed.contains(run)).count() as f32;
                let hits = hits / (words.len() - 3) as f32;
                return if hits >= 0.7 { share.max(hits) } else { share };
            }
            share
        })
        .collect()
}

/// Content that a fifth of the pages have may be template all the same.
pub(crate) fn mask_repeated(pages: &mut [KnownPage]) {
    let counts = page_counts(pages, |page, at| page.blocks.block_text(at).1);
    let enough = (pages.len() as u32).div_ceil(5).max(2);
    for page in pages {
        for at in 0..page.blocks.len() {
            let is_repeated = counts[&page.blocks.block_text(at).1] >= enough;
            if is_repeated && page.labels[at].is_some_and(|label| label >= 0.5) {
                page.labels[at] = None;
            }
        }
    }
}

/// Texts that half of the pages have word for word are no values.
fn negatives_of_values(pages: &mut [KnownPage]) {
    let counts = page_counts(pages, |page, at| page.blocks.block_text(at).0);
    let enough = (pages.len() as u32).div_ceil(2).max(2);
    for page in pages {
        for at in 0..page.blocks.len() {
            if page.labels[at].is_none() && counts[&page.blocks.block_text(at).0] >= enough {
                page.labels[at] = Some(0.0);
            }
        }
    }
}

fn page_counts(pages: &[KnownPage], key: impl Fn(&KnownPage, usize) -> u64) -> HashMap<u64, u32> {
    let mut counts = HashMap::new();
    for page in pages {
        let keys: HashSet<u64> = (0..page.blocks.len()).map(|at| key(page, at)).collect();
        keys.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
    }
    counts
}
