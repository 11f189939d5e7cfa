//! The positions of words in blocks, for one page or for as many pages as fit into memory.

use unframe::blocks::Signature;

/// The occurrences of a word in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The hash of the block's style and site.
    pub(crate) style: u64,
    /// The lower 32 bits of the word's hash, which are enough to distinguish the words of one style.
    pub(crate) word: u32,
    pub(crate) block: u32,
    pub(crate) signature: Signature,
}

impl Place {
    /// The sort key: style, word, block.
    pub(crate) fn order(&self) -> u128 {
        u128::from(self.style) << 64 | u128::from(self.word) << 32 | u128::from(self.block)
    }

    /// Whether both are occurrences of the same word in blocks of the same style.
    pub(crate) fn is_same_word(&self, other: &Place) -> bool {
        (self.style, self.word) == (other.style, other.word)
    }
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
    /// `first` on, and are ignored unless `wanted` accepts their style and number.
    pub(crate) fn for_each_word(
        &self,
        first: u32,
        wanted: impl Fn(u64, u32) -> bool,
        least: impl Fn(u32) -> usize,
        mut each: impl FnMut(&mut Vec<Place>) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        // Only words of the same style are compared. So the blocks are sorted by style, and then the words of one style at a time, with
        // 64-bit keys. Sorting all places by one 128-bit key takes several times as long.
        let mut by_style = Vec::with_capacity(self.blocks.len());
        let mut start = 0;
        for (number, block) in (first..).zip(&self.blocks) {
            let words = start..start + block.words as usize;
            start = words.end;
            if wanted(block.style, number) {
                by_style.push((block.style, number, words));
            }
        }
        by_style.sort_unstable_by_key(|(style, number, _)| (*style, *number));
        let (mut places, mut order, mut group) = (Vec::new(), Vec::new(), Vec::new());
        for blocks in by_style.chunk_by(|one, other| one.0 == other.0) {
            let least = least(blocks[0].1);
            places.clear();
            for (style, block, words) in blocks {
                let of_block = self.words[words.clone()].iter().zip(&self.signatures[words.clone()]);
                places.extend(of_block.map(|(word, signature)| Place {
                    style: *style,
                    word: *word,
                    block: *block,
                    signature: *signature,
                }));
            }
            order.clear();
            order.extend((0u64..).zip(&places).map(|(at, place)| u64::from(place.word) << 32 | at));
            order.sort_unstable();
            for same in order.chunk_by(|one, other| one >> 32 == other >> 32) {
                if same.len() >= least {
                    group.clear();
                    group.extend(same.iter().map(|at| places[*at as u32 as usize]));
                    each(&mut group)?;
                }
            }
        }
        Ok(())
    }
}
