//! Tests of the tokenizer: the crate's own cases, and the html5lib suite.

use encoding_rs::UTF_8;
use serde_json::{Value, json};

use super::{Mode, TextKind, Token, Tokenizer};
use crate::decode;
use crate::span::Span;
use crate::tests::conformance::{files, suite};

/// The tokens in the notation of the suite, with adjacent text joined.
fn tokens(input: &[u8], mode: Mode, last_start: Option<&str>) -> Vec<Value> {
    let mut tokenizer = Tokenizer::new(input);
    match last_start {
        Some(name) => {
            let element = tokenizer.names.tag(name.as_bytes());
            tokenizer.switch_to(mode, element);
        }
        None => tokenizer.begin_in(mode),
    }
    let mut found: Vec<Value> = Vec::new();
    loop {
        let token = tokenizer.next(mode == Mode::Cdata);
        let value = match token {
            Token::Eof => return found,
            Token::Text { span, kind } => {
                // The tokenizer tests expect null bytes of plain text to be kept, because dropping them is the task of tree construction.
                let text = match kind {
                    TextKind::Replaced => decode::text(span.slice(input), UTF_8, kind).into_owned(),
                    TextKind::Raw if mode != Mode::Cdata => {
                        decode::text(span.slice(input), UTF_8, kind).into_owned()
                    }
                    kind => nulls_kept(span.slice(input), kind),
                };
                if text.is_empty() {
                    continue;
                }
                if let Some(Value::Array(last)) = found.last_mut()
                    && last[0] == "Character"
                {
                    last[1] = json!(format!("{}{text}", last[1].as_str().unwrap()));
                    continue;
                }
                json!(["Character", text])
            }
            Token::Start(tag) => {
                let attributes: serde_json::Map<String, Value> = tokenizer
                    .attributes_of(&tag)
                    .iter()
                    .map(|attribute| {
                        let value = decode::attribute_value(attribute.value.slice(input), UTF_8);
                        (decode::name(attribute.name.slice(input), UTF_8).into_owned(), json!(value))
                    })
                    .collect();
                let name = decode::name(tag.name.slice(input), UTF_8);
                match tag.self_closing {
                    true => json!(["StartTag", name, attributes, true]),
                    false => json!(["StartTag", name, attributes]),
                }
            }
            Token::End(tag) => json!(["EndTag", decode::name(tag.name.slice(input), UTF_8)]),
            Token::Comment { data, .. } => {
                json!(["Comment", decode::text(data.slice(input), UTF_8, TextKind::Raw)])
            }
            Token::Doctype(doctype) => {
                let id =
                    |span: Option<Span>| span.map(|s| decode::text(s.slice(input), UTF_8, TextKind::Raw));
                let name = doctype.name.map(|name| decode::name(name.slice(input), UTF_8));
                json!(["DOCTYPE", name, id(doctype.public), id(doctype.system), !doctype.force_quirks])
            }
        };
        found.push(value);
    }
}

fn nulls_kept(bytes: &[u8], kind: TextKind) -> String {
    bytes.split(|byte| *byte == 0).map(|part| decode::text(part, UTF_8, kind)).collect::<Vec<_>>().join("\0")
}

