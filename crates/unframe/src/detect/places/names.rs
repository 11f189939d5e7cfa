//! What the name of an element tells: landmarks of the standard, and words that people use in `id` and `class`.

use crate::html::tag::Tag;

/// What is known of an element by its name and attributes, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Traits(pub(super) u32);

impl Traits {
    pub(super) const NAV: Traits = Traits(1);
    pub(super) const HEADER: Traits = Traits(1 << 1);
    pub(super) const FOOTER: Traits = Traits(1 << 2);
    pub(super) const ASIDE: Traits = Traits(1 << 3);
    pub(super) const MAIN: Traits = Traits(1 << 4);
    pub(super) const NAMED_NAV: Traits = Traits(1 << 5);
    pub(super) const NAMED_FOOT: Traits = Traits(1 << 6);
    pub(super) const NAMED_HEAD: Traits = Traits(1 << 7);
    pub(super) const NAMED_SIDE: Traits = Traits(1 << 8);
    pub(super) const NAMED_TOOL: Traits = Traits(1 << 9);
    pub(super) const NAMED_CONTENT: Traits = Traits(1 << 10);
    pub(super) const INLINE: Traits = Traits(1 << 11);
    pub(super) const ITEM: Traits = Traits(1 << 12);
    pub(super) const CONTROL: Traits = Traits(1 << 13);
    /// A table of contents: of the page, which is content, or of the site.
    pub(super) const NAMED_TOC: Traits = Traits(1 << 14);

    /// `nav`, `main` and so on, or the role that says the same.
    pub(super) const LANDMARK: Traits = Traits(0b1_1111);
    /// Named like something that surrounds content.
    pub(super) const NAMED_FRAME: Traits = Traits(0b11_1110_0000);
    /// How many bits there are.
    pub(super) const BITS: u32 = 15;

    /// Whether any of `others` is set.
    pub(super) fn has(self, others: Traits) -> bool {
        self.0 & others.0 != 0
    }

    /// One for a set bit, for sums.
    pub(super) fn number(self, others: Traits) -> f64 {
        if self.has(others) { 1.0 } else { 0.0 }
    }

    /// What an element is by its name and role, and what its `id` and `class` say.
    pub(super) fn of(tag: Tag, role: &str, names: &str) -> Traits {
        let mut traits = by_words(names);
        if tag == Tag::NAV || matches!(role, "navigation" | "search" | "menu" | "menubar" | "menuitem") {
            traits |= Traits::NAV.0;
        }
        if tag == Tag::HEADER || role == "banner" {
            traits |= Traits::HEADER.0;
        }
        if tag == Tag::FOOTER || role == "contentinfo" {
            traits |= Traits::FOOTER.0;
        }
        if tag == Tag::ASIDE || role == "complementary" {
            traits |= Traits::ASIDE.0;
        }
        if matches!(tag, Tag::MAIN | Tag::ARTICLE) || role == "main" {
            traits |= Traits::MAIN.0;
        }
        if INLINE.contains(&tag) {
            traits |= Traits::INLINE.0;
        } else if ITEMS.contains(&tag) {
            traits |= Traits::ITEM.0;
        }
        if matches!(tag, Tag::OPTION | Tag::SELECT | Tag::BUTTON) {
            traits |= Traits::CONTROL.0;
        }
        Traits(traits)
    }
}

/// Words of one meaning.
struct Words {
    meaning: Traits,
    /// Found anywhere.
    parts: &'static [&'static str],
    /// Found at the start of a word.
    starts: &'static [&'static str],
    /// Found as whole words.
    wholes: &'static [&'static str],
    /// Starts of words that mean something else.
    others: &'static [&'static str],
}

#[rustfmt::skip]
const WORDS: [Words; 7] = [
    Words { meaning: Traits::NAMED_NAV, parts: &["nav", "menu", "crumb", "pager", "paging", "dropdown"], starts: &["prev", "next", "toc"], wholes: &["bar"], others: &["toctree"] },
    Words { meaning: Traits::NAMED_TOC, parts: &[], starts: &["toctree"], wholes: &["toc"], others: &[] },
    Words { meaning: Traits::NAMED_FOOT, parts: &["copyright", "license", "licence", "colophon"], starts: &["foot", "legal"], wholes: &[], others: &["footnote"] },
    Words { meaning: Traits::NAMED_HEAD, parts: &["banner", "masthead", "logo"], starts: &["header", "topbar"], wholes: &["head", "top"], others: &[] },
    Words { meaning: Traits::NAMED_SIDE, parts: &["sidebar", "widget", "related", "sponsor", "promo", "recommend", "advert"], starts: &["side", "aside", "recent", "archive"], wholes: &["ad", "ads"], others: &[] },
    Words { meaning: Traits::NAMED_TOOL, parts: &["search", "login", "signin", "signup", "share", "social", "cookie", "consent", "toolbar", "newsletter", "subscri", "modal", "popup", "overlay", "dialog"], starts: &["skip", "button", "btn", "form", "tool"], wholes: &[], others: &["format"] },
    Words { meaning: Traits::NAMED_CONTENT, parts: &["content", "article"], starts: &["main", "body", "post", "entry", "text"], wholes: &["page", "story"], others: &[] },
];

