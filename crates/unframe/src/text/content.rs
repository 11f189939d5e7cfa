//! The text of a page without its templates, and how much of the page they are.

use super::{Piece, Pieces, is_white, is_white_byte};
use crate::detect::PageBytes;
use crate::html::tag::Tag;
use crate::html::tokenizer::{TagToken, TextKind};
use crate::html::{Parser, Source, Span};
use crate::regions::{Region, RegionCursor};

/// What is left of a page when its templates are gone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// The page's title.
    pub title: Option<String>,
    /// The text: blocks on lines of their own, white space collapsed as browsers do, cells of a row separated by a tab.
    pub text: String,
    /// How much of the page is template.
    pub volume: Volume,
}

/// How much of a page, or of many, is template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Volume {
    /// Bytes.
    pub html: Share,
    /// Characters of visible text, white space collapsed.
    pub text: Share,
    /// `a[href]` and `area[href]`.
    pub links: Share,
}

/// A part and its whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// What is in templates.
    pub template: u64,
    /// All of it.
    pub total: u64,
}

impl Share {
    /// The part that is template, 0 of nothing.
    pub fn fraction(self) -> f64 {
        if self.total == 0 { 0.0 } else { self.template as f64 / self.total as f64 }
    }

    fn count(&mut self, amount: u64, is_template: bool) {
        self.total += amount;
        if is_template {
            self.template += amount;
        }
    }
}

impl std::ops::AddAssign for Volume {
    fn add_assign(&mut self, other: Volume) {
        for (share, other) in
            [(&mut self.html, other.html), (&mut self.text, other.text), (&mut self.links, other.links)]
        {
            share.template += other.template;
            share.total += other.total;
        }
    }
}

/// The content of a page: everything outside of `regions`, which are sorted and do not overlap.
///
/// ```
/// use unframe::detect::PageBytes;
/// use unframe::html::{Parser, Span};
/// use unframe::regions::{Region, TemplateHash};
/// use unframe::text::content;
///
/// let payload = b"<title>Tea</title><nav><a href=/>Home</a></nav><p>Hot <b>tea</b><p>is good";
/// let nav = Region::new(Span { start: 18, end: 47 }, TemplateHash(1), 9);
/// let page = PageBytes { payload, encoding: encoding_rs::UTF_8 };
/// let content = content::extract(page, &[nav], &mut Parser::new());
/// assert_eq!(content.text, "Hot tea\nis good");
/// assert_eq!(content.title.as_deref(), Some("Tea"));
/// assert_eq!((content.volume.links.template, content.volume.links.total), (1, 1));
/// ```
pub fn extract(page: PageBytes<'_>, regions: &[Region], parser: &mut Parser) -> Content {
    let source = parser.source(page.payload, page.encoding);
    let mut walk = Walk {
        source,
        cursor: RegionCursor::new(regions),
        writer: Writer::default(),
        volume: Volume::default(),
        pre_depth: 0,
    };
    walk.volume.html.total = page.payload.len() as u64;
    walk.volume.html.template = regions.iter().map(|region| region.span.len() as u64).sum();
    let mut title = None;
    let mut pieces = Pieces::of(&source);
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Text { span, kind } => walk.text(span, kind),
            Piece::Start(tag) => {
                if is_link(&pieces, &source, &tag) {
                    let is_template = walk.cursor.at(source.original(tag.span).start).is_some();
                    walk.volume.links.count(1, is_template);
                }
                walk.tag(tag.tag, true);
                if tag.tag == Tag::TITLE && title.is_none() {
                    title = title_after(&source, &tag);
                }
            }
            Piece::End(tag) => walk.tag(tag.tag, false),
        }
    }
    Content { title, text: walk.writer.out, volume: walk.volume }
}

fn is_link(pieces: &Pieces<'_>, source: &Source<'_>, tag: &TagToken) -> bool {
    matches!(tag.tag, Tag::A | Tag::AREA)
        && pieces
            .tokens()
            .attributes_of(tag)
            .iter()
            .any(|attribute| attribute.name.slice(source.bytes()).eq_ignore_ascii_case(b"href"))
}

