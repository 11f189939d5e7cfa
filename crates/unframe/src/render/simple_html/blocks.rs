//! Writes blocks one after the other, nested in lists, tables, quotations and figures.
//!
//! An element is written when it begins, and taken back when it ends without content. Text that is directly in a list or a table, where only
//! items or rows may be, gets the missing elements around it.

use super::attributes::push_attribute;
use crate::html::tag::Tag;
use crate::limits::{HTML_NESTING_MAX, SPANNED_CELLS_MAX};

/// Blocks under construction.
#[derive(Default)]
pub(super) struct Blocks {
    out: String,
    open: Vec<Container>,
    /// The number of blocks that were written.
    count: usize,
    /// The identifiers of elements that were taken back.
    lost_ids: Vec<String>,
    /// The rows and spans of the current table. No table contains another one.
    grid: Grid,
}

/// An open element.
struct Container {
    tag: Tag,
    /// The position of its start tag.
    start: usize,
    /// The number of blocks before it.
    count: usize,
    id: Option<String>,
    /// Whether the page has no such element.
    is_implied: bool,
    /// Whether it is kept without content.
    is_kept: bool,
    /// The numbers of the items of an ordered list.
    numbers: Numbers,
}

#[derive(Default, Clone, Copy)]
struct Numbers {
    /// The number of the next item.
    next: i32,
    /// The number that browsers give to the next item, because some items may be left out.
    shown: i32,
    step: i32,
}

#[derive(Default, Clone, Copy)]
struct Grid {
    /// The number of rows so far.
    rows: usize,
    /// The first row that no cell from above spans.
    free_from: usize,
    /// The number of places that spanning cells take in addition to one each.
    spanned: usize,
}

/// Rows need three elements around their cells, and a list one around its items.
const LEVELS_MAX: usize = 4;

impl Blocks {
    /// Whether an element that contains blocks may begin here.
    pub(super) fn has_room_for(&self, tag: Tag) -> bool {
        let is_flow = self.open.last().is_none_or(|around| accepts_flow(around.tag));
        // A `div` only carries attributes, so nothing is implied around it.
        (is_flow || tag != Tag::DIV) && self.open.len() + 2 * LEVELS_MAX <= HTML_NESTING_MAX
    }

    /// Whether the current position is directly in one of these elements, after ending what the page does not have.
    pub(super) fn is_directly_in(&mut self, tags: &[Tag]) -> bool {
        let implied = self.open.iter().rev().take_while(|container| container.is_implied).count();
        let depth = self.open.len() - implied;
        let around = depth.checked_sub(1).and_then(|last| self.open.get(last));
        let is_in = around.is_some_and(|around| tags.contains(&around.tag));
        if is_in {
            self.end(depth);
        }
        is_in
    }

    /// Begins an element, and returns the depth for [`Blocks::end`].
    pub(super) fn begin(&mut self, tag: Tag, id: Option<String>, attributes: &str) -> usize {
        if matches!(tag, Tag::UL | Tag::OL | Tag::DL | Tag::TABLE | Tag::BLOCKQUOTE | Tag::FIGURE) {
            self.imply();
        }
        match tag {
            Tag::TR => self.begin_row(id, attributes),
            tag => {
                if tag == Tag::TABLE {
                    self.grid = Grid::default();
                }
                self.push(tag, id, attributes)
            }
        }
    }

    fn push(&mut self, tag: Tag, id: Option<String>, attributes: &str) -> usize {
        let start = self.out.len();
        if !self.out.is_empty() && !matches!(tag, Tag::TD | Tag::TH) {
            self.out.push('\n');
        }
        self.out.extend(["<", name(tag), attributes]);
        if let Some(id) = &id {
            push_attribute("id", id, &mut self.out);
        }
        self.out.push('>');
        self.open.push(Container {
            tag,
            start,
            count: self.count,
            id,
            is_implied: false,
            is_kept: matches!(tag, Tag::TD | Tag::TH),
            numbers: Numbers::default(),
        });
        self.open.len() - 1
    }

    /// Ends all elements from this depth on.
    pub(super) fn end(&mut self, depth: usize) {
        while self.open.len() > depth
            && let Some(container) = self.open.pop()
        {
            self.trim_rule();
            if self.count == container.count && !container.is_kept {
                self.out.truncate(container.start);
                self.lost_ids.extend(container.id);
                continue;
            }
            if is_apart(container.tag) {
                self.out.push('\n');
            }
            self.out.extend(["</", name(container.tag), ">"]);
            if container.tag == Tag::LI
                && let Some(list) = self.open.last_mut()
            {
                list.numbers.shown = list.numbers.next;
            }
        }
    }

