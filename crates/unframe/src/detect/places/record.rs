//! The record of a page in the sample of its site: its blocks as a few whole numbers each.

use xxhash_rust::xxh3;

use super::blocks::{Block, PageBlocks};
use super::features::LEVELS;
use super::kind::{self, KindScores};
use super::single_page::sixteenths;

/// Words of a record for each block.
const BLOCK: usize = 6;
/// Words at the start of a record: fingerprint, kinds, and the number of hashes of markup and title parts. These hashes and the blocks
/// follow.
const HEAD: usize = 3;

// Bit fields in the fourth word of a block; its lowest 16 bits are the number of words of text.
const SCORE_AT: u32 = 16;
const LINK_AT: u32 = 32;
const PROSE: u64 = 1 << 48;
const TITLE: u64 = 1 << 49;

/// What is counted over the pages of a site. Every kind of fact has its own keys.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fact {
    Text = 0x11,
    TextWithoutDigits = 0x22,
    Container = 0x33,
    Target = 0x44,
    Title = 0x55,
    Sampled = 0x66,
    TextAtPlace = 0x77,
    Markup = 0x88,
}

/// Bits of a hash that a key keeps: enough to make collisions within a site rare, and files are smaller.
const KEY_BITS: u32 = 40;
/// Spreads these bits over a whole key, as hash maps need.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// The inverse of [`SPREAD`].
const GATHER: u64 = 0xf1de_83e1_9937_733d;
/// Bytes of a key in a file.
pub(super) const KEY_BYTES: usize = KEY_BITS as usize / 8;

impl Fact {
    pub(super) fn key(self, hash: u64) -> u64 {
        ((hash ^ self as u64) & ((1 << KEY_BITS) - 1)).wrapping_mul(SPREAD)
    }
}

/// A key as stored in files.
pub(super) fn key_bytes(key: u64) -> [u8; KEY_BYTES] {
    let [a, b, c, d, e, ..] = key.wrapping_mul(GATHER).to_le_bytes();
    [a, b, c, d, e]
}

/// The inverse of [`key_bytes`].
pub(super) fn key_of(bytes: [u8; KEY_BYTES]) -> u64 {
    let [a, b, c, d, e] = bytes;
    u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]).wrapping_mul(SPREAD)
}

/// Combines the hash of a text with its place.
pub(super) fn at_place(text: u64, place: u64) -> u64 {
    text ^ place.rotate_left(17)
}

/// A hash of all texts of a page, by which a page recognises itself in the sample.
pub(super) fn fingerprint(page: &PageBlocks) -> u64 {
    page.blocks.iter().fold(0, |hash, block| xxh3::xxh3_64_with_seed(&block.text.to_le_bytes(), hash))
}

/// Appends the record of a page to `out`.
pub(super) fn write(page: &PageBlocks, kinds: KindScores, scores: &[i32], out: &mut Vec<u64>) {
    let title = title_block(page);
    out.push(fingerprint(page));
    out.push(kind::pack(kinds));
    out.push((page.markup.len() + page.title_parts.len()) as u64);
    out.extend(page.markup.iter().map(|markup| markup.hash));
    out.extend(page.title_parts.iter().map(|part| part.markup.hash));
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
                | if title == Some(at) { TITLE } else { 0 },
            page.element(parent).place >> 32 << 32 | page.element(grandparent).place >> 32,
            u64::from(block.targets[0]) << 32 | u64::from(block.targets[1]),
        ]);
    }
}

/// The first `<h1>` of a few words, whose text other pages may have as anchor text.
fn title_block(page: &PageBlocks) -> Option<usize> {
    page.blocks.iter().position(|block| {
        page.element(block.element).is_in(super::elements::ancestor(crate::html::tag::Tag::H1))
            && block.word_count() >= 3
    })
}

fn containers(page: &PageBlocks, block: &Block) -> [u32; LEVELS] {
    let mut at = block.container;
    std::array::from_fn(|_| {
        let this = at;
        at = page.parent(at);
        this
    })
}

