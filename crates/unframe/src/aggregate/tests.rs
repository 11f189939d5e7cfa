//! Tests small sites whose templates were derived by hand, and the running time of a large site.

use proptest::prelude::*;

use super::*;

/// A site from its pages, each given as a row of hashes. All occurrences are 5 bytes long and 10 bytes apart.
fn site(pages: &[&[u64]]) -> Aggregation {
    site_with(pages, Aggregator::default())
}

fn site_with(pages: &[&[u64]], mut aggregator: Aggregator) -> Aggregation {
    for page in pages {
        let regions: Vec<Region> =
            (page.iter().enumerate()).map(|(at, hash)| region(*hash, at * 10, 5)).collect();
        aggregator.add_page(&regions);
    }
    aggregator.finish()
}

fn region(hash: u64, start: usize, len: usize) -> Region {
    Region::new(Span::new(start, start + len), TemplateHash(hash), 2)
}

/// Checks the templates of a site, each as (hashes, pages, occurrences).
#[track_caller]
fn check(pages: &[&[u64]], expected: &[(&[u64], &[u32], u64)]) {
    check_with(2, pages, expected);
}

#[track_caller]
fn check_with(pages_min: usize, pages: &[&[u64]], expected: &[(&[u64], &[u32], u64)]) {
    let found = site_with(pages, Aggregator { pages_min, ..Aggregator::default() }).templates;
    let found: Vec<_> = found
        .iter()
        .map(|template| {
            let hashes: Vec<u64> = template.hashes.iter().map(|hash| hash.0).collect();
            (hashes, template.pages.clone(), template.occurrences)
        })
        .collect();
    let expected: Vec<_> =
        expected.iter().map(|(hashes, pages, count)| (hashes.to_vec(), pages.to_vec(), *count)).collect();
    assert_eq!(found, expected);
}

#[test]
fn header_sidebar_and_footer_are_one_template() {
    // 1, 2, 3 are on three pages (3 × 3 = 9); 7 is a template of a part of the site.
    check(&[&[1, 2, 3], &[1, 7, 2, 3], &[1, 2, 7, 3]], &[(&[1, 2, 3], &[0, 1, 2], 3), (&[7], &[1, 2], 2)]);
}

#[test]
fn the_product_of_pages_and_hashes_decides() {
    // 1 is on four pages (4), then 2 on three (6), then 3 on two (6 again), then 4 on two (8). Of the remaining occurrences, 1 is on two
    // pages (2) and 1 2 on one (also 2: the shorter sequence wins).
    check(
        &[&[1, 2, 3, 4], &[1, 2, 3, 4], &[1, 2], &[1]],
        &[(&[1, 2, 3, 4], &[0, 1], 2), (&[1], &[2, 3], 2), (&[2], &[2], 1)],
    );
    // The same without 4: 4, 6, 6, and the shorter sequence wins.
    check(
        &[&[1, 2, 3], &[1, 2, 3], &[1, 2], &[1]],
        &[(&[1, 2], &[0, 1, 2], 3), (&[3], &[0, 1], 2), (&[1], &[3], 1)],
    );
}

#[test]
fn equal_counts_are_decided_by_offset_then_by_hash() {
    // 8 and 9 occur twice each; 9 begins at 0 and 10, 8 at 10 and 0. The averages are equal, so the smaller hash comes first.
    check(&[&[9, 8], &[8, 9]], &[(&[8], &[0, 1], 2), (&[9], &[0, 1], 2)]);
    // Here 9 begins earlier.
    check(&[&[9, 8], &[9, 8]], &[(&[9, 8], &[0, 1], 2)]);
}

#[test]
fn order_matters() {
    // After 1, both 2 and 3 are on both pages; 2 begins at 10 and 20, 3 at 20 and 10. The smaller hash 2 wins, and only one page has 3 behind it.
    check(&[&[1, 2, 3], &[1, 3, 2]], &[(&[1, 2], &[0, 1], 2), (&[3], &[0, 1], 2)]);
}

#[test]
fn a_sequence_is_removed_as_often_as_it_stands_on_a_page() {
    // 5 occurs six times. Phase 1: 5 on three pages (3), 5 5 on two (4), 5 5 5 on one (3).
    check(&[&[5, 5, 5], &[5, 5], &[5]], &[(&[5, 5], &[0, 1], 2), (&[5], &[0, 2], 2)]);
    // 5 alone is on two pages (2), 5 5 on one (2): the shorter sequence wins and is removed three times.
    check(&[&[5, 5], &[5]], &[(&[5], &[0, 1], 3)]);
}

