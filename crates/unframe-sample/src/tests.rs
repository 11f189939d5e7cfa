//! Guarantees for users of the synthetic sites.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use encoding_rs::Encoding;
use proptest::prelude::*;

use super::*;

/// An approximation of the visible text of a page: tags are removed, and the character references that the templates use are decoded.
fn visible_text(site: &Site, page: &SamplePage) -> String {
    let (html, _, malformed) = Encoding::for_label(site.charset().as_bytes()).unwrap().decode(&page.html);
    assert!(!malformed, "{} is not {}", page.url, site.charset());
    let mut text = String::new();
    for piece in html.split('<') {
        match piece.split_once('>') {
            Some((tag, after)) if text.is_empty() || is_inline(tag) => text.push_str(after),
            Some((_, after)) => text.extend(["\n", after]),
            None => text.push_str(piece),
        }
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

fn is_inline(tag: &str) -> bool {
    let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
    ["a", "em", "b", "span"].contains(&name)
}

#[test]
fn same_seed_gives_same_bytes() {
    for (one, other) in sites(5).iter().zip(sites(5).iter()) {
        for index in [0, 1, 2, 3, 999_999, u64::MAX / 3] {
            assert_eq!(one.page(index), other.page(index));
        }
    }
}

#[test]
fn bytes_do_not_change_between_releases() {
    // A change here changes every benchmark and every stored result, so make it deliberately and document it in CHANGELOG.md.
    let mut sum = 0u64;
    for site in sites(1) {
        for index in 0..50 {
            for byte in site.page(index).html {
                sum = sum.wrapping_mul(31).wrapping_add(u64::from(byte));
            }
        }
    }
    assert_eq!(format!("{sum:016x}"), "02abb048e4a34d8e");
}

#[test]
fn other_seed_gives_other_sites() {
    let hosts = |seed| sites(seed).iter().map(|site| site.host().to_owned()).collect::<BTreeSet<_>>();
    assert!(hosts(1).is_disjoint(&hosts(2)));
    assert_ne!(sites(1)[0].page(2).content, sites(2)[0].page(2).content);
}

#[test]
fn sites_differ_in_host_kinds_and_charset() {
    let sites = sites(1);
    let hosts: BTreeSet<_> = sites.iter().map(Site::host).collect();
    let charsets: BTreeSet<_> = sites.iter().map(Site::charset).collect();
    let kinds: BTreeSet<_> =
        sites.iter().flat_map(|site| (0..20).map(|index| site.page(index).kind)).collect();
    assert_eq!(hosts.len(), 7);
    assert_eq!(charsets.len(), 5);
    assert_eq!(kinds.len(), 7);
}

#[test]
fn addresses_are_different_and_contents_hardly_ever_equal() {
    for site in sites(3) {
        let pages: Vec<_> = (0..2000).map(|index| site.page(index)).collect();
        let urls: HashSet<_> = pages.iter().map(|page| &page.url).collect();
        let contents: HashSet<_> = pages.iter().map(|page| &page.content).collect();
        assert_eq!(urls.len(), pages.len(), "{}", site.host());
        assert_eq!(contents.len(), pages.len(), "{}", site.host());
    }
}

#[test]
fn every_page_repeats_the_template_of_its_site() {
    for site in sites(1) {
        let mut pages_with_line: BTreeMap<String, u64> = BTreeMap::new();
        for index in 0..50 {
            let text = visible_text(&site, &site.page(index));
            let lines: BTreeSet<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            for line in lines {
                *pages_with_line.entry(line.to_owned()).or_default() += 1;
            }
        }
        let on_all = pages_with_line.values().filter(|pages| **pages == 50).count();
        assert!(on_all >= 8, "{} has only {on_all} lines on all pages", site.host());
    }
}

#[test]
fn redesigns_keep_address_and_content() {
    for site in sites(1) {
        for index in 0..20 {
            let designs = site.designs().map(|start| site.page_on(index, start));
            let htmls: HashSet<_> = designs.iter().map(|page| &page.html).collect();
            assert_eq!(htmls.len(), 3);
            assert!(
                designs.iter().all(|page| page.url == designs[0].url && page.content == designs[0].content)
            );
        }
    }
}

#[test]
fn boxes_of_latest_pages_change_with_the_day() {
    let site = &sites(1)[0];
    let day = site.designs()[2];
    let [today, tomorrow] = [day, day + jiff::SignedDuration::from_hours(24)].map(|day| site.page_on(2, day));
    assert_ne!(today.html, tomorrow.html);
    assert_eq!(today.content, tomorrow.content);
}

proptest! {
    #[test]
    fn gold_text_occurs_in_the_page_in_order(seed: u64, index: u64, design in 0..3usize) {
        for site in sites(seed) {
            let page = site.page_on(index, site.designs()[design]);
            let text = visible_text(&site, &page);
            let mut rest = &text[..];
            for line in page.content.lines() {
                let at = rest.find(line);
                prop_assert!(at.is_some(), "{line:?} is missing in {}", page.url);
                rest = &rest[at.unwrap_or_default() + line.len()..];
            }
            prop_assert!(!page.content.is_empty());
        }
    }
}
