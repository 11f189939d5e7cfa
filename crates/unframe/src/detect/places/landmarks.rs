//! Which template a block belongs to: the menu, header, footer or box that it stands in.
//!
//! A *landmark* is an element whose name, role or tag says what sort of thing it is (`nav`, `class=sidebar`), and most of whose words usually go: a
//! wrapper with `sidebar` in its name that is around the content is none. Landmarks inside of each other are templates inside of each other; a
//! menu in a menu is one menu. Outside of landmarks a template is the outermost named element of which all words usually go, else what is around the
//! block; there, a column of a table that is a layout is a place of its own.
//!
//! What *usually* goes is known from the places of the site ([`Usual`]), not from the page: on a page that keeps some items of a menu, the others belong
//! to the same menu as on all other pages.
//!
//! The id of a template is made from the names of its element and from the landmark around it, without a name from its place. So it is the same on
//! all pages of a site, whichever of its items is highlighted, and stays the same when its text or the wrappers of a page change.

use std::collections::HashMap;

use super::blocks::{Block, PageBlocks};
use super::elements::{Element, mix};
use super::sort::own_sort;
use crate::regions::{Sort, TemplateHash};

/// Elements this near to the root are the page, not a part of it.
const PAGE_DEPTH: u16 = 2;

/// The templates of a page.
pub(super) struct Landmarks {
    /// Of every element.
    all: Vec<Landmark>,
    /// The columns that every element is in, as a hash; 0 in first columns only.
    columns: Vec<u64>,
}

/// What an element belongs to.
#[derive(Debug, Clone, Copy)]
struct Landmark {
    /// The sort of the landmark that it is in.
    sort: Sort,
    /// The landmark that it is in, as a number of an element; 0 outside of all.
    landmark: u32,
    /// The outermost named element of which all goes, outside of landmarks; 0 without.
    named: u32,
    id: u64,
}

/// The template that a block belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TemplateOfBlock {
    pub(super) id: TemplateHash,
    /// The template around it.
    pub(super) within: Option<TemplateHash>,
    pub(super) sort: Sort,
    /// Its element.
    pub(super) element: u32,
}

impl Landmarks {
    /// The templates of a page, of whose blocks some stay.
    pub(super) fn of(page: &PageBlocks, stays: &[bool], usual: &[Usual]) -> Landmarks {
        let words = words_inside(page, stays, usual);
        let mut all: Vec<Landmark> = Vec::with_capacity(page.elements.len());
        all.push(Landmark { sort: Sort::Unknown, landmark: 0, named: 0, id: 0 });
        for (at, element) in page.elements.iter().enumerate().skip(1) {
            let mut own = all[element.parent as usize];
            let inside = words[at];
            // What is around most of the content is the page, too.
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

    /// The template of a block that goes.
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

    /// What is around a block without a name: the list of an item, the table of a cell.
    fn around(&self, page: &PageBlocks, block: &Block) -> u32 {
        match page.parent(block.container) {
            parent if page.element(block.container).is_item() && page.element(parent).depth > 1 => parent,
            _ => block.container,
        }
    }
}

/// Whether a sort tells more of an element than where it is: the head or foot of a box belongs to the box.
fn tells(sort: Sort, around: Sort, element: &Element) -> bool {
    match sort {
        Sort::Header | Sort::Footer => around == Sort::Unknown && !element.is_heading(),
        sort => sort != around,
    }
}

/// What a block is on the pages that have its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usual {
    /// Its words, in thousandths.
    pub(super) words: u64,
    pub(super) goes: bool,
}

/// Words inside of an element.
#[derive(Debug, Clone, Copy, Default)]
struct WordsInside {
    /// On the pages that have its places.
    usual: u64,
    /// Those of them that usually go.
    usually_going: u64,
    /// On this page, those that stay.
    content: u64,
    /// Whether something goes on this page.
    has_going: bool,
}

/// Words inside of every element.
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

/// The columns that every element is in. A cell is a column if it has several blocks: one of a row of labels or links has one. Columns of one
/// row are counted only where their names are the same, since others have places of their own.
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

/// The id of a template by its element's tag and names, its sort and the landmark around it.
fn id_of(page: &PageBlocks, at: u32, around: u64, sort: Sort) -> u64 {
    let element = page.element(at);
    let kind = u64::from(element.tag) << 8 | (sort as u64 + 1);
    page.tokens_of(element).iter().fold(mix(around, kind), |id, token| mix(id, u64::from(*token)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    /// The templates of the blocks of a page: which of them stay there, and which usually go, with their usual words.
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
        // Where they usually stay, it is no menu.
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
        // It is the box that goes, not what is around it.
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
