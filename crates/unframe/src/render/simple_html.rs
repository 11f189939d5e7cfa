//! The content of a page as simple HTML: only elements and attributes with a meaning for readers, without scripts and styles.
//!
//! - Blocks are `h1` to `h6`, `p`, `ul`, `ol`, `li`, `dl`, `dt`, `dd`, `blockquote`, `pre` with `code`, `figure`, `figcaption`, `hr`, and
//!   `table` with `caption`, `thead`, `tbody`, `tfoot`, `tr`, `th` and `td`. In them are `a`, `img`, `br`, `strong`, `em`, `del`, `code`,
//!   `kbd`, `samp`, `sup` and `sub`. All other elements are replaced by their content.
//! - Attributes are `href` and `title` of links; `src`, `alt`, `width` and `height` of images; `start`, `reversed` and `value` of lists;
//!   `colspan` and `rowspan`; `class="language-…"` of code; `lang` and `dir`; and `id`, where a link of the content leads. An element that is
//!   replaced by its content leaves a `div` or `span` if it has one of the last three.
//! - Regions, images, tables for layout, code, and links that run a script are treated as in [Markdown](super::markdown()). Addresses are
//!   absolute as well.
//! - Text outside of a paragraph becomes one, but not at the start of a list item, a cell or a caption. Two line breaks begin a new paragraph.
//! - Formulas are TeX as `\(…\)` and `\[…\]`, which MathJax and KaTeX find in a page.
//! - The result is a well-formed part of the body of a page, which reads as it was written: a parser finds the same elements again.

mod attributes;
mod blocks;
mod formulas;
mod ids;
mod line;

use crate::html::tag::{Namespace, Tag};
use crate::html::{Node, NodeKind};
use crate::parsed::ParsedPage;
use crate::regions::Region;
use crate::text::content::{is_block, is_replaced};
use crate::text::math;
use crate::text::notes::Notes;
use crate::text::omitted::Omitted;
use attributes::{language_of, number, push_attribute, push_text};
use blocks::Blocks;
use ids::Ids;
use line::Line;

use super::addresses::{self, Addresses};
use super::begins_in;
use super::code::{self, AtCodeEnd, Code};
use super::data_table;
use super::images::PageImages;
use super::options::{ImageMode, LinkMode, RenderOptions};
use super::walk::{self, Visitor};

/// The content of a page as simple HTML, in which only elements and attributes are left that mean something to readers: everything outside of
/// `regions`, which must be sorted and must not overlap. `url` is the address of the page, which relative addresses are resolved against; if
/// it is empty, they are kept as they are. The result is a part of a page, without `html` and `body`.
///
/// ```
/// use unframe::render::{RenderOptions, simple_html};
/// use unframe::{PageBytes, PageParser};
///
/// let page = PageBytes::utf8(b"<div class=a><h1 onclick=a()>Tea</h1><font>Hot <b>tea</b>, <a href=ice>iced</a></font></div>");
/// let url = "https://teas.example/all.html";
/// let html = simple_html(&PageParser::new().open(page), &[], url, RenderOptions::default());
/// assert_eq!(
///     html,
///     "<h1>Tea</h1>\n<p>Hot <strong>tea</strong>, <a href=\"https://teas.example/ice\">iced</a></p>"
/// );
/// ```
pub fn simple_html(page: &ParsedPage<'_>, regions: &[Region], url: &str, options: RenderOptions) -> String {
    let document = page.document();
    let keeps_links = options.links == LinkMode::Keep;
    let mut walk = Walk {
        regions,
        options,
        line: Line::new(Addresses::new(page, url)),
        attributes: String::new(),
        id: None,
        is_paragraph: false,
        blocks: Blocks::default(),
        code: None,
        has_math: math::is_on(page),
        has_tex: math::has_tex(page),
        // The links of notes lead back to their references.
        omitted: Omitted::of(page, &Notes::default()),
        images: PageImages::new(document, regions),
        ids: if keeps_links { Ids::of(document, regions) } else { Ids::default() },
    };
    walk::visit(document, &mut walk);
    walk.end_block();
    walk.blocks.finish()
}

