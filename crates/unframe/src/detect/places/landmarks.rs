//! The template of a removed block: the menu, header, footer or box that contains it.
//!
//! A *landmark* is an element whose tag, role or class names a sort (`nav`, `class=sidebar`) and most of whose words are usually removed. A
//! wrapper around the content is no landmark, even with `sidebar` in its class. Nested landmarks of different sorts are nested templates; a
//! menu inside a menu is one menu. Outside landmarks, the template is the outermost element with a class or id all of whose words are usually
//! removed, else the container of the block, where each column of a layout table counts as a container of its own.
//!
//! What is *usually* removed follows from the places of the site ([`Usual`]), not from the page: if a page keeps some items of a menu, the other
//! items belong to the same menu as on all other pages.
//!
//! The id of a template is a hash of its element's tag, its tokens and the id of the enclosing landmark; without a landmark or name it is the
//! place. So the id is the same on all pages of a site, whichever item is highlighted, and does not change with the text or the wrappers.

use std::collections::HashMap;

use super::blocks::{Block, PageBlocks};
use super::elements::{Element, mix};
use super::sort::own_sort;
use crate::regions::{Sort, TemplateHash};

/// Elements up to this depth are the page itself, not a part of it.
const PAGE_DEPTH: u16 = 2;

/// The templates of a page.
pub(super) struct Landmarks {
    /// By element.
    all: Vec<Landmark>,
    /// By element, a hash of the table columns that contain it; 0 if these are all first columns.
    columns: Vec<u64>,
}

/// The landmark or named element that an element belongs to.
#[derive(Debug, Clone, Copy)]
struct Landmark {
    /// The sort of the innermost landmark.
    sort: Sort,
    /// The element of the innermost landmark; 0 outside landmarks.
    landmark: u32,
    /// Outside landmarks, the outermost named element all of whose words are usually removed; 0 for none.
    named: u32,
    id: u64,
}

/// The template that a block belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TemplateOfBlock {
    pub(super) id: TemplateHash,
    /// The enclosing template.
    pub(super) within: Option<TemplateHash>,
    pub(super) sort: Sort,
    /// The element of the template.
    pub(super) element: u32,
}

impl Landmarks {
    /// Finds the templates of a page. `stays` and `usual` are by block: whether it is kept, and what is usual at its place.
    pub(super) fn of(page: &PageBlocks, stays: &[bool], usual: &[Usual]) -> Landmarks {
        let words = words_inside(page, stays, usual);
        let mut all: Vec<Landmark> = Vec::with_capacity(page.elements.len());
        all.push(Landmark { sort: Sort::Unknown, landmark: 0, named: 0, id: 0 });
        for (at, element) in page.elements.iter().enumerate().skip(1) {
            let mut own = all[element.parent as usize];
            let inside = words[at];
            // An element around most of the content is the page itself, too.
            let is_page = element.depth <= PAGE_DEPTH || inside.content * 2 > words[0].content;
            if is_page || !inside.has_going {
                all.push(own);
                continue;
            }
            match own_sort(page, element).filter(|sort| tells(*sort, own.sort, element)) {
                Some(sort) if inside.usually_going * 4 >= inside.usual * 3 => {
                    let id = id_of(page, at as u32, own.id, sort);
                    own = Landmark { sort, landmark: at as u32, named: 0, id };
                }
                _ if own.landmark == 0 && own.named == 0 => {
                    let is_named = element.tokens.1 > element.tokens.0;
                    own.named = if is_named && inside.usually_going == inside.usual { at as u32 } else { 0 };
                }
                _ => {}
            }
            all.push(own);
        }
        Landmarks { all, columns: columns(page) }
    }

    /// The template of a removed block.
    pub(super) fn template_of(&self, page: &PageBlocks, block: &Block) -> TemplateOfBlock {
        let own = self.all[block.element as usize];
        let (element, id) = match own {
            Landmark { landmark: 1.., .. } => (own.landmark, own.id),
            Landmark { named: 1.., .. } => (own.named, id_of(page, own.named, 0, Sort::Unknown)),
            _ => {
                let around = self.around(page, block);
                let place = page.element(around).place;
                match self.columns[around as usize] {
                    0 => (around, place),
                    columns => (around, mix(place, columns)),
                }
            }
        };
        let outside = self.all[page.parent(element) as usize];
        let within = (outside.landmark > 0).then_some(TemplateHash(outside.id));
        TemplateOfBlock { id: TemplateHash(id), within, sort: own.sort, element }
    }

    /// The container that is the template of a block without a landmark or name: for an item, its list.
    fn around(&self, page: &PageBlocks, block: &Block) -> u32 {
        match page.parent(block.container) {
            parent if page.element(block.container).is_item() && page.element(parent).depth > 1 => parent,
            _ => block.container,
        }
    }
}

/// Whether an element of this sort begins a landmark of its own inside a landmark. The header or footer of a box belongs to the box.
fn tells(sort: Sort, around: Sort, element: &Element) -> bool {
    match sort {
        Sort::Header | Sort::Footer => around == Sort::Unknown && !element.is_heading(),
        sort => sort != around,
    }
}

/// What is usual at the place of a block, over all pages that have the place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usual {
    /// The mean number of words of a block there, in thousandths.
    pub(super) words: u64,
    pub(super) goes: bool,
}

