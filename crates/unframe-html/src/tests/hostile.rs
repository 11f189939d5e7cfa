//! Pages designed to be slow, deep or large. Time is not measured here: a quadratic parser would take hours.

use encoding_rs::UTF_8;

use crate::document::{NodeKind, Parser};
use crate::limits::{
    ATTRIBUTES_MAX, DEPTH_MAX, FORMATTING_MAX, NODES_MAX, PAGE_ATTRIBUTES_MAX, PIECES_MAX,
    REPEATED_FORMATTING_MAX,
};
use crate::{Piece, Pieces};

/// Parses a page and returns its number of nodes, its depth and the codes of its problems.
fn parse(page: &str) -> (usize, usize, Vec<&'static str>) {
    let mut parser = Parser::new();
    let document = parser.parse(page.as_bytes(), UTF_8);
    let depth =
        document.descendants().filter(|n| n.first_child().is_none()).map(|n| n.ancestors().count()).max();
    let problems = document.problems().iter().map(|(problem, ..)| problem.code()).collect();
    (document.node_count(), depth.unwrap_or(0), problems)
}

#[test]
fn nesting_up_to_the_limit_is_kept_and_the_rest_flattened() {
    // The root, html and body count as well, so the last element that fits is number DEPTH_MAX - 2.
    let (_, depth, problems) = parse(&"<div>".repeat(DEPTH_MAX - 2));
    assert_eq!((depth, problems), (DEPTH_MAX, vec![]));
    let (nodes, depth, problems) = parse(&"<div>".repeat(DEPTH_MAX));
    assert_eq!((nodes, depth, problems), (DEPTH_MAX + 4, DEPTH_MAX + 1, vec!["too-deep"]));
}

#[test]
fn end_tags_past_the_limit_close_nothing_else() {
    let page = format!("{}{}<p>after", "<div>".repeat(DEPTH_MAX + 100), "</div>".repeat(DEPTH_MAX + 100));
    let mut parser = Parser::new();
    let document = parser.parse(page.as_bytes(), UTF_8);
    let paragraph = document.elements("p").next().unwrap();
    assert_eq!(paragraph.ancestors().count(), 3, "p is in body, html, root");
}

#[test]
fn a_hundred_thousand_nested_elements() {
    for tag in [
        "div",
        "span",
        "b",
        "p",
        "table",
        "table><tr><td",
        "a",
        "font",
        "button",
        "ul><li",
        "svg",
        "math",
        "x-y",
    ] {
        parse(&format!("<{tag}>").repeat(100_000));
        parse(&format!("{}{}", format!("<{tag}>").repeat(100_000), "</x>".repeat(100_000)));
        let closed = tag.split('>').next().unwrap();
        parse(&format!("{}{}", format!("<{tag}>").repeat(100_000), format!("</{closed}>").repeat(100_000)));
    }
}

#[test]
fn tags_that_undo_each_other() {
    for piece in [
        "<b><p>",
        "<a><div>",
        "<i><table>",
        "<p></b>",
        "<font><p></font>",
        "<table><b>",
        "<svg><p>",
        "<select><b>",
    ] {
        parse(&piece.repeat(50_000));
    }
}

#[test]
fn formatting_that_is_never_closed_is_repeated_within_limits() {
    let open: String = (0..2 * FORMATTING_MAX).map(|i| format!("<font size={i}>")).collect();
    let page = format!("{open}{}", "<p>x".repeat(100_000));
    let (nodes, _, problems) = parse(&page);
    assert!(problems.contains(&"too-much-formatting"));
    assert!(nodes < page.len() / 2 + 2 * REPEATED_FORMATTING_MAX, "{nodes}");
}

#[test]
fn a_million_attributes() {
    let attributes: String = (0..1_000_000).map(|i| format!(" a{i}=1")).collect();
    let page = format!("<p{attributes}>x");
    let mut parser = Parser::new();
    let document = parser.parse(page.as_bytes(), UTF_8);
    let paragraph = document.elements("p").next().unwrap();
    assert_eq!(paragraph.attributes().count(), ATTRIBUTES_MAX);
    assert_eq!(paragraph.text(), "x");
    assert!(!document.problems().is_empty());
    let same = format!("<p{}>x", " a=1".repeat(1_000_000));
    assert_eq!(parser.parse(same.as_bytes(), UTF_8).elements("p").next().unwrap().attributes().count(), 1);
}