/// The text of the title whose start tag was just read, on one line.
pub(crate) fn title_after(source: &Source<'_>, tag: &TagToken) -> Option<String> {
    let rest = &source.bytes()[tag.span.end as usize..];
    let len = memchr::memchr(b'<', rest).unwrap_or(rest.len());
    let text = source.text(Span::new(tag.span.end as usize, tag.span.end as usize + len), TextKind::Replaced);
    let words: Vec<&str> = text.split(is_white).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

struct Walk<'p, 'r> {
    source: Source<'p>,
    cursor: RegionCursor<'r>,
    writer: Writer,
    volume: Volume,
    pre_depth: u32,
}

impl Walk<'_, '_> {
    fn text(&mut self, span: Span, kind: TextKind) {
        let original = self.source.original(span);
        if original != span {
            return self.text_of_copy(span, kind);
        }
        let Walk { source, cursor, writer, volume, pre_depth } = self;
        cursor.split(span, |part, region| {
            let text = source.text(part, kind);
            volume.text.count(writer.visible_len(&text), region.is_some());
            match region {
                Some(_) => writer.leave_out(),
                None if *pre_depth > 0 => writer.preformatted(&text),
                None => writer.flowing(&text),
            }
        });
    }

    /// The same for pages that were rewritten before reading: each character knows its bytes.
    #[cold]
    fn text_of_copy(&mut self, span: Span, kind: TextKind) {
        // Runs of characters that are kept, or left out, in turns.
        let mut runs: Vec<(bool, String)> = Vec::new();
        let cursor = &mut self.cursor;
        self.source.for_each_char(span, kind, |c, bytes| {
            let is_template = cursor.at(bytes.start).is_some();
            match runs.last_mut().filter(|(is_same, _)| *is_same == is_template) {
                Some((_, run)) => run.push(c),
                None => runs.push((is_template, c.to_string())),
            }
        });
        for (is_template, run) in runs {
            let len = self.writer.visible_len(&run);
            self.volume.text.count(len, is_template);
            match is_template {
                true => self.writer.leave_out(),
                false if self.pre_depth > 0 => self.writer.preformatted(&run),
                false => self.writer.flowing(&run),
            }
        }
    }

    fn tag(&mut self, tag: Tag, is_start: bool) {
        match tag {
            Tag::BR => self.writer.line_break(),
            Tag::TD | Tag::TH if !is_start => self.writer.end_cell(),
            Tag::PRE | Tag::LISTING | Tag::TEXTAREA => {
                self.writer.end_block();
                self.writer.skip_line_feed = is_start;
                self.pre_depth = if is_start { self.pre_depth + 1 } else { self.pre_depth.saturating_sub(1) };
            }
            Tag::BUTTON | Tag::SELECT | Tag::INPUT | Tag::IMG => self.writer.leave_out(),
            tag if is_block(tag) => self.writer.end_block(),
            _ => {}
        }
    }
}

/// Whether browsers put the element on lines of its own.
pub fn is_block(tag: Tag) -> bool {
    IS_BLOCK.get(tag.0 as usize).copied().unwrap_or(false)
}

/// [`BLOCKS`] by number: this is asked for every tag.
const IS_BLOCK: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at < BLOCKS.len() {
        table[BLOCKS[at].0 as usize] = true;
        at += 1;
    }
    table
};

#[rustfmt::skip]
const BLOCKS: [Tag; 56] = [
    Tag::ADDRESS, Tag::ARTICLE, Tag::ASIDE, Tag::BLOCKQUOTE, Tag::BODY, Tag::CAPTION, Tag::CENTER, Tag::DD, Tag::DETAILS,
    Tag::DIALOG, Tag::DIR, Tag::DIV, Tag::DL, Tag::DT, Tag::FIELDSET, Tag::FIGCAPTION, Tag::FIGURE, Tag::FOOTER, Tag::FORM,
    Tag::FRAMESET, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::HEAD, Tag::HEADER, Tag::HGROUP, Tag::HR,
    Tag::HTML, Tag::LEGEND, Tag::LI, Tag::LISTING, Tag::MAIN, Tag::MENU, Tag::NAV, Tag::NOSCRIPT, Tag::OL, Tag::OPTGROUP,
    Tag::OPTION, Tag::P, Tag::PLAINTEXT, Tag::PRE, Tag::SEARCH, Tag::SECTION, Tag::SUMMARY, Tag::TABLE, Tag::TBODY,
    Tag::TEXTAREA, Tag::TFOOT, Tag::THEAD, Tag::TITLE, Tag::TR, Tag::UL, Tag::XMP,
];

/// Writes text as a browser would set it.
#[derive(Default)]
struct Writer {
    out: String,
    /// What comes before the next word.
    pending: Pending,
    /// Whether the last character that was measured is white space.
    after_white: bool,
    /// Whether a line feed right after `<pre>` is to be dropped, as browsers do.
    skip_line_feed: bool,
}

#[derive(Default, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Pending {
    #[default]
    Nothing,
    Space,
    Tab,
    Line,
}