/// Words inside an element.
#[derive(Debug, Clone, Copy, Default)]
struct WordsInside {
    /// The usual number, in thousandths.
    usual: u64,
    /// Those that are usually removed, in thousandths.
    usually_going: u64,
    /// Those kept on this page.
    content: u64,
    /// Whether anything is removed on this page.
    has_going: bool,
}

/// By element, the words inside it.
fn words_inside(page: &PageBlocks, stays: &[bool], usual: &[Usual]) -> Vec<WordsInside> {
    let mut inside = vec![WordsInside::default(); page.elements.len()];
    for ((block, stays), usual) in page.blocks.iter().zip(stays).zip(usual) {
        inside[block.element as usize].add(WordsInside {
            usual: usual.words,
            usually_going: if usual.goes { usual.words } else { 0 },
            content: if *stays { u64::from(block.word_count()) } else { 0 },
            has_going: !stays,
        });
    }
    for at in (1..inside.len()).rev() {
        let below = inside[at];
        inside[page.elements[at].parent as usize].add(below);
    }
    inside
}

impl WordsInside {
    fn add(&mut self, other: WordsInside) {
        self.usual += other.usual;
        self.usually_going += other.usually_going;
        self.content += other.content;
        self.has_going |= other.has_going;
    }
}

/// By element, a hash of the table columns that contain it. A cell is a column of a layout if it has several blocks; a cell of a data table
/// has one. Only cells of a row with equal places are numbered, since others are distinguished by their places.
fn columns(page: &PageBlocks) -> Vec<u64> {
    let mut blocks = vec![0_u32; page.elements.len()];
    page.blocks.iter().for_each(|block| blocks[block.element as usize] += 1);
    for at in (1..blocks.len()).rev() {
        blocks[page.elements[at].parent as usize] += blocks[at];
    }
    let mut before: HashMap<(u32, u64), u64> = HashMap::new();
    let mut columns = vec![0; page.elements.len()];
    for (at, element) in page.elements.iter().enumerate().skip(1) {
        columns[at] = columns[element.parent as usize];
        if element.is_table_cell() && blocks[at] > 1 {
            let number = before.entry((element.parent, element.place)).or_insert(0);
            if *number > 0 {
                columns[at] = mix(columns[at], *number);
            }
            *number += 1;
        }
    }
    columns
}

/// The id of a template: a hash of its element's tag and tokens, its sort and the id of the enclosing landmark.
fn id_of(page: &PageBlocks, at: u32, around: u64, sort: Sort) -> u64 {
    let element = page.element(at);
    let kind = u64::from(element.tag) << 8 | (sort as u64 + 1);
    page.tokens_of(element).iter().fold(mix(around, kind), |id, token| mix(id, u64::from(*token)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    /// The templates of the blocks of a page. `stays`: whether each is kept; `usual`: its usual words, and whether it is usually removed.
    fn templates(html: &str, stays: &[bool], usual: &[(u64, bool)]) -> Vec<TemplateOfBlock> {
        let page = PageBlocks::of(PageParser::new().open(PageBytes::utf8(html.as_bytes())).document());
        let usual: Vec<Usual> =
            usual.iter().map(|(words, goes)| Usual { words: *words, goes: *goes }).collect();
        let landmarks = Landmarks::of(&page, stays, &usual);
        page.blocks.iter().map(|block| landmarks.template_of(&page, block)).collect()
    }

    #[test]
    fn a_menu_is_the_same_on_pages_that_keep_some_of_its_items() {
        let html =
            "<nav><p>Home</p><p>Kinds of tea</p></nav><main><p>Tea is hot, and milk is not.</p></main>";
        let usual = [(1000, true), (3000, true), (7000, false)];
        let on_most = templates(html, &[false, false, true], &usual)[0];
        let here = templates(html, &[false, true, true], &usual)[0];
        assert_eq!((here.id, here.sort), (on_most.id, Sort::Navigation));
        // If the items are usually kept, it is no menu.
        let usual = [(1000, true), (3000, false), (7000, false)];
        assert_eq!(templates(html, &[false, true, true], &usual)[0].sort, Sort::Unknown);
    }

    #[test]
    fn a_box_is_the_same_on_pages_that_keep_something_beside_it() {
        let html = "<div class=chart><div class=legend><p>Mean</p></div><p>Tea</p></div><main><p>Tea is hot.</p></main>";
        let usual = [(1000, true), (1000, false), (3000, false)];
        let on_most = templates(html, &[false, true, true], &usual)[0];
        let here = templates(html, &[false, false, true], &usual)[0];
        assert_eq!(here, on_most);
        // If everything in the outer box is usually removed, the outer box is the template.
        let usual = [(1000, true), (1000, true), (3000, false)];
        assert_ne!(templates(html, &[false, false, true], &usual)[0].id, on_most.id);
    }

    #[test]
    fn what_is_around_the_content_is_no_landmark_however_short_the_content_is() {
        let html = "<div class=grid-for-nav><nav><p>Home</p></nav><main><p>Tea is hot.</p></main></div>";
        let with = |words| templates(html, &[false, true], &[(30_000, true), (words, false)])[0];
        assert_eq!(with(3000), with(90_000));
        assert_eq!((with(3000).sort, with(3000).within), (Sort::Navigation, None));
    }
}
