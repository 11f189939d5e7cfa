//! Properties that hold for any bytes.

use encoding_rs::{BIG5, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use proptest::prelude::*;

use crate::document::{Document, Node, NodeKind, Parser};
use crate::span::Span;

/// Bytes that resemble a page: pieces of markup in any order, truncated anywhere.
fn pages() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::sample::select(PIECES.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ];
    (prop::collection::vec(piece, 0..40), 0usize..4).prop_map(|(pieces, cut)| {
        let mut page = pieces.concat();
        page.truncate(page.len().saturating_sub(cut));
        page
    })
}

#[rustfmt::skip]
const PIECES: [&str; 78] = [
    "<p>", "</p>", "<div class='a b'>", "</div>", "<b>", "</b>", "<a href=x>", "</a>", "<i>", "</i>", "<font size=1>",
    "</font>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<tbody>", "<caption>", "<col>", "<colgroup>", "<li>",
    "<ul>", "</ul>", "<dd>", "<dt>", "<h1>", "</h2>", "<form>", "</form>", "<select>", "</select>", "<option>", "<input>",
    "<button>", "</button>", "<svg>", "</svg>", "<math>", "<mi>", "</math>", "<foreignObject>", "<title>", "</title>",
    "<script>", "</script>", "<!--", "-->", "<style>", "</style>", "<template>", "</template>", "<head>", "</head>",
    "<body>", "</body>", "<html lang=x>", "</html>", "<frameset>", "<frame>", "<textarea>\n", "</textarea>", "<pre>\r\n",
    "<nobr>", "<object>", "</object>", "<br/>", "</br>", "<![CDATA[", "]]>", "<annotation-xml encoding=text/html>",
    "text &amp; &eacute;", "\0", " \n", "<!doctype html>", "<plaintext>", "<noscript>", "<x-y>",
];

/// Checks the invariants of a tree, and returns its text nodes.
fn check_tree<'d>(document: &'d Document<'d>, len: usize) -> Vec<Node<'d>> {
    let whole = Span::new(0, len);
    let mut seen = vec![false; document.node_count()];
    for node in document.descendants() {
        assert!(!std::mem::replace(&mut seen[node.index()], true), "a node stands in the tree once");
        let span = node.span();
        assert!(span.start <= span.end && whole.contains(span), "{node:?}");
        for tag in node.start_tag().into_iter().chain(node.end_tag()) {
            assert!(span.contains(tag), "{span:?} {tag:?} {}", node.name());
        }
        for attribute in node.attribute_spans() {
            assert!(whole.contains(attribute.name) && whole.contains(attribute.value));
        }
        for child in node.children() {
            assert_eq!(child.parent().map(Node::index), Some(node.index()));
            if !child.is_moved() {
                assert!(
                    span.contains(child.span()),
                    "{} {span:?} {} {:?}",
                    node.name(),
                    child.name(),
                    child.span()
                );
            }
        }
    }
    document.descendants().filter(|node| node.kind() == NodeKind::Text).collect()
}

fn check_page(parser: &mut Parser, page: &[u8], encoding: &'static encoding_rs::Encoding) {
    let document = parser.parse(page, encoding);
    for text in check_tree(&document, page.len()) {
        let mut mapped = String::new();
        let mut last = text.span().start;
        text.for_each_char(|c, span| {
            mapped.push(c);
            assert!(span.start >= last && text.span().contains(span), "characters lie in the text, in order");
            last = span.start;
        });
        assert_eq!(mapped, text.text());
    }
    let mut outline = String::new();
    crate::outline::write(&document, &mut outline).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_parse(page in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut parser = Parser::new();
        check_page(&mut parser, &page, UTF_8);
    }

    #[test]
    fn any_markup_parses(page in pages()) {
        let mut parser = Parser::new();
        check_page(&mut parser, &page, UTF_8);
        check_page(&mut parser, &page, WINDOWS_1252);
    }

    #[test]
    fn any_charset_parses(page in pages()) {
        let mut parser = Parser::new();
        for encoding in [GBK, BIG5, SHIFT_JIS, UTF_16LE, UTF_16BE, ISO_2022_JP] {
            let document = parser.parse(&page, encoding);
            check_tree(&document, page.len());
        }
    }

    #[test]
    fn text_slices_back(words in prop::collection::vec("[a-zé漢]{1,6}", 1..20)) {
        let page: String = words.iter().map(|word| format!("<p>{word}<b>{word}</b>")).collect();
        let mut parser = Parser::new();
        let document = parser.parse(page.as_bytes(), UTF_8);
        let texts: Vec<_> = document.descendants().filter(|node| node.kind() == NodeKind::Text).collect();
        prop_assert_eq!(texts.len(), 2 * words.len());
        for (text, word) in texts.iter().zip(words.iter().flat_map(|word| [word, word])) {
            prop_assert_eq!(&page[text.span().range()], word);
        }
    }

    #[test]
    fn a_used_parser_is_as_good_as_a_new_one(first in pages(), second in pages()) {
        let outline = |parser: &mut Parser, page: &[u8]| {
            let mut text = String::new();
            crate::outline::write(&parser.parse(page, UTF_8), &mut text).unwrap();
            text
        };
        let mut used = Parser::new();
        outline(&mut used, &first);
        prop_assert_eq!(outline(&mut used, &second), outline(&mut Parser::new(), &second));
    }
}
