//! Tests small pages against trees and spans written out. They complement the conformance suite.

use encoding_rs::{Encoding, UTF_8, UTF_16LE};

use crate::document::{NodeKind, Parser};
use crate::outline;

/// Compares the outline of a page, after removing the common indentation of both sides.
fn check(page: &str, expected: &str) {
    check_in(page.as_bytes(), UTF_8, expected);
}

fn check_in(page: &[u8], encoding: &'static Encoding, expected: &str) {
    let mut parser = Parser::new();
    let document = parser.parse(page, encoding);
    let mut found = String::new();
    outline::write(&document, &mut found).unwrap();
    let lines: Vec<&str> = expected.lines().filter(|line| !line.trim().is_empty()).collect();
    let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let expected: String = lines.iter().map(|line| format!("{}\n", &line[indent..])).collect();
    assert_eq!(found, expected, "{:?}", String::from_utf8_lossy(page));
}

#[test]
fn a_whole_page() {
    check(
        "<!doctype html><html lang=en><head><title>T</title></head><body><p>x</p></body></html>",
        r#"
        !doctype html 0..15
        html lang="en" 15..86 start 15..29 end 79..86
          head 29..58 start 29..35 end 51..58
            title 35..51 start 35..42 end 43..51
              "T" 42..43
          body 58..79 start 58..64 end 72..79
            p 64..72 start 64..67 end 68..72
              "x" 67..68
        "#,
    );
}

#[test]
fn end_tags_that_are_left_out() {
    check(
        "<ul><li>a<li>b</ul>c",
        r#"
        html 0..20
          head 0..0
          body 0..20
            ul 0..19 start 0..4 end 14..19
              li 4..9 start 4..8
                "a" 8..9
              li 9..14 start 9..13
                "b" 13..14
            "c" 19..20
        "#,
    );
}

#[test]
fn elements_that_every_table_has() {
    check(
        "<table><td>a</table>",
        r#"
        html 0..20
          head 0..0
          body 0..20
            table 0..20 start 0..7 end 12..20
              tbody 7..12
                tr 7..12
                  td 7..12 start 7..11
                    "a" 11..12
        "#,
    );
}

#[test]
fn text_in_a_table_goes_in_front_of_it() {
    check(
        "<table>x<tr><td>a</table>",
        r#"
        html 0..25
          head 0..0
          body 0..25
            "x" 7..8 moved
            table 0..25 start 0..7 end 17..25
              tbody 8..17
                tr 8..17 start 8..12
                  td 12..17 start 12..16
                    "a" 16..17
        "#,
    );
}

#[test]
fn formatting_goes_on_in_the_next_paragraph() {
    check(
        "<p><b>x<p>y</b>z",
        r#"
        html 0..16
          head 0..0
          body 0..16
            p 0..7 start 0..3
              b 3..7 start 3..6
                "x" 6..7
            p 7..16 start 7..10
              b 10..15 end 11..15
                "y" 10..11
              "z" 15..16
        "#,
    );
}

#[test]
fn overlapping_formatting_is_taken_apart() {
    check(
        "<b>1<p>2</b>3</p>",
        r#"
        html 0..17
          head 0..0
          body 0..17
            b 0..12 start 0..3 end 8..12
              "1" 3..4
            p 4..17 start 4..7 end 13..17
              b 7..12 end 8..12
                "2" 7..8
              "3" 12..13
        "#,
    );
}

#[test]
fn what_follows_the_body_still_belongs_to_it() {
    check(
        "<body>a</body>\n<p>b",
        r#"
        html 0..19
          head 0..0
          body 0..14 start 0..6 end 7..14
            "a" 6..7
            "\n" 14..15 moved
            p 15..19 start 15..18 moved
              "b" 18..19
        "#,
    );
}

#[test]
fn tags_that_mean_nothing_split_text() {
    check(
        "a</i>b",
        r#"
        html 0..6
          head 0..0
          body 0..6
            "a" 0..1
            "b" 5..6
        "#,
    );
}