struct Walk<'d, 'r> {
    regions: &'r [Region],
    options: RenderOptions,
    /// The text of the current block.
    line: Line<'d>,
    /// The attributes of the paragraph, the heading or the code.
    attributes: String,
    /// The identifier of this element.
    id: Option<String>,
    /// Whether the current block is a paragraph of the page, and not text in another element.
    is_paragraph: bool,
    blocks: Blocks,
    /// The `pre` around the current position.
    code: Option<Code>,
    /// Whether the page may have formulas.
    has_math: bool,
    /// Whether its text may have formulas that a script of the page displays.
    has_tex: bool,
    /// The elements that are left out wherever they are.
    omitted: Omitted,
    images: PageImages<'d, 'r>,
    /// The identifiers that links of the content lead to.
    ids: Ids,
}

/// The action at the end of an element.
#[derive(Clone, Copy)]
enum AtEnd {
    Nothing,
    Space,
    Block,
    Heading(Tag),
    Mark(usize),
    /// The end of an element that was opened at this depth.
    Container(usize),
    Code,
    InCode(AtCodeEnd),
}

impl<'d> Visitor<'d> for Walk<'d, '_> {
    type AtEnd = AtEnd;

    fn enter(&mut self, node: Node<'d>) -> Option<AtEnd> {
        match node.kind() {
            NodeKind::Text => {
                self.text(node);
                None
            }
            NodeKind::Element if self.math(node) => None,
            NodeKind::Element if walk::is_skipped(node) => None,
            NodeKind::Element if self.omitted.contains(node) => {
                self.line.space();
                None
            }
            NodeKind::Element if node.namespace() != Namespace::Html => Some(AtEnd::Nothing),
            NodeKind::Element => Some(match &mut self.code {
                Some(code) => AtEnd::InCode(code.enter(node.tag())),
                None => self.element(node),
            }),
            NodeKind::Document | NodeKind::Doctype | NodeKind::Comment => None,
        }
    }

    fn leave(&mut self, at_end: AtEnd) {
        match at_end {
            AtEnd::Nothing => {}
            AtEnd::Space => self.line.space(),
            AtEnd::Block => self.end_block(),
            AtEnd::Heading(tag) => self.end_heading(tag),
            AtEnd::Mark(node) => self.line.end_mark(node),
            AtEnd::Container(depth) => {
                self.end_block();
                self.blocks.end(depth);
                self.line.add_ids(self.blocks.lost_ids());
            }
            AtEnd::Code => self.end_code(),
            AtEnd::InCode(at_end) => self.code.iter_mut().for_each(|code| code.leave(at_end)),
        }
    }
}

