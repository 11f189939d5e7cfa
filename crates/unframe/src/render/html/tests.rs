//! Tests pages against the expected output, and properties of all pages.

use encoding_rs::{ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use proptest::prelude::*;

use super::*;
use crate::detect::{self, Detector};
use crate::parsed::{PageBytes, PageParser};
use crate::render::testing::{self, marked};
use crate::text::content;

fn render(page: &[u8], encoding: &'static encoding_rs::Encoding, regions: &[Region]) -> Vec<u8> {
    html(&PageParser::new().open(PageBytes { payload: page, encoding }), regions)
}

/// Checks a page with marked regions.
#[track_caller]
fn check(page: &str, expected: &str) {
    let (page, regions) = marked(page);
    assert_eq!(String::from_utf8(render(page.as_bytes(), UTF_8, &regions)).unwrap(), expected);
}

#[test]
fn whole_elements_are_cut() {
    check("<p>a</p>⟦<nav><a href=/>b</a></nav>⟧<p>c</p>", "<p>a</p><p>c</p>");
    check("<ul>⟦<li>a⟧<li>b⟦<li>c⟧</ul>", "<ul><li>b</ul>");
    check("<p>a⟦<script>b</script><!-- c -->⟧</p>", "<p>a<!-- c --></p>");
    check("⟦<p>a</p>⟧⟦<p>b</p>⟧c", "<p></p>c");
    check("<table>⟦<tr><td>a<td>b⟧<tr><td>c</table>", "<table><tr><td>c</table>");
    check("a<p>b</p>", "a<p>b</p>");
}

#[test]
fn tags_that_reach_out_of_a_region_stay() {
    check("<div><p>a ⟦b</p><p>c</p><p>d⟧ e</p></div>", "<div><p>a </p><p> e</p></div>");
    check("<b>a⟦b</b><i>c</i>d⟧", "<b>a</b>");
    check("⟦a</div></p>⟧", "</div>");
    check("<div>⟦<table><tr><td></div>a</table>⟧b</div>", "<div><table></table>b</div>");
    check("⟦<b><p>a</b>⟧b</p>", "<p>b</p>");
}

#[test]
fn what_decides_how_the_page_looks_stays() {
    check(
        "<html>⟦<head><meta charset=utf-8><meta name=a><title>b</title><link rel='x stylesheet' href=c>\
         <link rel=icon><style>d</style><script>e</script><base href=f></head>⟧<body>g",
        "<html><head><meta charset=utf-8><title>b</title><link rel='x stylesheet' href=c>\
         <style>d</style><base href=f></head><body>g",
    );
    check("⟦<nav><style>a</style>b<svg><title>c</title></svg></nav>⟧d<p>", "<nav><style>a</style></nav>d<p>");
    check("⟦<nav><style>a</style>b</nav>⟧<p>c", "<style>a</style><p>c");
    check(
        "<!doctype html>⟦<html><body class=a><p>b</body></html>⟧",
        "<!doctype html><html><body class=a></body></html>",
    );
    check("<table><tr>⟦<td class=a>b</td>⟧<td>c</table>", "<table><tr><td class=a></td><td>c</table>");
    check("a⟦<br>⟧b", "a<br>b");
}

#[test]
fn words_are_not_glued() {
    check("one⟦ two ⟧three", "one three");
    check("one⟦two⟧ three", "one three");
    check("<b>one</b>⟦two⟧<i>three</i>", "<b>one</b><i> three</i>");
    check("<p>one</p>⟦two⟧<p>three</p>", "<p>one</p><p>three</p>");
    check("<p>one⟦<ul><li>two</ul>⟧three", "<p>one<ul></ul>three");
    check("one⟦<i></i>⟧two", "onetwo");
    check("a &lt; b <⟦<i></i>⟧b", "a &lt; b < b");
    check("&am⟦ ⟧p;", "&am p;");
}

#[test]
fn the_charset_stays() {
    let (text, regions) = marked("<p>é⟦ä⟧ü");
    let encode = |text: &str| WINDOWS_1252.encode(text).0.into_owned();
    // The marks were counted in UTF-8, in which each of these letters has two bytes.
    let region = Region { span: Span { start: 4, end: 5 }, ..regions[0] };
    assert_eq!(render(&encode(&text), WINDOWS_1252, &[region]), encode("<p>é ü"));

    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let region = Region { span: Span { start: 8, end: 10 }, ..region };
    assert_eq!(render(&utf16("<p>é漢ü"), UTF_16LE, &[region]), utf16("<p>é ü"));
    let region = Region { span: Span { start: 0, end: 16 }, ..region };
    assert_eq!(render(&utf16("<p>é</p>ü"), UTF_16LE, &[region]), utf16("<p></p>ü"));

    let (sjis, ..) = SHIFT_JIS.encode("<p>あいう");
    let region = Region { span: Span { start: 5, end: 7 }, ..region };
    assert_eq!(render(&sjis, SHIFT_JIS, &[region]), SHIFT_JIS.encode("<p>あ う").0.into_owned());
}

#[test]
fn shifts_of_japanese_mail_stay_right() {
    // Between ESC $ B and ESC ( B, each character has two bytes.
    let page = b"a\x1b$B$\"$$\x1b(Bb\x1b$B$&\x1b(Bc";
    let text = |regions: &[(u32, u32)]| {
        let region = |(start, end): &(u32, u32)| {
            Region::new(Span { start: *start, end: *end }, crate::TemplateHash(0), 2)
        };
        let regions: Vec<Region> = regions.iter().map(region).collect();
        ISO_2022_JP.decode(&render(page, ISO_2022_JP, &regions)).0.into_owned()
    };
    assert_eq!(text(&[]), "aあいbうc");
    assert_eq!(text(&[(1, 6)]), "a いbうc");
    assert_eq!(text(&[(6, 8)]), "aあ bうc");
    assert_eq!(text(&[(8, 12)]), "aあい うc");
    assert_eq!(text(&[(6, 17)]), "aあ c");
    assert_eq!(text(&[(0, 1), (6, 12)]), "あ うc");
}

#[test]
fn deep_pages() {
    for tag in ["div", "b", "ul><li", "table><tr><td", "p", "a href=x", "font"] {
        let page = format!("<{tag}>x ").repeat(100_000);
        let region = Region::new(Span::new(10, page.len() / 2), crate::TemplateHash(0), 2);
        check_page(page.as_bytes(), &[region]);
    }
}

#[test]
fn many_regions() {
    let page = "<p><i>a</i>b</p>".repeat(100_000);
    let region = |at: usize| Region::new(Span::new(at + 3, at + 11), crate::TemplateHash(0), 2);
    let regions: Vec<Region> = (0..100_000).map(|number| region(16 * number)).collect();
    assert_eq!(render(page.as_bytes(), UTF_8, &regions), "<p>b</p>".repeat(100_000).as_bytes());
}

/// Checks that all bytes outside of the regions stay in order, and that only spaces are added.
fn check_page(page: &[u8], regions: &[Region]) -> Vec<u8> {
    let out = render(page, UTF_8, regions);
    let mut outside = Vec::new();
    let whole = Span::new(0, page.len());
    RegionCursor::new(regions).split(whole, |part, region| {
        outside.extend(part.slice(page).iter().filter(|_| region.is_none()));
    });
    assert!(is_subsequence(&outside, &out), "a byte that no region covers is missing");
    let without_spaces =
        |bytes: &[u8]| bytes.iter().copied().filter(|byte| *byte != b' ').collect::<Vec<u8>>();
    assert!(is_subsequence(&without_spaces(&out), page), "something was added");
    out
}

fn is_subsequence(part: &[u8], whole: &[u8]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|byte| whole.any(|other| other == byte))
}