#[test]
fn drawings_and_formulas() {
    check(
        "<svg viewbox=0><foreignobject><p>x</svg>",
        r#"
        html 0..40
          head 0..0
          body 0..40
            svg viewBox="0" 0..40 start 0..15
              foreignObject 15..40 start 15..30
                p 30..40 start 30..33
                  "x" 33..34
        "#,
    );
    check(
        "<math><mi>x</mi><br>",
        r#"
        html 0..20
          head 0..0
          body 0..20
            math 0..16 start 0..6
              mi 6..16 start 6..10 end 11..16
                "x" 10..11
            br 16..20 start 16..20
        "#,
    );
}

#[test]
fn raw_text_and_references() {
    check(
        "<title>&lt;b></title><script>a<b</script>&eacute;&#xe9",
        r#"
        html 0..54
          head 0..41
            title 0..21 start 0..7 end 13..21
              "<b>" 7..13
            script 21..41 start 21..29 end 32..41
              "a<b" 29..32
          body 41..54
            "éé" 41..54
        "#,
    );
}

#[test]
fn charsets_keep_positions() {
    check_in(
        "<p>яд"
            .chars()
            .flat_map(|c| encoding_rs::WINDOWS_1251.encode(&c.to_string()).0.into_owned())
            .collect::<Vec<_>>()
            .as_slice(),
        encoding_rs::WINDOWS_1251,
        r#"
        html 0..5
          head 0..0
          body 0..5
            p 0..5 start 0..3
              "яд" 3..5
        "#,
    );
    let utf16: Vec<u8> = "\u{feff}<p>漢</p>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check_in(
        &utf16,
        UTF_16LE,
        r#"
        html 2..18
          head 2..2
          body 2..18
            p 2..18 start 2..8 end 10..18
              "漢" 8..10
        "#,
    );
}

#[test]
fn a_byte_order_mark_is_no_text() {
    check(
        "\u{feff}a",
        r#"
        html 3..4
          head 3..3
          body 3..4
            "a" 3..4
        "#,
    );
}

#[test]
fn an_empty_page_has_a_tree() {
    check(
        "",
        r#"
        html 0..0
          head 0..0
          body 0..0
        "#,
    );
}

#[test]
fn attributes_are_decoded() {
    let mut parser = Parser::new();
    let document = parser.parse(b"<a HREF='?a=1&amp;b=&quot;' class=x>", UTF_8);
    let link = document.elements("a").next().unwrap();
    assert_eq!(link.attribute("href").as_deref(), Some("?a=1&b=\""));
    assert_eq!(link.attribute("id"), None);
    let names: Vec<_> = link.attributes().map(|(name, _)| name).collect();
    assert_eq!(names, ["href", "class"]);
}

#[test]
fn a_cut_page_says_so() {
    let mut parser = Parser::new();
    let codes = |problems: &crate::problem::ParseProblems| -> Vec<_> {
        problems.iter().map(|(problem, at, count)| (problem.code(), at, count)).collect()
    };
    let document = parser.parse(b"<p>a<b class='x", UTF_8);
    assert_eq!(codes(document.problems()), [("ends-in-tag", 4, 1)]);
    let document = parser.parse(b"<p>a<!-- b", UTF_8);
    assert_eq!(codes(document.problems()), [("ends-in-comment", 4, 1)]);
    let document = parser.parse(b"<script>a", UTF_8);
    assert_eq!(codes(document.problems()), [("ends-in-raw-text", 8, 1)]);
}

#[test]
fn memory_is_reused_and_pages_do_not_mix() {
    let mut parser = Parser::new();
    let count = parser.parse(b"<x-a><x-b>1", UTF_8).descendants().count();
    assert_eq!(count, 7);
    let document = parser.parse(b"<x-c>2", UTF_8);
    let names: Vec<_> =
        document.descendants().filter(|n| n.kind() == NodeKind::Element).map(|n| n.name()).collect();
    assert_eq!(names, ["html", "head", "body", "x-c"]);
}
