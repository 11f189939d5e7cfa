//! What `text` takes for template.

use super::*;

fn regions(settings: &[(&str, &str)], pages: &[(String, String)]) -> Vec<String> {
    let mut detector = method("text").unwrap();
    settings.iter().for_each(|(name, value)| detector.set(name, value).unwrap());
    let models = learn(detector, pages).models();
    let page = &pages[0].1;
    label(&models, page).iter().map(|region| page[region.span.range()].to_owned()).collect()
}

#[test]
fn frequent_windows_are_joined_across_tags() {
    let pages: Vec<_> = (0..10)
        .map(|i| (i.to_string(), format!("<p>start{i}{i} <b>of the same</b> text</p>{i}{i} end{i}")))
        .collect();
    assert_eq!(regions(&[("window", "8")], &pages), ["of the same</b> text"]);
}

#[test]
fn a_text_shorter_than_the_window_has_no_regions() {
    let pages: Vec<_> = (0..10).map(|i| (i.to_string(), "short".to_owned())).collect();
    assert_eq!(regions(&[("window", "6")], &pages), [""; 0]);
    assert_eq!(regions(&[("window", "5")], &pages), ["short"]);
}

#[test]
fn sampled_windows_find_long_templates() {
    let template =
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor. ".repeat(8);
    let pages: Vec<_> = (0..30)
        .map(|i| {
            let content: String = (0..200).map(|j| format!("{} ", i * 7919 + j * 104_729)).collect();
            (i.to_string(), format!("<div>{template}</div><p>{content}</p>"))
        })
        .collect();
    let found = regions(&[("density", "40")], &pages).concat();
    assert!(found.len() > template.len() / 2, "{} of {}", found.len(), template.len());
    assert!(!found.contains("104729"));
}

#[test]
fn references_belong_to_their_character() {
    let pages: Vec<_> = (0..5).map(|i| (i.to_string(), format!("{i}{i}{i} tea &amp; milk &amp;"))).collect();
    assert_eq!(regions(&[("window", "5")], &pages), ["tea &amp; milk &amp;"]);
}

#[test]
fn windows_may_be_long() {
    let template: String = (0..40).map(|i| format!("word{} ", i * i)).collect();
    let template = template.trim_end();
    let pages: Vec<_> =
        (0..10).map(|i| (i.to_string(), format!("<p>{i}{i}<p>{template}<p>{i}{i}"))).collect();
    for window in [63, 64, 65, 128, 200] {
        let found = regions(&[("window", &window.to_string())], &pages);
        assert_eq!(found, [template], "{window}");
    }
    assert_eq!(regions(&[("window", &(template.len() + 3).to_string())], &pages), [""; 0]);
}

#[test]
fn long_windows_of_characters_in_another_order_differ() {
    // Characters 64 apart are exchanged, which a hash that only rotates could not see.
    let line = |a: char, b: char| format!("{a}{}{b}{}", "x".repeat(63), "y".repeat(35));
    let text = crate::detect::Text { window: 100, ..Default::default() };
    let hash = |line: String| {
        let mut hashes = Vec::new();
        text.for_each_window(&line.chars().collect::<Vec<_>>(), |_, hash| hashes.push(hash));
        hashes
    };
    assert_eq!(hash(line('a', 'b')).len(), 1);
    assert_ne!(hash(line('a', 'b')), hash(line('b', 'a')));
}

#[test]
fn sampled_windows_are_a_share_of_all_and_the_same_everywhere() {
    // Letters that do not repeat themselves: a linear congruential generator.
    let mut state = 1u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'a' + (state >> 59) as u8 % 26)
    };
    let characters: Vec<char> = (0..40_000).map(|_| letter()).collect();
    let windows = |window, density, line: &[char]| {
        let text = crate::detect::Text { window, density, ..Default::default() };
        let mut found = Vec::new();
        text.for_each_window(line, |at, hash| found.push((at, hash)));
        found
    };
    for window in [8, 16, 32, 63, 64, 100] {
        let all = windows(window, 0, &characters);
        let sampled = windows(window, 40, &characters);
        // A sampled window has the hash that it has when all are counted.
        assert!(sampled.iter().all(|(at, hash)| all[*at] == (*at, *hash)), "{window}");
        assert!((800..1200).contains(&sampled.len()), "{window}: {}", sampled.len());
        // Whatever stands before it.
        let later = windows(window, 40, &characters[5000..]);
        let expected: Vec<_> =
            sampled.iter().filter(|(at, _)| *at >= 5000).map(|(at, hash)| (at - 5000, *hash)).collect();
        assert!(later == expected, "{window}");
    }
}
