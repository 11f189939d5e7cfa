//! The language of a page in an index: a code of two or three letters.

use unframe::blocks::CutPage;
use unframe::language::{choose, detect};

/// Detection starts half of this many words before the middle of a page, because templates are usually at its ends.
const WORDS_LOOKED_AT: usize = 400;

/// The language of a page; empty if it is neither detected nor declared.
pub(crate) fn of(page: &CutPage) -> String {
    let declared = page.language.as_deref().filter(|tag| code(tag).is_some());
    choose(declared, detect(middle(page))).and_then(code).unwrap_or_default()
}

/// The text from there on. Detection reads only its beginning.
fn middle(page: &CutPage) -> &str {
    let first = page.words.get(page.words.len().saturating_sub(WORDS_LOOKED_AT) / 2);
    first.and_then(|word| page.text.get(word.start as usize..)).unwrap_or_default()
}

/// The language code of a tag such as `en-GB`, without the region.
fn code(tag: &str) -> Option<String> {
    let name = tag.split(['-', '_']).next()?.to_ascii_lowercase();
    let is_code = (2..=3).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase());
    is_code.then_some(name)
}

#[cfg(test)]
mod tests {
    use unframe::detect::Blocks;
    use unframe::{PageBytes, PageParser};

    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let page = PageBytes::utf8(html.as_bytes());
        assert_eq!(of(&Blocks::default().cut(&PageParser::new().open(page), &[])), expected, "{html}");
    }

    const ENGLISH: &str =
        "The cat is in the house, and it is not amused by this. It would rather be in the garden.";

    #[test]
    fn the_text_decides() {
        check(&format!("<p>{ENGLISH}"), "en");
        check(&format!("<html lang=en-GB><p>{ENGLISH}"), "en");
        check(&format!("<html lang=fr><p>{ENGLISH}"), "en");
        let german = "Die Katze ist nicht im Haus, und das ist auch gut so. ".repeat(100);
        check(&format!("<p>{ENGLISH}</p><p>{german}</p>"), "de");
    }

    #[test]
    fn what_a_page_says_of_itself_counts_when_nothing_else_does() {
        check("<html lang=fr-CA><p>42", "fr");
        check("<html lang=\"\u{1f}x\"><p>42", "");
        check("<p>42", "");
    }
}