#[test]
fn suite_of_html5lib() {
    let (mut passed, mut not_utf8) = (0, 0);
    let (mut failed, mut without_cases) = (Vec::new(), Vec::new());
    for file in files(&suite("tokenizer"), "test") {
        let name = file.file_name().unwrap().to_string_lossy();
        let suite: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let Some(cases) = suite["tests"].as_array() else {
            without_cases.push(name.into_owned());
            continue;
        };
        for case in cases {
            let Some((input, expected)) = input_and_expected(case) else {
                not_utf8 += 1;
                continue;
            };
            let states =
                case["initialStates"].as_array().cloned().unwrap_or_else(|| vec![json!("Data state")]);
            for state in &states {
                let found =
                    tokens(input.as_bytes(), mode(state.as_str().unwrap()), case["lastStartTag"].as_str());
                if found == expected {
                    passed += 1;
                } else {
                    failed.push(format!("{name}: {input:?} in {state}\n  {expected:?}\n  {found:?}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert_eq!((passed, not_utf8), (7028, 4));
    // The cases of this file require trees that are valid XML, which this parser does not produce.
    assert_eq!(without_cases, ["xmlViolation.test"]);
}

/// `None` for input that cannot be represented in UTF-8: lone surrogates.
fn input_and_expected(case: &Value) -> Option<(String, Vec<Value>)> {
    let (mut input, mut expected) = (case["input"].clone(), case["output"].clone());
    if case["doubleEscaped"] == true {
        unescape(&mut input)?;
        unescape(&mut expected)?;
    }
    // The suite splits text at expected errors. This tokenizer reports no such errors, so adjacent texts are joined.
    let mut joined: Vec<Value> = Vec::new();
    for token in expected.as_array()?.clone() {
        if token[0] == "Character"
            && let Some(Value::Array(last)) = joined.last_mut()
            && last[0] == "Character"
        {
            last[1] = json!(format!("{}{}", last[1].as_str()?, token[1].as_str()?));
            continue;
        }
        joined.push(token);
    }
    Some((input.as_str()?.to_owned(), joined))
}

fn unescape(value: &mut Value) -> Option<()> {
    match value {
        Value::String(text) => {
            let quoted = format!("\"{}\"", text.replace('"', "\\\""));
            *text = serde_json::from_str(&quoted).ok()?;
        }
        Value::Array(items) => items.iter_mut().try_for_each(unescape)?,
        Value::Object(fields) => {
            let entries: Vec<_> = std::mem::take(fields).into_iter().collect();
            for (mut name, mut value) in entries {
                let mut as_value = Value::String(std::mem::take(&mut name));
                unescape(&mut as_value)?;
                unescape(&mut value)?;
                fields.insert(as_value.as_str()?.to_owned(), value);
            }
        }
        _ => {}
    }
    Some(())
}

fn mode(state: &str) -> Mode {
    match state {
        "PLAINTEXT state" => Mode::Plaintext,
        "RCDATA state" => Mode::Rcdata,
        "RAWTEXT state" => Mode::Rawtext,
        "Script data state" => Mode::Script,
        "CDATA section state" => Mode::Cdata,
        _ => Mode::Data,
    }
}

/// Checks the bytes of each token of a page.
fn check(page: &str, expected: &[&str]) {
    let mut tokenizer = Tokenizer::new(page.as_bytes());
    let mut found = Vec::new();
    loop {
        let (kind, span) = match tokenizer.next_by_name() {
            Token::Text { span, .. } => ("text", span),
            Token::Start(tag) => ("start", tag.span),
            Token::End(tag) => ("end", tag.span),
            Token::Comment { span, .. } => ("comment", span),
            Token::Doctype(doctype) => ("doctype", doctype.span),
            Token::Eof => break,
        };
        found.push(format!("{kind} {}", &page[span.range()]));
    }
    assert_eq!(found, expected);
}

#[test]
fn tokens_have_their_bytes() {
    check(
        "<!doctype html>a<b>c</b >",
        &["doctype <!doctype html>", "text a", "start <b>", "text c", "end </b >"],
    );
    check("1 < 2 <3 </", &["text 1 < 2 <3 </"]);
    check(
        "<!-- a --><!b><?c?></ d>",
        &["comment <!-- a -->", "comment <!b>", "comment <?c?>", "comment </ d>"],
    );
    check("x</>y", &["text x", "text y"]);
    check("<p a='>' b=\">\" c=/>x", &["start <p a='>' b=\">\" c=/>", "text x"]);
    check("<p <b", &[]);
}

#[test]
fn raw_text_ends_at_its_own_end_tag() {
    check("<title><b>&amp;</b></title >", &["start <title>", "text <b>&amp;</b>", "end </title >"]);
    check("<style></styles></STYLE>", &["start <style>", "text </styles>", "end </STYLE>"]);
    check(
        "<script><!--<script></script>--></script>x",
        &["start <script>", "text <!--<script></script>-->", "end </script>", "text x"],
    );
    check("<script><!--</script>x", &["start <script>", "text <!--", "end </script>", "text x"]);
    check("<plaintext></plaintext>", &["start <plaintext>", "text </plaintext>"]);
}

#[test]
fn attributes_are_kept_once() {
    let page = b"<a B=1 c='2' b=3 =d e=\"&lt;\"/>";
    let mut tokenizer = Tokenizer::new(page);
    let Token::Start(tag) = tokenizer.next_by_name() else { panic!("a start tag") };
    let found: Vec<_> = tokenizer
        .attributes_of(&tag)
        .iter()
        .map(|a| (a.name.slice(page).to_vec(), a.value.slice(page).to_vec()))
        .collect();
    let expected = [("B", "1"), ("c", "2"), ("=d", ""), ("e", "&lt;")];
    assert_eq!(found, expected.map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec())));
    assert!(tag.self_closing);
}
