//! Interned element names, with the hints that tree construction needs for each.

use std::collections::HashMap;

use crate::limits::TAG_NAMES_MAX;

/// An interned element name. Names that the standard treats specially have a fixed id; other names get an id per page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(
    /// The id.
    pub u32,
);

/// The namespaces that a page can contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Namespace {
    /// HTML.
    #[default]
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

/// Hints for the rules of tree construction about elements on the stack.
pub(crate) mod hint {
    /// The standard's "special" category: stops the search of "any other end tag".
    pub(crate) const SPECIAL: u32 = 1;
    /// Ends every search for an element in scope.
    pub(crate) const SCOPE: u32 = 1 << 1;
    /// Ends a search in list item scope.
    pub(crate) const LIST_SCOPE: u32 = 1 << 2;
    /// Ends a search in button scope.
    pub(crate) const BUTTON_SCOPE: u32 = 1 << 3;
    /// Ends a search in table scope.
    pub(crate) const TABLE_SCOPE: u32 = 1 << 4;
    /// Closed by "generate implied end tags".
    pub(crate) const IMPLIED_END: u32 = 1 << 5;
    /// Closed by "generate all implied end tags thoroughly".
    pub(crate) const THOROUGH_END: u32 = 1 << 6;
    /// `h1` to `h6`.
    pub(crate) const HEADING: u32 = 1 << 7;
    /// `table`, `tbody`, `tfoot`, `thead`, `tr`: nodes that do not belong here are foster-parented in front of the table.
    pub(crate) const FOSTERS: u32 = 1 << 8;
    /// A part of a table, which stays on the stack even past the depth limit, because the insertion modes rely on it.
    pub(crate) const TABLE_PART: u32 = 1 << 9;
    /// An HTML integration point.
    pub(crate) const HTML_INTEGRATION: u32 = 1 << 10;
    /// A MathML text integration point.
    pub(crate) const TEXT_INTEGRATION: u32 = 1 << 11;
    /// Ends a search in any scope except table scope.
    pub(crate) const ALL_SCOPES: u32 = SCOPE | LIST_SCOPE | BUTTON_SCOPE;
}
use hint::*;