impl<'d> Walk<'d, '_> {
    fn element(&mut self, node: Node<'d>) -> AtEnd {
        let at_end = match node.tag() {
            Some(tag) if self.line.is_single && is_block(tag) => self.space(),
            Some(tag) if is_block(tag) || matches!(tag, Tag::TD | Tag::TH) => self.block_element(node, tag),
            Some(tag) => self.inline_element(node, tag),
            None => self.mark(node, Tag::SPAN),
        };
        // The identifier of an element that could not keep it stays at its place.
        if let Some(id) = self.id(node) {
            self.line.add_ids(vec![id]);
        }
        at_end
    }

    fn inline_element(&mut self, node: Node<'d>, tag: Tag) -> AtEnd {
        match tag {
            Tag::A if self.options.links == LinkMode::Keep && addresses::target(node).is_some() => {
                self.mark(node, tag)
            }
            Tag::BR => self.line_break(),
            Tag::IMG => self.image(node),
            tag if is_replaced(tag) => self.space(),
            tag => self.mark(node, line::kind(tag)),
        }
    }

    fn block_element(&mut self, node: Node<'d>, tag: Tag) -> AtEnd {
        self.end_block();
        match tag {
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.heading(node, tag),
            Tag::P => self.paragraph(node),
            Tag::UL | Tag::MENU | Tag::DIR => self.container(node, Tag::UL),
            Tag::OL => self.ordered_list(node),
            Tag::LI => self.item(node),
            Tag::DL | Tag::BLOCKQUOTE | Tag::FIGURE => self.container(node, tag),
            Tag::DT | Tag::DD => self.part(node, tag, &[Tag::DL]),
            Tag::FIGCAPTION => self.part(node, tag, &[Tag::FIGURE]),
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => self.begin_code(node),
            Tag::DIV | Tag::TABLE if code::is_listing(node) => self.begin_code(node),
            Tag::HR => self.rule(node),
            Tag::TABLE if data_table::is_data(node) => self.container(node, tag),
            Tag::CAPTION | Tag::THEAD | Tag::TBODY | Tag::TFOOT => self.part(node, tag, &[Tag::TABLE]),
            Tag::TR => self.part(node, tag, &[Tag::THEAD, Tag::TBODY, Tag::TFOOT]),
            Tag::TD | Tag::TH => self.cell(node, tag),
            _ if language_of(node).is_empty() => AtEnd::Block,
            _ => self.container(node, Tag::DIV),
        }
    }

    fn text(&mut self, node: Node<'d>) {
        if self.code.is_some() && code::is_between_lines(node) {
            return;
        }
        walk::kept_text(node, self.regions, |part| match (part, &mut self.code) {
            (Some(text), Some(code)) => code.write(text),
            (None, Some(code)) => code.separate(' '),
            (Some(text), None) if self.has_tex && !self.line.is_in_code() => self.write_tex(text),
            (Some(text), None) => self.line.write(text),
            (None, None) => self.line.space(),
        });
    }

    fn space(&mut self) -> AtEnd {
        self.line.space();
        AtEnd::Space
    }

    fn mark(&mut self, node: Node<'d>, tag: Tag) -> AtEnd {
        match self.line.begin_mark(node, tag) {
            true => AtEnd::Mark(node.index()),
            false => AtEnd::Nothing,
        }
    }

    fn line_break(&mut self) -> AtEnd {
        if self.line.has_break() && !self.line.is_single {
            self.end_block();
        } else {
            self.line.line_break();
        }
        AtEnd::Nothing
    }

    fn image(&mut self, node: Node<'d>) -> AtEnd {
        self.line.space();
        let is_wanted = self.options.images != ImageMode::Drop;
        if let Some(address) = is_wanted.then(|| self.images.address(node)).flatten() {
            match self.options.images {
                ImageMode::Alt => self.line.write(&node.attribute("alt").unwrap_or_default()),
                _ => self.line.image(node, &address),
            }
        }
        self.space()
    }

    /// Ends the current block: a paragraph, or text at the start of an element around it.
    fn end_block(&mut self) {
        if self.line.is_single {
            return self.line.space();
        }
        let is_paragraph = std::mem::take(&mut self.is_paragraph);
        let text = self.line.finish();
        let attributes = self.take_attributes(text.is_some());
        if let Some(text) = text {
            self.blocks.paragraph(&text, &attributes, is_paragraph);
        }
    }

    fn paragraph(&mut self, node: Node<'d>) -> AtEnd {
        self.set_attributes(node);
        self.is_paragraph = true;
        AtEnd::Block
    }

    fn heading(&mut self, node: Node<'d>, tag: Tag) -> AtEnd {
        self.set_attributes(node);
        self.line.is_single = true;
        AtEnd::Heading(tag)
    }

    fn end_heading(&mut self, tag: Tag) {
        self.line.is_single = false;
        let text = self.line.finish();
        let attributes = self.take_attributes(text.is_some());
        if let (Some(text), Some(name)) = (text, tag.known_name()) {
            self.blocks.write(&format!("<{name}{attributes}>{text}</{name}>"));
        }
    }

    /// Begins an element that contains blocks, if its place allows it.
    fn container(&mut self, node: Node<'d>, tag: Tag) -> AtEnd {
        if !self.blocks.has_room_for(tag) {
            return AtEnd::Block;
        }
        let id = self.id(node);
        AtEnd::Container(self.blocks.begin(tag, id, &language_of(node)))
    }

    /// Begins a part of a list, a table or a figure. Elsewhere it is a block.
    fn part(&mut self, node: Node<'d>, tag: Tag, around: &[Tag]) -> AtEnd {
        if !self.blocks.is_directly_in(around) {
            return AtEnd::Block;
        }
        let id = self.id(node);
        AtEnd::Container(self.blocks.begin(tag, id, &language_of(node)))
    }

    fn ordered_list(&mut self, node: Node<'d>) -> AtEnd {
        let at_end = self.container(node, Tag::OL);
        if matches!(at_end, AtEnd::Container(_)) {
            let is_reversed = node.attribute("reversed").is_some();
            let items = || node.children().filter(|child| child.tag() == Some(Tag::LI)).count();
            let start = number(node, "start");
            // Browsers count the items, some of which may be left out.
            let start = start.or_else(|| is_reversed.then(|| i32::try_from(items()).unwrap_or(i32::MAX)));
            self.blocks.number_items(start.unwrap_or(1), is_reversed);
        }
        at_end
    }

    fn item(&mut self, node: Node<'d>) -> AtEnd {
        if !self.blocks.is_directly_in(&[Tag::UL, Tag::OL]) {
            return AtEnd::Block;
        }
        let id = self.id(node);
        AtEnd::Container(self.blocks.begin_item(id, &language_of(node), number(node, "value")))
    }

    fn cell(&mut self, node: Node<'d>, tag: Tag) -> AtEnd {
        if !self.blocks.is_directly_in(&[Tag::TR]) {
            return AtEnd::Block;
        }
        let span =
            |name| number(node, name).and_then(|span| usize::try_from(span).ok()).unwrap_or(1).clamp(1, 1000);
        let id = self.id(node);
        AtEnd::Container(self.blocks.begin_cell(
            tag,
            id,
            &language_of(node),
            span("colspan"),
            span("rowspan"),
        ))
    }

    fn rule(&mut self, node: Node<'d>) -> AtEnd {
        if !begins_in(self.regions, node) {
            self.blocks.rule();
        }
        AtEnd::Nothing
    }

    fn begin_code(&mut self, node: Node<'d>) -> AtEnd {
        self.set_attributes(node);
        self.code = Some(Code::of(node));
        AtEnd::Code
    }

    fn end_code(&mut self) {
        let code = self.code.take().and_then(Code::finish);
        let attributes = self.take_attributes(code.is_some());
        let Some((language, code)) = code else { return };
        let mut out = format!("<pre{attributes}><code");
        if !language.is_empty() {
            push_attribute("class", &format!("language-{language}"), &mut out);
        }
        out.push('>');
        push_text(&code, &mut out);
        out.push_str("</code></pre>");
        self.blocks.write(&out);
    }

    /// Sets the attributes of a paragraph, a heading or code.
    fn set_attributes(&mut self, node: Node<'d>) {
        self.attributes = language_of(node);
        self.id = self.id(node);
    }

    /// Takes these attributes. If the element is empty, its identifier stays at its place.
    fn take_attributes(&mut self, is_written: bool) -> String {
        let mut attributes = std::mem::take(&mut self.attributes);
        match self.id.take() {
            Some(id) if is_written => push_attribute("id", &id, &mut attributes),
            Some(id) => self.line.add_ids(vec![id]),
            None => {}
        }
        attributes
    }

    /// The identifier of an element, if a link of the content leads there. Each is written once.
    fn id(&mut self, node: Node<'d>) -> Option<String> {
        self.ids.take(node).filter(|_| !begins_in(self.regions, node))
    }
}

#[cfg(test)]
mod tests;
