//! What the pages of a site have in common: how many have a text, a place, a container, a link target.
//!
//! A page leaves a short record of its blocks in the sample. The table of a site is made from these; what stands on one page only
//! is left out, so that it stays small.

use std::collections::HashMap;

use xxhash_rust::xxh3;

use super::alone::sixteenths;
use super::blocks::{Block, PageBlocks};
use super::copies::originals;
use super::features::{LEVELS, NEIGHBOURS, PageView, RowWriter, share};
use super::kind::{self, KindScores, PageKind};
use crate::sample::PieceHasher;

/// Words of a record for each block.
const RECORD: usize = 6;
/// Words of a record before the hashes of its markup, whose number is the last of them; the blocks follow.
const RECORD_HEAD: usize = 3;

pub(super) const SCORE_AT: u32 = 16;
const LINK_AT: u32 = 32;
pub(super) const PROSE: u64 = 1 << 48;
const TITLE: u64 = 1 << 49;

/// What has a count of pages; each kind has keys of its own.
#[derive(Clone, Copy)]
enum Fact {
    Text = 0x11,
    TextWithoutDigits = 0x22,
    Container = 0x33,
    Target = 0x44,
    Title = 0x55,
    Sampled = 0x66,
    TextAtPlace = 0x77,
    Markup = 0x88,
}

impl Fact {
    fn key(self, hash: u64) -> u64 {
        (hash ^ self as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Writes the record of a page.
pub(super) fn record(page: &PageBlocks, kinds: KindScores, scores: &[i32], out: &mut Vec<u64>) {
    let view_title = title_block(page);
    out.push(fingerprint(page));
    out.push(kind::pack(kinds));
    out.push(page.markup.len() as u64);
    out.extend(page.markup.iter().map(|markup| markup.hash));
    for (at, block) in page.blocks.iter().enumerate() {
        let [_, parent, grandparent, _] = containers(page, block);
        let words = u64::from(block.word_count().min(u32::from(u16::MAX)));
        out.extend([
            block.text,
            block.text_without_digits,
            page.place_of(block),
            words
                | u64::from(sixteenths(scores[at]) as u8) << SCORE_AT
                | u64::from(block.link_density()) << LINK_AT
                | if block.prose_words() > 0 { PROSE } else { 0 }
                | if view_title == Some(at) { TITLE } else { 0 },
            page.element(parent).place >> 32 << 32 | page.element(grandparent).place >> 32,
            u64::from(block.targets[0]) << 32 | u64::from(block.targets[1]),
        ]);
    }
}

/// The text of the first heading, which links on other pages may repeat.
fn title_block(page: &PageBlocks) -> Option<usize> {
    page.blocks.iter().position(|block| {
        page.element(block.element).is_in(super::elements::ancestor(crate::html::tag::Tag::H1))
            && block.word_count() >= 3
    })
}

/// A text and its place as one.
fn at_place(text: u64, place: u64) -> u64 {
    text ^ place.rotate_left(17)
}

/// Equal for pages with the same texts, so that a page finds itself in the sample.
fn fingerprint(page: &PageBlocks) -> u64 {
    page.blocks.iter().fold(0, |hash, block| xxh3::xxh3_64_with_seed(&block.text.to_le_bytes(), hash))
}

fn containers(page: &PageBlocks, block: &Block) -> [u32; LEVELS] {
    let mut at = block.container;
    std::array::from_fn(|_| {
        let this = at;
        at = page.parent(at);
        this
    })
}

/// What the sampled pages of a site have in common.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteTable {
    /// Pages that were compared, copies of a page counted once.
    pub pages: u32,
    /// The log-odds of each kind of page, in sixteenths, added up over the pages.
    pub kinds: [i32; PageKind::ALL.len()],
    /// How many pages have each fact, if more than one has.
    pub counts: HashMap<u64, u32, PieceHasher>,
    /// The places that more than one page has.
    pub places: HashMap<u64, PlaceStats, PieceHasher>,
}

/// Sums over the blocks at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlaceStats {
    /// Pages that have the place.
    pub pages: u32,
    /// Blocks there, on all pages.
    pub blocks: u32,
    /// Different texts there, numbers alike.
    pub texts: u32,
    /// Blocks whose text more than one page has, numbers alike.
    pub repeated: u32,
    /// Words.
    pub words: u32,
    /// Words in links.
    pub link_words: u32,
    /// Blocks of prose.
    pub prose: u32,
    /// The most blocks of one page.
    pub most: u32,
    /// The fewest blocks of a page that has any.
    pub fewest: u32,
    /// The log-odds of each word's block by its page alone, in sixteenths, added up.
    pub score: i32,
}

impl PlaceStats {
    /// How many numbers it has.
    pub const NUMBERS: usize = 10;

