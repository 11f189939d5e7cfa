//! Tests cutting, counting and expiry, on pages and numbers small enough to follow by hand.

use encoding_rs::UTF_8;
use proptest::prelude::*;

use super::expiring_map::once_key;
use super::expiring_map::short;
use super::table::{Entry, Known};
use super::*;
use crate::parsed::{PageBytes, PageParser};

const NEVER: usize = usize::MAX;

fn cut(page: &str) -> SegmentedPage {
    let page = PageBytes::utf8(page.as_bytes());
    Segmenter::new(BLOCK_TAGS).cut(&PageParser::new().open(page))
}

/// The bytes of each block, and the lengths of its segments.
fn blocks(page: &str) -> Vec<(&str, Vec<u32>)> {
    let cut = cut(page);
    let blocks = cut.blocks().map(|(span, segments)| {
        (&page[span.range()], segments.iter().map(|segment| segment.chars).collect())
    });
    blocks.collect()
}

fn keys(page: &str) -> Vec<u64> {
    cut(page).segments.iter().map(|segment| segment.key).collect()
}

fn id(page: u64) -> PageId {
    PageId { url: page, content: 0 }
}

#[test]
fn layout_tags_make_blocks_and_all_tags_make_segments() {
    assert_eq!(
        blocks("<div id=a>one <b>two</b> three</div> four<p>five<!-- --> six"),
        [
            ("<div id=a>one <b>two</b> three</div>", vec![3, 3, 5]),
            ("four", vec![4]),
            ("five<!-- --> six", vec![4, 3]),
        ]
    );
}

#[test]
fn a_block_without_an_element_of_its_own_reaches_from_its_first_to_its_last_piece() {
    assert_eq!(
        blocks("<ul> <li><a href=x>a</a> <li>b <ul><li>c</ul></ul>"),
        [("<li><a href=x>a</a> <li>b", vec![1, 1]), ("<ul><li>c</ul>", vec![1])]
    );
}

#[test]
fn what_no_reader_sees_is_no_segment() {
    assert_eq!(blocks("<title>T</title><script>s</script><style>s</style><p> &nbsp; </p><br>"), []);
    assert_eq!(blocks(""), []);
}

#[test]
fn a_segment_is_its_text_and_its_path() {
    assert_eq!(keys("<p>a  b</p>"), keys("<P class=x>a&#32;\n b</P>"));
    assert_ne!(keys("<p>a</p>"), keys("<div>a</div>"));
    assert_ne!(keys("<p>a</p>"), keys("<p>b</p>"));
    assert_ne!(keys("<div><p>a"), keys("<p><div>a"));
}

#[test]
fn missing_end_tags_do_not_change_the_path() {
    assert_eq!(keys("<p>x<p>a")[1], keys("<p>x</p><p>a")[1]);
    assert_eq!(keys("<ul><li>x<li>a</ul><i>b")[1..], keys("<ul><li>x</li><li>a</li></ul><i>b")[1..]);
    assert_eq!(
        keys("<table><tr><td>x<td><b>y</b><tr><td>a")[2],
        keys("<table><tr><td>x</td><td><b>y</b></td></tr><tr><td>a")[2]
    );
    assert_eq!(keys("<br><img><p>a"), keys("</b></p><p>a"), "end tags without a start mean nothing");
    assert_eq!(
        keys("<ul><li>x<ul><li>a")[1],
        keys("<ul><li>x</b><ul><li>a")[1],
        "a list in an item is inside"
    );
}

#[test]
fn other_tags_can_cut() {
    let page = "<card>a</card><p>b<i>c";
    let bytes = PageBytes::utf8(page.as_bytes());
    let cut = Segmenter::new("card+i").cut(&PageParser::new().open(bytes));
    let spans: Vec<_> = cut.blocks().map(|(span, _)| &page[span.range()]).collect();
    assert_eq!(spans, ["<card>a</card>", "<p>b", "c"]);
}

#[test]
fn lives_are_those_of_the_paper() {
    let ageing = Ageing::new(10, 20.0);
    // Tb·N / (1 + (N − 1)·e^−(df − 1)) by hand: 200 / (1 + 19·e^0), 200 / (1 + 19/e), 200 / (1 + 19/e²) = 56.0009, …
    let lives: Vec<u32> = (1..=6).map(|df| ageing.life(df)).collect();
    assert_eq!(lives, [10, 26, 57, 103, 149, 178]);
    assert_eq!((ageing.life(1000), ageing.longest()), (200, 200));
    assert_eq!(Ageing::new(7, 1.0).life(100), 7);
}

