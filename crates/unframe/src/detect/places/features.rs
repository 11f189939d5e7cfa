//! Features of a block on its own page, as whole numbers: its text, its elements, its neighbours, and its position relative to the
//! prose of the page.

use std::collections::HashMap;

use super::blocks::{Block, PageBlocks, duplicates};
use super::elements::{ANCESTORS, ancestor};
use super::facts::{COUNTED, KIND_HINTS};
use super::lexicon::{Lexicon, LogOddsSums};
use super::scorer::{ROW, Row};
use crate::html::tag::Tag;
use crate::sample::PieceHasher;

/// Enclosing containers of a block that have features.
pub(super) const LEVELS: usize = 4;
/// Offsets of the neighbouring blocks that have features of their own.
pub(super) const NEIGHBOURS: [i32; 6] = [-1, 1, -2, 2, -3, 3];
/// The distance to something that does not exist.
const FAR: i64 = 999;

/// Rows of features.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// The rows: each has [`Rows::width`] features, then zeros.
    pub rows: Vec<Row>,
    width: usize,
}

impl Rows {
    /// An empty list with capacity for this many rows.
    pub(super) fn with_capacity(rows: usize) -> Rows {
        Rows { rows: Vec::with_capacity(rows), width: 0 }
    }

    /// Adds a row: the features in `known`, followed by what `write` adds.
    pub(super) fn add(&mut self, known: &[i16], write: impl FnOnce(&mut RowWriter<'_>)) {
        self.rows.push([0; ROW]);
        if let Some(row) = self.rows.last_mut() {
            let mut writer = RowWriter { row, next: 0 };
            writer.extend(known);
            write(&mut writer);
            self.width = writer.next;
        }
    }

    /// Features in a row.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// Appends features to a row.
pub(super) struct RowWriter<'r> {
    row: &'r mut Row,
    next: usize,
}

impl RowWriter<'_> {
    /// Adds a feature, clamped to 16 bits.
    #[inline]
    pub(super) fn push(&mut self, value: i64) {
        self.push_small(value.clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as i16);
    }

    #[inline]
    pub(super) fn flag(&mut self, is_set: bool) {
        self.push_small(i16::from(is_set));
    }

    #[inline]
    pub(super) fn push_small(&mut self, value: i16) {
        if let Some(free) = self.row.get_mut(self.next) {
            *free = value;
            self.next += 1;
        }
    }

    /// Adds several features, as many as the row has room for.
    pub(super) fn extend(&mut self, known: &[i16]) {
        let free = &mut self.row[self.next..];
        let len = known.len().min(free.len());
        free[..len].copy_from_slice(&known[..len]);
        self.next += len;
    }

    /// Features added so far.
    pub(super) fn width(&self) -> usize {
        self.next
    }
}

/// The fraction `part / whole`, in thousandths.
pub(super) fn share(part: u64, whole: u64) -> i64 {
    (part * 1000 / whole.max(1)) as i64
}

/// Sums over the blocks inside an element, or at a place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Inside {
    pub(super) words: u64,
    pub(super) link_words: u64,
    pub(super) prose: u64,
    pub(super) blocks: u64,
}

/// Everything that the features of a page's blocks are computed from.
pub(super) struct PageView<'p> {
    page: &'p PageBlocks,
    /// By element.
    pub(super) inside: Vec<Inside>,
    /// Words of prose, by block.
    pub(super) prose: Vec<u32>,
    /// Prefix sums over the blocks; the last entry is the total.
    words_before: Vec<u64>,
    prose_before: Vec<u64>,
    /// By block, the index of the nearest block of prose before and after it.
    prose_at_left: Vec<Option<u32>>,
    prose_at_right: Vec<Option<u32>>,
    /// By element, its distance from the main container; only for that container and its ancestors.
    main_path: Vec<Option<u16>>,
    /// The main container: the element that holds most of the prose.
    main: u32,
    /// The block with the most prose.
    longest: usize,
    title_overlap: Vec<i64>,
    /// The block most similar to the page's title, if any is similar enough.
    pub(super) title: Option<usize>,
    headings: Vec<usize>,
    /// By place.
    places: Vec<Inside>,
    copies: HashMap<u64, (u32, u32), PieceHasher>,
    description: WordSet<'p>,
    body: Option<std::collections::HashSet<u64, PieceHasher>>,
}