    /// All numbers, as files keep them.
    pub fn numbers(&self) -> [u32; PlaceStats::NUMBERS] {
        let PlaceStats { pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score } =
            *self;
        // Small numbers of either sign become small numbers.
        let score = (score << 1 ^ score >> 31) as u32;
        [pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score]
    }

    /// The same from its numbers.
    pub fn of_numbers(numbers: [u32; PlaceStats::NUMBERS]) -> PlaceStats {
        let [pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score] = numbers;
        let score = (score >> 1) as i32 ^ -((score & 1) as i32);
        PlaceStats { pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score }
    }
}

impl SiteTable {
    /// The table of pages, from their records.
    pub fn of<'r>(records: impl Iterator<Item = &'r [u64]> + Clone) -> SiteTable {
        let mut counts: HashMap<u64, (u32, u32), PieceHasher> = HashMap::default();
        let (mut pages, mut kinds) = (0, [0; PageKind::ALL.len()]);
        let originals = originals(records.clone().map(|record| blocks(record).map(RecordedBlock)));
        let is_original = |number: usize| originals[number] == number;
        // Copies count with their originals, page after page.
        let mut order: Vec<(usize, &[u64])> = records.clone().enumerate().collect();
        order.sort_by_key(|(number, _)| originals[*number]);
        for (number, record) in order {
            pages += u32::from(is_original(number));
            let mut count = |fact: Fact, hash: u64| {
                let (on, last) = counts.entry(fact.key(hash)).or_default();
                if *last != pages {
                    (*on, *last) = (*on + 1, pages);
                }
            };
            let Some(fingerprint) = record.first() else { continue };
            count(Fact::Sampled, *fingerprint);
            if is_original(number) {
                let scores = kind::unpack(record.get(1).copied().unwrap_or(0));
                kinds.iter_mut().zip(scores).for_each(|(sum, score)| *sum += i32::from(score));
            }
            parts(record).0.iter().for_each(|hash| count(Fact::Markup, *hash));
            for block in blocks(record) {
                count(Fact::Text, block[0]);
                count(Fact::TextWithoutDigits, block[1]);
                count(Fact::TextAtPlace, at_place(block[0], block[2]));
                count(Fact::Container, block[4] >> 32);
                count(Fact::Container, block[4] & u64::from(u32::MAX));
                [block[5] >> 32, block[5] & u64::from(u32::MAX)]
                    .into_iter()
                    .filter(|target| *target != 0)
                    .for_each(|target| count(Fact::Target, target));
                if block[3] & TITLE != 0 {
                    count(Fact::Title, block[0]);
                }
            }
        }
        let sampled: Vec<u64> = records
            .clone()
            .filter_map(|record| record.first())
            .map(|print| Fact::Sampled.key(*print))
            .collect();
        let titles: Vec<u64> = records
            .clone()
            .flat_map(blocks)
            .filter(|block| block[3] & TITLE != 0)
            .map(|block| Fact::Title.key(block[0]))
            .collect();
        let is_kept_alone: std::collections::HashSet<u64, PieceHasher> =
            sampled.into_iter().chain(titles).collect();
        let each = records.enumerate().filter(|(number, _)| is_original(*number));
        let places = places(each.map(|(_, record)| record), &counts);
        counts.retain(|key, (on, _)| *on > 1 || is_kept_alone.contains(key));
        let counts = counts.into_iter().map(|(key, (on, _))| (key, on)).collect();
        SiteTable { pages, kinds, counts, places }
    }