#[test]
fn a_segment_is_template_from_its_fifth_page_on() {
    let ageing = Ageing::new(10, 20.0);
    let mut table = Table::default();
    for page in 1..=6 {
        let visit = table.expand(id(page), &[77], &ageing, 5);
        assert_eq!(visit.became, if page == 5 { vec![77] } else { vec![] });
        assert_eq!(table.df(77, &ageing), Some(page as u32));
    }
}

#[test]
fn a_segment_is_forgotten_when_its_life_is_over() {
    let ageing = Ageing::new(3, 10.0);
    let mut table = Table::default();
    table.expand(id(0), &[7, 8], &ageing, 5);
    table.expand(id(1), &[8], &ageing, 5);
    // Two pages give a life of 30 / (1 + 9/e) = 6.96 pages.
    let mut gone = Vec::new();
    let held = (2..=8).map(|page| {
        table.expand(id(page), &[], &ageing, 5);
        table.shrink(&ageing, NEVER, |key, df| gone.push((page, key, df)));
        table.len()
    });
    assert_eq!(held.collect::<Vec<_>>(), [2, 1, 1, 1, 1, 1, 0]);
    assert_eq!(gone, [(8, 8, 2)], "what was on one page goes without a word");
    // A segment that is seen on the last page of its life survives, with a longer life.
    let mut table = Table::default();
    table.expand(id(0), &[7], &ageing, 5);
    (1..=2).for_each(|page| drop(table.expand(id(page), &[], &ageing, 5)));
    table.expand(id(3), &[7], &ageing, 5);
    table.shrink(&ageing, NEVER, |_, _| panic!("it was seen just now"));
    assert_eq!(table.df(7, &ageing), Some(2));
}

#[test]
fn the_same_page_again_adds_nothing_and_another_version_counts() {
    let ageing = Ageing::new(3, 10.0);
    let mut table = Table::default();
    let version = |content| PageId { url: 1, content };
    assert_eq!(table.expand(version(1), &[7, 8], &ageing, 5).change, Change::New);
    let before = table.encode(&ageing);
    assert_eq!(table.expand(version(1), &[7, 8], &ageing, 5).change, Change::Unchanged);
    assert_eq!(table.encode(&ageing), before);
    assert_eq!(table.expand(version(2), &[7, 9], &ageing, 5).change, Change::Changed);
    assert_eq!((table.pages(), table.df(7, &ageing), table.df(8, &ageing)), (2, Some(2), Some(1)));
    // Segments that only the old version had expire, however often the new version is seen.
    for page in 10..13 {
        table.expand(version(2), &[7, 9], &ageing, 5);
        table.expand(id(page), &[], &ageing, 5);
        table.shrink(&ageing, NEVER, |_, _| {});
    }
    assert_eq!((table.df(7, &ageing), table.df(8, &ageing)), (Some(2), None));
}

#[test]
fn a_page_is_known_as_long_as_a_segment_can_live() {
    let ageing = Ageing::new(2, 5.0);
    let mut table = Table::default();
    table.expand(id(0), &[], &ageing, 5);
    for page in 1..10 {
        table.expand(id(page), &[], &ageing, 5);
        table.shrink(&ageing, NEVER, |_, _| {});
    }
    assert_eq!(table.relate(id(0), &ageing), Change::Unchanged);
    for page in 10..30 {
        table.expand(id(page), &[], &ageing, 5);
        table.shrink(&ageing, NEVER, |_, _| {});
    }
    assert_eq!(table.relate(id(0), &ageing), Change::New);
    assert!(table.known_pages() < 20, "{}", table.known_pages());
}

#[test]
fn so_many_pages_are_known_and_no_more() {
    let most = crate::limits::KNOWN_PAGES_MAX as u64;
    // Nothing expires here.
    let ageing = Ageing::new(u32::MAX, 1.0);
    let mut table = Table::default();
    for (pages, forgotten) in [(0..most, 0), (most..most + 1, 1)] {
        for page in pages {
            table.expand(id(page), &[], &ageing, 5);
            table.shrink(&ageing, NEVER, |_, _| {});
        }
        assert_eq!(table.known_pages() as u64, most);
        let new = (0..most).filter(|page| table.relate(id(*page), &ageing) == Change::New);
        assert_eq!(new.count(), forgotten);
    }
}