#[test]
fn one_page_alone_makes_no_template_of_many_hashes() {
    // 1 on two pages (2), 1 2 3 4 on one (4).
    let pages: [&[u64]; 2] = [&[1, 2, 3, 4], &[1]];
    check_with(1, &pages, &[(&[1, 2, 3, 4], &[0], 1), (&[1], &[1], 1)]);
    check(&pages, &[(&[1], &[0, 1], 2), (&[2], &[0], 1), (&[3], &[0], 1), (&[4], &[0], 1)]);
}

#[test]
fn bytes_places_ranks_and_curves() {
    let mut aggregator = Aggregator::default();
    aggregator.add_page(&[region(1, 0, 40), region(2, 50, 10)]);
    aggregator.add_page(&[region(1, 5, 40), region(3, 60, 10)]);
    aggregator.add_page(&[]);
    let site = aggregator.finish();
    assert_eq!((site.pages, site.bytes), (3, 100));
    assert_eq!(site.templates[0].hashes, [TemplateHash(1)]);
    assert_eq!(
        (site.templates[0].bytes, &site.templates[0].first[..], &site.templates[0].last[..]),
        (80, &[Span::new(0, 40)][..], &[Span::new(5, 45)][..])
    );
    let ranks: Vec<_> = site.ranks.iter().map(|ranked| (ranked.template.0, ranked.occurrences)).collect();
    assert_eq!(ranks, [(1, 2), (2, 1), (3, 1)]);
    let point = |templates, bytes, hashes| Coverage { templates, bytes, hashes };
    assert_eq!(site.coverage(), [point(1, 0.8, 1.0), point(2, 0.9, 2.0), point(3, 1.0, 3.0)]);

    let other = self::site(&[&[2, 4], &[2, 4]]);
    assert_eq!(
        average_coverage([&site, &other]),
        [point(1, 0.9, 1.5), point(2, 0.95, 2.0), point(3, 1.0, 2.5)]
    );
    let shared = shared_hashes([("b", &site), ("a", &other)]);
    let sites = vec![("a".to_owned(), 2), ("b".to_owned(), 1)];
    assert_eq!(shared, [Shared { template: TemplateHash(2), sites }]);
}

#[test]
fn nothing_comes_of_nothing() {
    assert_eq!(Aggregator::default().finish(), Aggregation::default());
    assert_eq!(site(&[&[], &[]]).templates, []);
    assert!(average_coverage([&site(&[])]).is_empty());
}

/// Checks a worst case: 200 regions per page, of which 20 are on all pages and the others are unrelated.
fn check_worst_case(pages: u64) {
    let pages: Vec<Vec<u64>> = (0..pages)
        .map(|page| {
            let local = |at: u64| 1000 + (page % (7 + at)) * 1000 + at;
            (0..200).map(|at| if at % 10 == 0 { at } else { local(at) }).collect()
        })
        .collect();
    let pages: Vec<&[u64]> = pages.iter().map(Vec::as_slice).collect();
    let site = site(&pages);
    let covered: u64 = site.templates.iter().map(|template| template.bytes).sum();
    assert_eq!((site.templates[0].hashes.len(), covered), (20, pages.len() as u64 * 1000));
}

#[test]
fn hashes_that_have_nothing_to_do_with_each_other() {
    check_worst_case(1000);
}

proptest! {
    #[test]
    fn every_occurrence_is_in_exactly_one_template(
        pages in prop::collection::vec(prop::collection::vec(0u64..6, 0..8), 0..8),
    ) {
        let pages: Vec<&[u64]> = pages.iter().map(Vec::as_slice).collect();
        let site = site(&pages);
        let occurrences: u64 = site.ranks.iter().map(|ranked| ranked.occurrences).sum();
        let explained: u64 = site.templates.iter().map(|one| one.occurrences * one.hashes.len() as u64).sum();
        prop_assert_eq!(explained, occurrences);
        prop_assert_eq!(site.templates.iter().map(|one| one.bytes).sum::<u64>(), site.bytes);
        for template in &site.templates {
            // The spans of the template on its first page are right.
            let page = pages[template.pages[0] as usize];
            let there: Vec<u64> = template.first.iter().map(|span| page[span.start as usize / 10]).collect();
            prop_assert_eq!(there, template.hashes.iter().map(|hash| hash.0).collect::<Vec<_>>());
        }
    }
}