fn words(page: &[u8], regions: &[Region]) -> Vec<String> {
    let page = PageBytes { payload: page, encoding: UTF_8 };
    let text = content::extract(&PageParser::new().open(page), regions).text;
    text.split_whitespace().map(str::to_owned).collect()
}

/// Pages that are mostly well formed.
fn pages() -> impl Strategy<Value = String> {
    let text = "[a-zé漢]{1,4}( (&amp;)?[a-z;]{1,5}){0,2} ?";
    let leaf = prop_oneof![
        8 => text,
        1 => prop::sample::select(vec!["<br>", "<hr>", "<img>", "<!-- a -->", "<style>a</style>", "<script>a</script>"])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let tag =
            prop::sample::select(vec!["p", "div", "b", "a", "li", "ul", "h1", "pre", "span", "button", "td"]);
        prop_oneof![
            (tag, inner.clone(), any::<bool>()).prop_map(|(tag, inner, is_closed)| match tag {
                "td" => format!("<table><tr><td>{inner}</td><td>x</td></tr></table>"),
                _ if is_closed || ["pre", "button", "b", "a"].contains(&tag) =>
                    format!("<{tag}>{inner}</{tag}>"),
                _ => format!("<{tag}>{inner}"),
            }),
            prop::collection::vec(inner, 1..5).prop_map(|parts| parts.concat()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_words_of_the_content_stay(page in pages(), shares in prop::collection::vec((0.0..1.0, 0.0..1.0), 0..4)) {
        let regions = testing::regions(&page, &shares);
        let out = check_page(page.as_bytes(), &regions);
        let out_text = String::from_utf8_lossy(&out).into_owned();
        prop_assert_eq!(words(&out, &[]), words(page.as_bytes(), &regions), "{}", out_text);
    }

    #[test]
    fn regions_of_methods(pages in prop::collection::vec(pages(), 3..6), menu in pages(), method in 0usize..2) {
        let detector: Box<dyn Detector> = match method {
            0 => Box::new(detect::Dom::default()),
            _ => Box::new(detect::Text { window: 6, ..Default::default() }),
        };
        let pages: Vec<String> = pages.iter().map(|page| format!("<body><div>{menu}</div><p>{page}")).collect();
        let learner = crate::learn::Learner::new(detector, 0);
        let mut parser = PageParser::new();
        for (number, page) in pages.iter().enumerate() {
            let page = PageBytes::utf8(page.as_bytes());
            learner.observe("a", &number.to_string(), &parser.open(page));
        }
        let models = learner.models();
        for page in &pages {
            let regions = models.label("a", &parser.open(PageBytes::utf8(page.as_bytes())));
            let out = check_page(page.as_bytes(), &regions);
            let out_text = String::from_utf8_lossy(&out).into_owned();
            prop_assert_eq!(words(&out, &[]), words(page.as_bytes(), &regions), "{}\n{}", page, out_text);
        }
    }

    #[test]
    fn any_bytes_and_any_regions(
        page in prop::collection::vec(prop::sample::select(b"<>/pb&;ax !-\x80\0".to_vec()), 0..200),
        starts in prop::collection::vec((0u32..200, 0u32..30), 0..6),
    ) {
        let mut at = 0;
        let len = page.len() as u32;
        let regions: Vec<Region> = starts.into_iter().filter_map(|(gap, size)| {
            let span = Span { start: (at + gap % 20).min(len), end: (at + gap % 20 + size).min(len) };
            at = span.end;
            (!span.is_empty()).then_some(Region::new(span, crate::TemplateHash(0), 2))
        }).collect();
        check_page(&page, &regions);
        for encoding in [UTF_16LE, ISO_2022_JP, SHIFT_JIS] {
            render(&page, encoding, &regions);
        }
    }
}