impl<'p> PageView<'p> {
    pub(super) fn of(page: &'p PageBlocks) -> PageView<'p> {
        let prose: Vec<u32> = page.blocks.iter().map(Block::prose_words).collect();
        let inside = inside(page, &prose);
        let main = main_container(page, &prose);
        let mut main_path = vec![None; page.elements.len()];
        let (mut at, mut distance) = (main, 0u16);
        loop {
            main_path[at as usize] = Some(distance);
            if at == 0 {
                break;
            }
            (at, distance) = (page.parent(at), distance.saturating_add(1));
        }
        let title_overlap = title_overlap(page);
        let best = (0..page.blocks.len()).rev().max_by_key(|at| title_overlap[*at]);
        let title = best.filter(|at| title_overlap[*at] >= 500);
        let longest = (0..prose.len()).rev().max_by_key(|at| prose[*at]).unwrap_or(0);
        let in_h1 = |block: &Block| page.element(block.element).is_in(ancestor(Tag::H1));
        let headings = (0..page.blocks.len()).filter(|at| in_h1(&page.blocks[*at])).collect();
        let mut places = vec![Inside::default(); page.places.len()];
        for (block, prose) in page.blocks.iter().zip(&prose) {
            add(&mut places[block.place as usize], block, *prose);
        }
        let body =
            (!page.facts.body.is_empty()).then(|| page.facts.body.windows(3).map(three_words).collect());
        PageView {
            page,
            inside,
            words_before: running(page.blocks.iter().map(|block| u64::from(block.word_count()))),
            prose_before: running(prose.iter().map(|words| u64::from(*words))),
            prose_at_left: nearest(prose.iter().enumerate()),
            prose_at_right: {
                let mut right = nearest(prose.iter().enumerate().rev());
                right.reverse();
                right
            },
            prose,
            main_path,
            main,
            longest,
            title_overlap,
            title,
            headings,
            places,
            copies: duplicates(page),
            description: WordSet::of(&page.facts.description),
            body,
        }
    }

    /// Words on the page.
    pub(super) fn words(&self) -> u64 {
        self.words_before.last().copied().unwrap_or(0)
    }

    /// Words of prose on the page.
    pub(super) fn all_prose(&self) -> u64 {
        self.prose_before.last().copied().unwrap_or(0)
    }

    /// Distinct places of the page's blocks.
    pub(super) fn place_count(&self) -> usize {
        self.places.len()
    }

    /// Blocks, words and linked words of the place with the most blocks.
    pub(super) fn largest_place(&self) -> (u64, u64, u64) {
        let places = self.places.iter().map(|place| (place.blocks, place.words, place.link_words));
        places.max().unwrap_or_default()
    }

    /// The share of the page's prose inside the main container, in thousandths.
    pub(super) fn main_share(&self) -> i64 {
        share(self.inside[self.main as usize].prose, self.all_prose())
    }

    /// The position of the last block of prose, in thousandths of all blocks.
    pub(super) fn last_prose(&self) -> i64 {
        let last = self.prose.iter().rposition(|prose| *prose > 0).unwrap_or(0);
        share(last as u64, self.prose.len() as u64)
    }

    /// The innermost containers around a block, from the inside out.
    pub(super) fn containers(&self, block: &Block) -> [u32; LEVELS] {
        let mut at = block.container;
        std::array::from_fn(|_| {
            let this = at;
            at = self.page.parent(at);
            this
        })
    }
}

fn add(inside: &mut Inside, block: &Block, prose: u32) {
    let words = u64::from(block.word_count());
    inside.words += words;
    inside.link_words += words * u64::from(block.link_density()) / 1000;
    inside.prose += u64::from(prose);
    inside.blocks += 1;
}

fn inside(page: &PageBlocks, prose: &[u32]) -> Vec<Inside> {
    let mut inside = vec![Inside::default(); page.elements.len()];
    for (block, prose) in page.blocks.iter().zip(prose) {
        add(&mut inside[block.container as usize], block, *prose);
    }
    for at in (1..inside.len()).rev() {
        let (below, parent) = (inside[at], page.elements[at].parent as usize);
        let sum = &mut inside[parent];
        sum.words += below.words;
        sum.link_words += below.link_words;
        sum.prose += below.prose;
        sum.blocks += below.blocks;
    }
    inside
}

/// The main container: the element that directly contains the most prose. A block of prose counts 10 for the parent of its container,
/// 5 for the grandparent, and 3 for the container itself.
fn main_container(page: &PageBlocks, prose: &[u32]) -> u32 {
    let mut scores = vec![0u64; page.elements.len()];
    for (block, prose) in page.blocks.iter().zip(prose).filter(|(_, prose)| **prose > 0) {
        let prose = u64::from(*prose);
        let parent = page.parent(block.container);
        scores[block.container as usize] += prose * 3;
        if block.container > 0 {
            scores[parent as usize] += prose * 10;
        }
        if parent > 0 {
            scores[page.parent(parent) as usize] += prose * 5;
        }
    }
    (0..scores.len()).rev().max_by_key(|at| scores[*at]).unwrap_or(0) as u32
}

/// Prefix sums, beginning with 0; the last entry is the total.
pub(super) fn running(values: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut sums = vec![0];
    let mut sum = 0;
    sums.extend(values.map(|value| {
        sum += value;
        sum
    }));
    sums
}

/// For each block in this order, the index of the last block of prose before it.
fn nearest<'p>(prose: impl Iterator<Item = (usize, &'p u32)>) -> Vec<Option<u32>> {
    let mut last = None;
    prose
        .map(|(at, words)| {
            let found = last;
            if *words > 0 {
                last = Some(at as u32);
            }
            found
        })
        .collect()
}