impl Writer {
    /// Text in which white space is collapsed.
    fn flowing(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let word_start = white_len(rest.as_bytes());
            if word_start > 0 {
                self.ask_for(Pending::Space);
                rest = &rest[word_start..];
            }
            if rest.is_empty() {
                return;
            }
            let word_end = word_len(rest.as_bytes());
            self.begin_word();
            self.out.push_str(&rest[..word_end]);
            rest = &rest[word_end..];
        }
    }

    /// Text in which white space is kept.
    fn preformatted(&mut self, text: &str) {
        let skip = std::mem::take(&mut self.skip_line_feed);
        let text = text.strip_prefix('\n').filter(|_| skip).unwrap_or(text);
        if !text.is_empty() {
            self.begin_word();
            self.out.push_str(text);
        }
    }

    /// Something visible is missing here: words on both sides must not touch.
    fn leave_out(&mut self) {
        self.ask_for(Pending::Space);
    }

    fn end_cell(&mut self) {
        self.ask_for(Pending::Tab);
    }

    fn end_block(&mut self) {
        self.ask_for(Pending::Line);
    }

    fn line_break(&mut self) {
        self.ask_for(Pending::Line);
    }

    fn ask_for(&mut self, pending: Pending) {
        self.pending = self.pending.max(pending);
    }

    fn begin_word(&mut self) {
        let between = match std::mem::take(&mut self.pending) {
            Pending::Nothing => return,
            Pending::Space => ' ',
            Pending::Tab => '\t',
            Pending::Line => '\n',
        };
        if between == '\n' {
            self.out.truncate(self.out.trim_end_matches([' ', '\t', '\n']).len());
        }
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push(between);
        }
    }

    /// The length of a text in characters, a run of white space as one.
    fn visible_len(&mut self, text: &str) -> u64 {
        let mut len = 0;
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let white = white_len(rest);
            len += u64::from(white > 0 && !self.after_white);
            let word = word_len(&rest[white..]);
            len += rest[white..white + word].iter().filter(|byte| (**byte as i8) >= -64).count() as u64;
            self.after_white = word == 0;
            rest = &rest[white + word..];
        }
        len
    }
}

/// The length of the white space at the start of a text in UTF-8.
#[inline]
pub(crate) fn white_len(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        match text.get(len..) {
            Some([byte, ..]) if is_white_byte(*byte) => len += 1,
            Some([0xC2, 0xA0, ..]) => len += 2,
            _ => return len,
        }
    }
}

/// The length of the word at the start of a text in UTF-8.
#[inline]
pub(crate) fn word_len(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        let ends = |byte: &u8| is_white_byte(*byte) || *byte == 0xC2;
        len += text[len..].iter().position(ends).unwrap_or(text.len() - len);
        match text.get(len..) {
            // Of a character that begins like the no-break space.
            Some([0xC2, next, ..]) if *next != 0xA0 => len += 2,
            _ => return len,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: &str) {
        let page = PageBytes { payload: page.as_bytes(), encoding: encoding_rs::UTF_8 };
        assert_eq!(extract(page, &[], &mut Parser::new()).text, expected);
    }

    #[test]
    fn blocks_stand_on_lines_of_their_own() {
        check("<h1>A</h1>\n\n<p>b <i>c</i>d\n e</p><ul><li>f<li>g</ul>", "A\nb cd e\nf\ng");
        check("a<br>b<br/><br>c", "a\nb\nc");
        check("<table><tr><td>a</td><td>b<tr><td><p>c</p></td><td>d</table>", "a\tb\nc\nd");
    }

    #[test]
    fn words_are_never_glued() {
        check("<div>a</div><div>b</div>", "a\nb");
        check("a<button>b</button>c", "a b c");
        check("x<img>y", "x y");
        check("fish<wbr>cake", "fishcake");
    }

    #[test]
    fn white_space_is_as_a_reader_sees_it() {
        check("  a \t\n b&nbsp; c &amp; d  ", "a b c & d");
        check("x<pre>\n a\n  b</pre>y", "x\n a\n  b\ny");
    }

    #[test]
    fn pages_in_other_charsets_are_cut_at_the_same_places() {
        let text = "<p>one+two+three four</p>";
        let region = |start, end| Region::new(Span { start, end }, crate::TemplateHash(0), 2);
        let page = PageBytes { payload: text.as_bytes(), encoding: encoding_rs::UTF_8 };
        let expected = extract(page, &[region(6, 11)], &mut Parser::new());
        assert_eq!(expected.text, "one three four");
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let page = PageBytes { payload: &wide, encoding: encoding_rs::UTF_16LE };
        let content = extract(page, &[region(12, 22)], &mut Parser::new());
        assert_eq!((content.text, content.volume.text), (expected.text, expected.volume.text));
    }

    #[test]
    fn what_regions_cover_is_left_out_and_counted() {
        let payload = "<p>one two</p>three".as_bytes();
        let region = Region::new(Span { start: 3, end: 7 }, crate::TemplateHash(0), 2);
        let page = PageBytes { payload, encoding: encoding_rs::UTF_8 };
        let content = extract(page, &[region], &mut Parser::new());
        assert_eq!(content.text, "two\nthree");
        assert_eq!((content.volume.text.template, content.volume.text.total), (4, 12));
        assert_eq!((content.volume.html.template, content.volume.html.total), (4, 19));
    }
}