#[test]
fn so_many_segments_are_counted_and_no_more() {
    let most = crate::limits::TABLE_SEGMENTS_MAX as u64;
    let ageing = Ageing::new(u32::MAX, 1.0);
    let mut table = Table::default();
    let keys: Vec<u64> = (0..=most).map(|key| key << 32 | key).collect();
    table.expand(id(1), &keys, &ageing, 5);
    assert_eq!(table.len() as u64, most);
    // Segments that are counted already are still counted.
    table.expand(id(2), &[keys[0], keys[keys.len() - 1]], &ageing, 2);
    assert_eq!(table.len() as u64, most);
}

/// A redesign: the new template is recognised on its fifth page, and the old one is forgotten when its life is over.
#[test]
fn a_redesign_is_followed() {
    let ageing = Ageing::new(4, 10.0);
    let mut table = Table::default();
    let cutter = Segmenter::new(BLOCK_TAGS);
    let mut parser = PageParser::new();
    let mut template_of = |table: &mut Table, number: u64, menu: &str| {
        let page = format!("<div>{menu}</div><p>Text {number} of page {number}</p>");
        let page = PageBytes::utf8(page.as_bytes());
        let cut = cutter.cut(&parser.open(page));
        table.expand(id(number), &cut.keys(), &ageing, 5);
        let regions = label(&cut, 0.7, |key| table.df(key, &ageing).filter(|df| *df >= 5));
        table.shrink(&ageing, NEVER, |_, _| {});
        regions.len()
    };
    let found: Vec<usize> = (0..20).map(|page| template_of(&mut table, page, "Old menu")).collect();
    assert_eq!(found, [[0; 4].as_slice(), &[1; 16]].concat());
    let found: Vec<usize> = (20..60).map(|page| template_of(&mut table, page, "New menu")).collect();
    assert_eq!(found, [[0; 4].as_slice(), &[1; 36]].concat());
    // 20 pages give a life of 40 pages, which is over now.
    assert_eq!(template_of(&mut table, 60, "Old menu"), 0);
    let old = keys("<div>Old menu</div>")[0];
    assert_eq!(table.df(old, &ageing), Some(1));
}

#[test]
fn forty_bits_are_a_key_and_thirty_are_one_as_long_as_it_is_new() {
    let ageing = Ageing::new(3, 10.0);
    let mut table = Table::default();
    let (one, like_it) = (0x12_3456_789A, 0x55_3456_789A);
    table.expand(id(1), &[one, like_it], &ageing, 5);
    assert_eq!((table.df(one, &ageing), table.len()), (Some(1), 1), "no page counts twice");
    table.expand(id(2), &[one], &ageing, 5);
    table.expand(id(3), &[like_it], &ageing, 5);
    assert_eq!((table.df(one, &ageing), table.df(like_it, &ageing)), (Some(2), Some(1)));
    table.expand(id(4), &[one | 0xFFFF << 48], &ageing, 5);
    assert_eq!(table.df(one, &ageing), Some(3));
}

#[test]
fn the_memory_of_what_was_forgotten_is_given_back() {
    let ageing = Ageing::new(2, 2.0);
    let mut table = Table::default();
    let many: Vec<u64> = (0..10_000).collect();
    (0..2).for_each(|page| drop(table.expand(id(page), &many, &ageing, 5)));
    let full = table.bytes();
    for page in 2..9 {
        table.expand(id(page), &[7], &ageing, 5);
        table.shrink(&ageing, NEVER, |_, _| {});
    }
    assert!(full > 200_000 && table.bytes() < 5_000, "{full} {}", table.bytes());
}

