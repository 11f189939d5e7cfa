//! Tests that parts that are stored elsewhere and joined later give the same result as learning in one go.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Learned, Learner, Part};
use crate::detect::METHODS;
use crate::model_file::ModelFile;
use crate::parsed::{PageBytes, PageParser};

/// Observes pages of a few sites in turn, each with a menu and unique text.
fn observe(learner: &Learner, pages: std::ops::Range<usize>) {
    let mut parser = PageParser::new();
    for number in pages {
        let site = format!("{}.example", number % 3);
        let page = format!(
            "<ul><li><a href=/>Home of {site}</a><li><a href=/a>About all of us</a></ul><div><p>Page {number} tells of tea, \
             and of {number} other things that one can drink.</p></div>"
        );
        learner.observe(
            &site,
            &format!("http://{site}/{number}"),
            &parser.open(PageBytes::utf8(page.as_bytes())),
        );
    }
}

/// The learned data as a file, put aside before these pages.
fn learned_in_parts(method: usize, pages: usize, put_aside_before: &[usize]) -> Vec<u8> {
    let mut detector = METHODS[method].1();
    // A small sample displaces pages; not every method has a sample.
    let _ = detector.set("sample", "4");
    let learner = Learner::new(detector, 7);
    let mut parts: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    let mut put_aside = |learner: &Learner| {
        for (site, part) in learner.put_aside() {
            parts.entry(site).or_default().push(part.encode(learner.detector()));
        }
        assert_eq!(learner.bytes(), 0);
    };
    for number in 0..pages {
        if put_aside_before.contains(&number) {
            put_aside(&learner);
        }
        observe(&learner, number..number + 1);
    }
    put_aside(&learner);
    let mut file = ModelFile::empty(learner.detector(), 7);
    for (site, parts) in parts {
        file.sites.insert(site, joined(&parts, &learner));
    }
    file.encode()
}

fn joined(parts: &[Vec<u8>], learner: &Learner) -> Learned {
    let decode = |bytes: &Vec<u8>| Part::decode(bytes, learner.detector()).unwrap();
    let mut whole = decode(&parts[0]);
    for part in &parts[1..] {
        whole.join(decode(part), learner.detector()).unwrap();
    }
    whole.finish(learner.detector())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn parts_make_the_whole(put_aside in prop::collection::vec(0usize..40, 1..8)) {
        for (method, (name, _)) in METHODS.iter().enumerate() {
            let whole = learned_in_parts(method, 40, &[]);
            prop_assert!(learned_in_parts(method, 40, &put_aside) == whole, "{} {:?}", name, put_aside);
        }
    }
}

#[test]
fn memory_grows_with_sites_and_not_with_the_pages_of_one() {
    for (name, make) in METHODS {
        let mut detector = make();
        let _ = detector.set("sample", "4");
        let learner = Learner::new(detector, 7);
        observe(&learner, 0..1);
        learner.catch_up();
        let first = learner.bytes();
        assert!((200..20_000).contains(&first), "{name}: {first}");
        observe(&learner, 1..3);
        learner.catch_up();
        assert!(learner.bytes() > 2 * first, "{name}: {}", learner.bytes());
    }
}

#[test]
fn parts_of_different_methods_are_not_joined() {
    let learner = |method: usize| Learner::new(METHODS[method].1(), 7);
    let (samples, in_order) = (learner(1), learner(3));
    [&samples, &in_order].into_iter().for_each(|learner| observe(learner, 0..1));
    let other = in_order.put_aside().remove("0.example").unwrap();
    let mut part = samples.put_aside().remove("0.example").unwrap();
    assert!(part.join(other, samples.detector()).is_err());
    let bytes = part.encode(samples.detector());
    assert!(Part::decode(&bytes[..bytes.len() - 1], samples.detector()).is_err());
}
