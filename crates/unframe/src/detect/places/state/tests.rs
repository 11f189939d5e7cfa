//! States page by page: what is counted once, what is forgotten, what files keep.

use super::super::record::prose_block;
use super::*;

/// The record of a page with these texts, each of 30 words of prose.
fn record(texts: &[u64]) -> Vec<u64> {
    // A fingerprint, no kinds, no markup.
    let head = [texts.iter().sum::<u64>(), 0, 0];
    head.into_iter().chain(texts.iter().flat_map(|text| prose_block(hash(*text), 30))).collect()
}

fn hash(text: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&text.to_le_bytes())
}

struct Site {
    state: SiteState,
    next: u64,
}

impl Site {
    fn new() -> Site {
        Site { state: SiteState::default(), next: 0 }
    }

    /// A page at a new address.
    fn page(&mut self, texts: &[u64]) -> Change {
        self.next += 1;
        self.page_at(self.next, 0, texts)
    }

    /// Pages with texts of their own and these.
    fn pages(&mut self, pages: std::ops::Range<u64>, texts: &[u64]) {
        for page in pages {
            self.page(&[&own(page)[..], texts].concat());
        }
    }

    fn page_at(&mut self, url: u64, content: u32, texts: &[u64]) -> Change {
        self.state.take(PageId { url, content }, Record(&record(texts)))
    }

    /// Pages that are known to have a text.
    fn pages_with(&self, text: u64) -> u32 {
        self.state.facts.get(&Fact::Text.key(hash(text))).map_or(0, |fact| fact.pages)
    }
}

/// Texts of a page that no other page has.
fn own(page: u64) -> [u64; 4] {
    std::array::from_fn(|at| 1000 + page * 10 + at as u64)
}

const MENU: u64 = 7;

#[test]
fn counts_are_those_of_a_table_of_the_same_pages() {
    let mut site = Site::new();
    let pages: Vec<Vec<u64>> = (0..8).map(|page| record(&[&own(page)[..], &[MENU]].concat())).collect();
    for (page, url) in pages.iter().zip(1..) {
        site.state.take(PageId { url, content: 0 }, Record(page));
        let table = SiteTable::of(pages[..url as usize].iter().map(Vec::as_slice));
        let ours = site.state.table();
        assert_eq!((ours.pages, ours.kinds), (table.pages, table.kinds));
        assert_eq!(ours.places, table.places);
        let counted = |table: &SiteTable| table.count(Fact::Text, hash(MENU));
        assert_eq!(counted(&ours), counted(&table));
    }
}

#[test]
fn a_page_that_comes_again_is_not_another_page() {
    let mut site = Site::new();
    site.page_at(1, 0, &[MENU, 11, 12, 13]);
    site.page_at(2, 0, &[MENU, 21, 22, 23]);
    assert_eq!(site.page_at(1, 0, &[MENU, 11, 12, 13]), Change::Unchanged);
    assert_eq!((site.pages_with(MENU), site.pages_with(11)), (2, 1));
    for content in 1..5 {
        assert_eq!(site.page_at(1, content, &[MENU, 11, 12, 14]), Change::Changed);
    }
    assert_eq!((site.state.pages(), site.pages_with(11), site.pages_with(14)), (2, 1, 1));
}

#[test]
fn a_copy_of_a_page_is_not_another_page() {
    let mut site = Site::new();
    site.page(&[MENU, 11, 12, 13]);
    site.page(&[MENU, 21, 22, 23]);
    site.page(&[MENU, 11, 12, 13]);
    assert_eq!((site.state.pages(), site.pages_with(11)), (2, 1));
    // A summary is no copy.
    site.page(&[MENU, 21]);
    assert_eq!((site.state.pages(), site.pages_with(21)), (3, 2));
}

#[test]
fn what_was_on_one_page_is_forgotten_soon_and_what_was_on_many_late() {
    let mut site = Site::new();
    site.pages(0..10, &[MENU]);
    site.pages(10..40, &[]);
    assert_eq!((site.pages_with(own(0)[0]), site.pages_with(own(39)[0])), (0, 1));
    assert!(site.pages_with(MENU) > 1);
    site.pages(40..600, &[]);
    assert_eq!(site.pages_with(MENU), 0);
}

#[test]
fn a_new_menu_outweighs_the_old_one_after_some_pages() {
    let (mut site, new_menu) = (Site::new(), 8);
    site.pages(0..200, &[MENU]);
    assert_eq!(site.pages_with(MENU), site.state.pages());
    site.pages(200..300, &[new_menu]);
    assert!(site.pages_with(new_menu) > site.pages_with(MENU) * 2);
    assert!(site.state.pages() < PAGES_MAX);
}

#[test]
fn a_long_stream_keeps_a_small_state() {
    let mut site = Site::new();
    site.pages(0..1000, &[MENU]);
    let small = site.state.encode().len();
    site.pages(1000..3000, &[MENU]);
    assert!(site.state.encode().len() < small + small / 10);
}

#[test]
fn bytes_are_read_back_and_damage_is_found() {
    let mut site = Site::new();
    site.pages(0..20, &[MENU]);
    let bytes = site.state.encode();
    assert_eq!(SiteState::decode(&bytes).as_ref(), Some(&site.state));
    assert_eq!(SiteState::decode(&bytes[..bytes.len() - 1]), None);
    assert_eq!(SiteState::decode(&[&bytes[..], &[0]].concat()), None);
}

#[test]
fn learning_goes_on_from_a_table() {
    let pages: Vec<Vec<u64>> = (0..5).map(|page| record(&[&own(page)[..], &[MENU]].concat())).collect();
    let table = SiteTable::of(pages.iter().map(Vec::as_slice));
    let mut site = Site { state: SiteState::of_table(&table), next: 100 };
    site.page(&[&own(5)[..], &[MENU]].concat());
    assert_eq!((site.state.pages(), site.pages_with(MENU)), (6, 6));
}

#[test]
fn so_many_facts_are_counted_and_no_more() {
    let mut site = Site::new();
    // Pages of ever new texts, more than a state holds before it forgets the first ones.
    let texts: Vec<u64> = (0..STATE_FACTS_MAX as u64).collect();
    texts.chunks(STATE_FACTS_MAX / 4).for_each(|texts| {
        site.page(texts);
    });
    assert!(site.state.facts.len() <= STATE_FACTS_MAX);
    assert_eq!(site.pages_with(texts[texts.len() - 1]), 0);
}
