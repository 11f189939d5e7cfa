//! Words that speak for content or against it: tokens of class names and ids, and words of short texts.

use super::blocks::PageBlocks;
use super::elements::Element;

/// What a token is worth, in sixteenths of log-odds; 0 of one that is not known.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    tokens: Table,
    words: Table,
}

/// An open hash table of hashes.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    slots: Vec<(u32, i8)>,
}

impl Table {
    /// A table of different hashes; those with 0 are left out.
    pub(super) fn of(entries: &[(u32, i8)]) -> Table {
        let mut slots = vec![(0, 0); (entries.len() * 2).next_power_of_two().max(2)];
        let mask = slots.len() - 1;
        for (hash, worth) in entries.iter().filter(|(_, worth)| *worth != 0) {
            let mut at = *hash as usize & mask;
            while slots[at].1 != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = (*hash, *worth);
        }
        Table { slots }
    }

    /// What belongs to a hash; 0 of one that is not known.
    #[inline]
    pub(super) fn get(&self, hash: u32) -> i16 {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some((known, worth)) = self.slots.get(at).filter(|(_, worth)| *worth != 0) {
            if *known == hash {
                return i16::from(*worth);
            }
            at = (at + 1) & mask;
        }
        0
    }
}

/// The sum of what tokens are worth, the smallest and the largest.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Worth {
    pub(super) sum: i16,
    pub(super) min: i16,
    pub(super) max: i16,
    pub(super) is_empty: bool,
}

impl Worth {
    const NONE: Worth = Worth { sum: 0, min: 0, max: 0, is_empty: true };

    fn add(&mut self, worth: i16) {
        *self = match self.is_empty {
            true => Worth { sum: worth, min: worth, max: worth, is_empty: false },
            false => Worth {
                sum: self.sum.saturating_add(worth),
                min: self.min.min(worth),
                max: self.max.max(worth),
                is_empty: false,
            },
        };
    }

    fn join(mut self, other: Worth) -> Worth {
        if !other.is_empty {
            let (min, max) = (other.min, other.max);
            if self.is_empty {
                return other;
            }
            self.sum = self.sum.saturating_add(other.sum);
            self.min = self.min.min(min);
            self.max = self.max.max(max);
        }
        self
    }
}

/// Words of longer texts say little.
const SHORT_TEXT: usize = 14;
/// Words of a short text that count.
const WORDS_USED: usize = 8;

impl Lexicon {
    /// A lexicon of tokens and of words, each with what it is worth.
    pub fn new(tokens: &[(u32, i8)], words: &[(u32, i8)]) -> Lexicon {
        Lexicon { tokens: Table::of(tokens), words: Table::of(words) }
    }

    /// For every element, what the tokens on its path are worth, and those of the innermost element that has any.
    pub(super) fn paths(&self, page: &PageBlocks) -> Vec<[Worth; 2]> {
        let mut paths: Vec<[Worth; 2]> = Vec::with_capacity(page.elements.len());
        for element in &page.elements {
            let own = self.own(page, element);
            let around = match paths.get(element.parent as usize) {
                Some(around) => *around,
                None => [Worth::NONE; 2],
            };
            paths.push([around[0].join(own), if own.is_empty { around[1] } else { own }]);
        }
        paths
    }

    fn own(&self, page: &PageBlocks, element: &Element) -> Worth {
        let mut worth = Worth::NONE;
        page.tokens_of(element).iter().for_each(|token| worth.add(self.tokens.get(*token)));
        worth
    }

    /// What the words of a short text are worth.
    pub(super) fn text(&self, words: &[u32]) -> Worth {
        let mut worth = Worth::NONE;
        if words.len() <= SHORT_TEXT {
            words.iter().take(WORDS_USED).for_each(|word| worth.add(self.words.get(*word)));
        }
        worth
    }
}

/// The words of a block that a lexicon of words is made from.
#[cfg(feature = "fitting")]
pub(super) fn used_words(words: &[u32]) -> &[u32] {
    match words.len() <= SHORT_TEXT {
        true => &words[..words.len().min(WORDS_USED)],
        false => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_find_what_is_in_them() {
        let entries: Vec<(u32, i8)> =
            (1..400u32).map(|n| (n.wrapping_mul(0x9e37_79b9), (n % 100) as i8 + 1)).collect();
        let table = Table::of(&entries);
        assert!(entries.iter().all(|(hash, worth)| table.get(*hash) == i16::from(*worth)));
        assert_eq!(table.get(12345), 0);
        assert_eq!(Table::default().get(7), 0);
    }
}
