//! Tests the requirements of all methods on every listed method. Tests of single methods are in the folder.

mod blocks;
mod dom;
mod pages_of_all_kinds;
mod places;
mod sst;
mod text;

use proptest::prelude::*;

use super::{Detector, METHODS, method};
use crate::html::Span;
use crate::learn::{Learner, Models};
use crate::model_file::{ModelError, ModelFile, VERSION};
use crate::parsed::{PageBytes, PageParser};
use crate::regions::{Region, RegionKind};

fn bytes(page: &str) -> PageBytes<'_> {
    PageBytes::utf8(page.as_bytes())
}

fn learn(detector: Box<dyn Detector>, pages: &[(String, String)]) -> Learner {
    let learner = Learner::new(detector, 7);
    let mut parser = PageParser::new();
    for (url, page) in pages {
        learner.observe("site", url, &parser.open(bytes(page)));
    }
    learner
}

fn label(models: &Models, page: &str) -> Vec<Region> {
    models.label("site", &PageParser::new().open(bytes(page)))
}

/// Pages with a menu, a footer and unique words.
fn site(number_of_pages: usize) -> Vec<(String, String)> {
    let page = |number: usize| {
        let words: String = (0..12).map(|i| format!("word{} ", number * 31 + i * i)).collect();
        format!(
            "<html><head><title>{number}</title></head><body>\
             <div id=menu><a href=/>The first page of this site</a> <a href=/about>About all of us</a></div>\
             <h1>Page {number}</h1><p>{words}</p>\
             <div id=foot>Copyright by the people of this site, all rights reserved</div></body></html>"
        )
    };
    (0..number_of_pages).map(|number| (format!("http://site/{number}"), page(number))).collect()
}

/// The methods for which page order matters by design. Otherwise, they have the same requirements as all methods.
const ORDERED: [&str; 1] = ["segments"];

#[test]
fn the_order_matters_to_no_other_method() {
    let ordered = METHODS.iter().filter(|(_, make)| make().in_order().is_some()).map(|(name, _)| *name);
    assert_eq!(ordered.collect::<Vec<_>>(), ORDERED);
}

/// Runs a check on every method for which page order does not matter.
fn for_every_unordered_method(check: impl Fn(&str, fn() -> Box<dyn Detector>)) {
    METHODS.iter().filter(|(name, _)| !ORDERED.contains(name)).for_each(|(name, make)| check(name, *make));
}

/// Runs a check on every method.
fn for_every_method(check: impl Fn(&str, fn() -> Box<dyn Detector>)) {
    for (name, make) in METHODS.iter().copied() {
        check(name, make);
    }
}

#[test]
fn names_and_settings_agree() {
    for_every_method(|name, make| {
        let mut detector = make();
        assert_eq!(detector.name(), name);
        for setting in detector.settings() {
            assert_eq!(detector.set(setting.name, &setting.value), Ok(()), "{name} {}", setting.name);
        }
        assert!(detector.set("no-such-parameter", "1").is_err());
        assert!(method(name).is_some());
    });
}

#[test]
fn the_template_is_found_and_the_content_is_not() {
    for_every_method(|name, make| {
        let pages = site(20);
        let models = learn(make(), &pages).models();
        for (_, page) in &pages {
            let regions = label(&models, page);
            let found: String = regions.iter().map(|region| &page[region.span.range()]).collect();
            assert!(found.contains("About all of us"), "{name}: {found}");
            assert!(found.contains("all rights reserved"), "{name}: {found}");
            assert!(!found.contains("word"), "{name}: {found}");
            assert!(regions.iter().all(|region| (2..=20).contains(&region.pages)), "{name}: {regions:?}");
        }
    });
}

