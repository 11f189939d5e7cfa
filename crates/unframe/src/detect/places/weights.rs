//! The fitted weights: the trees that score blocks, the trees that score kinds of pages, the lexicon, and the calibrations.
//!
//! `cargo xtask fit` writes them to `weights.bin`; only this module knows the format.

use std::sync::LazyLock;

use super::forest::{Forest, Split};
use super::kind::PageKind;
use super::lexicon::Lexicon;
use super::scorer::{LEAVES_MAX, Scorer};

/// The first bytes of the file.
const MAGIC: &[u8; 4] = b"ufw3";

/// The weights in use, unpacked once from the program's own bytes.
pub(super) static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    // A test decodes them, so the fallback, which keeps every block, is never used.
    Weights::decode(include_bytes!("weights.bin")).unwrap_or_default()
});

/// All fitted weights.
#[derive(Debug, Clone, Default)]
pub struct Weights {
    /// Scores blocks by features of their page only: the first pass.
    pub single_page: Scorer,
    /// Scores the blocks of a single page in the second pass, with the first-pass scores of the surrounding text.
    pub second_pass: Scorer,
    /// Scores the blocks of pages that are compared with others.
    pub with_site: Scorer,
    /// Score the kind of a page, one for each of [`PageKind::ALL`].
    pub kinds: Vec<Scorer>,
    /// Log-odds of tokens and words.
    pub lexicon: Lexicon,
    /// One for each of [`PageKind::ALL`].
    pub calibrations: Vec<Calibration>,
}

/// A linear map of scores, fitted for each kind of page so that probabilities are calibrated on held-out sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calibration {
    /// The factor, in thousandths.
    pub scale: i16,
    /// The summand, in units of a score.
    pub shift: i16,
}

impl Default for Calibration {
    fn default() -> Calibration {
        Calibration { scale: 1000, shift: 0 }
    }
}

impl Weights {
    /// The calibration for a kind of page.
    pub(super) fn calibration(&self, kind: PageKind) -> Calibration {
        self.calibrations.get(kind as usize).copied().unwrap_or_default()
    }

    /// Reads what [`encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Option<Weights> {
        let mut reader = Reader(bytes);
        if reader.take()? != *MAGIC {
            return None;
        }
        let (single_page, second_pass, with_site) = (reader.scorer()?, reader.scorer()?, reader.scorer()?);
        let kinds = PageKind::ALL.iter().map(|_| reader.scorer()).collect::<Option<_>>()?;
        let (tokens, words) = (reader.entries()?, reader.entries()?);
        let calibration =
            |reader: &mut Reader<'_>| Some(Calibration { scale: reader.short()?, shift: reader.short()? });
        let calibrations = PageKind::ALL.iter().map(|_| calibration(&mut reader)).collect::<Option<_>>()?;
        reader.0.is_empty().then(|| Weights {
            single_page,
            second_pass,
            with_site,
            kinds,
            lexicon: Lexicon::new(&tokens, &words),
            calibrations,
        })
    }
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn short(&mut self) -> Option<i16> {
        self.take().map(i16::from_le_bytes)
    }

    fn scorer(&mut self) -> Option<Scorer> {
        let mut forest = Forest { bias: i32::from_le_bytes(self.take()?), ..Default::default() };
        for _ in 0..u16::from_le_bytes(self.take()?) {
            forest.trees.push((forest.nodes.len() as u32, forest.leaves.len() as u32));
            let [leaves] = self.take()?;
            if !(1..=LEAVES_MAX).contains(&usize::from(leaves)) {
                return None;
            }
            for _ in 1..leaves {
                let [feature, left, right] = self.take()?;
                forest.nodes.push(Split { feature, left, right, threshold: self.short()? });
            }
            for _ in 0..leaves {
                forest.leaves.push(self.short()?);
            }
        }
        Some(Scorer::new(forest))
    }

    fn entries(&mut self) -> Option<Vec<(u32, i8)>> {
        let count = u32::from_le_bytes(self.take()?);
        (0..count)
            .map(|_| Some((u32::from_le_bytes(self.take()?), i8::from_le_bytes(self.take()?))))
            .collect()
    }
}

/// The bytes of a file, from the trees for blocks (single page, second pass, with site) and for kinds of pages, the entries of the lexicon
/// (tokens, words), and the calibrations.
#[cfg(feature = "fitting")]
pub fn encode(
    blocks: [&Forest; 3],
    kinds: &[Forest],
    lexicon: &[Vec<(u32, i8)>; 2],
    calibrations: &[Calibration],
) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    for forest in blocks.into_iter().chain(kinds) {
        out.extend(forest.bias.to_le_bytes());
        out.extend((forest.trees.len() as u16).to_le_bytes());
        for (number, (nodes, leaves)) in forest.trees.iter().enumerate() {
            let end = forest.trees.get(number + 1).map_or(forest.leaves.len(), |next| next.1 as usize);
            let leaves = &forest.leaves[*leaves as usize..end];
            out.push(leaves.len() as u8);
            for node in &forest.nodes[*nodes as usize..*nodes as usize + leaves.len() - 1] {
                out.extend([node.feature, node.left, node.right]);
                out.extend(node.threshold.to_le_bytes());
            }
            leaves.iter().for_each(|leaf| out.extend(leaf.to_le_bytes()));
        }
    }
    for entries in lexicon {
        out.extend((entries.len() as u32).to_le_bytes());
        for (hash, worth) in entries {
            out.extend(hash.to_le_bytes());
            out.extend(worth.to_le_bytes());
        }
    }
    for calibration in calibrations {
        out.extend(calibration.scale.to_le_bytes());
        out.extend(calibration.shift.to_le_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_the_program_are_whole() {
        let weights = Weights::decode(include_bytes!("weights.bin"))
            .expect("weights.bin is damaged: run cargo xtask fit");
        assert!(weights.single_page.forest.trees.len() >= 20 && weights.with_site.forest.trees.len() >= 20);
        assert!(weights.kinds.iter().all(|kind| !kind.forest.trees.is_empty()));
        assert!(Weights::decode(&include_bytes!("weights.bin")[..1000]).is_none());
    }
}