/// The meanings of all words of an `id` and a `class`. A name of something that surrounds content outweighs one of content.
fn by_words(names: &str) -> u32 {
    if names.trim().is_empty() {
        return 0;
    }
    let lower = names.to_ascii_lowercase();
    let mut traits = 0;
    for words in &WORDS {
        if words.parts.iter().any(|part| lower.contains(part)) {
            traits |= words.meaning.0;
        }
    }
    for_each_word(names, |start, end| {
        let word = &lower[start..end];
        for words in &WORDS {
            let begins = |starts: &[&str]| starts.iter().any(|start| word.starts_with(start));
            let is_toc = words.meaning == Traits::NAMED_NAV && word.ends_with("toc");
            if begins(words.starts) && !begins(words.others) || words.wholes.contains(&word) || is_toc {
                traits |= words.meaning.0;
            }
        }
    });
    // `toc` alone says less than `localtoc`, which is one of a sidebar.
    if traits & Traits::NAMED_TOC.0 != 0 {
        traits &= !Traits::NAMED_NAV.0;
    }
    if traits & Traits::NAMED_FRAME.0 != 0 {
        traits &= !Traits::NAMED_CONTENT.0;
    }
    traits
}

/// Calls `each` with the place of every word: `pageTop nav_1` has `page`, `Top` and `nav`.
fn for_each_word(names: &str, mut each: impl FnMut(usize, usize)) {
    let bytes = names.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_uppercase() {
            at += 1;
        }
        // Of `HTMLPage` the last capital belongs to the second word.
        if at > start + 1 && bytes.get(at).is_some_and(u8::is_ascii_lowercase) {
            at -= 1;
            each(start, at);
            continue;
        }
        while at < bytes.len() && bytes[at].is_ascii_lowercase() {
            at += 1;
        }
        match at > start {
            true => each(start, at),
            false => at += 1,
        }
    }
}

#[rustfmt::skip]
const INLINE: [Tag; 31] = [
    Tag::A, Tag::ABBR, Tag::ACRONYM, Tag::B, Tag::BIG, Tag::CITE, Tag::CODE, Tag::DEL, Tag::DFN, Tag::EM, Tag::FONT,
    Tag::I, Tag::INS, Tag::KBD, Tag::LABEL, Tag::MARK, Tag::NOBR, Tag::Q, Tag::S, Tag::SAMP, Tag::SMALL, Tag::SPAN,
    Tag::STRIKE, Tag::STRONG, Tag::SUB, Tag::SUP, Tag::TIME, Tag::TT, Tag::U, Tag::VAR, Tag::DATA,
];

/// Parts of tables are not among them: layouts were made of these.
#[rustfmt::skip]
const ITEMS: [Tag; 14] = [
    Tag::LI, Tag::DT, Tag::DD, Tag::P, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::CAPTION, Tag::OPTION, Tag::PRE,
    Tag::BLOCKQUOTE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &str, expected: Traits) {
        assert_eq!(Traits::of(Tag::DIV, "", names), expected, "{names}");
    }

    #[test]
    fn names_have_meanings() {
        check("mainNav", Traits::NAMED_NAV);
        check("localtoc", Traits::NAMED_NAV);
        check("tocview", Traits::NAMED_NAV);
        check("section-toc", Traits::NAMED_TOC);
        check("toctree-wrapper", Traits::NAMED_TOC);
        check("stock protocol", Traits(0));
        check("page-footer", Traits::NAMED_FOOT);
        check("footnotes", Traits(0));
        check("entry-content", Traits::NAMED_CONTENT);
        check("topics", Traits(0));
        check("pageTop", Traits::NAMED_HEAD);
        check("HTMLSidebar", Traits::NAMED_SIDE);
        check("information", Traits(0));
        check("search_form", Traits::NAMED_TOOL);
        assert_eq!(Traits::of(Tag::MAIN, "", ""), Traits::MAIN);
        assert_eq!(Traits::of(Tag::SPAN, "navigation", ""), Traits(Traits::NAV.0 | Traits::INLINE.0));
    }
}
