//! Splits text into words.

use std::ops::Range;

use xxhash_rust::xxh3;

/// Calls `each` with the range of every word: runs of letters and digits, and each Chinese, Japanese or Korean character.
pub fn split(text: &str, mut each: impl FnMut(Range<usize>)) {
    let mut start = None;
    let mut end_word = |start: &mut Option<usize>, at| {
        if let Some(start) = start.take() {
            each(start..at);
        }
    };
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        let (is_word, is_alone, len) = if byte.is_ascii() {
            (byte.is_ascii_alphanumeric(), false, 1)
        } else {
            let c = text[at..].chars().next().unwrap_or_default();
            (c.is_alphanumeric(), is_cjk(c), c.len_utf8())
        };
        if is_alone || !is_word {
            end_word(&mut start, at);
        }
        if is_word {
            start.get_or_insert(at);
        }
        at += len;
        if is_alone {
            end_word(&mut start, at);
        }
    }
    end_word(&mut start, at);
}

/// Whether a character is a word of its own: Chinese, Japanese and Korean are written with few spaces or none.
pub fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' // Hangul parts
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30ff}' // kana
        | '\u{3131}'..='\u{318e}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' // Han
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' // Hangul
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9d}' // narrow kana
        | '\u{20000}'..='\u{3ffff}')
}

/// A word in lower case.
pub fn lower<'t>(word: &'t str, memory: &'t mut String) -> &'t str {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if word.bytes().all(is_lower) {
        return word;
    }
    memory.clear();
    match word.is_ascii() {
        true => memory.extend(word.bytes().map(|byte| byte.to_ascii_lowercase() as char)),
        false => memory.push_str(&word.to_lowercase()),
    }
    memory
}

/// The hash of a word, ignoring case.
pub fn hash(word: &str, memory: &mut String) -> u64 {
    xxh3::xxh3_64(lower(word, memory).as_bytes())
}
