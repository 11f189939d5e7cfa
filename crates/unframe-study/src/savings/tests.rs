//! Small stores whose sizes can be worked out by hand.

use proptest::prelude::*;
use unframe::aggregate::Ranked;
use unframe::html::Span;
use unframe::{Region, TemplateHash};

use super::*;

fn region(start: u32, end: u32) -> Region {
    Region::new(Span { start, end }, TemplateHash(1), 2)
}

fn store(pages: &[(&[u8], &[Region])]) -> SiteStore {
    let mut store = TemplateStore::default();
    pages.iter().for_each(|(payload, regions)| store.add(payload, regions));
    store.finish().expect("a store")
}

#[test]
fn a_template_is_stored_once() {
    let pages: [(&[u8], &[Region]); 2] =
        [(b"<nav>menu</nav>one", &[region(0, 15)]), (b"<nav>menu</nav>four", &[region(0, 15)])];
    let store = store(&pages);
    // No literal bytes, the number of the template, three literal bytes.
    assert_eq!(store.refer(pages[0].0, pages[0].1), b"\0\0\x03one");
    assert_eq!(store.overhead().reference, 15);
    let sizes = store.measure(pages[1].0, pages[1].1).expect("sizes");
    assert_eq!((sizes.pages, sizes.plain, sizes.reference, sizes.broken), (1, 19, 7, 0));
}

#[test]
fn what_is_there_once_stays_in_its_page() {
    let store = store(&[(b"abc", &[region(0, 2)])]);
    assert_eq!(store.refer(b"abc", &[region(0, 2)]), b"\x03abc");
    assert_eq!(store.restore(b"\x03abc").as_deref(), Some(&b"abc"[..]));
    for damaged in [&b""[..], b"\x05abc", b"\x01a\x09\0", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"] {
        assert_eq!(store.restore(damaged), None);
    }
}

#[test]
fn a_cache_of_the_most_frequent() {
    let ranked =
        |hash, occurrences, bytes| Ranked { template: TemplateHash(hash), occurrences, pages: 1, bytes };
    // The first template is sent once instead of ten times, which saves 90 of its 100 bytes; the second saves 5 of 10.
    let curve = cache_curve(&[ranked(1, 10, 100), ranked(2, 2, 10), ranked(3, 2, 30), ranked(4, 1, 60)]);
    let found: Vec<(usize, f64, f64)> =
        curve.iter().map(|point| (point.templates, point.occurrences, point.bytes)).collect();
    assert_eq!(
        found,
        [(1, 10.0 / 15.0, 90.0 / 200.0), (3, 14.0 / 15.0, 110.0 / 200.0), (4, 1.0, 110.0 / 200.0)]
    );
    assert!(cache_curve(&[]).is_empty());
}

proptest! {
    #[test]
    fn every_page_comes_out_as_it_was(
        pages in prop::collection::vec((prop::collection::vec(0u8..4, 0..200), prop::collection::vec((0usize..200, 0usize..40), 0..6)), 1..6)
    ) {
        let pages: Vec<(Vec<u8>, Vec<Region>)> = pages
            .into_iter()
            .map(|(payload, mut spans)| {
                spans.sort_unstable();
                let mut end = 0;
                let mut regions = Vec::new();
                for (start, len) in spans {
                    let (from, to) = (start.max(end), (start + len).min(payload.len()));
                    if from < to {
                        regions.push(region(from as u32, to as u32));
                        end = to;
                    }
                }
                (payload, regions)
            })
            .collect();
        let borrowed: Vec<(&[u8], &[Region])> = pages.iter().map(|(payload, regions)| (&payload[..], &regions[..])).collect();
        let store = store(&borrowed);
        for (payload, regions) in borrowed {
            let restored = store.restore(&store.refer(payload, regions));
            prop_assert_eq!(restored.as_deref(), Some(payload));
        }
    }
}