macro_rules! tags {
    ($($id:ident $name:literal $hints:expr;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the variants only number the constants below")]
        #[repr(u32)]
        enum Number { $($id,)* Count }
        impl Tag {
            $(#[doc = concat!("`", $name, "`")] pub const $id: Tag = Tag(Number::$id as u32);)*
        }
        /// The number of names with a fixed id.
        const KNOWN: usize = Number::Count as usize;
        const NAMES: [&str; KNOWN] = [$($name),*];
        const HINTS: [u32; KNOWN] = [$($hints),*];
    };
}

tags! {
    A "a" 0; ADDRESS "address" SPECIAL; ANNOTATION_XML "annotation-xml" 0; APPLET "applet" SPECIAL | ALL_SCOPES;
    AREA "area" SPECIAL; ARTICLE "article" SPECIAL; ASIDE "aside" SPECIAL; B "b" 0; BASE "base" SPECIAL;
    BASEFONT "basefont" SPECIAL; BGSOUND "bgsound" SPECIAL; BIG "big" 0; BLOCKQUOTE "blockquote" SPECIAL;
    BODY "body" SPECIAL; BR "br" SPECIAL; BUTTON "button" SPECIAL | BUTTON_SCOPE;
    CAPTION "caption" SPECIAL | ALL_SCOPES | THOROUGH_END | TABLE_PART; CENTER "center" SPECIAL; CODE "code" 0;
    COL "col" SPECIAL; COLGROUP "colgroup" SPECIAL | THOROUGH_END | TABLE_PART;
    DD "dd" SPECIAL | IMPLIED_END | THOROUGH_END; DESC "desc" 0; DETAILS "details" SPECIAL; DIALOG "dialog" 0;
    DIR "dir" SPECIAL; DIV "div" SPECIAL; DL "dl" SPECIAL; DT "dt" SPECIAL | IMPLIED_END | THOROUGH_END; EM "em" 0;
    EMBED "embed" SPECIAL; FIELDSET "fieldset" SPECIAL; FIGCAPTION "figcaption" SPECIAL; FIGURE "figure" SPECIAL;
    FONT "font" 0; FOOTER "footer" SPECIAL; FOREIGN_OBJECT "foreignobject" 0; FORM "form" SPECIAL;
    FRAME "frame" SPECIAL; FRAMESET "frameset" SPECIAL; H1 "h1" SPECIAL | HEADING; H2 "h2" SPECIAL | HEADING;
    H3 "h3" SPECIAL | HEADING; H4 "h4" SPECIAL | HEADING; H5 "h5" SPECIAL | HEADING; H6 "h6" SPECIAL | HEADING;
    HEAD "head" SPECIAL; HEADER "header" SPECIAL; HGROUP "hgroup" SPECIAL; HR "hr" SPECIAL;
    HTML "html" SPECIAL | ALL_SCOPES | TABLE_SCOPE; I "i" 0; IFRAME "iframe" SPECIAL; IMAGE "image" 0;
    IMG "img" SPECIAL; INPUT "input" SPECIAL; KEYGEN "keygen" SPECIAL; LI "li" SPECIAL | IMPLIED_END | THOROUGH_END;
    LINK "link" SPECIAL; LISTING "listing" SPECIAL; MAIN "main" SPECIAL; MALIGNMARK "malignmark" 0;
    MARQUEE "marquee" SPECIAL | ALL_SCOPES; MATH "math" 0; MENU "menu" SPECIAL; META "meta" SPECIAL;
    MGLYPH "mglyph" 0; MI "mi" 0; MN "mn" 0; MO "mo" 0; MS "ms" 0; MTEXT "mtext" 0; NAV "nav" SPECIAL; NOBR "nobr" 0;
    NOEMBED "noembed" SPECIAL; NOFRAMES "noframes" SPECIAL; NOSCRIPT "noscript" SPECIAL;
    OBJECT "object" SPECIAL | ALL_SCOPES; OL "ol" SPECIAL | LIST_SCOPE;
    OPTGROUP "optgroup" IMPLIED_END | THOROUGH_END; OPTION "option" IMPLIED_END | THOROUGH_END;
    P "p" SPECIAL | IMPLIED_END | THOROUGH_END; PARAM "param" SPECIAL; PLAINTEXT "plaintext" SPECIAL; PRE "pre" SPECIAL;
    RB "rb" IMPLIED_END | THOROUGH_END; RP "rp" IMPLIED_END | THOROUGH_END; RT "rt" IMPLIED_END | THOROUGH_END;
    RTC "rtc" IMPLIED_END | THOROUGH_END; RUBY "ruby" 0; S "s" 0; SCRIPT "script" SPECIAL; SEARCH "search" SPECIAL;
    SECTION "section" SPECIAL; SELECT "select" SPECIAL | ALL_SCOPES; SMALL "small" 0; SOURCE "source" SPECIAL;
    SPAN "span" 0; STRIKE "strike" 0; STRONG "strong" 0; STYLE "style" SPECIAL; SUMMARY "summary" SPECIAL; SUB "sub" 0;
    SUP "sup" 0; SVG "svg" 0; TABLE "table" SPECIAL | ALL_SCOPES | TABLE_SCOPE | FOSTERS;
    TBODY "tbody" SPECIAL | THOROUGH_END | FOSTERS | TABLE_PART; TD "td" SPECIAL | ALL_SCOPES | THOROUGH_END | TABLE_PART;
    TEMPLATE "template" SPECIAL | ALL_SCOPES | TABLE_SCOPE; TEXTAREA "textarea" SPECIAL;
    TFOOT "tfoot" SPECIAL | THOROUGH_END | FOSTERS | TABLE_PART;
    TH "th" SPECIAL | ALL_SCOPES | THOROUGH_END | TABLE_PART;
    THEAD "thead" SPECIAL | THOROUGH_END | FOSTERS | TABLE_PART; TITLE "title" SPECIAL;
    TR "tr" SPECIAL | THOROUGH_END | FOSTERS | TABLE_PART; TRACK "track" SPECIAL; TT "tt" 0; U "u" 0;
    UL "ul" SPECIAL | LIST_SCOPE; VAR "var" 0; WBR "wbr" SPECIAL; XMP "xmp" SPECIAL;
    // Frequent names without special rules, for faster interning.
    ABBR "abbr" 0; ACRONYM "acronym" 0; AUDIO "audio" 0; CITE "cite" 0; DATA "data" 0; DEL "del" 0; DFN "dfn" 0;
    INS "ins" 0; KBD "kbd" 0; LABEL "label" 0; LEGEND "legend" 0; MAP "map" 0; MARK "mark" 0; PICTURE "picture" 0;
    Q "q" 0; SAMP "samp" 0; TIME "time" 0; VIDEO "video" 0; CANVAS "canvas" 0; METER "meter" 0; OUTPUT "output" 0;
    PROGRESS "progress" 0; DATALIST "datalist" 0; PATH "path" 0; G "g" 0; RECT "rect" 0; CIRCLE "circle" 0;
    LINE "line" 0; POLYGON "polygon" 0; POLYLINE "polyline" 0; USE "use" 0; DEFS "defs" 0; SYMBOL "symbol" 0;
    TEXT "text" 0; TSPAN "tspan" 0; STOP "stop" 0; MROW "mrow" 0; MSUB "msub" 0; MSUP "msup" 0; MFRAC "mfrac" 0;
}

impl Tag {
    /// All names with a fixed id, in the order of their ids.
    pub fn all_known() -> impl Iterator<Item = (Tag, &'static str)> {
        (0..).zip(NAMES).map(|(number, name)| (Tag(number), name))
    }

    /// Whether the standard classifies HTML elements of this name as "special": most elements that are not inline are.
    pub fn is_special(self) -> bool {
        self.hints(Namespace::Html) & SPECIAL != 0
    }

    /// The hints for an element of this name in `namespace`.
    pub(crate) fn hints(self, namespace: Namespace) -> u32 {
        match namespace {
            Namespace::Html => HINTS.get(self.0 as usize).copied().unwrap_or(0),
            Namespace::MathMl => match self {
                Tag::MI | Tag::MO | Tag::MN | Tag::MS | Tag::MTEXT => SPECIAL | ALL_SCOPES | TEXT_INTEGRATION,
                Tag::ANNOTATION_XML => SPECIAL | ALL_SCOPES,
                _ => 0,
            },
            Namespace::Svg => match self {
                Tag::FOREIGN_OBJECT | Tag::DESC | Tag::TITLE => SPECIAL | ALL_SCOPES | HTML_INTEGRATION,
                _ => 0,
            },
        }
    }

    /// The name, if it has a fixed id.
    pub fn known_name(self) -> Option<&'static str> {
        NAMES.get(self.0 as usize).copied()
    }
}

/// HTML tags that end the SVG or MathML around them.
#[rustfmt::skip]
pub(crate) const BREAKS_OUT: [Tag; 44] = [
    Tag::B, Tag::BIG, Tag::BLOCKQUOTE, Tag::BODY, Tag::BR, Tag::CENTER, Tag::CODE, Tag::DD, Tag::DIV, Tag::DL, Tag::DT,
    Tag::EM, Tag::EMBED, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::HEAD, Tag::HR, Tag::I, Tag::IMG,
    Tag::LI, Tag::LISTING, Tag::MENU, Tag::META, Tag::NOBR, Tag::OL, Tag::P, Tag::PRE, Tag::RUBY, Tag::S, Tag::SMALL,
    Tag::SPAN, Tag::STRONG, Tag::STRIKE, Tag::SUB, Tag::SUP, Tag::TABLE, Tag::TT, Tag::U, Tag::UL, Tag::VAR,
];

/// The ids of other names, assigned per page.
#[derive(Debug, Default)]
pub(crate) struct TagNames {
    numbers: HashMap<Box<[u8]>, u32>,
    names: Vec<Box<[u8]>>,
    lower: Vec<u8>,
}

impl TagNames {
    pub(crate) fn clear(&mut self) {
        if !self.names.is_empty() {
            self.numbers.clear();
            self.names.clear();
        }
    }

    /// The id of a name as written in the page.
    pub(crate) fn tag(&mut self, name: &[u8]) -> Tag {
        self.tag_at(name, 0, name.len())
    }

    /// The id of the name at `start..end` of `input`.
    #[inline]
    pub(crate) fn tag_at(&mut self, input: &[u8], start: usize, end: usize) -> Tag {
        known(input, start, end - start).unwrap_or_else(|| self.unknown(&input[start..end]))
    }

    #[cold]
    fn unknown(&mut self, name: &[u8]) -> Tag {
        self.lower.clear();
        self.lower.extend(name.iter().map(u8::to_ascii_lowercase));
        if let Some(&number) = self.numbers.get(self.lower.as_slice()) {
            return Tag(number);
        }
        if self.names.len() >= TAG_NAMES_MAX {
            return Tag((KNOWN + TAG_NAMES_MAX - 1) as u32);
        }
        let number = (KNOWN + self.names.len()) as u32;
        self.names.push(self.lower.as_slice().into());
        self.numbers.insert(self.lower.as_slice().into(), number);
        Tag(number)
    }

    /// The lower-case name, in the charset of the page.
    pub(crate) fn name(&self, tag: Tag) -> &[u8] {
        match tag.known_name() {
            Some(name) => name.as_bytes(),
            None => self.names.get(tag.0 as usize - KNOWN).map_or(b"", |name| name),
        }
    }
}

/// The longest name with a fixed id fits into 16 bytes, so comparing names is comparing two integers.
const PACKED_MAX: usize = 16;

const fn packed(name: &[u8]) -> u128 {
    let mut key = 0u128;
    let mut i = 0;
    while i < name.len() {
        key |= (name[i] as u128) << (8 * i);
        i += 1;
    }
    key
}

const SLOTS: usize = 1024;
const EMPTY: u16 = u16::MAX;
static KEYS: [u128; KNOWN] = keys();
static SLOT: [u16; SLOTS] = slots();

const fn slot_of(key: u128) -> usize {
    let mixed = ((key as u64) ^ ((key >> 64) as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 54) as usize
}

const fn keys() -> [u128; KNOWN] {
    let mut keys = [0u128; KNOWN];
    let mut i = 0;
    while i < KNOWN {
        keys[i] = packed(NAMES[i].as_bytes());
        i += 1;
    }
    keys
}

const fn slots() -> [u16; SLOTS] {
    let mut slots = [EMPTY; SLOTS];
    let mut i = 0;
    while i < KNOWN {
        let mut at = slot_of(packed(NAMES[i].as_bytes()));
        while slots[at] != EMPTY {
            at = (at + 1) % SLOTS;
        }
        slots[at] = i as u16;
        i += 1;
    }
    slots
}

/// The fixed id of the name of `len` bytes at `start`, if it has one.
#[inline]
pub(super) fn known(input: &[u8], start: usize, len: usize) -> Option<Tag> {
    if len > PACKED_MAX || len == 0 {
        return None;
    }
    // Nearly all names fit into eight bytes, and narrower integers compare faster.
    if let (1..=8, Some(bytes)) = (len, input.get(start..start + 8)) {
        let mask = u64::MAX >> (8 * (8 - len));
        let raw = u64::from_le_bytes(bytes.try_into().ok()?) & mask;
        return number_of(u128::from(raw), u128::from(raw | SMALL as u64 & mask));
    }
    match input.get(start..start + PACKED_MAX) {
        Some(bytes) => {
            let mask = u128::MAX >> (8 * (PACKED_MAX - len));
            let raw = u128::from_le_bytes(bytes.try_into().ok()?) & mask;
            number_of(raw, raw | SMALL & mask)
        }
        None => {
            let mask = u128::MAX >> (8 * (PACKED_MAX - len));
            let raw = packed(&input[start..start + len]);
            number_of(raw, raw | SMALL & mask)
        }
    }
}

/// The bit that lower-case letters, digits and dashes all have, and capital letters lack.
const SMALL: u128 = u128::from_le_bytes([0x20; 16]);

/// The id of a name: `raw` holds its bytes as written, and `key` the same bytes with the bits of [`SMALL`] set.
#[inline(always)]
fn number_of(raw: u128, key: u128) -> Option<Tag> {
    let changed = raw ^ key;
    let mut at = slot_of(key);
    loop {
        match SLOT[at] {
            EMPTY => return None,
            // Only letters may have changed, which also have the next higher bit.
            number if KEYS[number as usize] == key && changed << 1 & raw == changed << 1 => {
                return Some(Tag(u32::from(number)));
            }
            _ => at = (at + 1) % SLOTS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_whatever_their_case() {
        let mut names = TagNames::default();
        assert_eq!(names.tag(b"DIV"), Tag::DIV);
        assert_eq!(names.tag(b"annotation-xml"), Tag::ANNOTATION_XML);
        let custom = names.tag(b"My-Element-With-A-Long-Name");
        assert_eq!(names.tag(b"my-element-with-a-long-name"), custom);
        assert_eq!(names.name(custom), b"my-element-with-a-long-name");
        assert_ne!(names.tag(b"di"), names.tag(b"divs"));
        assert_ne!(names.tag(b"h\x11"), Tag::H1);
        assert_ne!(names.tag(b"a\0"), Tag::A);
        assert_eq!(names.tag_at(b"<H1 class=something-long>", 1, 3), Tag::H1);
    }

    #[test]
    fn so_many_names_are_distinguished_and_no_more() {
        let mut names = TagNames::default();
        let tags: Vec<Tag> =
            (0..=TAG_NAMES_MAX).map(|number| names.tag(format!("x-{number}").as_bytes())).collect();
        assert_ne!(tags[TAG_NAMES_MAX - 2], tags[TAG_NAMES_MAX - 1]);
        assert_eq!(tags[TAG_NAMES_MAX - 1], tags[TAG_NAMES_MAX]);
        assert_eq!(names.name(tags[TAG_NAMES_MAX]), format!("x-{}", TAG_NAMES_MAX - 1).as_bytes());
    }

    #[test]
    fn every_known_name_finds_itself() {
        for (number, name) in NAMES.iter().enumerate() {
            assert_eq!(known(name.as_bytes(), 0, name.len()), Some(Tag(number as u32)), "{name}");
        }
    }
}