#[test]
fn regions_are_sorted_and_apart_and_equal_pieces_have_equal_ids() {
    for_every_method(|name, make| {
        let pages = site(15);
        let models = learn(make(), &pages).models();
        let mut texts = std::collections::HashMap::new();
        for (_, page) in &pages {
            let regions = label(&models, page);
            assert!(regions.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{name}");
            let mut parser = PageParser::new();
            let words = crate::text::of_regions(parser.open(bytes(page)).source(), &regions, usize::MAX);
            let is_repeated = |(region, _): &(&Region, String)| region.kind == RegionKind::Repeated;
            for (region, text) in regions.iter().zip(words).filter(is_repeated) {
                assert_eq!(texts.entry(region.template).or_insert_with(|| text.clone()), &text, "{name}");
            }
        }
    });
}

/// For each byte of a page, whether it is in a region.
fn covered_bytes(regions: &[Region], len: usize) -> Vec<bool> {
    let mut covered = vec![false; len];
    regions.iter().for_each(|region| covered[region.span.range()].fill(true));
    covered
}

#[test]
fn small_and_odd_sites() {
    for_every_method(|name, make| {
        let one = site(1);
        let alone = label(&learn(make(), &one).models(), &one[0].1);
        match make().labels_single_pages() {
            false => assert_eq!(alone, [], "{name}: one page has no template"),
            true => {
                let content = one[0].1.find("<p>").unwrap()..one[0].1.find("</p>").unwrap();
                let is_apart =
                    |span: Span| span.end as usize <= content.start || span.start as usize >= content.end;
                assert!(alone.iter().all(|region| is_apart(region.span)), "{name}: {alone:?}");
            }
        }
        let two = site(2);
        let models = learn(make(), &two).models();
        let regions = label(&models, &two[0].1);
        assert!(!regions.is_empty(), "{name}: two pages are enough");
        let same: Vec<_> = (0..10).map(|i| (format!("http://site/{i}"), one[0].1.clone())).collect();
        let models = learn(make(), &same).models();
        let covered: usize = label(&models, &one[0].1).iter().map(|region| region.span.len()).sum();
        match make().labels_single_pages() {
            false => assert!(covered > one[0].1.len() / 2, "{name}: equal pages are all template"),
            true => {
                let spans = |regions: &[Region]| covered_bytes(regions, one[0].1.len());
                let mut found = label(&models, &one[0].1);
                found.retain(|region| region.kind != RegionKind::Markup);
                assert_eq!(spans(&found), spans(&alone), "{name}: of equal pages stays what stays of one");
            }
        }
        let empty: Vec<_> = (0..5).map(|i| (format!("http://site/{i}"), String::new())).collect();
        let models = learn(make(), &empty).models();
        let covered: usize = label(&models, "").iter().map(|region| region.span.len()).sum();
        assert_eq!(covered, 0, "{name}: an empty page has no bytes");
        let unknown = models.label("another site", &PageParser::new().open(bytes(&one[0].1)));
        assert_eq!(unknown, alone, "{name}: a site that was not learned has one page");
    });
}

#[test]
fn a_page_never_seen_is_labelled() {
    for_every_method(|name, make| {
        let mut pages = site(30);
        let (_, new_page) = pages.pop().unwrap();
        let models = learn(make(), &pages).models();
        assert!(!label(&models, &new_page).is_empty(), "{name}");
    });
}

#[test]
fn threads_do_not_matter() {
    for_every_unordered_method(|name, make| {
        let pages = site(60);
        let mut detector = make();
        detector.set("sample", "20").unwrap();
        let learner = Learner::new(detector, 7);
        std::thread::scope(|scope| {
            for part in pages.chunks(17) {
                let learner = &learner;
                scope.spawn(move || {
                    let mut parser = PageParser::new();
                    for (url, page) in part {
                        learner.observe("site", url, &parser.open(bytes(page)));
                    }
                });
            }
        });
        let mut alone = make();
        alone.set("sample", "20").unwrap();
        let alone = learn(alone, &pages);
        let saved = |learner: &Learner| ModelFile::from_learner(learner).encode();
        assert!(saved(&learner) == saved(&alone), "{name}");
    });
}

#[test]
fn threads_may_do_all_but_the_last_step_where_the_order_matters() {
    for name in ORDERED {
        let pages = site(60);
        let learner = Learner::new(method(name).unwrap(), 7);
        let begin = |part: &[(String, String)]| -> Vec<_> {
            let mut parser = PageParser::new();
            part.iter().map(|(url, page)| learner.begin("site", url, &parser.open(bytes(page)))).collect()
        };
        let (first, second) = pages.split_at(31);
        let (begin_first, begin_second) = (|| begin(first), || begin(second));
        let (first, second) = std::thread::scope(|scope| {
            let second = scope.spawn(begin_second);
            (begin_first(), second.join().unwrap())
        });
        first.into_iter().chain(second).flatten().for_each(|waiting| learner.finish(waiting));
        let saved = |learner: &Learner| ModelFile::from_learner(learner).encode();
        assert!(saved(&learner) == saved(&learn(method(name).unwrap(), &pages)), "{name}");
    }
}

#[test]
fn what_two_runs_learned_is_not_folded_together_where_the_order_matters() {
    for name in ORDERED {
        let part = |site, pages: &[(String, String)]| {
            let learner = Learner::new(method(name).unwrap(), 7);
            let mut parser = PageParser::new();
            pages.iter().for_each(|(url, page)| learner.observe(site, url, &parser.open(bytes(page))));
            ModelFile::from_learner(&learner)
        };
        let mut merged = part("a", &site(8));
        merged.merge(part("b", &site(8))).unwrap();
        assert_eq!(merged.sites.len(), 2, "{name}: other sites are welcome");
        let saved = merged.encode();
        let error = merged.merge(part("a", &site(3))).unwrap_err();
        assert_eq!(error, ModelError::Ordered("a".to_owned()), "{name}");
        // Learning continues from the saved state.
        let more = ModelFile::decode(&saved).unwrap().into_learner().unwrap();
        let mut parser = PageParser::new();
        site(12)[8..].iter().for_each(|(url, page)| more.observe("a", url, &parser.open(bytes(page))));
        let whole = part("a", &site(12));
        let model = |file: &ModelFile| file.sites["a"].model(&*file.detector);
        assert!(model(&ModelFile::from_learner(&more)) == model(&whole), "{name}");
    }
}

#[test]
fn a_saved_model_is_the_model() {
    for_every_method(|name, make| {
        let pages = site(25);
        let learner = learn(make(), &pages);
        let mut file = ModelFile::from_learner(&learner);
        let whole = file.encode();
        file.compact();
        let compact = file.encode();
        assert!(compact.len() < whole.len(), "{name}");
        let models = learner.models();
        for saved in [whole, compact] {
            let loaded = ModelFile::decode(&saved).unwrap();
            assert!(loaded.encode() == saved, "{name}");
            let loaded = loaded.into_models();
            assert_eq!(loaded.sites(), models.sites(), "{name}");
            for (_, page) in &pages {
                assert_eq!(label(&loaded, page), label(&models, page), "{name}");
            }
        }
    });
}

#[test]
fn bad_model_files_are_refused() {
    let saved = ModelFile::from_learner(&learn(method("dom").unwrap(), &site(5))).encode();
    let error = |bytes: &[u8]| ModelFile::decode(bytes).err().unwrap();
    assert_eq!(error(b""), ModelError::NotAModel);
    assert_eq!(error(b"<html>"), ModelError::NotAModel);
    assert_eq!(error(&saved[..saved.len() / 2]), ModelError::Damaged);
    let mut flipped = saved.clone();
    flipped[saved.len() / 2] ^= 1;
    assert_eq!(error(&flipped), ModelError::Damaged);
    let mut future = saved.clone();
    future[8] = 99;
    assert_eq!(error(&future), ModelError::Future { found: 99 });
    let mut outdated = saved.clone();
    outdated[8] = 1;
    assert_eq!(error(&outdated), ModelError::Outdated { found: 1 });
}

#[test]
fn files_merge_when_they_fit() {
    let pages = site(20);
    let part = |pages| ModelFile::from_learner(&learn(method("text").unwrap(), pages));
    let mut merged = part(&pages[..8]);
    merged.merge(part(&pages[8..])).unwrap();
    assert!(merged.encode() == part(&pages).encode());
    let mut other = method("text").unwrap();
    other.set("window", "16").unwrap();
    let other = ModelFile::from_learner(&learn(other, &pages));
    assert!(matches!(merged.merge(other), Err(ModelError::Different(..))));
    let mut compact = part(&pages);
    compact.compact();
    assert!(matches!(merged.merge(compact), Err(ModelError::Compact(_))));
}

/// The models in the format fixtures: learned by a sampling method, by a method with its own model, and by a method for which page order matters.
fn fixtures() -> [(&'static str, ModelFile); 3] {
    ["dom", "places", "segments"].map(|name| {
        let mut file = ModelFile::from_learner(&learn(method(name).unwrap(), &site(3)));
        if name == "places" {
            file.compact();
        }
        (name, file)
    })
}

/// `UNFRAME_BLESS=1` rewrites the files after a format change, which needs a new version.
#[test]
fn saved_models_can_still_be_read() {
    for (name, fixture) in fixtures() {
        let file = format!("{}/tests/data/{name}-v{VERSION}.bin", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UNFRAME_BLESS").is_some() {
            std::fs::write(&file, fixture.encode()).unwrap();
        }
        let read = ModelFile::decode(&std::fs::read(file).unwrap()).unwrap();
        assert!(read.encode() == fixture.encode(), "{name}");
        assert!(!label(&read.into_models(), &site(3)[0].1).is_empty(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn order_and_grouping_do_not_matter(
        order in Just((0..40usize).collect::<Vec<_>>()).prop_shuffle(),
        cut in 0usize..40,
    ) {
        let pages = site(40);
        let shuffled: Vec<_> = order.iter().map(|at| pages[*at].clone()).collect();
        for (name, make) in METHODS.iter().copied().filter(|(name, _)| !ORDERED.contains(name)) {
            let small = || {
                let mut detector = make();
                detector.set("sample", "12").unwrap();
                detector
            };
            let whole = ModelFile::from_learner(&learn(small(), &pages)).encode();
            let mut merged = ModelFile::from_learner(&learn(small(), &shuffled[..cut]));
            merged.merge(ModelFile::from_learner(&learn(small(), &shuffled[cut..]))).unwrap();
            // One half may have no pages, and so no site.
            prop_assert!(whole == merged.encode(), "{}", name);
        }
    }

    #[test]
    fn any_bytes_can_be_learned_and_labelled(pages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 2..6)) {
        for (_, make) in METHODS {
            let learner = Learner::new(make(), 0);
            let mut parser = PageParser::new();
            for (number, payload) in pages.iter().enumerate() {
                for copy in 0..2 {
                    let page = PageBytes::utf8(payload);
                    learner.observe("site", &format!("{number} {copy}"), &parser.open(page));
                }
            }
            let models = learner.models();
            for payload in &pages {
                let regions = models.label("site", &parser.open(PageBytes::utf8(payload)));
                prop_assert!(regions.iter().all(|region| region.span.end as usize <= payload.len()));
            }
        }
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let mut file = b"unframe\0\x02\0\0\0".to_vec();
        file.extend(bytes);
        let checksum = xxhash_rust::xxh3::xxh3_64(&file);
        file.extend(checksum.to_le_bytes());
        let _ = ModelFile::decode(&file);
    }
}
