//! The lexicon: log-odds of content for tokens of class names and ids, and for words of short texts.
//!
//! A token like `sidebar` or a word like `subscribe` is evidence on a single page, where there is nothing to compare with.

use super::blocks::PageBlocks;
use super::elements::Element;

/// The log-odds of content of each token and word, in sixteenths; 0 for an unknown one.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    tokens: Table,
    words: Table,
}

/// A hash table with open addressing. Keys are hashes already; a slot with 0 is free, as 0 is what an unknown key has.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    slots: Vec<(u32, i8)>,
}

impl Table {
    /// A table of distinct hashes. Entries of 0 are left out.
    pub(super) fn of(entries: &[(u32, i8)]) -> Table {
        let mut slots = vec![(0, 0); (entries.len() * 2).next_power_of_two().max(2)];
        let mask = slots.len() - 1;
        for (hash, log_odds) in entries.iter().filter(|(_, log_odds)| *log_odds != 0) {
            let mut at = *hash as usize & mask;
            while slots[at].1 != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = (*hash, *log_odds);
        }
        Table { slots }
    }

    /// The log-odds of a hash; 0 for an unknown one.
    #[inline]
    pub(super) fn get(&self, hash: u32) -> i16 {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some((known, log_odds)) = self.slots.get(at).filter(|(_, log_odds)| *log_odds != 0) {
            if *known == hash {
                return i16::from(*log_odds);
            }
            at = (at + 1) & mask;
        }
        0
    }
}

/// The sum, the minimum and the maximum of the log-odds of several tokens.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LogOddsSums {
    pub(super) sum: i16,
    pub(super) min: i16,
    pub(super) max: i16,
    pub(super) is_empty: bool,
}

impl LogOddsSums {
    const NONE: LogOddsSums = LogOddsSums { sum: 0, min: 0, max: 0, is_empty: true };

    fn add(&mut self, log_odds: i16) {
        *self = match self.is_empty {
            true => LogOddsSums { sum: log_odds, min: log_odds, max: log_odds, is_empty: false },
            false => LogOddsSums {
                sum: self.sum.saturating_add(log_odds),
                min: self.min.min(log_odds),
                max: self.max.max(log_odds),
                is_empty: false,
            },
        };
    }

    fn merge(self, other: LogOddsSums) -> LogOddsSums {
        match (self.is_empty, other.is_empty) {
            (_, true) => self,
            (true, false) => other,
            (false, false) => LogOddsSums {
                sum: self.sum.saturating_add(other.sum),
                min: self.min.min(other.min),
                max: self.max.max(other.max),
                is_empty: false,
            },
        }
    }
}

/// Words of a text up to which its words are looked up: single words of a longer text are no evidence.
const SHORT_TEXT_WORDS: usize = 14;
/// How many words of a short text are looked up.
const WORDS_USED: usize = 8;

impl Lexicon {
    /// A lexicon of tokens and of words, each with its log-odds.
    pub fn new(tokens: &[(u32, i8)], words: &[(u32, i8)]) -> Lexicon {
        Lexicon { tokens: Table::of(tokens), words: Table::of(words) }
    }

    /// For every element, the log-odds of the tokens on its path, and those of the innermost element that has any.
    pub(super) fn paths(&self, page: &PageBlocks) -> Vec<[LogOddsSums; 2]> {
        let mut paths: Vec<[LogOddsSums; 2]> = Vec::with_capacity(page.elements.len());
        for element in &page.elements {
            let own = self.own(page, element);
            let [path, nearest] = match paths.get(element.parent as usize) {
                Some(of_parent) => *of_parent,
                None => [LogOddsSums::NONE; 2],
            };
            paths.push([path.merge(own), if own.is_empty { nearest } else { own }]);
        }
        paths
    }

    fn own(&self, page: &PageBlocks, element: &Element) -> LogOddsSums {
        let mut log_odds = LogOddsSums::NONE;
        page.tokens_of(element).iter().for_each(|token| log_odds.add(self.tokens.get(*token)));
        log_odds
    }

    /// The log-odds of the words of a short text.
    pub(super) fn text(&self, words: &[u32]) -> LogOddsSums {
        let mut log_odds = LogOddsSums::NONE;
        if words.len() <= SHORT_TEXT_WORDS {
            words.iter().take(WORDS_USED).for_each(|word| log_odds.add(self.words.get(*word)));
        }
        log_odds
    }
}

/// The words of a block that the lexicon is fitted on: those that [`Lexicon::text`] looks up.
#[cfg(feature = "fitting")]
pub(super) fn used_words(words: &[u32]) -> &[u32] {
    match words.len() <= SHORT_TEXT_WORDS {
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
        assert!(entries.iter().all(|(hash, log_odds)| table.get(*hash) == i16::from(*log_odds)));
        assert_eq!(table.get(12345), 0);
        assert_eq!(Table::default().get(7), 0);
    }
}