    /// The mean log-odds of each kind of page, in sixteenths.
    pub fn mean_kinds(&self) -> KindScores {
        self.kinds.map(|sum| (sum / (self.pages.max(1) as i32)).clamp(-127, 127) as i8)
    }

    fn count(&self, fact: Fact, hash: u64) -> u32 {
        self.counts.get(&fact.key(hash)).copied().unwrap_or(0)
    }
}

/// A block of a record.
#[derive(Clone, Copy)]
pub(super) struct RecordedBlock<'r>(pub(super) &'r [u64]);

impl RecordedBlock<'_> {
    pub(super) fn text(self) -> u64 {
        self.0[0]
    }

    pub(super) fn words(self) -> u64 {
        self.0[3] & 0xffff
    }

    /// Whether it is prose, and content by its page alone.
    pub(super) fn is_prose_of_content(&self) -> bool {
        self.0[3] & PROSE != 0 && score_of(self.0) > 0
    }
}

/// The score of a recorded block by its page alone, in sixteenths.
fn score_of(block: &[u64]) -> i8 {
    (block[3] >> SCORE_AT) as u8 as i8
}

/// The hashes of the markup in a record, and its blocks.
fn parts(record: &[u64]) -> (&[u64], &[u64]) {
    let Some((head, rest)) = record.split_at_checked(RECORD_HEAD) else { return (&[], &[]) };
    rest.split_at((head[RECORD_HEAD - 1] as usize).min(rest.len()))
}

fn blocks(record: &[u64]) -> impl Iterator<Item = &[u64]> {
    parts(record).1.chunks_exact(RECORD)
}

fn places<'r>(
    records: impl Iterator<Item = &'r [u64]>,
    counts: &HashMap<u64, (u32, u32), PieceHasher>,
) -> HashMap<u64, PlaceStats, PieceHasher> {
    let mut places: HashMap<u64, PlaceStats, PieceHasher> = HashMap::default();
    let mut texts: std::collections::HashSet<(u64, u64)> = Default::default();
    for record in records {
        let mut of_page: HashMap<u64, u32, PieceHasher> = HashMap::default();
        for block in blocks(record) {
            let stats = places.entry(block[2]).or_default();
            *of_page.entry(block[2]).or_default() += 1;
            let is_repeated =
                counts.get(&Fact::TextWithoutDigits.key(block[1])).is_some_and(|(on, _)| *on > 1);
            add(stats, block, texts.insert((block[2], block[1])), is_repeated);
        }
        for (place, blocks) in of_page {
            add_page(places.entry(place).or_default(), blocks);
        }
    }
    places.retain(|_, stats| stats.pages > 1);
    places
}

fn add(stats: &mut PlaceStats, block: &[u64], is_new: bool, is_repeated: bool) {
    let words = (block[3] & 0xffff) as u32;
    stats.blocks += 1;
    stats.texts += u32::from(is_new);
    stats.repeated += u32::from(is_repeated);
    stats.words = stats.words.saturating_add(words);
    stats.link_words =
        stats.link_words.saturating_add(words * ((block[3] >> LINK_AT) as u32 & 0xffff) / 1000);
    stats.prose += u32::from(block[3] & PROSE != 0);
    stats.score = stats.score.saturating_add(i32::from(score_of(block)) * words as i32);
}

fn add_page(stats: &mut PlaceStats, blocks: u32) {
    stats.fewest = if stats.pages == 0 { blocks } else { stats.fewest.min(blocks) };
    stats.most = stats.most.max(blocks);
    stats.pages += 1;
}

