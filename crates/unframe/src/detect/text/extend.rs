//! Extends frequent seeds to the left and to the right while enough pages agree.
//!
//! A piece of a page is the record of a seed: its hash, the hash of the text since the seed before it, and signatures of the characters on
//! either side. A model has a key for each frequent seed, for each frequent text between two seeds, and for each [`STEP`] by which a seed
//! can be extended. A seed can be extended that far if enough of its occurrences in the sample have the same signature up to there.

use std::collections::HashMap;

use super::Text;
use super::join::Joined;
use super::seeds::{REACH_MAX, STEP, Seed, mix};
use crate::model::Model;
use crate::sample::{Count, PieceHasher, Sample};

/// The numbers in the record of a seed.
const RECORD: usize = 4;
type Templates = HashMap<u64, Count, PieceHasher>;

/// The sides of a seed, whose keys differ.
#[derive(Clone, Copy)]
enum Side {
    Left = 1,
    Right = 2,
}

/// Appends the records of a page's seeds.
pub(super) struct Recorder<'p> {
    pub(super) pieces: &'p mut Vec<u64>,
    /// The start of the last seed.
    pub(super) last: Option<usize>,
}

impl Recorder<'_> {
    pub(super) fn push(&mut self, seed: Seed<'_>) {
        let stretch = self.last.and_then(|last| seed.stretch_from(last)).unwrap_or(NO_STRETCH);
        self.pieces.extend([seed.hash(), stretch, seed.left(), seed.right()]);
        self.last = Some(seed.at);
    }
}

/// Replaces the text before a seed that is the first of its page, or far from the previous one.
const NO_STRETCH: u64 = 0;

/// The keys of a sample of records: seeds and texts between them that occur at least `count` times, and extensions.
pub(super) fn learn(sample: &Sample, count: u32, reach: usize) -> Templates {
    let mut templates = counted(sample);
    templates.remove(&NO_STRETCH);
    templates.retain(|_, one| one.occurrences >= count);
    let records = sample.pages().flat_map(|(_, pieces)| pieces.as_chunks::<RECORD>().0);
    let mut frequent: Vec<&[u64; RECORD]> =
        records.filter(|[seed, ..]| templates.contains_key(seed)).collect();
    frequent.sort_unstable_by_key(|[seed, ..]| *seed);
    for occurrences in frequent.chunk_by(|one, other| one[0] == other[0]) {
        let seed = occurrences[0][0];
        for (side, at) in [(Side::Left, 2), (Side::Right, 3)] {
            let signatures = occurrences.iter().map(|record| record[at]).collect();
            learn_side(&mut templates, (seed, side), signatures, count, reach);
        }
    }
    templates
}

/// The number of occurrences and of pages of each seed and each text between two seeds.
fn counted(sample: &Sample) -> Templates {
    // The last page is stored with each count, so that a page counts once.
    let mut counts: HashMap<u64, (Count, usize), PieceHasher> = HashMap::default();
    for (page, (_, pieces)) in sample.pages().enumerate() {
        for [seed, stretch, ..] in pieces.as_chunks::<RECORD>().0 {
            for piece in [seed, stretch] {
                let (count, last) = counts.entry(*piece).or_insert((Count::default(), usize::MAX));
                count.occurrences = count.occurrences.saturating_add(1);
                count.pages += u32::from(std::mem::replace(last, page) != page);
            }
        }
    }
    counts.into_iter().map(|(piece, (count, _))| (piece, count)).collect()
}

/// Adds the keys of one side of a seed, from the signatures of all its occurrences.
fn learn_side(
    templates: &mut Templates,
    of: (u64, Side),
    mut signatures: Vec<u64>,
    count: u32,
    reach: usize,
) {
    // Makes signatures that agree up to any step adjacent.
    signatures.sort_unstable_by_key(|signature| signature.reverse_bits());
    for chars in (STEP..=reach).step_by(STEP) {
        let runs = signatures.chunk_by(|one, other| masked(one ^ other, chars) == 0);
        let mut agreed = runs.filter(|run| run.len() >= count as usize).peekable();
        if agreed.peek().is_none() {
            break;
        }
        for run in agreed {
            let occurrences = run.len() as u32;
            templates.insert(key(of, run[0], chars), Count { occurrences, pages: occurrences });
        }
    }
}

/// The key of this many characters on one side of a seed.
fn key((seed, side): (u64, Side), signature: u64, chars: usize) -> u64 {
    mix(mix(seed, (chars << 2) as u64 | side as u64), masked(signature, chars))
}

/// The part of a signature that depends on this many characters.
fn masked(signature: u64, chars: usize) -> u64 {
    signature & (u64::MAX >> (REACH_MAX - chars))
}

/// Joins the extended seeds of a page.
pub(super) struct Extender<'m> {
    text: &'m Text,
    model: &'m Model,
    pub(super) joined: Vec<Joined>,
    /// The start of the last seed, if it is template.
    last: Option<usize>,
}

impl<'m> Extender<'m> {
    pub(super) fn new(text: &'m Text, model: &'m Model) -> Extender<'m> {
        Extender { text, model, joined: Vec::new(), last: None }
    }

    pub(super) fn push(&mut self, seed: Seed<'_>) {
        let hash = seed.hash();
        let found = self.model.count(hash).and_then(|count| self.extended(seed, hash, count));
        let is_found = found.is_some();
        match (self.joined.last_mut(), found) {
            (Some(last), Some(found)) if found.start <= last.end => {
                last.start = last.start.min(found.start);
                last.end = last.end.max(found.end);
                last.pages = last.pages.min(found.pages);
            }
            (_, found) => self.joined.extend(found),
        }
        self.last = is_found.then_some(seed.at);
    }

    /// The template around a frequent seed, including all text since the last seed if that text is frequent; `None` if it is shorter than a window.
    fn extended(&self, seed: Seed<'_>, hash: u64, count: Count) -> Option<Joined> {
        let (before, after) = seed.room();
        let right = self.reach((hash, Side::Right), seed.right(), after);
        let end = seed.end() + right;
        let last = self.last.filter(|last| {
            let stretch = seed.stretch_from(*last);
            stretch.is_some_and(|stretch| self.model.count(stretch).is_some())
        });
        let start = last.unwrap_or_else(|| seed.at - self.reach((hash, Side::Left), seed.left(), before));
        let is_template = last.is_some() || end - start >= self.text.window;
        is_template.then_some(Joined { start, end, pages: count.pages, is_next: false })
    }

    /// The number of characters on one side of a seed that enough pages share.
    fn reach(&self, of: (u64, Side), signature: u64, room: usize) -> usize {
        let steps = (STEP..=self.text.reach.min(room)).step_by(STEP);
        steps.take_while(|chars| self.model.count(key(of, signature, *chars)).is_some()).last().unwrap_or(0)
    }
}
