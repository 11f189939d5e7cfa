//! Tests the templates that `sst` finds.

use super::*;

#[test]
fn several_samples_know_more_designs_of_a_site() {
    // Every fourth page has a footer with another design.
    let footer = |i: usize| match i % 4 {
        0 => "<div class=old><b>Copyright by the people of this site</b></div>",
        _ => "<div class=new><i>All rights reserved</i></div>",
    };
    let pages: Vec<_> = (0..40)
        .map(|i| {
            (format!("http://site/{i}"), format!("<p>own{i} words{} only{}</p>{}", i * 7, i * 31, footer(i)))
        })
        .collect();
    let found = |samples: &str| {
        let mut detector = method("sst").unwrap();
        detector.set("sample", "4").unwrap();
        detector.set("samples", samples).unwrap();
        let models = learn(detector, &pages).models();
        pages.iter().filter(|(_, page)| !label(&models, page).is_empty()).count()
    };
    let (one, ten) = (found("1"), found("10"));
    assert!(one < 40, "four pages have at most one design twice, or know both: {one}");
    assert_eq!(ten, 40);
}
