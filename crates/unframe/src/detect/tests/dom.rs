//! Tests the templates that `dom` finds.

use super::*;

fn regions<'p>(settings: &[(&str, &str)], pages: &'p [String]) -> Vec<&'p str> {
    let mut detector = method("dom").unwrap();
    settings.iter().for_each(|(name, value)| detector.set(name, value).unwrap());
    let named: Vec<_> = pages.iter().enumerate().map(|(i, page)| (i.to_string(), page.clone())).collect();
    let models = learn(detector, &named).models();
    label(&models, &pages[0]).iter().map(|region| &pages[0][region.span.range()]).collect()
}

fn pages(make: impl Fn(usize) -> String) -> Vec<String> {
    (0..10).map(make).collect()
}

#[test]
fn the_outermost_repeated_node_is_the_region() {
    let pages = pages(|i| format!("<nav><ul><li>Home</li><li>News</li></ul></nav><p>{i}</p>"));
    assert_eq!(regions(&[], &pages), ["<nav><ul><li>Home</li><li>News</li></ul></nav>"]);
}

#[test]
fn small_things_that_are_everywhere_are_no_template() {
    let pages = pages(|i| format!("<p>a{i}<br>b{i}<br>c{i}</p>"));
    assert_eq!(regions(&[], &pages), [""; 0]);
    assert_eq!(regions(&[("count", "pages")], &pages), ["<br>", "<br>"]);
}

#[test]
fn neighbours_are_joined_and_gaps_as_well_when_small() {
    let pages = pages(|i| format!("<b>one</b> <i>two</i> {i} <u>three</u><p>{i}{i}</p>"));
    assert_eq!(regions(&[], &pages), ["<b>one</b> <i>two</i>", "<u>three</u>"]);
    assert_eq!(regions(&[("gap", "1")], &pages), ["<b>one</b> <i>two</i> 0 <u>three</u>"]);
}

#[test]
fn the_order_of_attributes_and_white_space_do_not_matter() {
    let pages = pages(|i| match i % 2 {
        0 => format!("<p id=a class=b>x  y</p>{i}"),
        _ => format!("<p class=b id=a>x\ny<!-- {i} --></p>{i}"),
    });
    assert_eq!(regions(&[], &pages), ["<p id=a class=b>x  y</p>"]);
}

#[test]
fn thresholds_are_shares_of_the_pages() {
    let pages = pages(|i| if i < 3 { format!("<b>rare</b>{i}") } else { format!("{i}") });
    assert_eq!(regions(&[("low", "0.3")], &pages), ["<b>rare</b>"]);
    assert_eq!(regions(&[("low", "0.4")], &pages), [""; 0]);
}

#[test]
fn a_share_of_the_pages_is_what_people_compute() {
    let site = |on: usize| {
        (0..100).map(|i| if i < on { format!("<b>x</b>{i}") } else { i.to_string() }).collect::<Vec<_>>()
    };
    // In binary, 0.07 × 100 is more than 7 and 0.29 × 100 is less than 29.
    assert_eq!(regions(&[("low", "0.07")], &site(7)), ["<b>x</b>"]);
    assert_eq!(regions(&[("low", "0.07")], &site(6)), [""; 0]);
    assert_eq!(regions(&[("high", "0.29")], &site(29)), ["<b>x</b>"]);
    assert_eq!(regions(&[("high", "0.29")], &site(30)), [""; 0]);
}

#[test]
fn a_lower_threshold_of_one_makes_the_whole_page_a_template() {
    let pages = pages(|i| format!("<html><head></head><body>{i}<p>and {i}</p></body></html>"));
    assert_eq!(regions(&[("low", "0")], &pages), [pages[0].as_str()]);
    assert_eq!(regions(&[], &pages), ["<head></head>"]);
}