    /// Takes the identifiers of elements that were taken back.
    pub(super) fn lost_ids(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lost_ids)
    }

    /// Writes a paragraph, or text at the start of an item, a cell or a caption.
    pub(super) fn paragraph(&mut self, text: &str, attributes: &str, is_paragraph: bool) {
        self.imply();
        let is_start = self.open.last().is_some_and(|around| {
            let is_text = matches!(
                around.tag,
                Tag::LI
                    | Tag::DT
                    | Tag::DD
                    | Tag::TD
                    | Tag::TH
                    | Tag::CAPTION
                    | Tag::FIGURE
                    | Tag::FIGCAPTION
            );
            is_text && around.count == self.count
        });
        if is_start && !is_paragraph {
            self.out.push_str(text);
            self.count += 1;
        } else {
            self.write(&format!("<p{attributes}>{text}</p>"));
        }
    }

    /// Writes a block with its tags.
    pub(super) fn write(&mut self, block: &str) {
        self.imply();
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(block);
        self.count += 1;
    }

    /// Writes a rule after a block. It is taken back if no other block follows.
    pub(super) fn rule(&mut self) {
        let before = self.open.last().map_or(0, |around| around.count);
        let is_flow = self.open.last().is_none_or(|around| accepts_flow(around.tag));
        if is_flow && self.count > before && !self.out.ends_with(RULE) {
            self.out.push_str(RULE);
        }
    }

    fn trim_rule(&mut self) {
        if self.out.ends_with(RULE) {
            self.out.truncate(self.out.len() - RULE.len());
        }
    }

    /// Sets the numbers of an ordered list that has just begun.
    pub(super) fn number_items(&mut self, start: i32, is_reversed: bool) {
        let Some(list) = self.open.last_mut() else { return };
        let step = if is_reversed { -1 } else { 1 };
        list.numbers = Numbers { next: start, shown: start, step };
        if self.out.ends_with('>') && (is_reversed || start != 1) {
            self.out.pop();
            if is_reversed {
                self.out.push_str(" reversed");
            }
            push_attribute("start", &start.to_string(), &mut self.out);
            self.out.push('>');
        }
    }

    /// Begins an item of a list, which may have a number of its own.
    pub(super) fn begin_item(&mut self, id: Option<String>, attributes: &str, number: Option<i32>) -> usize {
        let mut attributes = attributes.to_owned();
        if let Some(list) = self.open.last_mut().filter(|list| list.tag == Tag::OL) {
            let numbers = &mut list.numbers;
            let number = number.unwrap_or(numbers.next);
            if number != numbers.shown {
                push_attribute("value", &number.to_string(), &mut attributes);
            }
            numbers.next = number.saturating_add(numbers.step);
        }
        self.push(Tag::LI, id, &attributes)
    }

    fn begin_row(&mut self, id: Option<String>, attributes: &str) -> usize {
        let is_spanned = self.grid.rows < self.grid.free_from;
        self.grid.rows += 1;
        let depth = self.push(Tag::TR, id, attributes);
        if let Some(row) = self.open.last_mut() {
            // Without the row, the cells below would be in other columns.
            row.is_kept = is_spanned;
        }
        depth
    }

    /// Begins a cell, which may span several columns and rows.
    pub(super) fn begin_cell(
        &mut self,
        tag: Tag,
        id: Option<String>,
        attributes: &str,
        columns: usize,
        rows: usize,
    ) -> usize {
        let grid = &mut self.grid;
        let spanned = columns * rows - 1;
        let fits = grid.spanned + spanned <= SPANNED_CELLS_MAX;
        let (columns, rows) = if fits { (columns, rows) } else { (1, 1) };
        grid.spanned += if fits { spanned } else { 0 };
        if rows > 1 {
            grid.free_from = grid.free_from.max(grid.rows - 1 + rows);
        }
        let mut attributes = attributes.to_owned();
        for (name, span) in [("colspan", columns), ("rowspan", rows)] {
            if span > 1 {
                push_attribute(name, &span.to_string(), &mut attributes);
            }
        }
        if let Some(row) = self.open.last_mut().filter(|_| rows > 1) {
            row.is_kept = true;
        }
        self.push(tag, id, &attributes)
    }

    /// Begins the elements that are missing around a block.
    fn imply(&mut self) {
        while let Some(around) = self.open.last().map(|around| around.tag) {
            let (tag, end) = match around {
                Tag::UL | Tag::OL => (Tag::LI, "</li>"),
                Tag::DL => (Tag::DD, "</dd>"),
                Tag::TABLE => (Tag::TBODY, ""),
                Tag::THEAD | Tag::TBODY | Tag::TFOOT => (Tag::TR, ""),
                Tag::TR => (Tag::TD, ""),
                _ => return,
            };
            // A list after an item is a part of this item, as browsers show it.
            let is_continued = !end.is_empty() && self.out.ends_with(end);
            if is_continued {
                self.out.truncate(self.out.len() - end.len());
                self.continue_item(tag);
                return;
            }
            match tag {
                Tag::LI => self.begin_item(None, "", None),
                Tag::TR => self.begin_row(None, ""),
                tag => self.push(tag, None, ""),
            };
            if let Some(implied) = self.open.last_mut() {
                implied.is_implied = true;
            }
        }
    }

    /// Opens the item again that has just ended.
    fn continue_item(&mut self, tag: Tag) {
        let start = self.out.len();
        self.open.push(Container {
            tag,
            start,
            // It has content already.
            count: self.count.saturating_sub(1),
            id: None,
            is_implied: true,
            is_kept: true,
            numbers: Numbers::default(),
        });
    }

    pub(super) fn finish(mut self) -> String {
        self.end(0);
        self.trim_rule();
        self.out
    }
}

const RULE: &str = "\n<hr>";

/// Whether an element may contain paragraphs and other blocks directly.
fn accepts_flow(tag: Tag) -> bool {
    !matches!(tag, Tag::UL | Tag::OL | Tag::DL | Tag::TABLE | Tag::THEAD | Tag::TBODY | Tag::TFOOT | Tag::TR)
}

/// Whether the end tag is in a line of its own.
fn is_apart(tag: Tag) -> bool {
    !accepts_flow(tag) && tag != Tag::TR || matches!(tag, Tag::BLOCKQUOTE | Tag::FIGURE | Tag::DIV)
}

fn name(tag: Tag) -> &'static str {
    tag.known_name().unwrap_or("div")
}
