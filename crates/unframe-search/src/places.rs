//! The positions of words in blocks: of one page, or of as many pages as fit into memory.

use unframe::blocks::Signature;

/// A word in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The style of the block and its site.
    pub(crate) style: u64,
    /// A part of the hash of the word, which is enough to distinguish words of one style.
    pub(crate) word: u32,
    pub(crate) block: u32,
    pub(crate) signature: Signature,
}

impl Place {
    /// By style, word and block.
    pub(crate) fn order(&self) -> u128 {
        u128::from(self.style) << 64 | u128::from(self.word) << 32 | u128::from(self.block)
    }

    /// Whether both are the same word in blocks of the same style.
    pub(crate) fn is_same_word(&self, other: &Place) -> bool {
        (self.style, self.word) == (other.style, other.word)
    }
}

/// The different words of blocks, one block after the other.
#[derive(Debug, Default)]
pub(crate) struct Places {
    blocks: Vec<BlockWords>,
    words: Vec<u32>,
    signatures: Vec<Signature>,
}

/// A block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockWords {
    /// Its style and its site.
    pub(crate) style: u64,
    /// How many different words it has.
    pub(crate) words: u32,
    /// The number of its words modulo 32, because signatures encode offsets modulo 32.
    pub(crate) len: u8,
}

impl Places {
    /// Adds the block with these words. `memory` is what that takes.
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

    /// How much memory they take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..]) + size_of_val(&self.words[..]) + size_of_val(&self.signatures[..])
    }

    /// Calls `each` with all places of a word in the blocks of a style, ascending by style, word and block, and that for all words
    /// with at least as many places as `least` says for the block of one of them. Blocks are numbered from `first` on; those
    /// that are not `wanted` by style and number count as if they were not there.
    pub(crate) fn for_each_word(
        &self,
        first: u32,
        wanted: impl Fn(u64, u32) -> bool,
        least: impl Fn(u32) -> usize,
        mut each: impl FnMut(&mut Vec<Place>) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        // Only words of the same style are compared, so blocks are sorted by it, and then the words of one style at a time as numbers
        // of 64 bits. To sort all places by one long key takes several times as long.
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
