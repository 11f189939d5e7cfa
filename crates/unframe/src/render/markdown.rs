//! The content of a page as Markdown (CommonMark, with tables and strikethrough as on GitHub).
//!
//! - Headings, paragraphs, quotations, nested lists, code with its language, rules, links and images are written as they are in the page.
//!   Addresses are absolute, except those of places on the same page.
//! - Lazily loaded images have the address that the scripts use. Left out are images that readers do not see (one pixel), images whose only
//!   address is `data:`, advertisements, and buttons that share the page or skip its menu. Of the images without an alternative text, icons
//!   and those next to text that is left out are left out too.
//! - A rule is written only between two blocks: never at the start, at the end, or twice in a row.
//! - The term of a definition list is a paragraph in bold, and its definitions are a list below it.
//! - A line break is a backslash at the end of the line; two line breaks begin a new paragraph.
//! - A table is written as a table if it has at least two rows and two columns of running text, or headers and cells with lists or
//!   code, whose items and lines are separated by `<br>`. Other tables are layout: their cells become blocks, one after the other.
//! - Superscripts and subscripts are `<sup>` and `<sub>`, as on GitHub, except for references to other notes, which are links or in brackets.
//!   Inline quotations, `<q>`, get quotation marks.
//! - References to footnotes are `[^1]`, and the notes are `[^1]: …`, if the page has both and both are content.
//! - Checkboxes at the start of list items are `[x]` or `[ ]`.
//! - Links that run a script or contain data are text. Line numbers and buttons of code, and links of headings to themselves (`¶`), are left
//!   out.
//! - Formulas are TeX between dollar signs: `$…$` or, in a line of their own, `$$…$$`. The page may have them as MathML, as TeX, as the
//!   output of KaTeX or MathJax, or, if a script of the page displays these, as `\(…\)` and `\[…\]` in the text.
//! - Characters with a meaning in Markdown are escaped where they would have it.

mod blocks;
mod dollars;
mod escape;
mod formulas;
mod line;
mod table;

use crate::html::tag::{Namespace, Tag};
use crate::html::{Node, NodeKind};
use crate::parsed::ParsedPage;
use crate::regions::Region;
use crate::text::content::{is_block, is_replaced};
use crate::text::math;
use crate::text::notes::{self, Notes};
use crate::text::omitted::Omitted;
use blocks::Blocks;
use line::{Line, Mark};
use table::Table;

use super::addresses::{self, Addresses};
use super::begins_in;
use super::code::{self, AtCodeEnd, Code};
use super::data_table;
use super::images::PageImages;
use super::options::{ImageMode, LinkMode, RenderOptions};
use super::walk::{self, Visitor};

