//! Tests lines against the expected pages, then properties.

use std::io::{BufReader, Read};

use proptest::prelude::*;

use super::*;

/// Describes the result of a line: `url|html|date|codes of problems`, or `offset code` for a problem.
fn describe(found: &RowResult) -> String {
    match found {
        Ok(page) => {
            let codes: Vec<_> = page.problems.iter().map(|problem| problem.code).collect();
            let date = page.date.map(|date| date.to_string()).unwrap_or_default();
            format!("{}|{}|{date}|{}", page.url, String::from_utf8_lossy(&page.payload), codes.join(","))
        }
        Err(misread) => format!("{} {}", misread.offset, misread.problem.code),
    }
}

fn read_all(input: &[u8], buffer: usize, line_limit: usize, page_limit: usize) -> Vec<RowResult> {
    let mut found = Vec::new();
    read_within(BufReader::with_capacity(buffer, input), line_limit, page_limit, |page| {
        found.push(page);
        ControlFlow::Continue(())
    });
    found
}

#[track_caller]
fn check(input: impl AsRef<[u8]>, expected: &[&str]) {
    for buffer in [1, 7, 1 << 16] {
        let found = read_all(input.as_ref(), buffer, 1 << 20, 1 << 20);
        assert_eq!(found.iter().map(describe).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn lines_are_pages() {
    check(r#"{"url":"http://a/","html":"<p>a"}"#, &["http://a/|<p>a||"]);
    check("{\"url\":\"u\",\"html\":\"\"}\n{\"html\":\"h\",\"x\":[{}],\"url\":\"v\"}\n", &["u|||", "v|h||"]);
    check("\u{feff}\r\n  \n{\"url\":\"u\",\"html\":\"h\"}\r\n\r\n", &["u|h||"]);
    check(r#"{"url":"u","html":"\u00e9\n\"\ud83d\ude00"}"#, &["u|é\n\"😀||"]);
    check("", &[]);
}

#[test]
fn offsets_are_those_of_the_lines() {
    let found = read_all(b"{\"url\":\"u\",\"html\":\"\"}\r\n\n{\"url\":\"v\",\"html\":\"\"}", 5, 100, 100);
    let offsets: Vec<_> = found.iter().map(|page| page.as_ref().unwrap().offset).collect();
    assert_eq!(offsets, [0, 24]);
    assert_eq!(found[0].as_ref().unwrap().content_type.as_deref(), Some("text/html; charset=utf-8"));
}

#[test]
fn dates_are_texts_or_numbers() {
    let check_date = |date: &str, expected: &str| {
        let line = format!(r#"{{"url":"u","html":"h","date":{date}}}"#);
        check(line, &[&format!("u|h|{expected}")]);
    };
    check_date(r#""2016-02-03T04:05:06Z""#, "2016-02-03T04:05:06Z|");
    check_date(r#""20160203""#, "2016-02-03T00:00:00Z|");
    check_date("1454472306", "2016-02-03T04:05:06Z|");
    check_date("1454472306789", "2016-02-03T04:05:06.789Z|");
    check_date("1454472306.5", "2016-02-03T04:05:06.5Z|");
    check_date("null", "|");
    check_date(r#""soon""#, "|bad-date");
    check_date("[1]", "|bad-date");
    check_date("1e300", "|bad-date");
}

#[test]
fn fields_have_other_names_too() {
    check(r#"{"URI":"u","raw_html":"h","timestamp":"2016"}"#, &["u|h|2016-01-01T00:00:00Z|"]);
    check(r#"{"url":"u","uri":"x","raw_html":"x","html":"h"}"#, &["u|h||"]);
    check(r#"{"uri":"x","url":"u","html":"h","raw_html":"x"}"#, &["u|h||"]);
    check(r#"{"url":"u","html":null,"raw_html":"h"}"#, &["u|h||"]);
    check(r#"{"url":"x","url":"u","html":"h"}"#, &["u|h||"]);
}

#[test]
fn bad_lines_do_not_stop_the_reading() {
    let good = r#"{"url":"u","html":"h"}"#;
    for (bad, code) in [
        ("{", "bad-line"),
        ("garbage", "bad-line"),
        ("[]", "bad-line"),
        ("null", "bad-line"),
        ("\x00\x7f", "bad-line"),
        (r#"{"url":"u","html":"h"} x"#, "bad-line"),
        (r#"{"url":1,"html":"h"}"#, "bad-line"),
        (r#"{"url":"u","html":["h"]}"#, "bad-line"),
        (r#"{"html":"h"}"#, "missing-field"),
        (r#"{"url":" ","html":"h"}"#, "missing-field"),
        (r#"{"url":"u"}"#, "missing-field"),
        (r#"{"url":"u","html":null}"#, "missing-field"),
        (&"[".repeat(100_000), "bad-line"),
    ] {
        let input = format!("{good}\n{bad}\n{good}\n");
        check(input, &["u|h||", &format!("23 {code}"), "u|h||"]);
    }
}

#[test]
fn messages_say_what_is_wrong() {
    let message =
        |line: &str| read_all(line.as_bytes(), 100, 100, 100)[0].clone().unwrap_err().problem.message;
    assert_eq!(message(r#"{"url":1}"#), "invalid type: integer `1`, expected a string at column 8");
    assert_eq!(message("[]"), "invalid type: sequence, expected an object with url and html at column 0");
    assert_eq!(message(r#"{"url":"u"}"#), "the line has no html");
}

#[test]
fn what_is_not_utf8_is_replaced_and_said() {
    check(b"{\"url\":\"u\",\"html\":\"\xe9\"}", &["u|\u{fffd}||bad-utf8"]);
    check(r#"{"url":"u","html":"a\ud800b"}"#, &["u|a\u{fffd}\u{fffd}\u{fffd}b||bad-utf8"]);
}

#[test]
fn limits_of_lines_and_pages() {
    let line = |html: usize| format!("{{\"url\":\"u\",\"html\":\"{}\"}}\n", "x".repeat(html));
    let input = [line(10), line(80), line(10), line(81), line(11)].concat();
    for buffer in [1, 64, 4096] {
        let found = read_all(input.as_bytes(), buffer, 101, 10);
        let cut = "u|xxxxxxxxxx||body-too-large";
        assert_eq!(
            found.iter().map(describe).collect::<Vec<_>>(),
            ["u|xxxxxxxxxx||", cut, "u|xxxxxxxxxx||", "166 line-too-long", cut]
        );
    }
}

#[test]
fn a_failing_input_is_a_problem() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    let mut found = Vec::new();
    read(BufReader::new(b"{\"url\":\"u\",\"html\":\"h\"}\nx".chain(Failing)), |page| {
        found.push(describe(&page));
        ControlFlow::Continue(())
    });
    assert_eq!(found, ["u|h||", "23 read-error"]);
}

#[test]
fn the_caller_can_stop() {
    let mut count = 0;
    read(&b"{}\n{}\n{}\n"[..], |_| {
        count += 1;
        ControlFlow::Break(())
    });
    assert_eq!(count, 1);
}

proptest! {
    #[test]
    fn any_bytes_are_read(input: Vec<u8>, buffer in 1_usize..20) {
        read_all(&input, buffer, 50, 50);
    }

    #[test]
    fn pages_come_back(pages in prop::collection::vec((".{1,20}", ".{0,200}"), 0..10), buffer in 1_usize..100) {
        let lines: String = pages
            .iter()
            .map(|(url, html)| serde_json::json!({"url": format!("u{url}"), "html": html}).to_string() + "\n")
            .collect();
        let found = read_all(lines.as_bytes(), buffer, 1 << 20, 1 << 20);
        prop_assert_eq!(found.len(), pages.len());
        for (found, (url, html)) in found.into_iter().zip(pages) {
            let found = found.unwrap();
            prop_assert_eq!(found.url, format!("u{url}"));
            prop_assert_eq!(found.payload, html.into_bytes());
        }
    }
}
