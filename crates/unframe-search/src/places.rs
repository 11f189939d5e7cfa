//! The positions of words in blocks, for one page or for as many pages as fit into memory.

use unframe::blocks::Signature;

/// A word in blocks of one style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StyleWord {
    /// The hash of the style and the site.
    pub(crate) style: u64,
    /// The lower 32 bits of the word's hash, which are enough to distinguish the words of one style.
    pub(crate) word: u32,
}

/// The occurrences of a word in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) block: u32,
    /// Number of words of the block modulo 32.
    pub(crate) block_words: u8,
    pub(crate) signature: Signature,
}

/// The distinct words of blocks, one block after the other.
#[derive(Debug, Default)]
pub(crate) struct Places {
    blocks: Vec<BlockWords>,
    words: Vec<u32>,
    signatures: Vec<Signature>,
}

/// A block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockWords {
    /// The hash of its style and site.
    pub(crate) style: u64,
    /// Number of distinct words.
    pub(crate) words: u32,
    /// Number of words modulo 32, because signatures encode offsets modulo 32.
    pub(crate) len: u8,
}

/// The number of distinct words of a block. `memory` is a reusable buffer.
pub(crate) fn distinct_words(hashes: &[u64], memory: &mut Vec<u64>) -> u32 {
    memory.clear();
    memory.extend(hashes.iter().map(|hash| u64::from(*hash as u32)));
    memory.sort_unstable();
    memory.dedup();
    memory.len() as u32
}

impl Places {
    /// Adds a block by the hashes of its words. `memory` is a reusable buffer.
    pub(crate) fn push_block(&mut self, style: u64, hashes: &[u64], memory: &mut Vec<u64>) {
        memory.clear();
        memory.extend((0..).zip(hashes).map(|(offset, hash)| hash << 32 | offset));
        memory.sort_unstable();
        let before = self.words.len();
        for same in memory.chunk_by(|one, other| one >> 32 == other >> 32) {
            self.words.push((same[0] >> 32) as u32);
            self.signatures.push(Signature::of(same.iter().map(|offset| *offset as u32)));
        }
        let words = (self.words.len() - before) as u32;
        self.blocks.push(BlockWords { style, words, len: (hashes.len() % 32) as u8 });
    }

    /// Adds all blocks of another list.
    pub(crate) fn append(&mut self, others: &Places) {
        self.blocks.extend(&others.blocks);
        self.words.extend(&others.words);
        self.signatures.extend(&others.signatures);
    }

    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.words.clear();
        self.signatures.clear();
    }

    pub(crate) fn blocks(&self) -> &[BlockWords] {
        &self.blocks
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..]) + size_of_val(&self.words[..]) + size_of_val(&self.signatures[..])
    }

    /// Calls `each` with all places of a word in the blocks of a style, for each style and word in ascending order. The places of a call
    /// are sorted by block. Words with fewer places than `least` are skipped; its argument is a block of the style. Blocks are numbered from
    /// `first` on, and are ignored unless `wanted` accepts their number.
    pub(crate) fn for_each_word<E>(
        &self,
        first: u32,
        wanted: impl Fn(u32) -> bool,
        least: impl Fn(u32) -> usize,
        mut each: impl FnMut(StyleWord, &mut Vec<Place>) -> Result<(), E>,
    ) -> Result<(), E> {
        // Only words of the same style are compared. So the blocks are sorted by style, and then the words of one style at a time, with
        // 64-bit keys. Sorting all places by one 128-bit key takes several times as long.
        let mut by_style = Vec::with_capacity(self.blocks.len());
        let mut start = 0;
        for (number, block) in (first..).zip(&self.blocks) {
            let words = start..start + block.words as usize;
            start = words.end;
            if wanted(number) {
                by_style.push((block, number, words));
            }
        }
        by_style.sort_unstable_by_key(|(block, number, _)| (block.style, *number));
        let (mut places, mut order, mut group) = (Vec::new(), Vec::new(), Vec::new());
        for blocks in by_style.chunk_by(|one, other| one.0.style == other.0.style) {
            let (style, least) = (blocks[0].0.style, least(blocks[0].1));
            // A word has one place in a block.
            if blocks.len() < least {
                continue;
            }
            places.clear();
            order.clear();
            for (block, number, words) in blocks {
                let keys = (places.len() as u64..).zip(&self.words[words.clone()]);
                order.extend(keys.map(|(at, word)| u64::from(*word) << 32 | at));
                places.extend(self.signatures[words.clone()].iter().map(|signature| Place {
                    block: *number,
                    block_words: block.len,
                    signature: *signature,
                }));
            }
            order.sort_unstable();
            for same in order.chunk_by(|one, other| one >> 32 == other >> 32) {
                if same.len() >= least {
                    group.clear();
                    group.extend(same.iter().map(|at| places[*at as u32 as usize]));
                    each(StyleWord { style, word: (same[0] >> 32) as u32 }, &mut group)?;
                }
            }
        }
        Ok(())
    }
}