#[test]
fn a_page_has_so_many_attributes_and_no_more() {
    let tag = format!("<p{}>", (0..1 << 15).map(|i| format!(" a{i}")).collect::<String>());
    let page = tag.repeat((PAGE_ATTRIBUTES_MAX >> 15) + 1);
    let mut parser = Parser::new();
    let document = parser.parse(page.as_bytes(), UTF_8);
    let kept: usize = document.elements("p").map(|p| p.attributes().count()).sum();
    assert_eq!(kept, PAGE_ATTRIBUTES_MAX);
    assert_eq!(
        document.problems().iter().map(|(problem, ..)| problem.code()).last(),
        Some("too-many-attributes")
    );
}

/// The last text of a page, and its number of nodes and problems.
fn last_text(page: &str) -> (String, usize, Vec<&'static str>) {
    let mut parser = Parser::new();
    let document = parser.parse(page.as_bytes(), UTF_8);
    let last = document.descendants().filter(|node| node.kind() == NodeKind::Text).last();
    let problems = document.problems().iter().map(|(problem, ..)| problem.code()).collect();
    (last.map_or(String::new(), |text| text.text().into_owned()), document.node_count(), problems)
}

#[test]
fn a_tree_has_so_many_nodes_and_the_rest_is_text() {
    // The root, html, head and body are nodes as well.
    let page = "<p>x".repeat(NODES_MAX / 2 - 2);
    assert_eq!(last_text(&page), ("x".to_owned(), NODES_MAX, vec![]));
    let (text, nodes, problems) = last_text(&format!("{page}<p>rest &amp;<b>end"));
    assert_eq!((&*text, nodes, problems), ("<p>rest &amp;<b>end", NODES_MAX + 1, vec!["too-many-nodes"]));
}

#[test]
fn the_rest_of_a_page_is_not_hidden_in_its_last_script() {
    // The script is the last node that fits.
    let page = "<p>x".repeat(NODES_MAX / 2 - 3) + "<i>";
    for last in ["<script>", "<style>", "<title>"] {
        let closed = last.replace('<', "</");
        let (text, ..) = last_text(&format!("{page}{last}hidden{closed}<p>rest"));
        assert_eq!(text, "<p>rest", "{last}");
    }
}

#[test]
fn other_pages_with_millions_of_nodes() {
    for piece in
        ["<table>a</>a</>", "<table><td>x", "<b><p>x", "<frameset>a a a a", "<svg><g>x", "<!-->", "x</p>"]
    {
        let page = piece.repeat(3 * NODES_MAX);
        let (_, nodes, _) = last_text(&page);
        assert!(nodes < NODES_MAX + 1000, "{piece}: {nodes}");
        assert!(nodes >= NODES_MAX - 1000, "{piece}: {nodes}");
    }
}

#[test]
fn a_page_has_so_many_pieces_and_the_rest_is_text() {
    let mut parser = Parser::new();
    let mut pieces = |page: &str| -> (usize, Option<String>) {
        let source = parser.source(page.as_bytes(), UTF_8);
        let pieces: Vec<Piece> = Pieces::of(&source).collect();
        let last = match pieces.last() {
            Some(Piece::Text { span, kind }) => Some(source.text(*span, *kind).into_owned()),
            _ => None,
        };
        (pieces.len(), last)
    };
    let page = "</p>".repeat(PIECES_MAX);
    assert_eq!(pieces(&page), (PIECES_MAX, None));
    let rest = "<p>rest &amp;<b>end";
    assert_eq!(pieces(&format!("{page}{rest}")), (PIECES_MAX + 1, Some(rest.to_owned())));
    // The script is read to its end first.
    let page = "</p>".repeat(PIECES_MAX - 1);
    assert_eq!(pieces(&format!("{page}<script>hidden</script>{rest}")).1, Some(rest.to_owned()));
}

#[test]
fn attributes_of_repeated_html_tags() {
    let page: String = (0..50_000).map(|i| format!("<html a{i}=1><body b{i}=1>")).collect();
    parse(&page);
}

#[test]
fn one_long_text() {
    let page = "word ".repeat(20_000_000);
    let mut parser = Parser::new();
    let document = parser.parse(page.as_bytes(), UTF_8);
    let text = document.descendants().find(|node| node.kind() == NodeKind::Text).unwrap();
    assert_eq!(text.span().len(), page.len());
}

#[test]
fn unclosed_everything() {
    for piece in [
        "<",
        "</",
        "<!",
        "<!--",
        "<a ",
        "<a b='",
        "<title>",
        "<script><!--",
        "&",
        "&#",
        "<![CDATA[",
        "<?",
        "<!doctype ",
    ] {
        parse(&piece.repeat(200_000));
    }
    parse(&"\0".repeat(1_000_000));
    parse(&format!("<p>{}", "\0".repeat(1_000_000)));
}
