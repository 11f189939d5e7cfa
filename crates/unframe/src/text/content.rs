//! The text of a page without its templates, and the share of the page that is template.

mod writer;

use super::hidden_email;
use super::inline;
use super::math::{self, Formula, Math};
use super::omitted::Omitted;
use super::permalink::{self, is_symbol};
use super::{Piece, is_white, is_white_text};
use crate::html::tag::Tag;
use crate::html::tokenizer::TextKind;
use crate::html::{Source, Span};
use crate::parsed::ParsedPage;
use crate::regions::{Region, RegionCursor};
use writer::Writer;
pub(crate) use writer::{white_len, word_len};

/// The content of a page: what is left without the templates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Content {
    /// The page's title.
    pub title: Option<String>,
    /// The text: each block in a line of its own, white space collapsed as in browsers, cells of a row separated by a tab.
    pub text: String,
    /// How much of the page is template.
    pub volume: Volume,
}

/// How much of one page, or of many pages, is template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Volume {
    /// Bytes of HTML.
    pub html: Share,
    /// Characters of visible text, white space collapsed.
    pub text: Share,
    /// `a[href]` and `area[href]`.
    pub links: Share,
}

/// A part and the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// The amount in templates.
    pub template: u64,
    /// The total amount.
    pub total: u64,
}

impl Share {
    /// The template part from 0 to 1; 0 if the total is 0.
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

/// The content of a page: everything outside of `regions`, which must be sorted and must not overlap. The volume counts templates, not clutter.
///
/// ```
/// use unframe::{PageBytes, PageParser};
/// use unframe::html::{Parser, Span};
/// use unframe::regions::{Region, TemplateHash};
/// use unframe::text::content;
///
/// let payload = b"<title>Tea</title><nav><a href=/>Home</a></nav><p>Hot <b>tea</b><p>is good";
/// let nav = Region::new(Span { start: 18, end: 47 }, TemplateHash(1), 9);
/// let page = PageBytes::utf8(payload);
/// let content = content::extract(&PageParser::new().open(page), &[nav]);
/// assert_eq!(content.text, "Hot tea\nis good");
/// assert_eq!(content.title.as_deref(), Some("Tea"));
/// assert_eq!((content.volume.links.template, content.volume.links.total), (1, 1));
/// ```
pub fn extract(page: &ParsedPage<'_>, regions: &[Region]) -> Content {
    let source = *page.source();
    let mut walk = Walk {
        source,
        cursor: RegionCursor::new(regions),
        writer: Writer::default(),
        volume: Volume::default(),
        pre_depth: 0,
        blocks_in_pre: 0,
    };
    let mut replaced = Replaced::of(page, regions);
    walk.volume.html.total = page.payload().len() as u64;
    let templates = regions.iter().filter(|region| region.kind.is_template());
    walk.volume.html.template = templates.map(|region| region.span.len() as u64).sum();
    let mut title = None;
    // The tag of the link around the next text.
    let mut link: Option<Span> = None;
    let mut is_after_link = false;
    for piece in page.pieces() {
        if replaced.cover(piece, &mut walk) {
            continue;
        }
        let follows_link =
            std::mem::replace(&mut is_after_link, matches!(*piece, Piece::End { tag: Tag::A, .. }));
        match *piece {
            Piece::Text { span, kind } => match link.take() {
                Some(link) if is_permalink(&source, link, span, kind) => walk.count(span, kind),
                Some(link) => match hidden_email(&source, link, span, kind) {
                    Some(address) => walk.replaced_text(span, kind, &address),
                    None => walk.text(span, kind),
                },
                None => walk.text(span, kind),
            },
            Piece::Start { tag, span, is_link } => {
                if is_link {
                    link = Some(span);
                    walk.count_link(span);
                    if follows_link && walk.pre_depth == 0 {
                        walk.writer.separate_links();
                    }
                }
                walk.tag(tag, true);
                if tag == Tag::TITLE && title.is_none() {
                    title = title_after(&source, span);
                }
            }
            Piece::End { tag, .. } => walk.tag(tag, false),
        }
    }
    Content { title, text: walk.writer.finish(), volume: walk.volume }
}

/// The remaining elements of a page whose text is not written as it is: formulas, see [`math`], and what is [`Omitted`].
struct Replaced {
    /// The elements in reverse order, so that the next one is the last.
    left: Vec<(Span, Replacement)>,
    /// The end of the last element.
    end: u32,
}

/// What is written instead of an element.
enum Replacement {
    Formula(Formula),
    /// Nothing, but an element with this tag separates the text on both sides.
    Nothing(Option<Tag>),
}

impl Replaced {
    fn of(page: &ParsedPage<'_>, regions: &[Region]) -> Replaced {
        let formulas = math::on_page(page).into_iter().map(|(span, math)| match math {
            Math::Formula(formula) => (span, Replacement::Formula(formula)),
            Math::Duplicate => (span, Replacement::Nothing(None)),
        });
        let mut left: Vec<(Span, Replacement)> = formulas.collect();
        let omitted = Omitted::outside(page, regions);
        if !omitted.elements().is_empty() {
            let elements = omitted.elements().iter().map(|index| page.document().node_at(*index));
            let in_place = elements.filter(|node| !node.is_moved());
            left.extend(in_place.map(|node| (node.span(), Replacement::Nothing(node.tag()))));
            left.sort_by_key(|(span, _)| span.start);
        }
        left.reverse();
        Replaced { left, end: 0 }
    }

