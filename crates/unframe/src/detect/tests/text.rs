//! Tests the templates that `text` finds.

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

/// Words that occur nowhere else: squares, so that neighbours share no long part.
#[test]
fn titles_styles_and_frames_are_read_when_asked_for_and_scripts_never() {
    const TEXTS: [(&str, &str); 4] = [
        ("title", "the title of all pages"),
        ("style", ".style { of: all-pages }"),
        ("iframe", "<b>a frame of all pages</b>"),
        ("script", "script(of, all, pages)"),
    ];
    let page = |i: usize| {
        let letter = char::from(b'a' + i as u8);
        let own = |part: usize| format!("{letter}{}{letter}", words(i * 40 + part * 10, 9));
        let parts = TEXTS.iter().enumerate();
        let part = |(at, (name, text)): (usize, &(&str, &str))| format!("<{name}>{text}</{name}>{}", own(at));
        (i.to_string(), parts.map(part).collect::<String>())
    };
    let pages: Vec<_> = (0..10).map(page).collect();
    assert_eq!(regions(&[("window", "20")], &pages), [""; 0]);
    let found = regions(&[("window", "20"), ("hidden", "yes")], &pages);
    assert_eq!(found, ["the title of all pages", ".style { of: all-pages }", "<b>a frame of all pages</b>"]);
}

#[test]
fn the_count_shrinks_on_small_sites_unless_it_must_not() {
    let pages: Vec<_> = (0..9).map(|i| (i.to_string(), format!("<p>the same text{i}{i}{i}"))).collect();
    let window = ("window", "13");
    assert_eq!(regions(&[window], &pages), ["the same text"]);
    assert_eq!(regions(&[window, ("shrink", "no")], &pages), [""; 0]);
    assert_eq!(regions(&[window, ("shrink", "no"), ("count", "9")], &pages), ["the same text"]);
    let wrong = method("text").unwrap().set("shrink", "maybe").unwrap_err().to_string();
    assert_eq!(wrong, "`maybe` is not a valid value for `shrink`: `yes` or `no` is needed");
}

fn words(from: usize, number: usize) -> String {
    (from..from + number).map(|i| format!("{} ", (i + 1000) * (i + 1000))).collect()
}

/// Pages with a template between different contents.
fn pages_with(template: &str) -> Vec<(String, String)> {
    let page =
        |i: usize| format!("<p>{}<div>{template}</div><p>{}", words(i * 900, 100), words(i * 900 + 100, 100));
    (0..30).map(|i| (i.to_string(), page(i))).collect()
}

/// One window in 40; of 30 pages, 10 must agree.
const SAMPLED: [(&str, &str); 2] = [("density", "40"), ("sample", "60")];

#[test]
fn sampled_windows_are_extended_to_the_whole_template() {
    let template: String = (0..60).map(|i| format!("menu{} item{} ", i * i, i * 7)).collect();
    let pages = pages_with(&template);
    let found = regions(&SAMPLED, &pages);
    let [found] = &found[..] else { panic!("{found:?}") };
    // A seed is extended by four characters at a time, so the extension may end a little before or after the end of the template.
    assert!(found.len().abs_diff(template.trim_end().len()) < 10, "{found}");
    // Without extension, the ends that no sampled window covers are missing.
    let shorter = regions(&[&SAMPLED[..], &[("reach", "0")]].concat(), &pages).concat();
    assert!(shorter.len() + 10 < found.len(), "{shorter}");
}

#[test]
fn seeds_are_extended_only_while_enough_pages_agree() {
    // Half of the pages continue in one way and half in another; two pages continue in a way of their own.
    let template = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor";
    let endings = [" incididunt ut labore et dolore", " quis nostrud exercitation ulla"];
    let mut pages = pages_with("");
    for (i, (_, page)) in pages.iter_mut().enumerate() {
        let ending = if i < 2 { " magna aliqua ut enim ad minim" } else { endings[i % 2] };
        *page =
            format!("<p>{}<div>{template}{ending}</div><p>{}", words(i * 900, 50), words(i * 900 + 50, 50));
    }
    let found = |settings: &[(&str, &str)], page: usize| {
        let mut pages = pages.clone();
        pages.swap(0, page);
        regions(settings, &pages).concat()
    };
    let sampled = [("density", "8"), ("sample", "60")];
    let (common, other) = (found(&sampled, 5), found(&sampled, 0));
    assert!(common.contains("tempor quis nostrud exercitation"), "{common}");
    assert!(other.contains("eiusmod te") && !other.contains("magna"), "{other}");
}

#[test]
fn a_seed_without_a_window_around_it_is_no_template() {
    // 24 characters are equal on all pages: more than in a seed, fewer than in a window.
    let pages = pages_with("abcdefghijklmnopqrstuvwx");
    assert_eq!(regions(&[("density", "2"), ("sample", "60")], &pages), [""; 0]);
    let found = regions(&[("density", "2"), ("sample", "60"), ("window", "24")], &pages);
    assert!(found.len() == 1 && found[0].contains("defghijklmnopqrstu"), "{found:?}");
}

#[test]
fn sampled_lines_are_cut_and_labelled_like_pages() {
    let template: String = words(500_000, 120);
    let line =
        |i: usize| format!("{}{template}{}", words(i * 900, 400), words(i * 900 + 400, 30)).trim().to_owned();
    let text = crate::detect::Text { density: 40, sample: 60, ..Default::default() };
    let mut sample = crate::sample::Sample::new(200);
    for i in 0..30 {
        let mut pieces = Vec::new();
        text.line_pieces(&line(i).chars().collect::<Vec<_>>(), &mut pieces);
        // The pieces equal those of a page, however its text is divided.
        let mut of_page = Vec::new();
        let page = line(i).replace(' ', "<p>");
        text.pieces(&PageParser::new().open(bytes(&page)), &mut of_page);
        assert!(pieces == of_page && pieces.len() > 4 * 50);
        sample.add(crate::sample::Rank(i as u128), pieces);
    }
    let characters: Vec<char> = line(3).chars().collect();
    let found = text.line_templates(&text.model(&sample), &characters);
    let start = line(3).find(&template).unwrap();
    let end = start + template.trim_end().len();
    // The contents of a page may begin or end like those of other pages.
    assert_eq!(found.len(), 1);
    assert!(
        found[0].start.abs_diff(start) < 10 && found[0].end.abs_diff(end) < 10,
        "{found:?} {start}..{end}"
    );
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
    // Exchanges characters 64 apart, which a hash that only rotates would not detect.
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
    // A linear congruential generator provides letters without repetitions.
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
        // A sampled window has the same hash as when all windows are counted.
        assert!(sampled.iter().all(|(at, hash)| all[*at] == (*at, *hash)), "{window}");
        assert!((800..1200).contains(&sampled.len()), "{window}: {}", sampled.len());
        // The hash does not depend on the preceding characters.
        let later = windows(window, 40, &characters[5000..]);
        let expected: Vec<_> =
            sampled.iter().filter(|(at, _)| *at >= 5000).map(|(at, hash)| (at - 5000, *hash)).collect();
        assert!(later == expected, "{window}");
    }
}
