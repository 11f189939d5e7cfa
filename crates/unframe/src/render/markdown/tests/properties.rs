//! Checks that a Markdown parser finds the words of the page, whatever they are and however they are marked.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options};

use super::*;
use crate::render::testing;
use crate::text::content;

/// Text with characters that have a meaning in Markdown.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-zé漢]{1,4}",
        "[-+*_`~#>=|!.():$\\[\\]\\\\0-9]{1,4}",
        "[a*_~`\\[\\]()!:\\\\|]{1,5}",
        prop::sample::select(vec![
            "&lt;b>",
            "&amp;amp;",
            "&amp;",
            "&lt;",
            "1.",
            "- -",
            "[a](b)",
            "http://x/_a_",
            "（注）",
            "[ ]",
            "&lt;1@a.b>",
            "(*",
            "$5",
            "a$"
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec((word, prop::sample::select(vec!["", " ", "\n"])), 1..5)
        .prop_map(|words| words.into_iter().map(|(word, space)| word + space).collect())
}

fn inline() -> impl Strategy<Value = String> {
    text().prop_recursive(3, 12, 4, |inner| {
        let tag = prop::sample::select(vec!["b", "i", "code", "a href='x_(y)'", "del", "span", "sup"]);
        prop_oneof![
            (tag, inner.clone()).prop_map(|(tag, inner)| {
                let name = tag.split(' ').next().unwrap_or(tag);
                format!("<{tag}>{inner}</{name}>")
            }),
            prop::collection::vec(inner, 1..4).prop_map(|parts| parts.concat()),
            Just("<br>".to_owned()),
        ]
    })
}

fn page() -> impl Strategy<Value = String> {
    inline().prop_recursive(4, 24, 4, |inner| {
        let blocks = prop::sample::select(vec!["p", "div", "h2", "blockquote", "pre"]);
        let list = prop::sample::select(vec!["ul", "ol", "ol start=7"]);
        prop_oneof![
            (blocks, inner.clone()).prop_map(|(tag, inner)| format!("<{tag}>{inner}</{tag}>")),
            (list, prop::collection::vec(inner.clone(), 0..4)).prop_map(|(tag, items)| {
                let items: String = items.iter().map(|item| format!("<li>{item}</li>")).collect();
                format!("<{tag}>{items}</{}>", &tag[..2])
            }),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|cells| {
                let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
                format!("<table><tr>{cells}</tr><tr>{cells}</tr></table>")
            }),
            prop::collection::vec(inner, 1..4).prop_map(|parts| parts.concat()),
        ]
    })
}

/// The words that a Markdown parser outputs.
fn words_of(markdown: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let mut text = String::new();
    for event in pulldown_cmark::Parser::new_ext(markdown, options) {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            // Superscripts are HTML tags in Markdown.
            Event::InlineHtml(part) if ["<sup>", "</sup>"].contains(&&*part) => {}
            // Line breaks in cells are HTML tags as well.
            Event::InlineHtml(part) if &*part == "<br>" => text.push(' '),
            Event::Html(part) | Event::InlineHtml(part) => text.push_str(&format!("HTML{part}")),
            Event::SoftBreak | Event::HardBreak | Event::Rule => text.push(' '),
            Event::Start(tag) if is_inline(&tag) => {}
            Event::End(tag) if is_inline_end(&tag) => {}
            Event::Start(_) | Event::End(_) => text.push(' '),
            other => text.push_str(&format!("{other:?}")),
        }
    }
    text.split_whitespace().map(str::to_owned).collect()
}

/// Removes the notation of superscripts from words.
fn without_signs(words: &[String]) -> Vec<String> {
    let words = words.join(" ").replace(['^', '(', ')'], "");
    words.split_whitespace().map(str::to_owned).collect()
}

fn is_inline(tag: &pulldown_cmark::Tag<'_>) -> bool {
    use pulldown_cmark::Tag::{Emphasis, Link, Strikethrough, Strong};
    matches!(tag, Emphasis | Strong | Strikethrough | Link { .. })
}

fn is_inline_end(tag: &pulldown_cmark::TagEnd) -> bool {
    use pulldown_cmark::TagEnd::{Emphasis, Link, Strikethrough, Strong};
    matches!(tag, Emphasis | Strong | Strikethrough | Link)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_words_of_the_page(html in page(), regions in prop::collection::vec((0.0..1.0, 0.0..1.0), 0..3)) {
        let regions = testing::regions(&html, &regions);
        // Plain text and code have notation for superscripts, but not for an element with another name.
        let unsigned = html.replace("sup>", "bdi>");
        let expected = content::extract(&PageParser::new().open(PageBytes::utf8(unsigned.as_bytes())), &regions).text;
        let expected: Vec<String> = expected.split_whitespace().map(str::to_owned).collect();
        let markdown = render(&html, &regions);
        let words = words_of(&markdown);
        if html.contains("<sup") && ["<pre", "<code"].iter().any(|code| html.contains(code)) {
            prop_assert_eq!(without_signs(&words), without_signs(&expected), "{}", markdown);
        } else {
            prop_assert_eq!(words, expected, "{}", markdown);
        }
    }

    #[test]
    fn any_bytes(page in prop::collection::vec(any::<u8>(), 0..300)) {
        let page = PageBytes { payload: &page, encoding: encoding_rs::UTF_8 };
        markdown(&PageParser::new().open(page), &[], "http://x.example/", RenderOptions::default());
    }
}
