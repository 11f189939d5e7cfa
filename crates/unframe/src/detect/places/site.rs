//! Features of blocks from the comparison with other pages of the site.

use std::collections::HashMap;

use super::blocks::{Block, PageBlocks};
use super::features::{NEIGHBOURS, PageView, RowWriter, share};
use super::record::{Fact, at_place, fingerprint};
use super::single_page::sixteenths;
use super::table::{PlaceStats, SiteTable};
use crate::sample::PieceHasher;

/// A page compared with its site.
pub(super) struct SiteView<'s> {
    table: Option<&'s SiteTable>,
    /// Whether the page itself is in the sample.
    is_sampled: bool,
    /// The number of other pages that it is compared with.
    others: u32,
    /// By block: the numbers of other pages with the same text, with the same text except for numbers, and with the same text at the same place.
    texts: Vec<[u32; 3]>,
    /// By block: whether other pages have the same text except for numbers.
    repeated: Vec<bool>,
    /// By element: the words of repeated blocks inside it, and its words weighted by the share of pages that have them.
    inside: Vec<(u64, u64)>,
    page_repeated: i64,
    /// By place of the page: the share of repeated blocks among those with the same path of tags, in thousandths.
    tag_paths: Vec<i64>,
    /// By place of the page: its statistics in the table.
    places: Vec<PlaceStats>,
    /// By place of the page: its words, and the sum of their single-page scores; see [`PlaceStats::score`].
    own_places: Vec<(u32, i32)>,
    /// By block: its single-page score, in sixteenths.
    scores: Vec<i8>,
    /// By block: the blocks and words since the last repeated block, and until the next one.
    since: Vec<(u32, u64)>,
    until: Vec<(u32, u64)>,
}