/// A page beside its site.
pub(super) struct SiteView<'s> {
    table: Option<&'s SiteTable>,
    /// Whether the page is one of those that were compared.
    is_sampled: bool,
    /// Other pages that it is compared with.
    others: u32,
    /// Of every block: other pages with the same text, with the same text but for numbers, and with the same text at the same place.
    texts: Vec<[u32; 3]>,
    /// Of every block: whether other pages have it, numbers alike.
    repeated: Vec<bool>,
    /// Words of repeated blocks inside of every element, and words counted by the share of pages that have them.
    inside: Vec<(u64, u64)>,
    page_repeated: i64,
    /// Of every place of the page: the share of the blocks with its path of tags that are repeated, in thousandths.
    tag_paths: Vec<i64>,
    /// Of every place of the page: what the table knows of it.
    places: Vec<PlaceStats>,
    /// Of every place of the page: its words, and their scores by this page alone; see [`PlaceStats::score`].
    own_places: Vec<(u32, i32)>,
    /// Of every block: its score by this page alone, in sixteenths.
    scores: Vec<i8>,
    /// Of every block: blocks and words since the last repeated one, and until the next.
    since: Vec<(u32, u64)>,
    until: Vec<(u32, u64)>,
}

impl<'s> SiteView<'s> {
    /// A page beside its site, or by itself.
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
            let others = facts.map(|(fact, hash)| view.others_with(table, fact, hash));
            view.texts[at] = others;
            view.repeated[at] = others[1] > 0;
        }
        view.places =
            page.places.iter().map(|place| table.places.get(place).copied().unwrap_or_default()).collect();
        view.add_up(page);
        view
    }

    /// Takes in the scores of the blocks by this page alone.
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

    /// Other pages with a fact that this page has.
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

    /// Other pages with a piece of markup.
    pub(super) fn pages_with_markup(&self, hash: u64) -> u32 {
        self.table.map_or(0, |table| self.others_with(table, Fact::Markup, hash))
    }

    /// Pages that the page was compared with.
    pub(super) fn others(&self) -> u32 {
        self.others
    }

    /// Other pages with exactly the text of a block.
    pub(super) fn pages_with_text(&self, at: usize) -> u32 {
        self.texts[at][0]
    }

    /// Whether at least so many thousandths of the other pages have the text of a block at the same place.
    pub(super) fn is_at_place_on(&self, at: usize, share: u64) -> bool {
        u64::from(self.texts[at][2]) * 1000 >= u64::from(self.others) * share
    }

    /// What is known of the place of a block, this page included.
    pub(super) fn place(&self, page: &PageBlocks, at: usize) -> Option<&PlaceStats> {
        self.places.get(page.blocks[at].place as usize).filter(|place| place.pages > 0)
    }

    /// The share of the words around a block that other pages have, in thousandths.
    pub(super) fn repeated_around(&self, view: &PageView<'_>, container: u32) -> i64 {
        self.inside
            .get(container as usize)
            .map_or(0, |inside| share(inside.0, view.inside[container as usize].words))
    }
}

/// For every place of a page, the share of repeated blocks among all with the same path of tags, in thousandths. `places` has repeated
/// blocks and all blocks of each place.
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

/// Blocks and words since the last repeated block.
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

/// Numbers of [`of_block`].
const SITE_FEATURES: usize = 39;
/// Stands for what is not known.
const UNKNOWN: i64 = -2;
/// Stands for the score of a place that no other page has; scores are larger.
pub(super) const NO_SCORE: i16 = -200;

/// Adds what the comparison says of a block to a row.
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

/// What this page alone says of the block and of its place, and what the other pages say of the place, each alone.
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

/// Names of the numbers that [`of_block`] adds.
pub(super) fn names() -> Vec<String> {
    "site_others site_text site_text_without_digits site_text_at_place site_place site_place_texts site_place_words site_place_link_density \
     site_place_prose site_place_repeated site_place_most site_place_same site_place_blocks alone alone_place site_alone_place site_container1 site_container2 \
     site_targets site_target_pages site_page_repeated site_repeated0 site_repeated1 site_repeated2 site_repeated3 site_neighbour-1 \
     site_neighbour1 site_neighbour-2 site_neighbour2 site_neighbour-3 site_neighbour3 site_since site_since_words site_until \
     site_until_words site_new_words site_around site_tag_path site_title_elsewhere"
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}
