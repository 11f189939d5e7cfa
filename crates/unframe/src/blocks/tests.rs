//! Tests cutting, signatures and clusters.

use encoding_rs::UTF_8;
use proptest::prelude::*;

use super::*;
use crate::html::Span;
use crate::parsed::{PageBytes, PageParser};
use crate::regions::{Region, TemplateHash};
use crate::segments::BLOCK_TAGS;

fn cut(page: &str, regions: &[Region]) -> CutPage {
    let bytes = PageBytes::utf8(page.as_bytes());
    Cutter::new(BLOCK_TAGS, true).cut(&PageParser::new().open(bytes), regions)
}

fn texts(page: &CutPage) -> Vec<&str> {
    page.blocks.iter().map(|block| &page.text[block.text()]).collect()
}

fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    words::split(text, |word| found.push(&text[word]));
    found
}

#[test]
fn layout_elements_cut_and_cells_do_not() {
    let page = cut("<div>a<p>b<p>c</div>d<table><tr><td>e<td>f</table><b>g</b>h", &[]);
    assert_eq!(texts(&page), ["a", "b", "c", "d", "e f", "gh"]);
}

#[test]
fn spans_are_whole_elements_where_they_can_be() {
    let html = "<html><head><title>T</title></head><body>x<div class=a><b>y</b></div><p>z";
    let page = cut(html, &[]);
    let spans: Vec<&str> = page.blocks.iter().map(|block| &html[block.span.range()]).collect();
    assert_eq!(spans, ["x", "<div class=a><b>y</b></div>", "z"]);
    assert_eq!(page.title.as_deref(), Some("T"));
}

#[test]
fn position_and_attributes_make_the_style() {
    let styles = |page| cut(page, &[]).blocks.iter().map(|block| block.style).collect::<Vec<_>>();
    let first = styles("<div class=a>1</div><div class=b>2</div>");
    assert_eq!(first, styles("<div class=a id=x>3</div><div title=y class=b>4</div>"));
    // Another class, another position and another depth give other styles.
    assert_ne!(first[0], styles("<div class=c>1</div>")[0]);
    assert_ne!(first[1], styles("<div class=b>2</div>")[0]);
    assert_ne!(first[0], styles("<div><div class=a>1</div></div>")[0]);
    // Text between elements does not affect positions.
    assert_eq!(first[1], styles("<div class=a>1</div>text<div class=b>2</div>")[2]);
}

#[test]
fn blocks_are_cut_at_regions() {
    let html = "<div>one two three</div>";
    let region = Region::new(Span { start: 9, end: 13 }, TemplateHash(1), 5);
    let page = cut(html, &[region]);
    let found: Vec<_> =
        page.blocks.iter().map(|block| (&page.text[block.text()], block.is_template)).collect();
    assert_eq!(found, [("one", false), ("two", true), ("three", false)]);
}

#[test]
fn words_of_many_scripts() {
    assert_eq!(
        words("Don't stop: Wörter, слова, λέξεις 42!"),
        ["Don", "t", "stop", "Wörter", "слова", "λέξεις", "42"]
    );
    assert_eq!(words("東京tower 서울"), ["東", "京", "tower", "서", "울"]);
    let mut memory = String::new();
    assert_eq!(words::hash("Tee", &mut memory), words::hash("tEE", &mut memory));
    assert_eq!(words::lower("ЧАЙ", &mut memory), "чай");
}

#[test]
fn a_signature_has_a_bit_for_each_difference() {
    let of = |offsets: &[u32]| Signature::of(offsets.iter().copied()).0;
    assert_eq!(of(&[3]), 1 << 3);
    assert_eq!(of(&[35]), 1 << 3);
    // There is one offset in each part; the differences are 1, 2, 3, 4.
    assert_eq!(of(&[1, 3, 6, 10]), 1 << 1 | 1 << 34 | 1 << 67 | 1 << 100);
}

#[test]
fn words_inserted_before_change_nothing_seen_from_the_end() {
    let of = |offsets: &[u32], words: usize| Signature::of(offsets.iter().copied()).seen_from_end(words).0;
    // The third of five words, and the fifth of seven: two words follow in both cases.
    assert_eq!(of(&[2], 5), 1 << (96 + 2));
    assert_eq!(of(&[4], 7), of(&[2], 5));
    assert_eq!(of(&[40], 43), of(&[2], 5));
    // For words that occur more than once, all differences except the first remain.
    assert_eq!(of(&[1, 4], 9), 1 << (64 + 3));
    assert_eq!(of(&[3, 6], 11), of(&[1, 4], 9));
}

#[test]
fn signatures_are_similar_from_a_share_on() {
    let (five, four) = (Signature(0b11111), Signature(0b01111));
    assert!(five.is_similar(four, 0.8));
    assert!(!five.is_similar(Signature(0b00111), 0.8));
    assert!(!Signature(0b1111).is_similar(Signature(0b0111), 0.8));
}

#[test]
fn clusters_are_made_in_one_pass() {
    let signatures = [0b01111, 0b11111, 0b11111, 1 << 70].map(Signature);
    let (mut sizes, mut memory) = (Vec::new(), Vec::new());
    cluster_sizes(&signatures, 0.8, &mut sizes, &mut memory);
    assert_eq!(sizes, [(Signature(0b01111), 3), (Signature(0b11111), 3), (Signature(1 << 70), 1)]);
}

#[test]
fn a_place_is_compared_with_so_many_clusters_and_no_more() {
    let most = crate::limits::WORD_CLUSTERS_MAX;
    for (clusters, size) in [(most, 2), (most + 1, 1)] {
        // There is one bit per cluster. The last signature shares the bit of the last cluster, and half of its bits are enough.
        let last = Signature(1 << (clusters - 1) | 1 << 127);
        let signatures: Vec<_> = (0..clusters).map(|bit| Signature(1 << bit)).chain([last]).collect();
        let (mut sizes, mut memory) = (Vec::new(), Vec::new());
        cluster_sizes(&signatures, 0.5, &mut sizes, &mut memory);
        assert_eq!(sizes.last(), Some(&(last, size)));
    }
}

proptest! {
    #[test]
    fn any_page_is_cut(bytes in prop::collection::vec(any::<u8>(), 0..300), start in 0u32..300, len in 0u32..50) {
        let region = Region::new(Span { start, end: start + len }, TemplateHash(0), 2);
        let page = PageBytes { payload: &bytes, encoding: UTF_8 };
        let page = Cutter::new(BLOCK_TAGS, true).cut(&PageParser::new().open(page), &[region]);
        for block in &page.blocks {
            prop_assert!(!block.words().is_empty());
            prop_assert!(block.span.end as usize <= bytes.len());
            for word in &page.words[block.words()] {
                prop_assert!(block.text().start <= word.start as usize && word.end as usize <= block.text().end);
            }
        }
    }
}

#[test]
fn words_past_the_limit_are_left_out_and_that_is_reported() {
    let most = crate::limits::WORDS_PER_PAGE_MAX;
    for (words, is_cut_off) in [(most, false), (most + 1, true)] {
        let page = cut(&"a ".repeat(words), &[]);
        assert_eq!((page.words.len(), page.is_cut_off), (most, is_cut_off));
    }
}
