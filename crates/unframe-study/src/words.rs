//! Word scores: precision, recall and F1 of bags of words.
//!
//! A word is a run of letters or digits; in Chinese, Japanese and Korean writing, each character is a word. Words are compared in
//! lower case, and order does not matter: a text is treated as a multiset of words.

use std::collections::HashMap;

/// Precision, recall and their harmonic mean, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WordScore {
    /// The share of the found words that are in the gold text.
    pub precision: f64,
    /// The share of the gold words that were found.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

impl WordScore {
    /// Compares the extracted text with the gold text. If neither has any words, the score is 1.
    pub fn of(found: &str, gold: &str) -> WordScore {
        WordScore::without(found, gold, "")
    }

    /// The same as [`WordScore::of`], but the words of `unsure` are removed from both texts.
    pub fn without(found: &str, gold: &str, unsure: &str) -> WordScore {
        let unsure = bag(unsure);
        let rest = |text: &str| {
            let mut words = bag(text);
            for (word, count) in &mut words {
                *count = count.saturating_sub(unsure.get(word).copied().unwrap_or(0));
            }
            words
        };
        let (found, gold) = (rest(found), rest(gold));
        let (found_words, gold_words): (u64, u64) = (found.values().sum(), gold.values().sum());
        let right_words: u64 =
            found.iter().map(|(word, count)| count.min(gold.get(word).unwrap_or(&0))).sum();
        if gold_words + found_words == 0 {
            return WordScore { precision: 1.0, recall: 1.0, f1: 1.0 };
        }
        let share = |all: u64| if all == 0 { 0.0 } else { right_words as f64 / all as f64 };
        let f1 = 2.0 * right_words as f64 / (gold_words + found_words) as f64;
        WordScore { precision: share(found_words), recall: share(gold_words), f1 }
    }

    /// The mean of several scores; all zero if there are none.
    pub fn mean(scores: &[WordScore]) -> WordScore {
        let mean = |figure: fn(&WordScore) -> f64| {
            scores.iter().map(figure).sum::<f64>() / scores.len().max(1) as f64
        };
        WordScore {
            precision: mean(|score| score.precision),
            recall: mean(|score| score.recall),
            f1: mean(|score| score.f1),
        }
    }
}

/// The number of occurrences of each word in a text.
fn bag(text: &str) -> HashMap<String, u64> {
    let mut words: HashMap<String, u64> = HashMap::new();
    for_each_word(text, |word| match words.get_mut(word) {
        Some(count) => *count += 1,
        None => _ = words.insert(word.to_owned(), 1),
    });
    words
}

/// Calls `each` with every word of a text, in lower case.
pub fn for_each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    for c in text.chars() {
        let stands_alone = is_word_by_itself(c);
        if (stands_alone || !c.is_alphanumeric()) && !word.is_empty() {
            each(&word);
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        if stands_alone {
            each(&word);
            word.clear();
        }
    }
    if !word.is_empty() {
        each(&word);
    }
}

/// Whether this is a letter of Chinese, Japanese or Korean writing, which uses few or no spaces between words.
fn is_word_by_itself(c: char) -> bool {
    c >= '\u{1100}'
        && c.is_alphanumeric()
        && matches!(c,
            '\u{1100}'..='\u{11ff}' // Hangul Jamo
            | '\u{2e80}'..='\u{2fdf}' // radicals
            | '\u{3005}'..='\u{3007}' // marks of iteration and zero, which stand for characters
            | '\u{3040}'..='\u{318f}' // Hiragana, Katakana, Bopomofo, Hangul
            | '\u{31a0}'..='\u{31bf}' // Bopomofo
            | '\u{31f0}'..='\u{31ff}' // Katakana
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' // Han
            | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}' // Hangul
            | '\u{f900}'..='\u{faff}' // Han
            | '\u{ff66}'..='\u{ffdc}' // half-width forms
            | '\u{20000}'..='\u{3ffff}' // Han
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word.to_owned()));
        assert_eq!(words, expected);
    }

    #[test]
    fn a_word_is_a_run_of_letters_or_digits() {
        check("It's 3.14, x_1 ÄRGER\u{a0}Привет", &["it", "s", "3", "14", "x", "1", "ärger", "привет"]);
        check("  -- ", &[]);
    }

    #[test]
    fn each_character_is_a_word_in_chinese_japanese_and_korean() {
        check("Tee茶，2杯", &["tee", "茶", "2", "杯"]);
        check("お茶。カップ", &["お", "茶", "カ", "ッ", "プ"]);
        check("한국", &["한", "국"]);
    }

    #[test]
    fn words_count_as_often_as_they_occur() {
        // Four words are found, two of them correctly (one `tea`, and `is`); the gold text has three.
        let score = WordScore::of("tea tea is menu", "Tea is hot");
        assert_eq!((score.precision, score.recall), (0.5, 2.0 / 3.0));
        assert!((score.f1 - 4.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_compared_with_nothing_is_right() {
        let unsure = WordScore::without("tea is hot see also", "Tea is hot see also", "see also");
        assert_eq!(unsure, WordScore::of("tea is hot", "tea is hot"));
        assert_eq!(WordScore::without("tea", "tea see also", "see also").f1, 1.0);
        assert_eq!(WordScore::of("", " ").f1, 1.0);
        assert_eq!(WordScore::of("", "a"), WordScore::default());
        assert_eq!(WordScore::of("a", ""), WordScore::default());
    }
}
