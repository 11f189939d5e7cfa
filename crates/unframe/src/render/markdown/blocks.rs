//! Writes blocks one after the other, nested in lists and quotations.

use crate::limits::MARKDOWN_NESTING_MAX;

/// Markdown blocks under construction.
#[derive(Default)]
pub(super) struct Blocks {
    out: String,
    containers: Vec<Container>,
    lists: Vec<List>,
    /// The delimiter of the list that ended last. A list right after it needs another delimiter, or they would be one list.
    after_list: Option<char>,
    /// A rule that is written before the next block, as the number of containers around the rule.
    rule: Option<usize>,
}

/// A list item or a quotation.
struct Container {
    /// The prefix of its first line.
    marker: String,
    /// The prefix of its other lines.
    indent: &'static str,
    is_item: bool,
    /// Whether no empty line precedes it.
    is_tight: bool,
    is_begun: bool,
}

struct List {
    /// The delimiter, once the list has items.
    delimiter: Option<char>,
    /// The number of the next item of an ordered list.
    next: Option<u64>,
    /// The number of containers around it.
    depth: usize,
    /// Whether the last block was part of one of its items.
    has_items: bool,
    /// The indent of its last item.
    indent: &'static str,
}

/// As long as the longest marker, which has 9 digits.
const SPACES: &str = "           ";

impl Blocks {
    /// Writes a block of one or more lines, after the pending rule.
    pub(super) fn write(&mut self, text: &str) {
        if let Some(depth) = self.rule.take() {
            // Items and quotations that begin after the rule do not contain it.
            let inner = self.containers.split_off(depth.min(self.containers.len()));
            self.write_lines("***");
            self.containers.extend(inner);
        }
        self.write_lines(text);
        self.after_block();
    }

    /// Requests a rule between the preceding block and the next one; without either, none is written.
    pub(super) fn rule(&mut self) {
        let is_between = self.containers.last().map_or(!self.out.is_empty(), |context| context.is_begun);
        if is_between {
            self.rule = Some(self.containers.len());
            self.after_block();
        }
    }

    fn after_block(&mut self) {
        self.after_list = None;
        for list in &mut self.lists {
            list.has_items = self.containers.get(list.depth).is_some_and(|container| container.is_item);
        }
    }

    fn write_lines(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if !self.containers.iter().find(|container| !container.is_begun).is_some_and(|new| new.is_tight) {
                self.begin_line(true);
                self.out.push('\n');
            }
        }
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.out.push('\n');
            }
            self.begin_line(false);
            self.out.push_str(line);
            if line.is_empty() {
                self.out.truncate(self.out.trim_end_matches(' ').len());
            }
        }
    }

    /// Writes the prefixes of all containers; on an empty line, only those of containers that have lines already.
    fn begin_line(&mut self, is_empty: bool) {
        for container in &mut self.containers {
            if container.is_begun {
                self.out.push_str(container.indent);
            } else if !is_empty {
                self.out.push_str(&container.marker);
                container.is_begun = true;
            }
        }
        if is_empty {
            self.out.truncate(self.out.trim_end_matches(' ').len());
        }
    }

    /// Begins a list, which is ordered if it has a first number.
    pub(super) fn begin_list(&mut self, first: Option<i64>) {
        let next = first.map(|first| u64::try_from(first).unwrap_or(1));
        self.lists.push(List {
            delimiter: None,
            next,
            depth: self.containers.len(),
            has_items: false,
            indent: "",
        });
    }

    pub(super) fn end_list(&mut self) {
        self.after_list = self.lists.pop().filter(|list| list.has_items).and_then(|list| list.delimiter);
    }

    /// Begins an item of the innermost list, which may have a number of its own. Returns false if the nesting is too deep.
    pub(super) fn begin_item(&mut self, number: Option<u64>) -> bool {
        let is_in_item =
            self.containers.last().is_some_and(|container| container.is_item && container.is_begun);
        let (mut marker, mut is_tight) = ("- ".to_owned(), false);
        if let Some(list) = self.lists.last_mut() {
            list.next = list.next.map(|next| number.unwrap_or(next));
            let (usual, other) = if list.next.is_some() { ('.', ')') } else { ('-', '+') };
            let unlike = if self.after_list == Some(usual) { other } else { usual };
            let delimiter = *list.delimiter.get_or_insert(unlike);
            // After the text of an item, a nested list needs no empty line if it may interrupt a paragraph.
            is_tight = list.has_items || (is_in_item && list.next.is_none_or(|number| number == 1));
            marker = match list.next {
                Some(number) if number < 1_000_000_000 => format!("{number}{delimiter} "),
                Some(_) => marker,
                None => format!("{delimiter} "),
            };
            list.next = list.next.map(|next| next.saturating_add(1));
        }
        let indent = SPACES.get(..marker.len()).unwrap_or(SPACES);
        if let Some(list) = self.lists.last_mut() {
            list.indent = indent;
        }
        self.begin_container(Container { marker, indent, is_item: true, is_tight, is_begun: false })
    }

    /// Begins a container that continues the last item of the innermost list. Returns false if there is no such item.
    pub(super) fn continue_item(&mut self) -> bool {
        let here = self.containers.len();
        let list = self.lists.last().filter(|list| list.has_items && list.depth == here);
        let Some(indent) = list.map(|list| list.indent).filter(|indent| !indent.is_empty()) else {
            return false;
        };
        let marker = indent.to_owned();
        self.begin_container(Container { marker, indent, is_item: true, is_tight: true, is_begun: true })
    }

    /// Whether the next block is the first one of a list item.
    pub(super) fn is_at_item(&self) -> bool {
        self.containers.last().is_some_and(|container| container.is_item && !container.is_begun)
    }

    /// Begins a footnote. Returns false if the nesting is too deep.
    pub(super) fn begin_note(&mut self, label: &str) -> bool {
        let marker = format!("[^{label}]: ");
        self.begin_container(Container {
            marker,
            indent: "    ",
            is_item: false,
            is_tight: false,
            is_begun: false,
        })
    }

    /// Begins a quotation. Returns false if the nesting is too deep.
    pub(super) fn begin_quotation(&mut self) -> bool {
        let marker = "> ".to_owned();
        self.begin_container(Container {
            marker,
            indent: "> ",
            is_item: false,
            is_tight: false,
            is_begun: false,
        })
    }

    fn begin_container(&mut self, container: Container) -> bool {
        let has_room = self.containers.len() < MARKDOWN_NESTING_MAX;
        if has_room {
            self.after_list = None;
            self.containers.push(container);
        }
        has_room
    }

    pub(super) fn end_container(&mut self) {
        self.containers.pop();
        // A rule at the end of an item or a quotation separates nothing, so it is dropped.
        self.rule = self.rule.filter(|depth| *depth <= self.containers.len());
    }

    pub(super) fn finish(self) -> String {
        self.out
    }
}