/// A short program in another language wrote the bytes according to `docs/store-format.md`.
#[test]
fn the_bytes_of_a_table_are_those_of_the_document() {
    let ageing = Ageing::new(10, 50.0);
    let once = vec![(0x1234_5678, 5), (77, 2)];
    let often = vec![(2, Entry { df: 3, last: 4 }), (0xAB_CDEF_0123, Entry { df: 5, last: 5 })];
    let known = vec![(7, Known { content: 9, last: 5 }), (8, Known { content: 1, last: 3 })];
    let table = Table::from_parts(5, once, often, known, &ageing);
    let bytes = [
        5, 2, 2, 2, 241, 172, 104, 36, 82, 167, 46, 183, 10, 0, 0, 0, 0, 54, 65, 2, 222, 155, 87, 79, 14, 0,
        0, 0, 18, 0, 0, 0, 138, 0, 0, 0, 16, 0, 0, 0, 0,
    ];
    assert_eq!(table.encode(&ageing), bytes);
    assert_eq!(Table::decode(&bytes, &ageing).unwrap().encode(&ageing), bytes);
    for end in 0..bytes.len() {
        assert_eq!(Table::decode(&bytes[..end], &ageing), Err(TableError), "{end}");
    }
    assert_eq!(Table::decode(&[&bytes[..], &[0]].concat(), &ageing), Err(TableError));
}

/// A reference implementation by the definition of the table: it checks every segment on every page.
#[derive(Default)]
struct Plain {
    page: u32,
    segments: std::collections::BTreeMap<u64, (u32, u32)>,
}

impl Plain {
    fn visit(&mut self, keys: &[u64], ageing: &Ageing) {
        self.page += 1;
        for key in keys {
            let entry = self.segments.entry(*key).or_insert((0, 0));
            *entry = (entry.0 + 1, self.page);
        }
        let page = self.page;
        self.segments.retain(|_, (df, last)| page - *last < ageing.life(*df));
    }
}

proptest! {
    #[test]
    fn small_steps_give_what_looking_at_everything_gives(
        pages in prop::collection::vec(prop::collection::btree_set(0u64..12, 0..6), 0..80),
        base in 1u32..6,
        steps in 1usize..4,
    ) {
        let ageing = Ageing::new(base, 4.0);
        let (mut table, mut plain) = (Table::default(), Plain::default());
        for (number, page) in pages.iter().enumerate() {
            let keys: Vec<u64> = page.iter().map(|key| short(key.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
            table.expand(id(number as u64), &keys, &ageing, 5);
            table.shrink(&ageing, steps, |_, _| {});
            plain.visit(&keys, &ageing);
            let mut found: Vec<_> = table.segments(&ageing).collect();
            found.sort_unstable();
            let known_key = |key: u64, df: u32| if df == 1 { u64::from(once_key(key)) } else { key };
            let mut expected: Vec<_> =
                plain.segments.iter().map(|(key, (df, _))| (known_key(*key, *df), *df)).collect();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
            // A table that is saved and loaded at any time behaves as before.
            let saved = table.encode(&ageing);
            let loaded = Table::decode(&saved, &ageing).unwrap();
            prop_assert_eq!(loaded.encode(&ageing), saved);
            if number % 3 == 0 {
                table = loaded;
            }
        }
    }

    #[test]
    fn any_bytes_are_cut(payload in prop::collection::vec(any::<u8>(), 0..300)) {
        for encoding in [UTF_8, encoding_rs::UTF_16LE, encoding_rs::GBK] {
            let page = PageBytes { payload: &payload, encoding };
            let cut = Segmenter::new(BLOCK_TAGS).cut(&PageParser::new().open(page));
            for (span, segments) in cut.blocks() {
                prop_assert!(span.end as usize <= payload.len() && !segments.is_empty());
            }
        }
    }

    #[test]
    fn any_bytes_are_a_table_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let ageing = Ageing::new(5, 5.0);
        if let Ok(table) = Table::decode(&bytes, &ageing) {
            let again = table.encode(&ageing);
            prop_assert!(Table::decode(&again, &ageing).is_ok());
        }
    }
}

#[test]
fn a_block_is_template_when_more_than_the_ratio_is() {
    // 63 of 90 characters are exactly 0.7, and 64 of 90 are more.
    for (template, expected) in [(63, 0), (64, 1)] {
        let page = format!("<div><b>{}</b>{}</div>", "t".repeat(template), "c".repeat(90 - template));
        let cut = cut(&page);
        let first = cut.segments[0].key;
        assert_eq!(label(&cut, 0.7, |key| (key == first).then_some(5)).len(), expected, "{template} of 90");
    }
}
