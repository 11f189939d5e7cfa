//! Tests the templates that `blocks` finds.

use super::*;

/// Twelve words that all pages have.
const FIXED: &str = "all rights reserved by the people who print this book on paper";

/// Whether each page has a template block. `words` returns the number of unique words before and after the fixed words.
fn found(words: impl Fn(usize) -> (usize, usize)) -> Vec<bool> {
    let own = |page: usize, at: usize, count: usize| -> String {
        (0..count).map(|i| format!(" own{page}x{at}x{i} ")).collect()
    };
    let pages: Vec<_> = (0..12)
        .map(|i| {
            let (before, after) = words(i);
            (i.to_string(), format!("<div class=f>{}{FIXED}{}</div>", own(i, 0, before), own(i, 1, after)))
        })
        .collect();
    let models = learn(method("blocks").unwrap(), &pages).models();
    pages.iter().map(|(_, page)| !label(&models, page).is_empty()).collect()
}

#[test]
fn words_inserted_at_the_start_of_a_block_do_not_hide_the_others() {
    // Of up to 15 words, 12 are template words, which is at least 0.8. Of 16 words and more, it is less.
    let inserted = |i: usize| 1 + i % 6;
    let expected: Vec<bool> = (0..12).map(|i| inserted(i) <= 3).collect();
    assert_eq!(found(|i| (inserted(i), 0)), expected);
}

#[test]
fn words_appended_to_a_block_do_not_hide_the_others() {
    assert_eq!(found(|i| (0, i % 4)), [true; 12]);
}

#[test]
fn a_share_of_exactly_the_ratio_is_enough() {
    let mut blocks = crate::detect::Blocks::default();
    blocks.ratio = 0.7;
    assert!(blocks.is_template_block(63, 90));
    assert!(!blocks.is_template_block(62, 90));
}