impl<'s> SiteView<'s> {
    /// A page compared with its site, or a single page.
    pub(super) fn of(page: &PageBlocks, table: Option<&'s SiteTable>) -> SiteView<'s> {
        let mut view = SiteView {
            table: table.filter(|table| table.pages > 0),
            is_sampled: false,
            others: 0,
            texts: vec![[0; 3]; page.blocks.len()],
            repeated: vec![false; page.blocks.len()],
            inside: Vec::new(),
            page_repeated: 0,
            tag_paths: Vec::new(),
            places: Vec::new(),
            own_places: Vec::new(),
            scores: Vec::new(),
            since: Vec::new(),
            until: Vec::new(),
        };
        let Some(table) = view.table else { return view };
        view.is_sampled = table.count(Fact::Sampled, fingerprint(page)) > 0;
        view.others = table.pages - u32::from(view.is_sampled);
        if view.others == 0 {
            view.table = None;
            return view;
        }
        for (at, block) in page.blocks.iter().enumerate() {
            let here = at_place(block.text, page.place_of(block));
            let facts = [
                (Fact::Text, block.text),
                (Fact::TextWithoutDigits, block.text_without_digits),
                (Fact::TextAtPlace, here),
            ];
            let mut others = facts.map(|(fact, hash)| view.others_with(table, fact, hash));
            // Links on other pages repeat the heading of this page as anchor text, which does not make it template. So only the same place counts.
            if page.element(block.container).is_heading() {
                let [anywhere, numbers_alike, here] = others;
                others = [here, numbers_alike.saturating_sub(anywhere) + here, here];
            }
            view.texts[at] = others;
            view.repeated[at] = others[1] > 0;
        }
        view.places =
            page.places.iter().map(|place| table.places.get(place).copied().unwrap_or_default()).collect();
        view.add_up(page);
        view
    }

    /// Sets the single-page scores of the blocks.
    pub(super) fn set_scores(&mut self, page: &PageBlocks, scores: &[i32]) {
        self.scores = scores.iter().map(|score| sixteenths(*score)).collect();
        self.own_places = vec![(0, 0); page.places.len()];
        for (block, score) in page.blocks.iter().zip(&self.scores) {
            let words = block.word_count().min(u32::from(u16::MAX));
            let place = &mut self.own_places[block.place as usize];
            place.0 += words;
            place.1 = place.1.saturating_add(i32::from(*score) * words as i32);
        }
    }

    /// The number of other pages that share a fact with this page.
    fn others_with(&self, table: &SiteTable, fact: Fact, hash: u64) -> u32 {
        let count = table.count(fact, hash);
        count.saturating_sub(u32::from(self.is_sampled)).min(self.others)
    }

    fn add_up(&mut self, page: &PageBlocks) {
        self.inside = vec![(0, 0); page.elements.len()];
        let mut places = vec![(0, 0); page.places.len()];
        let (mut all, mut repeated) = (0, 0);
        for (at, block) in page.blocks.iter().enumerate() {
            let words = u64::from(block.word_count());
            let inside = &mut self.inside[block.container as usize];
            all += words;
            inside.1 += words * u64::from(self.texts[at][1]) * 1000 / u64::from(self.others);
            let place: &mut (u64, u64) = &mut places[block.place as usize];
            place.1 += 1;
            if self.repeated[at] {
                let words = words.min(u64::from(u16::MAX));
                inside.0 += words;
                repeated += words;
                place.0 += 1;
            }
        }
        for at in (1..self.inside.len()).rev() {
            let (below, parent) = (self.inside[at], page.elements[at].parent as usize);
            self.inside[parent].0 += below.0;
            self.inside[parent].1 += below.1;
        }
        self.page_repeated = share(repeated, all);
        self.tag_paths = repeated_by_path(page, &places);
        let words = |at: usize| u64::from(page.blocks[at].word_count());
        self.since = distances(0..page.blocks.len(), &self.repeated, words);
        self.until = distances((0..page.blocks.len()).rev(), &self.repeated, words);
        self.until.reverse();
    }

    /// The number of other pages with this markup.
    pub(super) fn pages_with_markup(&self, hash: u64) -> u32 {
        self.table.map_or(0, |table| self.others_with(table, Fact::Markup, hash))
    }

    /// The number of other pages that the page is compared with.
    pub(super) fn others(&self) -> u32 {
        self.others
    }

    /// The number of other pages with exactly the text of a block.
    pub(super) fn pages_with_text(&self, at: usize) -> u32 {
        self.texts[at][0]
    }

    /// Whether at least `share` thousandths of the other pages have the text of a block at the same place.
    pub(super) fn is_at_place_on(&self, at: usize, share: u64) -> bool {
        u64::from(self.texts[at][2]) * 1000 >= u64::from(self.others) * share
    }

    /// The statistics of a block's place, including this page.
    pub(super) fn place(&self, page: &PageBlocks, at: usize) -> Option<&PlaceStats> {
        self.places.get(page.blocks[at].place as usize).filter(|place| place.pages > 0)
    }

    /// The share of the words inside a container that other pages have, in thousandths.
    pub(super) fn repeated_around(&self, view: &PageView<'_>, container: u32) -> i64 {
        self.inside
            .get(container as usize)
            .map_or(0, |inside| share(inside.0, view.inside[container as usize].words))
    }
}

/// For every place of a page, the share of repeated blocks among those with the same path of tags, in thousandths. `places` has the
/// numbers of repeated blocks and of all blocks at each place.
fn repeated_by_path(page: &PageBlocks, places: &[(u64, u64)]) -> Vec<i64> {
    let mut paths = vec![0; places.len()];
    for block in &page.blocks {
        paths[block.place as usize] = u64::from(page.element(block.element).tag_path);
    }
    let mut sums: HashMap<u64, (u64, u64), PieceHasher> = HashMap::default();
    for (path, (repeated, all)) in paths.iter().zip(places) {
        let sum = sums.entry(*path).or_default();
        *sum = (sum.0 + repeated, sum.1 + all);
    }
    paths.iter().map(|path| share(sums[path].0, sums[path].1)).collect()
}

/// For each block in this order, the blocks and words since the last repeated one.
fn distances(
    order: impl Iterator<Item = usize>,
    repeated: &[bool],
    words: impl Fn(usize) -> u64,
) -> Vec<(u32, u64)> {
    let mut since = (0, 0);
    order
        .map(|at| {
            let found = since;
            since = if repeated[at] { (0, 0) } else { (since.0 + 1, since.1 + words(at)) };
            found
        })
        .collect()
}

/// The number of features of [`of_block`].
const SITE_FEATURES: usize = 39;
/// The value of a feature that is unknown.
const UNKNOWN: i64 = -2;
/// The score of a place that no other page has; real scores are larger.
pub(super) const NO_SCORE: i16 = -200;

/// Adds the features of a block from the comparison.
pub(super) fn of_block(
    site: &SiteView<'_>,
    page: &PageBlocks,
    view: &PageView<'_>,
    at: usize,
    row: &mut RowWriter<'_>,
) {
    let Some(table) = site.table else { return };
    let first = row.width();
    let block = &page.blocks[at];
    let of_others = |count: u32| share(u64::from(count), u64::from(site.others));
    row.push(i64::from(site.others));
    row.push(of_others(site.texts[at][0]));
    row.push(of_others(site.texts[at][1]));
    row.push(of_others(site.texts[at][2]));
    place(site, page, at, row);
    scores(site, page, at, row);
    let containers = view.containers(block);
    for container in [containers[1], containers[2]] {
        let on = site.others_with(table, Fact::Container, page.element(container).place >> 32);
        row.push(of_others(on));
    }
    targets(site, table, block, row);
    row.push(site.page_repeated);
    containers.iter().for_each(|container| row.push(site.repeated_around(view, *container)));
    for step in NEIGHBOURS {
        let neighbour = at.checked_add_signed(step as isize).and_then(|at| site.repeated.get(at));
        row.push(neighbour.map_or(-1, |is_repeated| i64::from(*is_repeated)));
    }
    for (blocks, words) in [site.since[at], site.until[at]] {
        row.push(i64::from(blocks));
        row.push(words as i64);
    }
    let around = view.inside[containers[1] as usize].words;
    let (repeated, by_pages) = site.inside[containers[1] as usize];
    row.push((around - repeated) as i64);
    row.push((by_pages / around.max(1)) as i64);
    row.push(site.tag_paths[block.place as usize]);
    let titles = table.count(Fact::Title, block.text);
    row.flag(titles > 0 && block.links > 0);
    debug_assert_eq!(row.width() - first, SITE_FEATURES);
}

fn place(site: &SiteView<'_>, page: &PageBlocks, at: usize, row: &mut RowWriter<'_>) {
    let stats = site.places[page.blocks[at].place as usize];
    let others = stats.pages.saturating_sub(u32::from(site.is_sampled)).min(site.others);
    row.push(share(u64::from(others), u64::from(site.others)));
    if stats.pages == 0 {
        (0..8).for_each(|_| row.push(UNKNOWN));
        return;
    }
    let (blocks, words) = (u64::from(stats.blocks), u64::from(stats.words));
    row.push(share(u64::from(stats.texts), blocks));
    row.push((words * 10 / blocks.max(1)) as i64);
    row.push(share(u64::from(stats.link_words), words));
    row.push(share(u64::from(stats.prose), blocks));
    row.push(share(u64::from(stats.repeated), blocks));
    row.push(i64::from(stats.most));
    row.flag(stats.most == stats.fewest);
    row.push((blocks * 10 / u64::from(stats.pages)) as i64);
}

/// The single-page scores of the block, of its place on this page, and of the same place on other pages.
fn scores(site: &SiteView<'_>, page: &PageBlocks, at: usize, row: &mut RowWriter<'_>) {
    let mean = |score: i32, words: u32| i64::from(score) / i64::from(words.max(1));
    let number = page.blocks[at].place as usize;
    let (own_words, own_score) = site.own_places[number];
    row.push(i64::from(site.scores[at]));
    row.push(mean(own_score, own_words));
    let mut place = site.places[number];
    if site.is_sampled {
        place.words = place.words.saturating_sub(own_words);
        place.score = place.score.saturating_sub(own_score);
    }
    row.push(if place.words == 0 { i64::from(NO_SCORE) } else { mean(place.score, place.words) });
}

fn targets(site: &SiteView<'_>, table: &SiteTable, block: &Block, row: &mut RowWriter<'_>) {
    let targets: Vec<u32> = block.targets.iter().copied().filter(|target| *target != 0).collect();
    let on: Vec<u32> =
        targets.iter().map(|target| site.others_with(table, Fact::Target, u64::from(*target))).collect();
    if on.is_empty() {
        row.push(-1);
        row.push(-1);
        return;
    }
    row.push(on.iter().filter(|on| **on > 0).count() as i64 * 10 / on.len() as i64);
    row.push(share(on.iter().map(|on| u64::from(*on)).sum(), u64::from(site.others) * on.len() as u64));
}

/// The names of the features of [`of_block`].
pub(super) fn names() -> Vec<String> {
    "site_others site_text site_text_without_digits site_text_at_place site_place site_place_texts site_place_words site_place_link_density \
     site_place_prose site_place_repeated site_place_most site_place_same site_place_blocks single_page single_page_place site_single_page_place site_container1 site_container2 \
     site_targets site_target_pages site_page_repeated site_repeated0 site_repeated1 site_repeated2 site_repeated3 site_neighbour-1 \
     site_neighbour1 site_neighbour-2 site_neighbour2 site_neighbour-3 site_neighbour3 site_since site_since_words site_until \
     site_until_words site_new_words site_around site_tag_path site_title_elsewhere"
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}