/// A view of the record of a page.
#[derive(Clone, Copy)]
pub(super) struct Record<'r>(pub(super) &'r [u64]);

impl<'r> Record<'r> {
    /// See [`fingerprint`]; `None` for an empty record.
    pub(super) fn fingerprint(self) -> Option<u64> {
        self.0.first().copied()
    }

    /// The log-odds of each kind of page, in sixteenths.
    pub(super) fn kinds(self) -> KindScores {
        kind::unpack(self.0.get(1).copied().unwrap_or(0))
    }

    pub(super) fn blocks(self) -> impl Iterator<Item = RecordedBlock<'r>> {
        self.parts().1.chunks_exact(BLOCK).map(RecordedBlock)
    }

    /// Calls `each` with the key of each fact of the page; some keys occur more than once.
    pub(super) fn facts(self, mut each: impl FnMut(u64)) {
        let (markup, _) = self.parts();
        markup.iter().for_each(|hash| each(Fact::Markup.key(*hash)));
        for block in self.blocks() {
            each(block.text_key());
            each(block.without_digits_key());
            each(block.at_place_key());
            halves(block.0[4]).into_iter().for_each(|hash| each(Fact::Container.key(hash)));
            let targets = halves(block.0[5]).into_iter().filter(|target| *target != 0);
            targets.for_each(|target| each(Fact::Target.key(target)));
        }
    }

    /// The key of its title, if it has one.
    pub(super) fn title(self) -> Option<u64> {
        let title = self.blocks().find(|block| block.0[3] & TITLE != 0)?;
        Some(Fact::Title.key(title.0[0]))
    }

    /// The hashes of its markup and title parts, and the words of its blocks.
    fn parts(self) -> (&'r [u64], &'r [u64]) {
        let Some((head, rest)) = self.0.split_at_checked(HEAD) else { return (&[], &[]) };
        rest.split_at((head[HEAD - 1] as usize).min(rest.len()))
    }
}

fn halves(number: u64) -> [u64; 2] {
    [number >> 32, number & u64::from(u32::MAX)]
}

/// A block of a record.
#[derive(Clone, Copy)]
pub(super) struct RecordedBlock<'r>(&'r [u64]);

impl RecordedBlock<'_> {
    /// A hash of its text.
    pub(super) fn text(self) -> u64 {
        self.0[0]
    }

    pub(super) fn text_key(self) -> u64 {
        Fact::Text.key(self.0[0])
    }

    pub(super) fn without_digits(self) -> u64 {
        self.0[1]
    }

    pub(super) fn without_digits_key(self) -> u64 {
        Fact::TextWithoutDigits.key(self.0[1])
    }

    pub(super) fn at_place_key(self) -> u64 {
        Fact::TextAtPlace.key(at_place(self.0[0], self.0[2]))
    }

    pub(super) fn place(self) -> u64 {
        self.0[2]
    }

    pub(super) fn words(self) -> u32 {
        (self.0[3] & 0xffff) as u32
    }

    /// The share of its characters in links, in thousandths.
    pub(super) fn link_density(self) -> u32 {
        (self.0[3] >> LINK_AT) as u32 & 0xffff
    }

    pub(super) fn is_prose(self) -> bool {
        self.0[3] & PROSE != 0
    }

    /// Its single-page score, in sixteenths.
    pub(super) fn score(self) -> i8 {
        (self.0[3] >> SCORE_AT) as u8 as i8
    }

    /// Whether it is prose, and content by its single-page score.
    pub(super) fn is_prose_of_content(&self) -> bool {
        self.is_prose() && self.score() > 0
    }
}

/// The words of a block of prose that is content, for tests.
#[cfg(test)]
pub(super) fn prose_block(text: u64, words: u64) -> [u64; BLOCK] {
    [text, text, 0, words | 16 << SCORE_AT | PROSE, 0, 0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_survive_files() {
        for hash in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            let key = Fact::Text.key(hash);
            assert_eq!(key_of(key_bytes(key)), key);
            assert_ne!(key, Fact::Title.key(hash));
        }
    }
}
