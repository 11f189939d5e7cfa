//! Checks that our parser finds only allowed elements in the result, and the words of the page, whatever the page is.

use proptest::prelude::*;

use super::*;
use crate::render::testing;
use crate::text::content;

/// The elements of simple HTML, with their attributes. All may have `lang`, `dir` and `id`.
#[rustfmt::skip]
const ALLOWED: [(&str, &[&str]); 42] = [
    ("html", &[]), ("head", &[]), ("body", &[]), ("h1", &[]), ("h2", &[]), ("h3", &[]), ("h4", &[]), ("h5", &[]), ("h6", &[]),
    ("p", &[]), ("ul", &[]), ("ol", &["start", "reversed"]), ("li", &["value"]), ("dl", &[]), ("dt", &[]), ("dd", &[]),
    ("blockquote", &[]), ("pre", &[]), ("code", &["class"]), ("figure", &[]), ("figcaption", &[]), ("hr", &[]), ("table", &[]),
    ("caption", &[]), ("thead", &[]), ("tbody", &[]), ("tfoot", &[]), ("tr", &[]), ("th", &["colspan", "rowspan"]),
    ("td", &["colspan", "rowspan"]), ("a", &["href", "title"]), ("img", &["src", "alt", "width", "height"]), ("br", &[]),
    ("strong", &[]), ("em", &[]), ("del", &[]), ("kbd", &[]), ("samp", &[]), ("sup", &[]), ("sub", &[]), ("div", &[]), ("span", &[]),
];

/// The names of elements that may be anywhere and show their text.
const SHOWN: &str = "p div h2 ul ol li dl dt dd blockquote pre code table tr td th thead tbody caption b i a bdi span figure figcaption hr br \
    img form font center my-tag button html body base nobr";
/// The names of elements with rules of their own.
const OTHERS: &str = "sup q math svg mi script style template title textarea select option";
const ATTRIBUTES: [&str; 20] = [
    "",
    "href=#x",
    "href=/a",
    "href='javascript:a()'",
    "id=x",
    "lang=en",
    "dir=rtl",
    "src=a.png alt='<b>'",
    "start=7",
    "value=3",
    "reversed",
    "colspan=2",
    "rowspan=3",
    "onclick=a()",
    "style=b",
    "title='\"><script>'",
    "class=language-js",
    "type=math/tex",
    "display=block",
    "name=x",
];

/// Tags in any order, with text between them.
fn tags(names: Vec<&'static str>) -> impl Strategy<Value = String> {
    let tag = (prop::sample::select(names), prop::sample::select(&ATTRIBUTES[..]), prop::bool::weighted(0.3));
    let tag = tag.prop_map(|(name, attribute, is_end)| match is_end {
        true => format!("</{name}>"),
        false => format!("<{name} {attribute}>"),
    });
    let text =
        prop::sample::select(vec!["a", " b ", "&lt;i>", "&amp;", "\n", "漢\u{a0}", "\\(x\\)", "\"'", ""]);
    prop::collection::vec((tag, text), 0..40)
        .prop_map(|parts| parts.into_iter().map(|(tag, text)| tag + text).collect())
}

fn names(lists: &[&'static str]) -> Vec<&'static str> {
    lists.iter().flat_map(|list| list.split_whitespace()).collect()
}

/// The letters of a page in alphabetical order: text in a table outside of its cells is moved before the table.
fn letters(page: &str, regions: &[Region]) -> Vec<char> {
    let mut letters: Vec<char> = words(page, regions).concat().chars().collect();
    letters.sort_unstable();
    letters
}

fn words(page: &str, regions: &[Region]) -> Vec<String> {
    let text = content::extract(&PageParser::new().open(PageBytes::utf8(page.as_bytes())), regions).text;
    text.split_whitespace().map(str::to_owned).collect()
}

/// Panics if the parser finds anything but allowed elements and attributes, or has to correct anything.
fn check_elements(html: &str) {
    let mut parser = PageParser::new();
    let page = parser.open(PageBytes::utf8(html.as_bytes()));
    let mut ids = std::collections::HashSet::new();
    for node in page.document().descendants().filter(|node| node.kind() != NodeKind::Document) {
        assert!(matches!(node.kind(), NodeKind::Element | NodeKind::Text), "{:?} in {html}", node.kind());
        assert!(!node.is_moved(), "{html}");
        if node.kind() == NodeKind::Text {
            continue;
        }
        let allowed = ALLOWED.iter().find(|(name, _)| *name == node.name());
        let Some((name, attributes)) = allowed else { panic!("<{}> in {html}", node.name()) };
        for (attribute, value) in node.attributes() {
            let is_allowed =
                attributes.contains(&&*attribute) || ["lang", "dir", "id"].contains(&&*attribute);
            assert!(is_allowed, "{attribute} of <{name}> in {html}");
            assert!(!value.contains("javascript"), "{value} in {html}");
            assert!(attribute != "id" || ids.insert(value.into_owned()), "id twice in {html}");
        }
        let is_void = ["img", "br", "hr"].contains(name);
        let is_implied = ["html", "head", "body"].contains(name);
        assert!(is_implied || node.start_tag().is_some(), "<{name}> in {html}");
        assert!(is_implied || is_void || node.end_tag().is_some(), "<{name}> in {html}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn only_allowed_elements_and_all_words(html in tags(names(&[SHOWN])), regions in prop::collection::vec((0.0..1.0, 0.0..1.0), 0..3)) {
        let regions = testing::regions(&html, &regions);
        let result = render(&html, &regions);
        check_elements(&result);
        prop_assert_eq!(letters(&result, &[]), letters(&html, &regions), "{}", result);
        let again = render(&result, &[]);
        prop_assert_eq!(letters(&again, &[]), letters(&html, &regions), "{}", again);
    }

    #[test]
    fn any_tags(html in tags(names(&[SHOWN, OTHERS]))) {
        check_elements(&render_with(&html, &[], "http://x.example/", RenderOptions::default()));
    }

    #[test]
    fn any_bytes(page in prop::collection::vec(any::<u8>(), 0..300)) {
        let bytes = PageBytes { payload: &page, encoding: encoding_rs::UTF_8 };
        check_elements(&simple_html(&PageParser::new().open(bytes), &[], "http://x.example/", RenderOptions::default()));
    }
}

#[test]
fn words_stay_apart() {
    for page in [
        "<p>a<p>b",
        "<ul><li>a<li>b</ul>",
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        "a<br>b",
        "a<img>b",
        "<dl><dt>a<dd>b</dl>",
    ] {
        assert_eq!(words(&render(page, &[]), &[]), words(page, &[]), "{page}");
    }
}