pub(super) fn three_words(words: &[u32]) -> u64 {
    words.iter().fold(7, |hash, word| (hash ^ u64::from(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A small set of words.
struct WordSet<'w> {
    words: &'w [u32],
    /// A filter: bit `hash % 64` is set for each word of the set, which rules out most other words.
    bits: u64,
}

impl WordSet<'_> {
    fn of(words: &[u32]) -> WordSet<'_> {
        WordSet { words, bits: words.iter().fold(0, |bits, word| bits | 1 << (word % 64)) }
    }

    /// The number of `words` that are in the set.
    fn count(&self, words: &[u32]) -> usize {
        words.iter().filter(|word| self.bits >> (*word % 64) & 1 == 1 && self.words.contains(word)).count()
    }
}

/// The Jaccard similarity of two lists of words, in thousandths; `both` is the size of their intersection.
fn overlap(words: &[u32], others: &[u32], both: usize) -> i64 {
    if words.is_empty() || others.is_empty() {
        return 0;
    }
    share(both as u64, (words.len() + others.len() - both.min(others.len())) as u64).min(1000)
}

fn title_overlap(page: &PageBlocks) -> Vec<i64> {
    let (title, og_title) = (&page.facts.title, &page.facts.og_title);
    let [title_words, og_title_words] = [title, og_title].map(|title| WordSet::of(title));
    page.blocks
        .iter()
        .map(|block| {
            let words = page.words_of(block);
            if words.len() > 60 {
                return 0;
            }
            let in_title = title_words.count(words);
            // The two titles are often equal.
            let in_og_title = if title == og_title { in_title } else { og_title_words.count(words) };
            let part = share(in_title as u64, words.len() as u64) * (words.len() as i64).min(4) / 4;
            overlap(words, title, in_title).max(overlap(words, og_title, in_og_title)).max(part)
        })
        .collect()
}

/// Adds the features of a block on its own page.
pub(super) fn of_block(view: &PageView<'_>, at: usize, row: &mut RowWriter<'_>) {
    let block = &view.page.blocks[at];
    text(block, row);
    elements(view, at, block, row);
    containers(view, block, row);
    neighbours(view, at, row);
    landmarks(view, at, block, row);
}

fn text(block: &Block, row: &mut RowWriter<'_>) {
    let (shape, words) = (&block.shape, u64::from(block.word_count()));
    let chars = u64::from(shape.chars);
    for number in
        [words, chars, u64::from(block.link_density()), u64::from(block.links), chars * 10 / words.max(1)]
    {
        row.push(number as i64);
    }
    row.push(i64::from(shape.stops));
    row.push(i64::from(shape.commas));
    row.push(share(u64::from(shape.stops + shape.commas), words));
    row.push(share(u64::from(shape.digits), chars));
    row.push(share(u64::from(shape.capitals), chars));
    row.push(i64::from(shape.separators));
    for flag in [
        shape.ends_sentence,
        shape.ends_with_mark,
        shape.begins_with_capital,
        shape.has_date,
        shape.has_time,
        shape.has_copyright,
        shape.has_address,
        shape.ends_with_dots,
        shape.begins_with_quote,
    ] {
        row.flag(flag);
    }
}

fn elements(view: &PageView<'_>, at: usize, block: &Block, row: &mut RowWriter<'_>) {
    let page = view.page;
    let (element, container) = (page.element(block.element), page.element(block.container));
    row.push(i64::from(element.tag));
    row.push(i64::from(container.tag));
    row.flag(block.after_break);
    (0..ANCESTORS.len()).for_each(|at| row.flag(element.ancestors >> at & 1 == 1));
    row.push(i64::from(element.depth));
    row.flag(element.is_hidden);
    let count = page.blocks.len() as u64;
    row.push(share(at as u64, count));
    row.push(share(view.words_before[at], view.words()));
    row.push(count as i64);
    row.push(view.words() as i64);
    row.push(share(view.all_prose(), view.words()));
}

fn containers(view: &PageView<'_>, block: &Block, row: &mut RowWriter<'_>) {
    let page = view.page;
    for container in view.containers(block) {
        let inside = view.inside[container as usize];
        row.push(inside.words as i64);
        row.push(share(inside.link_words, inside.words));
        row.push((inside.words * 10 / inside.blocks.max(1)) as i64);
        row.push(share(inside.prose, view.all_prose()));
        row.push(inside.blocks as i64);
    }
    let (mut at, mut steps) = (block.container, 0);
    let up = loop {
        match view.main_path[at as usize] {
            Some(up) => break i64::from(up),
            None => (at, steps) = (page.parent(at), steps + 1),
        }
    };
    let common = view.inside[at as usize];
    let parent = page.parent(block.container);
    let longest = page.blocks.get(view.longest).map_or(0, |longest| longest.container);
    row.push(steps);
    row.push(up);
    row.push(share(common.prose, view.all_prose()));
    row.push(share(common.words, view.words()));
    row.flag(steps == 0 || parent == view.main);
    row.flag(page.element(block.container).place == page.element(longest).place);
    row.flag(parent == page.parent(longest));
}

fn neighbours(view: &PageView<'_>, at: usize, row: &mut RowWriter<'_>) {
    let blocks = &view.page.blocks;
    for step in NEIGHBOURS {
        match at.checked_add_signed(step as isize).and_then(|at| Some((blocks.get(at)?, view.prose[at]))) {
            Some((block, prose)) => {
                row.push(i64::from(block.word_count()));
                row.push(i64::from(block.link_density()));
                row.flag(prose > 0);
            }
            None => [-1; 3].into_iter().for_each(|none| row.push(none)),
        }
    }
    let (prose, words) = (&view.prose_before, &view.words_before);
    for reach in [5, 10, 20] {
        let (first, end) = (at.saturating_sub(reach), (at + reach + 1).min(blocks.len()));
        row.push((prose[at] - prose[first]) as i64);
        row.push((prose[end] - prose[at + 1]) as i64);
    }
    let (first, end) = (at.saturating_sub(20), (at + 21).min(blocks.len()));
    row.push(share(prose[at], view.all_prose()));
    row.push(((words[end] - words[first]) * 10 / (end - first) as u64) as i64);
    match view.prose_at_left[at] {
        Some(left) => {
            row.push(at as i64 - i64::from(left));
            row.push((words[at] - words[left as usize + 1]) as i64);
        }
        None => [FAR, i64::MAX].into_iter().for_each(|none| row.push(none)),
    }
    match view.prose_at_right[at] {
        Some(right) => {
            row.push(i64::from(right) - at as i64);
            row.push((words[right as usize] - words[at + 1]) as i64);
        }
        None => [FAR, i64::MAX].into_iter().for_each(|none| row.push(none)),
    }
}

/// The position of the block relative to the title, the headings, the longest block, its place and its copies on the page.
fn landmarks(view: &PageView<'_>, at: usize, block: &Block, row: &mut RowWriter<'_>) {
    let page = view.page;
    let words = page.words_of(block);
    let described = || view.description.count(words) as u64;
    row.push(view.title_overlap[at]);
    row.push(if words.len() > 4 { share(described(), words.len() as u64) } else { 0 });
    row.push(view.title.map_or(FAR, |title| at as i64 - title as i64));
    let to_heading =
        view.headings.iter().map(|heading| at as i64 - *heading as i64).min_by_key(|by| by.abs());
    row.push(to_heading.unwrap_or(FAR));
    row.push(view.headings.len() as i64);
    row.push(at as i64 - view.longest as i64);
    row.flag(view.title == Some(at));
    let place = view.places[block.place as usize];
    row.push(place.blocks as i64);
    row.push((place.words * 10 / place.blocks.max(1)) as i64);
    row.push(share(place.link_words, place.words));
    row.push(share(place.prose, view.all_prose()));
    let (copies, first) = view.copies[&block.text];
    row.push(i64::from(copies) - 1);
    row.flag((first as usize) < at);
    row.push(match &view.body {
        None => -1,
        Some(_) if words.len() < 3 => 500,
        Some(body) => {
            let known = words.windows(3).filter(|words| body.contains(&three_words(words))).count();
            share(known as u64, words.len() as u64 - 2)
        }
    });
}

/// The lexicon's features of the selected blocks, in order, and those of the heading before each.
pub(super) fn of_lexicon(
    view: &PageView<'_>,
    lexicon: &Lexicon,
    selected: &[u32],
) -> Vec<[i16; LEXICON_FEATURES]> {
    let (page, paths) = (view.page, lexicon.paths(view.page));
    let mut rows = Vec::with_capacity(selected.len());
    let (mut heading, mut selected): (Option<(usize, i16)>, _) = (None, selected.iter().copied().peekable());
    for (at, block) in page.blocks.iter().enumerate() {
        let is_heading =
            page.element(block.element).is_heading() || page.element(block.container).is_heading();
        let is_selected = selected.next_if_eq(&(at as u32)).is_some();
        if !is_heading && !is_selected {
            continue;
        }
        let text = lexicon.text(page.words_of(block));
        if is_selected {
            rows.push(lexicon_row(page, at, heading, paths[block.element as usize], text));
        }
        if is_heading {
            heading = Some((at, text.sum));
        }
    }
    rows
}

fn lexicon_row(
    page: &PageBlocks,
    at: usize,
    heading: Option<(usize, i16)>,
    [path, nearest]: [LogOddsSums; 2],
    text: LogOddsSums,
) -> [i16; LEXICON_FEATURES] {
    let mut row = [0i16; LEXICON_FEATURES];
    for (first, log_odds) in [(0, path), (3, nearest), (6, text)] {
        (row[first], row[first + 1], row[first + 2]) = (log_odds.sum, log_odds.min, log_odds.max);
    }
    match heading {
        Some((above, log_odds)) => {
            let above_block = &page.blocks[above];
            let same = page.parent(above_block.container) == page.parent(page.blocks[at].container);
            let density = above_block.link_density() as i16;
            row[9..].copy_from_slice(&[log_odds, (at - above).min(99) as i16, density, i16::from(same)]);
        }
        None => row[9..].copy_from_slice(&[0, 99, -1, 0]),
    }
    row
}

/// The number of features of [`of_lexicon`].
pub(super) const LEXICON_FEATURES: usize = 13;

/// Adds features of the page as a whole.
pub(super) fn of_page(view: &PageView<'_>, row: &mut RowWriter<'_>) {
    let facts = &view.page.facts;
    (0..KIND_HINTS.len()).for_each(|at| row.flag(facts.kind_hints >> at & 1 == 1));
    facts.counts.iter().for_each(|count| row.push(i64::from(*count)));
}

/// The names of the features of [`of_block`], [`of_lexicon`] and [`of_page`], in this order.
pub(super) fn names() -> Vec<String> {
    let mut names: Vec<String> = "words chars link_density links chars_per_word stops commas punctuation digits capitals separators \
        ends_sentence ends_with_mark begins_with_capital has_date has_time has_copyright has_address ends_with_dots begins_with_quote \
        tag container_tag after_break"
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    names.extend(ANCESTORS.iter().map(|tag| format!("in_{}", tag.known_name().unwrap_or_default())));
    names.extend(
        "depth hidden position words_before blocks page_words page_prose"
            .split_whitespace()
            .map(str::to_owned),
    );
    for level in 0..LEVELS {
        let of = ["words", "link_density", "words_per_block", "prose", "blocks"];
        names.extend(of.map(|of| format!("container{level}_{of}")));
    }
    names.extend(
        "main_steps main_up main_prose main_words in_main_container like_longest beside_longest"
            .split_whitespace()
            .map(str::to_owned),
    );
    for step in NEIGHBOURS {
        names.extend(["words", "link_density", "prose"].map(|of| format!("neighbour{step}_{of}")));
    }
    for reach in [5, 10, 20] {
        names.extend([format!("prose_before_{reach}"), format!("prose_after_{reach}")]);
    }
    names.extend(
        "prose_before density_around prose_left prose_left_words prose_right prose_right_words title_overlap description_overlap \
         from_title from_heading headings from_longest is_title place_blocks place_words place_link_density place_prose copies is_copy \
         in_structured_data \
         path_sum path_min path_max nearest_sum nearest_min nearest_max word_sum word_min word_max heading_word_sum from_subheading \
         subheading_link_density beside_subheading"
            .split_whitespace()
            .map(str::to_owned),
    );
    names.extend((0..KIND_HINTS.len()).map(|at| format!("kind_hint{at}")));
    names.extend(COUNTED.iter().map(|tag| format!("count_{}", tag.known_name().unwrap_or_default())));
    names
}