/// The content of a page as Markdown: everything outside of `regions`, which must be sorted and must not overlap. `url` is the address of
/// the page, which relative addresses are resolved against; if it is empty, they are kept as they are.
///
/// ```
/// use unframe::{PageBytes, PageParser};
/// use unframe::html::{Parser, Span};
/// use unframe::regions::{Region, TemplateHash};
/// use unframe::render::{RenderOptions, markdown};
///
/// let payload = b"<nav><a href=/>Home</a></nav><h1>Tea</h1><ul><li>Hot <b>tea</b><li><a href=/ice>Iced</a></ul>";
/// let nav = Region::new(Span { start: 0, end: 29 }, TemplateHash(1), 9);
/// let page = PageBytes::utf8(payload);
/// let url = "https://teas.example/all.html";
/// let markdown = markdown(&PageParser::new().open(page), &[nav], url, RenderOptions::default());
/// assert_eq!(markdown, "# Tea\n\n- Hot **tea**\n- [Iced](https://teas.example/ice)");
/// ```
pub fn markdown(page: &ParsedPage<'_>, regions: &[Region], url: &str, options: RenderOptions) -> String {
    let document = page.document();
    let notes = notes::of(page, regions);
    let mut walk = Walk {
        regions,
        options,
        line: Line::new(Addresses::new(page, url), math::shows_dollars(page)),
        blocks: Blocks::default(),
        code: None,
        table: None,
        has_math: math::is_on(page),
        has_tex: math::has_tex(page),
        omitted: Omitted::of(page, &notes),
        notes,
        images: PageImages::new(document, regions),
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
    blocks: Blocks,
    /// The `pre` around the current position.
    code: Option<Code>,
    /// The table around the current position.
    table: Option<Table>,
    /// Whether the page may have formulas.
    has_math: bool,
    /// Whether its text may have formulas that a script of the page displays.
    has_tex: bool,
    /// Its footnotes.
    notes: Notes,
    /// The elements that are left out wherever they are.
    omitted: Omitted,
    images: PageImages<'d, 'r>,
}

/// The action at the end of an element.
#[derive(Clone, Copy)]
enum AtEnd {
    Nothing,
    Space,
    Break,
    Block,
    Heading(usize),
    Mark(Tag),
    List,
    /// A list directly in a list.
    InnerList,
    Container,
    Term {
        is_marked: bool,
    },
    Code,
    CellCode,
    InCode(AtCodeEnd),
    Table,
    Row,
    Cell {
        columns: usize,
        rows: usize,
        is_header: bool,
    },
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
            NodeKind::Element if self.omitted.contains(node) => self.omit(node),
            NodeKind::Element if self.reference(node) || self.notes.is_number(node) => None,
            NodeKind::Element if node.namespace() != Namespace::Html => Some(AtEnd::Nothing),
            NodeKind::Element => Some(match &mut self.code {
                Some(code) => AtEnd::InCode(code.enter(node.tag())),
                None => self.note(node).unwrap_or_else(|| self.enter_element(node)),
            }),
            NodeKind::Document | NodeKind::Doctype | NodeKind::Comment => None,
        }
    }

    fn leave(&mut self, at_end: AtEnd) {
        match at_end {
            AtEnd::Nothing => {}
            AtEnd::Space => self.line.space(),
            AtEnd::Break => self.line.line_break(),
            AtEnd::Block => self.end_block(),
            AtEnd::Heading(level) => {
                self.line.is_single = false;
                if let Some(text) = self.line.finish_heading() {
                    self.blocks.write(&format!("{} {text}", &"######"[..level]));
                }
            }
            AtEnd::Mark(tag) => self.line.end_mark(tag),
            AtEnd::List => {
                self.end_block();
                self.blocks.end_list();
            }
            AtEnd::InnerList => {
                self.end_block();
                self.blocks.end_list();
                self.blocks.end_container();
            }
            AtEnd::Container => {
                self.end_block();
                self.blocks.end_container();
            }
            AtEnd::Term { is_marked } => {
                if is_marked {
                    self.line.end_mark(Tag::STRONG);
                }
                self.end_block();
            }
            AtEnd::Code => self.end_code(),
            AtEnd::CellCode => self.end_cell_code(),
            AtEnd::InCode(at_end) => self.code.iter_mut().for_each(|code| code.leave(at_end)),
            AtEnd::Table => self.end_table(),
            AtEnd::Row => self.table.iter_mut().for_each(Table::end_row),
            AtEnd::Cell { columns, rows, is_header } => {
                (self.line.is_single, self.line.is_cell) = (false, false);
                let text = self.line.finish_cell();
                if let Some(table) = &mut self.table {
                    table.cell(text, columns, rows, is_header);
                }
            }
        }
    }
}