    /// Writes what replaces the elements that begin before a piece. Returns whether the piece is part of such an element; its text is then
    /// counted but not written.
    #[inline]
    fn cover(&mut self, piece: &Piece, walk: &mut Walk<'_, '_>) -> bool {
        if self.left.is_empty() && self.end == 0 {
            return false;
        }
        self.cover_with_elements(piece, walk)
    }

    #[cold]
    fn cover_with_elements(&mut self, piece: &Piece, walk: &mut Walk<'_, '_>) -> bool {
        let (Piece::Text { span, .. } | Piece::Start { span, .. } | Piece::End { span, .. }) = *piece;
        let at = walk.source.original(span).start;
        while let Some((element, replacement)) = self.left.pop_if(|(element, _)| element.start <= at) {
            let is_inside = element.start < self.end;
            self.end = self.end.max(element.end);
            match replacement {
                _ if is_inside => {}
                Replacement::Formula(formula) => walk.formula(element.start, &formula),
                Replacement::Nothing(Some(tag)) if is_block(tag) => walk.writer.end_block(),
                Replacement::Nothing(Some(tag)) if is_replaced(tag) => walk.writer.leave_out(),
                Replacement::Nothing(_) => {}
            }
        }
        let is_covered = at < self.end;
        match *piece {
            Piece::Text { span, kind } if is_covered => walk.count(span, kind),
            Piece::Start { span, is_link: true, .. } if is_covered => walk.count_link(span),
            _ => {}
        }
        is_covered
    }
}

/// Whether a text is the sign of a permalink, such as `¶`.
fn is_permalink(source: &Source<'_>, link: Span, text: Span, kind: TextKind) -> bool {
    text.len() <= permalink::SIGN_LEN_MAX
        && is_symbol(&source.text(text, kind))
        && permalink::is_named(link.slice(source.bytes()))
}

/// The address that a text in a link stands for.
fn hidden_email(source: &Source<'_>, link: Span, text: Span, kind: TextKind) -> Option<String> {
    let is_possible = text.len() <= hidden_email::PLACEHOLDER_LEN_MAX
        && text.slice(source.bytes()).trim_ascii_start().starts_with(b"[")
        && hidden_email::is_placeholder(&source.text(text, kind));
    is_possible.then(|| hidden_email::in_tag(link.slice(source.bytes())))?
}

/// Whether a region is template. Clutter is removed like templates, but does not count as template.
fn is_template(region: Option<&Region>) -> bool {
    region.is_some_and(|region| region.kind.is_template())
}

/// The text of the title after this start tag, in one line.
pub(crate) fn title_after(source: &Source<'_>, tag: Span) -> Option<String> {
    let text = source.text(source.title_text(tag.end), TextKind::Replaced);
    let words: Vec<&str> = text.split(is_white).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

struct Walk<'p, 'r> {
    source: Source<'p>,
    cursor: RegionCursor<'r>,
    writer: Writer,
    volume: Volume,
    /// The number of open `pre` elements.
    pre_depth: u32,
    /// The number of open blocks in them.
    blocks_in_pre: u32,
}

impl Walk<'_, '_> {
    fn text(&mut self, span: Span, kind: TextKind) {
        let original = self.source.original(span);
        if original != span {
            return self.text_of_copy(span, kind);
        }
        // Half of all texts are white space between tags that only formats the source.
        if self.pre_depth == 0 && is_white_text(span.slice(self.source.bytes())) {
            let is_template = is_template(self.cursor.at(span.start));
            self.volume.text.count(self.writer.white(), is_template);
            return;
        }
        let Walk { source, cursor, writer, volume, pre_depth, .. } = self;
        cursor.split(span, |part, region| {
            let goes = region.is_some();
            let len = match source.plain(part) {
                Some(plain) if goes => writer.visible_len_ascii(plain),
                Some(plain) if *pre_depth == 0 => writer.flowing(plain),
                _ if goes => writer.visible_len(&source.text(part, kind)),
                _ => writer.text(&source.text(part, kind), *pre_depth > 0),
            };
            volume.text.count(len, is_template(region));
            if goes {
                writer.leave_out();
            }
        });
    }

    /// Writes a formula, unless it begins in a region.
    fn formula(&mut self, at: u32, formula: &Formula) {
        if self.cursor.at(at).is_some() {
            return self.writer.leave_out();
        }
        if formula.is_display {
            self.writer.end_block();
        }
        self.writer.formula(&formula.marked());
        if formula.is_display {
            self.writer.end_block();
        }
    }

    /// Writes another text than that of the page, unless a region begins there.
    fn replaced_text(&mut self, span: Span, kind: TextKind, text: &str) {
        let is_removed = self.cursor.at(self.source.original(span).start).is_some();
        self.count(span, kind);
        match is_removed {
            true => self.writer.leave_out(),
            false => _ = self.writer.text(text, false),
        }
    }

    fn count_link(&mut self, tag: Span) {
        let is_template = is_template(self.cursor.at(self.source.original(tag).start));
        self.volume.links.count(1, is_template);
    }

    /// Counts text without writing it.
    fn count(&mut self, span: Span, kind: TextKind) {
        let is_template = is_template(self.cursor.at(self.source.original(span).start));
        let len = self.writer.visible_len(&self.source.text(span, kind));
        self.volume.text.count(len, is_template);
    }

    /// Like `text`, for pages that were transcoded: maps each character to its bytes.
    #[cold]
    fn text_of_copy(&mut self, span: Span, kind: TextKind) {
        // Runs of characters with the same treatment: whether they are removed, and whether they are template.
        let mut runs: Vec<((bool, bool), String)> = Vec::new();
        let cursor = &mut self.cursor;
        self.source.for_each_char(span, kind, |c, bytes| {
            let region = cursor.at(bytes.start);
            let this = (region.is_some(), is_template(region));
            match runs.last_mut().filter(|(last, _)| *last == this) {
                Some((_, run)) => run.push(c),
                None => runs.push((this, c.to_string())),
            }
        });
        for ((goes, is_template), run) in runs {
            let len = match goes {
                true => self.writer.visible_len(&run),
                false => self.writer.text(&run, self.pre_depth > 0),
            };
            self.volume.text.count(len, is_template);
            if goes {
                self.writer.leave_out();
            }
        }
    }

    fn tag(&mut self, tag: Tag, is_start: bool) {
        match tag {
            Tag::BR => self.writer.line_break(),
            Tag::TD | Tag::TH => {
                self.block_in_pre(is_start);
                self.writer.end_cell();
            }
            Tag::PRE | Tag::LISTING | Tag::TEXTAREA => {
                self.writer.end_block();
                self.writer.skip_line_feed = is_start;
                self.pre_depth = if is_start { self.pre_depth + 1 } else { self.pre_depth.saturating_sub(1) };
                self.blocks_in_pre = 0;
            }
            tag if is_replaced(tag) => self.writer.leave_out(),
            tag if inline::needs_notation(tag) => self.writer.inline(tag, is_start),
            tag if is_block(tag) => {
                self.block_in_pre(is_start);
                self.writer.end_block();
            }
            _ => {}
        }
    }

    /// An unclosed `pre` ends with the block around it.
    fn block_in_pre(&mut self, is_start: bool) {
        match (self.pre_depth, is_start) {
            (0, _) => {}
            (_, true) => self.blocks_in_pre += 1,
            (_, false) if self.blocks_in_pre > 0 => self.blocks_in_pre -= 1,
            (_, false) => self.pre_depth = 0,
        }
    }
}

/// Whether an element is an object in the line, with or without a text of its own, so that it separates the words on both sides.
pub(crate) fn is_replaced(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::BUTTON
            | Tag::SELECT
            | Tag::INPUT
            | Tag::IMG
            | Tag::VIDEO
            | Tag::AUDIO
            | Tag::OBJECT
            | Tag::CANVAS
    )
}

/// Whether browsers render the element as a block.
pub fn is_block(tag: Tag) -> bool {
    IS_BLOCK.get(tag.0 as usize).copied().unwrap_or(false)
}

/// [`BLOCKS`] by tag id, because every tag is looked up.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    fn check(page: &str, expected: &str) {
        let page = PageBytes::utf8(page.as_bytes());
        assert_eq!(extract(&PageParser::new().open(page), &[]).text, expected);
    }

    #[test]
    fn blocks_stand_on_lines_of_their_own() {
        check("<h1>A</h1>\n\n<p>b <i>c</i>d\n e</p><ul><li>f<li>g</ul>", "A\nb cd e\nf\ng");
        check("a<br>b<br/><br>c", "a\nb\nc");
        check("<table><tr><td>a</td><td>b<tr><td><p>c</p></td><td>d</table>", "a\tb\nc\nd");
        check("<table><tr><td>a<td>b\n<th>c<tr><td>d<td>e</table>", "a\tb\tc\nd\te");
    }

    #[test]
    fn links_of_headings_to_themselves_are_left_out() {
        check("<h2>a<a class=headerlink href=#a>&para;</a></h2>b <a href=#a>#</a>", "a\nb #");
        let page = PageBytes::utf8(b"<h2>a<a class=headerlink href=#a>#</a></h2>");
        assert_eq!(extract(&PageParser::new().open(page), &[]).volume.text.total, 2);
    }

    #[test]
    fn what_is_added_to_code_is_left_out_and_counted() {
        let html =
            "<p>x<pre><span class=ln>1</span>a\n<span class=ln>2</span>b</pre><button>Copy</button><p>c";
        check(html, "x\na\nb\nc");
        check("a<button>Copy</button><pre>b</pre>", "a\nb");
        let page = PageBytes::utf8(b"<p>a<pre><a class=ln href=#1>1</a></pre>");
        let volume = extract(&PageParser::new().open(page), &[]).volume;
        assert_eq!((volume.text.total, volume.links.total), (2, 1));
    }

    #[test]
    fn words_are_never_glued() {
        check("<div>a</div><div>b</div>", "a\nb");
        check("a<button>b</button>c", "a b c");
        check("x<img>y", "x y");
        check("<video>a</video><audio>b</audio><object>c</object>d", "a b c d");
        check("fish<wbr>cake", "fishcake");
    }

    #[test]
    fn adjacent_links_are_words_of_their_own() {
        check("<a href=a>Shooter</a><a href=b>First</a>", "Shooter First");
        check("<a href=a>A</a>, <a href=b>B</a><a href=c>, C</a>", "A, B , C");
        check("<a href=a>Tea</a>s <a href=a>茶</a><a href=b>水</a>", "Teas 茶水");
        check("<pre><a href=a>a</a><a href=b>b</a></pre>", "ab");
    }

    #[test]
    fn hidden_addresses_are_shown() {
        let code = "42232c2c023627236c273a232f322e27";
        let link =
            format!("<a href=/cdn-cgi/l/email-protection data-cfemail={code}>[email&#160;protected]</a>");
        check(&format!("Ask {link}."), "Ask ann@tea.example.");
        let inner =
            format!("<a href='/cdn-cgi/l/email-protection#{code}'><span>[email&#160;protected]</span></a>");
        check(&inner, "ann@tea.example");
        check("<a href=/>[email&#160;protected]</a>", "[email protected]");
    }

    #[test]
    fn white_space_is_as_a_reader_sees_it() {
        check("  a \t\n b&nbsp; c &amp; d  ", "a b c & d");
        check("x<pre>\n a\n  b</pre>y", "x\n a\n  b\ny");
        check("<div><pre>a\n  b</div>c\n  d", "a\n  b\nc d");
        check("<pre><div>a</div>\n  b</pre>c\n  d", "a\n\n  b\nc d");
    }

    #[test]
    fn what_is_in_pictures_and_templates_is_not_seen() {
        check("a<svg><title/><path/></svg>b<svg><style/></svg><p>c", "ab\nc");
        check("<svg><title>icon</title><text>a</text></svg><p>b", "a\nb");
        check("<svg><text><![CDATA[a < b]]></text></svg>", "a < b");
        check(
            "<svg><foreignObject><p>a<style>p > b {}</style></p></foreignObject><title/></svg><p>c",
            "a\nc",
        );
        check("<svg><title/><p>b<script>c<d</script>", "b");
        check("a<template><p>b<template>c</template></p></template>d", "ad");
    }

    #[test]
    fn formulas_are_written_once() {
        let katex = "<span class=katex><span class=katex-mathml><math><semantics><mi>e</mi>\
            <annotation encoding='application/x-tex'>e^{x}</annotation></semantics></math></span>\
            <span class=katex-html><b>ex</b></span></span>";
        check(&format!("<p>so {katex} is<p>b"), "so $e^{x}$ is\nb");
        check("a<script type='math/tex; mode=display'>x^2</script>b", "a\n$$x^2$$\nb");
        check("<p>a<math><mi>x</mi></math>.<p>c", "a$x$.\nc");
        check("mathematics <p>b", "mathematics\nb");
    }

    #[test]
    fn superscripts_keep_their_value() {
        check("10<sup>6</sup> and 10<sup> -6 </sup>.", "10^6 and 10 -6 .");
        check("1<sup>1</sup>/<sub>2</sub> H<sub>2</sub>O, the 1<sup>st</sup>", "1 1/2 H2O, the 1st");
        check("tea<sup><a href=#n1>1</a></sup> and<sup>[2]</sup>", "tea^1 and[2]");
        check("x<sup>y<sup>2</sup></sup> <pre>x<sup>2</sup></pre>", "x^(y^2)\nx^2");
        check("a</sup>b<sup>c<p>3</sup>", "abc\n3");
        let deep = "<sup>1".repeat(1000) + &"</sup>".repeat(1000);
        check(&deep, &"1".repeat(1000));
    }

    #[test]
    fn quotations_have_marks() {
        check("Ann said <q> tea <q>is</q> hot </q>.", "Ann said \"tea is hot\" .");
        check("<q>a</q><q></q> <q>b", "\"a\" b");
    }

    #[test]
    fn titles_are_those_of_the_page_and_whole() {
        let check = |page: &str, expected: Option<&str>| {
            let page = PageBytes::utf8(page.as_bytes());
            assert_eq!(extract(&PageParser::new().open(page), &[]).title.as_deref(), expected);
        };
        check("<title>List<T> of A < B &amp;\n C</Title ><p>x", Some("List<T> of A < B & C"));
        check("<svg><title>icon</title></svg><p>y", None);
        check("<title></title>x", None);
        check("<title>not closed<p>y", Some("not closed"));
    }

    #[test]
    fn pages_in_other_charsets_are_cut_at_the_same_places() {
        let text = "<p>one+two+three four</p>";
        let region = |start, end| Region::new(Span { start, end }, crate::TemplateHash(0), 2);
        let page = PageBytes::utf8(text.as_bytes());
        let expected = extract(&PageParser::new().open(page), &[region(6, 11)]);
        assert_eq!(expected.text, "one three four");
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let page = PageBytes { payload: &wide, encoding: encoding_rs::UTF_16LE };
        let content = extract(&PageParser::new().open(page), &[region(12, 22)]);
        assert_eq!((content.text, content.volume.text), (expected.text, expected.volume.text));
    }

    #[test]
    fn what_regions_cover_is_left_out_and_counted() {
        let payload = "<p>one two</p>three".as_bytes();
        let region = Region::new(Span { start: 3, end: 7 }, crate::TemplateHash(0), 2);
        let page = PageBytes::utf8(payload);
        let content = extract(&PageParser::new().open(page), &[region]);
        assert_eq!(content.text, "two\nthree");
        assert_eq!((content.volume.text.template, content.volume.text.total), (4, 12));
        assert_eq!((content.volume.html.template, content.volume.html.total), (4, 19));
    }
}
