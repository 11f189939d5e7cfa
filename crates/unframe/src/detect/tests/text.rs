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