impl<'d> Walk<'d, '_> {
    fn enter_element(&mut self, node: Node<'d>) -> AtEnd {
        let Some(tag) = node.tag() else { return AtEnd::Nothing };
        if walk::follows_link(node) {
            self.line.space();
        }
        match tag {
            Tag::B | Tag::STRONG | Tag::I | Tag::EM | Tag::DEL | Tag::S | Tag::STRIKE => self.mark(tag, node),
            Tag::CODE | Tag::KBD | Tag::SAMP | Tag::TT => self.mark(tag, node),
            Tag::A if self.options.links == LinkMode::Keep && addresses::target(node).is_some() => {
                self.mark(tag, node)
            }
            Tag::SUP | Tag::SUB if is_reference(node) => AtEnd::Nothing,
            Tag::SUP | Tag::SUB | Tag::Q => self.mark(tag, node),
            Tag::BR => self.line_break(),
            Tag::IMG => self.image(node),
            Tag::INPUT if is_task(node) => self.task(node),
            tag if is_replaced(tag) => self.space(),
            // All other elements are blocks. In a heading or a cell, a block only separates words.
            Tag::TD | Tag::TH if self.table.is_some() => self.cell(node, tag),
            Tag::TR if self.table.is_some() => AtEnd::Row,
            Tag::CAPTION if self.table.is_some() => self.block(),
            Tag::LI if self.line.is_cell => self.cell_item(),
            Tag::PRE | Tag::LISTING if self.line.is_cell => self.begin_cell_code(node),
            tag if self.line.is_single && is_block(tag) => self.space(),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.heading(tag),
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR | Tag::DL => self.list(node, tag),
            Tag::LI | Tag::DD => self.item(node),
            Tag::DT => self.term(node),
            Tag::BLOCKQUOTE => self.quotation(),
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => self.begin_code(node),
            Tag::DIV | Tag::TABLE if code::is_listing(node) => self.begin_code(node),
            Tag::HR => self.rule(node),
            Tag::TABLE if data_table::is_data(node) => self.begin_table(),
            Tag::TD | Tag::TH => self.block(),
            tag if is_block(tag) => self.block(),
            _ => AtEnd::Nothing,
        }
    }

    /// Writes the parts of a text that are outside of the regions.
    fn text(&mut self, node: Node<'d>) {
        if self.code.is_some() && code::is_between_lines(node) {
            return;
        }
        walk::kept_text(node, self.regions, |part| match part {
            Some(text) => self.write(text),
            None => self.leave_out(),
        });
    }

    fn write(&mut self, text: &str) {
        match &mut self.code {
            Some(code) => code.write(text),
            None if self.has_tex && !self.line.is_in_code() => self.write_tex(text),
            None => self.line.write(text),
        }
    }

    fn leave_out(&mut self) {
        match &mut self.code {
            Some(code) => code.separate(' '),
            None => self.line.space(),
        }
    }

    fn end_block(&mut self) {
        if self.line.is_single {
            self.line.space();
        } else if let Some(text) = self.line.finish() {
            self.blocks.write(&text);
        }
    }

    fn block(&mut self) -> AtEnd {
        self.end_block();
        AtEnd::Block
    }

    fn space(&mut self) -> AtEnd {
        self.line.space();
        AtEnd::Space
    }

    fn line_break(&mut self) -> AtEnd {
        if self.line.has_break() {
            self.end_block();
        } else {
            self.line.line_break();
        }
        AtEnd::Nothing
    }

    fn mark(&mut self, tag: Tag, node: Node<'d>) -> AtEnd {
        if self.line.begin_mark(Mark { tag: line::kind(tag), node }) {
            AtEnd::Mark(tag)
        } else {
            AtEnd::Nothing
        }
    }

    fn heading(&mut self, tag: Tag) -> AtEnd {
        self.end_block();
        self.line.is_single = true;
        let levels = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6];
        AtEnd::Heading(1 + levels.iter().position(|level| *level == tag).unwrap_or(0))
    }

    fn list(&mut self, node: Node<'d>, tag: Tag) -> AtEnd {
        self.end_block();
        let first = match node.attribute("start").map(|start| start.trim().parse()) {
            Some(Ok(start)) => start,
            _ => 1,
        };
        let is_list = |tag| matches!(tag, Tag::UL | Tag::OL | Tag::MENU | Tag::DIR);
        let is_inner = is_list(tag) && node.parent().and_then(Node::tag).is_some_and(is_list);
        // Browsers display a list directly in a list as part of the item before it.
        let is_inner = is_inner && self.blocks.continue_item();
        self.blocks.begin_list((tag == Tag::OL).then_some(first));
        if is_inner { AtEnd::InnerList } else { AtEnd::List }
    }

    fn item(&mut self, node: Node<'d>) -> AtEnd {
        self.end_block();
        let number = node.attribute("value").and_then(|value| value.trim().parse().ok());
        if self.blocks.begin_item(number) { AtEnd::Container } else { AtEnd::Block }
    }

    /// Leaves out an element, which still separates the text on both sides.
    fn omit(&mut self, node: Node<'d>) -> Option<AtEnd> {
        match node.tag() {
            _ if self.code.is_some() => {}
            Some(tag) if is_block(tag) => self.end_block(),
            Some(tag) if is_replaced(tag) => self.line.space(),
            _ => {}
        }
        None
    }

    /// Writes the element if it is a reference to a note.
    fn reference(&mut self, node: Node<'d>) -> bool {
        let Some(label) = self.notes.reference(node).filter(|_| self.code.is_none()) else { return false };
        self.line.marker(&format!("[^{label}]"));
        true
    }

    /// Begins the element if it is a note.
    fn note(&mut self, node: Node<'d>) -> Option<AtEnd> {
        let label = self.notes.note(node)?.to_owned();
        self.end_block();
        Some(if self.blocks.begin_note(&label) { AtEnd::Container } else { AtEnd::Block })
    }

    /// Writes the box of a task, if it is the first content of its item.
    fn task(&mut self, node: Node<'d>) -> AtEnd {
        if self.line.is_empty()
            && self.blocks.is_at_item()
            && !self.line.is_single
            && !begins_in(self.regions, node)
        {
            self.line.marker(if node.attribute("checked").is_some() { "[x]" } else { "[ ]" });
        }
        self.space()
    }

    /// Begins a list item in a table cell, where an item is a line.
    fn cell_item(&mut self) -> AtEnd {
        self.line.line_break();
        AtEnd::Break
    }

    fn term(&mut self, node: Node<'d>) -> AtEnd {
        self.end_block();
        AtEnd::Term { is_marked: self.line.begin_mark(Mark { tag: Tag::STRONG, node }) }
    }

    fn quotation(&mut self) -> AtEnd {
        self.end_block();
        if self.blocks.begin_quotation() { AtEnd::Container } else { AtEnd::Block }
    }

    fn image(&mut self, node: Node<'d>) -> AtEnd {
        self.line.space();
        let is_wanted = self.options.images != ImageMode::Drop;
        if let Some(address) = is_wanted.then(|| self.images.address(node)).flatten() {
            let alt = node.attribute("alt").unwrap_or_default();
            match self.options.images {
                ImageMode::Alt => self.line.write(&alt),
                _ => self.line.image(&alt, &address),
            }
        }
        self.space()
    }

    fn rule(&mut self, node: Node<'d>) -> AtEnd {
        self.end_block();
        if !begins_in(self.regions, node) {
            self.blocks.rule();
        }
        AtEnd::Nothing
    }

    fn begin_code(&mut self, node: Node<'d>) -> AtEnd {
        self.end_block();
        self.code = Some(Code::of(node));
        AtEnd::Code
    }

    fn end_code(&mut self) {
        if let Some((language, code)) = self.code.take().and_then(Code::finish) {
            let fence = "`".repeat(escape::longest_run(&code, '`').max(2) + 1);
            self.blocks.write(&format!("{fence}{language}\n{code}\n{fence}"));
        }
    }

    /// Begins code in a table cell, where every line is a code span.
    fn begin_cell_code(&mut self, node: Node<'d>) -> AtEnd {
        self.code = Some(Code::of(node));
        AtEnd::CellCode
    }

    fn end_cell_code(&mut self) {
        self.code.take().iter().flat_map(Code::lines).for_each(|line| self.line.code_line(line));
        self.line.line_break();
    }

    fn begin_table(&mut self) -> AtEnd {
        self.end_block();
        self.table = Some(Table::default());
        AtEnd::Table
    }

    fn end_table(&mut self) {
        self.end_block();
        if let Some(text) = self.table.take().and_then(Table::finish) {
            self.blocks.write(&text);
        }
    }

    fn cell(&mut self, node: Node<'d>, tag: Tag) -> AtEnd {
        self.end_block();
        (self.line.is_single, self.line.is_cell) = (true, true);
        let span = |name| {
            node.attribute(name).and_then(|value| value.trim().parse().ok()).unwrap_or(1).clamp(1, 1000)
        };
        AtEnd::Cell { columns: span("colspan"), rows: span("rowspan"), is_header: tag == Tag::TH }
    }
}

/// Whether a checkbox shows that a task of a list is done or not done. A checkbox of a form has a name for the script or the server.
fn is_task(node: Node<'_>) -> bool {
    let has = |name| node.attribute(name).is_some();
    let is_box = node.attribute("type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("checkbox"));
    is_box && (has("disabled") || !(has("name") || has("id")))
}

/// Whether a superscript is a reference to a note, which is a link or in brackets.
fn is_reference(node: Node<'_>) -> bool {
    let is_link = |node: Node<'_>| node.tag() == Some(Tag::A) && node.attribute("href").is_some();
    let inside = || node.descendants().skip(1).take(8);
    let text = inside().find(|inner| inner.kind() == NodeKind::Text);
    node.parent().is_some_and(is_link)
        || inside().any(is_link)
        || text.is_some_and(|text| text.text().trim_start().starts_with('['))
}

#[cfg(test)]
mod tests;
