//! Learning with and without spilling to disk gives the same result.

use proptest::prelude::*;
use unframe::detect::METHODS;
use unframe::model_file::Encoder;
use unframe::{Page, PageBytes, PageParser};

use super::pages::{PageSorter, SitePage};
use super::runs::{Merge, RUNS_MAX, Run, RunWriter};
use super::{Learning, ModelFailure};
use crate::args::Memory;

/// Pages of a few sites in turn, taken in with so much memory.
fn learn(method: usize, memory: usize) -> Learning {
    let learning = Learning::new(METHODS[method].1(), 7, Memory { bytes: memory }, 1);
    let mut parser = PageParser::new();
    for number in 0..PAGES {
        let (site, url, html) = page(number);
        let page = parser.open(PageBytes::utf8(html.as_bytes()));
        let waiting = learning.begin(&site, &url, &page).unwrap();
        learning.finish(waiting).unwrap();
    }
    learning
}

const PAGES: usize = 150;

fn page(number: usize) -> (String, String, String) {
    let site = format!("{}.example", number * number % 11);
    let html = format!(
        "<ul><li><a href=/>Home of {site}</a><li><a href=/a>About all of us</a></ul><div><p>Page {number} tells of tea, and of \
         {number} other things that one can drink.</p></div>"
    );
    (site.clone(), format!("http://{site}/{number}"), html)
}

fn saved(learning: Learning) -> Vec<u8> {
    let (detector, seed) = (learning.detector().copy(), learning.seed());
    let begin = |sites| Ok(Encoder::begin(&*detector, seed, sites));
    let (encoder, mut bytes) = learning
        .sites(begin, |(encoder, bytes), site, learned| {
            bytes.extend(encoder.site(site, &learned));
            Ok(())
        })
        .unwrap();
    bytes.extend(encoder.end());
    bytes
}

#[test]
fn the_same_is_learned_in_any_memory() {
    for (method, (name, _)) in METHODS.iter().enumerate() {
        let whole = saved(learn(method, usize::MAX));
        // With the first size each page makes a run, so that runs are merged meanwhile; with the second there are a few.
        for memory in [1, 20_000] {
            let learning = learn(method, memory);
            assert!(
                !learning.runs.lock().unwrap().is_empty(),
                "{name}: nothing was written with {memory} bytes"
            );
            let levels: Vec<u32> = learning.runs.lock().unwrap().iter().map(|run| run.level).collect();
            assert!(levels.is_sorted_by(|one, next| one >= next), "{name}: {levels:?}");
            if memory == 1 {
                assert_eq!(levels.iter().filter(|level| **level > 0).count(), PAGES / RUNS_MAX, "{name}");
            }
            assert!(saved(learning) == whole, "{name} with {memory} bytes");
        }
    }
}

#[test]
fn the_same_is_found_in_any_memory() {
    for (method, (name, _)) in METHODS.iter().enumerate() {
        let failed = ModelFailure::default();
        let whole = learn(method, usize::MAX).models(1, &failed).unwrap();
        let parts = learn(method, 20_000).models(2, &failed).unwrap();
        assert!(parts.sites().is_empty(), "{name}: they are on disk");
        let mut parser = PageParser::new();
        for number in 0..PAGES {
            let (site, _, html) = page(number);
            let page = parser.open(PageBytes::utf8(html.as_bytes()));
            assert_eq!(parts.label(&site, &page), whole.label(&site, &page), "{name}");
            assert_eq!(parts.evidence(&site), whole.evidence(&site), "{name}");
        }
        assert!(parts.site("unknown.example").is_none());
        assert!(failed.get().is_none());
    }
}

proptest! {
    #[test]
    fn parts_of_a_site_meet_in_the_order_of_the_runs(
        mut runs in prop::collection::vec(
            prop::collection::vec(("[a-c]{0,2}", prop::collection::vec(any::<u8>(), 0..4)), 0..6),
            0..6,
        ),
    ) {
        // A merged run may have several parts of a site.
        runs.iter_mut().for_each(|run| run.sort_by(|one, other| one.0.cmp(&other.0)));
        let written: Vec<Run> = runs.iter().map(|run| {
            let mut writer = RunWriter::new(0).unwrap();
            run.iter().for_each(|(site, part)| writer.add(site, part).unwrap());
            writer.finish().unwrap()
        }).collect();
        let mut expected = std::collections::BTreeMap::<String, Vec<Vec<u8>>>::new();
        for (site, part) in runs.into_iter().flatten() {
            expected.entry(site).or_default().push(part);
        }
        prop_assert_eq!(Merge::of(&written).unwrap().count().unwrap(), expected.len());
        let mut merge = Merge::of(&written).unwrap();
        let mut merged = Vec::new();
        while let Some(site) = merge.next().unwrap() {
            merged.push(site);
        }
        prop_assert_eq!(merged, expected.into_iter().collect::<Vec<_>>());
    }
}

/// All pages, put aside with so much memory and read on so many threads: first those of the sites before `boundary`, then the others.
fn put_aside(memory: usize, threads: usize, boundary: &str) -> [Vec<(String, String, Vec<u8>)>; 2] {
    let mut sorter = PageSorter::new(memory);
    for number in 0..PAGES {
        let (site, url, html) = page(number);
        let page = Page { site, ..Page::new(url, html) };
        sorter.add(SitePage::from(page).pack()).unwrap();
    }
    let mut sorted = sorter.finish().unwrap();
    [boundary, "~"].map(|until| {
        let mut read = Vec::new();
        let worker = || |page: SitePage| (page.site.clone(), page.url.clone(), page.bytes().payload.to_vec());
        let end = sorted.read(
            |site| site < until,
            threads,
            worker,
            |page| {
                read.push(page);
                Ok(())
            },
        );
        sorted.begin_at(end.unwrap());
        read
    })
}

#[test]
fn pages_come_back_by_site_in_their_order() {
    let mut expected: Vec<_> = (0..PAGES).map(page).collect();
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    let expected: Vec<_> =
        expected.into_iter().map(|(site, url, html)| (site, url, html.into_bytes())).collect();
    // With the first size each page makes a run, so that runs are merged meanwhile.
    for (memory, threads) in [(1, 2), (5_000, 1), (usize::MAX, 3)] {
        for boundary in ["", "3.example", "5", "~"] {
            let (before, after) =
                expected.split_at(expected.partition_point(|(site, ..)| site.as_str() < boundary));
            let read = put_aside(memory, threads, boundary);
            assert!(read[0] == before && read[1] == after, "{memory} bytes, {boundary}");
        }
    }
}
