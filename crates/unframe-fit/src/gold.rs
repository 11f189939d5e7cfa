//! Pages of gold folders, every text of them known to be content or not.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unframe::detect::PageBytes;
use unframe::detect::places::fitting::Outline;
use unframe::html::Parser;
use unframe_study::gold::{Gold, GoldFolder, GoldKind, GoldSite};
use unframe_study::words::for_each_word;

/// Pages of a site that are read.
const PAGES_MAX: usize = 100;

/// Sites that are alike: made by one generator, or of one kind of shop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Family(pub(crate) String);

/// A site of which the content is known.
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) family: Family,
    pub(crate) pages: Vec<KnownPage>,
    pub(crate) kind: GoldKind,
    pub(crate) kinship: Kinship,
}

/// What the pages of a file have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kinship {
    /// They are of one site.
    Site,
    /// Nothing: each can only be looked at alone.
    Strangers,
}

/// A page of which the content is known.
pub(crate) struct KnownPage {
    pub(crate) outline: Outline,
    pub(crate) texts: Vec<KnownText>,
    /// Words of the gold text, if it is known.
    pub(crate) gold_words: Option<f64>,
    /// For each value that the page shows, the numbers of the texts that have it.
    pub(crate) values: Vec<Vec<usize>>,
}

/// A text of a page, in words.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KnownText {
    pub(crate) words: f64,
    /// Those that are content.
    pub(crate) right: f64,
}

/// Reads all sites of a folder. `SITES.tsv` names the generators, if it is there.
pub(crate) fn read(folder: &Path, kinship: Kinship) -> anyhow::Result<Vec<Known>> {
    let generators = generators(folder);
    let gold = GoldFolder::open(folder)?;
    let (one, other) = gold.sites.split_at(gold.sites.len() / 2);
    let read = |sites: &[GoldSite]| -> anyhow::Result<Vec<Known>> {
        sites.iter().map(|site| read_site(site, gold.kind, kinship, &generators)).collect()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| read(other));
        let mut sites = read(one)?;
        sites.extend(other.join().ok().context("reading failed")??);
        Ok(sites)
    })
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
    site: &GoldSite,
    kind: GoldKind,
    kinship: Kinship,
    generators: &HashMap<String, String>,
) -> anyhow::Result<Known> {
    let read = site.read(PAGES_MAX)?;
    let mut parser = Parser::new();
    let pages = read
        .pages
        .iter()
        .map(|page| known(PageBytes::of(&page.page), page.gold.as_ref(), &mut parser))
        .collect();
    let family = match generators.get(&site.name) {
        Some(generator) => generator.clone(),
        None if kinship == Kinship::Strangers => site.name.clone(),
        // `auto-yahoo` is a shop for cars.
        None => site.name.split('-').next().unwrap_or_default().to_owned(),
    };
    Ok(Known { name: site.name.clone(), family: Family(family), pages, kind, kinship })
}

/// What is known of a page.
pub(crate) fn known(page: PageBytes<'_>, gold: Option<&Gold>, parser: &mut Parser) -> KnownPage {
    let (outline, texts) = Outline::of(page, parser);
    let words: Vec<Vec<String>> = texts.iter().map(|text| words_of(text)).collect();
    let mut known: Vec<KnownText> =
        words.iter().map(|words| KnownText { words: words.len() as f64, right: 0.0 }).collect();
    let mut page_of = KnownPage { outline, texts: Vec::new(), gold_words: None, values: Vec::new() };
    match gold {
        Some(Gold::Text(gold)) => {
            let gold = words_of(gold);
            page_of.gold_words = Some(gold.len() as f64);
            mark(&words, &gold, &mut known);
        }
        Some(Gold::Values(values)) => {
            let collapse = |value: &String| value.split_whitespace().collect::<Vec<_>>().join(" ");
            let values = values.values().flatten().map(collapse).filter(|value| !value.is_empty());
            let holders = |value: String| -> Vec<usize> {
                (0..texts.len()).filter(|at| texts[*at].contains(&value)).collect()
            };
            page_of.values = values.map(holders).filter(|texts| !texts.is_empty()).collect();
        }
        None => {}
    }
    page_of.texts = known;
    page_of
}

/// Marks the words of the texts that are the words of the gold text, in its order.
fn mark(texts: &[Vec<String>], gold: &[String], known: &mut [KnownText]) {
    let words: Vec<&String> = texts.iter().flatten().collect();
    let gold: Vec<&String> = gold.iter().collect();
    let owners: Vec<usize> =
        texts.iter().enumerate().flat_map(|(at, words)| std::iter::repeat_n(at, words.len())).collect();
    for change in capture_diff_slices(Algorithm::Myers, &words, &gold) {
        if let DiffOp::Equal { old_index, len, .. } = change {
            owners[old_index..old_index + len].iter().for_each(|owner| known[*owner].right += 1.0);
        }
    }
}

fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_word(text, |word| words.push(word.to_owned()));
    words
}

/// All families.
pub(crate) fn families(sites: &[Known]) -> Vec<&Family> {
    let mut families: Vec<&Family> = sites.iter().map(|site| &site.family).collect();
    families.sort();
    families.dedup();
    families
}

/// The part that a family is in: large families first, each to the part that has the fewest sites of its kind.
pub(crate) fn fold_of(family: &Family, sites: &[Known], folds: usize) -> usize {
    let size = |family: &Family| sites.iter().filter(|site| site.family == *family).count();
    let kind = |family: &Family| {
        let first = sites.iter().find(|site| site.family == *family);
        first.map_or(0, |site| match (site.kinship, site.kind) {
            (Kinship::Site, GoldKind::Text) => 0,
            (Kinship::Site, GoldKind::Values) => 1,
            (Kinship::Strangers, _) => 2,
        })
    };
    let mut families = families(sites);
    families.sort_by_key(|family| std::cmp::Reverse(size(family)));
    let mut sizes = [vec![0; folds], vec![0; folds], vec![0; folds]];
    for one in families {
        let sizes = &mut sizes[kind(one)];
        let smallest = (0..folds).min_by_key(|fold| sizes[*fold]).unwrap_or_default();
        sizes[smallest] += size(one);
        if one == family {
            return smallest;
        }
    }
    0
}
