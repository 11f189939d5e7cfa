//! Runs the html5lib conformance suite, a copy of which is in `tests/html5lib`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use encoding_rs::UTF_8;

use crate::document::{Document, Node, NodeKind, Parser};
use crate::tag::Namespace;

/// A folder of the suite.
pub(crate) fn suite(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/html5lib").join(folder)
}

/// The files of a folder with that extension, in the order of their names.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

/// Cases whose expected tree contains text without bytes of its own: browsers copy the selected option into `selectedcontent`, and a copy
/// has no span in the page.
const COPIES_OPTION: [&str; 4] = [
    "<select><button><selectedcontent></button><option>X",
    "<select><button><selectedcontent></button><option>x<i>i<b>ib</i>b",
    "<select><button><selectedcontent></button><option>X<option>Y",
    "<select><button><selectedcontent></button><option>X<option selected>Y",
];

#[test]
fn tree_construction() {
    let mut parser = Parser::new();
    let (mut passed, mut need_scripts, mut copy_option) = (0, 0, 0);
    let mut failed = Vec::new();
    for file in files(&suite("tree-construction"), "dat") {
        for case in cases(&std::fs::read(&file).unwrap()) {
            let data = String::from_utf8_lossy(&case.data);
            if case.script_on {
                need_scripts += 1;
                continue;
            }
            if COPIES_OPTION.contains(&data.as_ref()) {
                copy_option += 1;
                continue;
            }
            let found = case.run(&mut parser);
            if found == case.expected {
                passed += 1;
            } else {
                let name = file.file_name().unwrap().to_string_lossy();
                failed.push(format!("{name}: {data:?}\nexpected\n{}found\n{found}", case.expected));
            }
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert_eq!((passed, need_scripts, copy_option), (1780, 8, 4));
}

struct Case {
    data: Vec<u8>,
    fragment: Option<(Namespace, String)>,
    script_on: bool,
    expected: String,
}

impl Case {
    fn run(&self, parser: &mut Parser) -> String {
        match &self.fragment {
            None => dump(&parser.parse(&self.data, UTF_8), false),
            Some((namespace, name)) => {
                dump(&parser.parse_fragment(&self.data, UTF_8, *namespace, name), true)
            }
        }
    }
}

/// Splits a `.dat` file into its cases.
fn cases(file: &[u8]) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut sections: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut current = String::new();
    let finish = |sections: &mut BTreeMap<String, Vec<u8>>, cases: &mut Vec<Case>| {
        if let Some(data) = sections.remove("#data") {
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            let mut expected = text(sections.remove("#document").unwrap_or_default());
            expected.truncate(expected.trim_end_matches('\n').len());
            expected.push('\n');
            let fragment = sections.remove("#document-fragment").map(|name| {
                let name = text(name).trim().to_owned();
                match name.split_once(' ') {
                    Some(("svg", name)) => (Namespace::Svg, name.to_owned()),
                    Some(("math", name)) => (Namespace::MathMl, name.to_owned()),
                    _ => (Namespace::Html, name),
                }
            });
            let data = data.strip_suffix(b"\n").unwrap_or(&data).to_vec();
            cases.push(Case { data, fragment, script_on: sections.contains_key("#script-on"), expected });
        }
        sections.clear();
    };
    for line in file.split_inclusive(|byte| *byte == b'\n') {
        let name = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
        if name == "#data" {
            finish(&mut sections, &mut cases);
        }
        let headings = [
            "#data",
            "#errors",
            "#new-errors",
            "#document-fragment",
            "#script-on",
            "#script-off",
            "#document",
        ];
        if headings.contains(&name.as_str()) {
            current = name;
            sections.entry(current.clone()).or_default();
        } else {
            sections.entry(current.clone()).or_default().extend_from_slice(line);
        }
    }
    finish(&mut sections, &mut cases);
    cases
}

/// The tree in the notation of the suite.
pub(crate) fn dump(document: &Document<'_>, is_fragment: bool) -> String {
    let mut out = String::new();
    let top = match is_fragment {
        true => document.root().first_child().unwrap(),
        false => document.root(),
    };
    dump_children(top, 0, &mut out);
    out
}

fn dump_children(parent: Node<'_>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let mut text = String::new();
    for node in parent.children() {
        if node.kind() == NodeKind::Text {
            text.push_str(&node.text());
            if node.next_sibling().is_some_and(|next| next.kind() == NodeKind::Text) {
                continue;
            }
        }
        match node.kind() {
            NodeKind::Text if text.is_empty() => {}
            NodeKind::Text => writeln!(out, "| {indent}\"{}\"", std::mem::take(&mut text)).unwrap(),
            NodeKind::Comment => writeln!(out, "| {indent}<!-- {} -->", node.text()).unwrap(),
            NodeKind::Doctype => match (node.public_id(), node.system_id()) {
                (None, None) => writeln!(out, "| {indent}<!DOCTYPE {}>", node.name()).unwrap(),
                (public, system) => {
                    let (public, system) = (public.unwrap_or_default(), system.unwrap_or_default());
                    writeln!(out, "| {indent}<!DOCTYPE {} \"{public}\" \"{system}\">", node.name()).unwrap();
                }
            },
            NodeKind::Element => dump_element(node, depth, out),
            NodeKind::Document => {}
        }
    }
}

fn dump_element(node: Node<'_>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let prefix = match node.namespace() {
        Namespace::Html => "",
        Namespace::Svg => "svg ",
        Namespace::MathMl => "math ",
    };
    writeln!(out, "| {indent}<{prefix}{}>", node.name()).unwrap();
    let mut attributes: Vec<_> = node
        .attributes()
        .map(|(name, value)| match node.namespace() != Namespace::Html && PREFIXED.contains(&name.as_ref()) {
            true => (name.replace(':', " "), value.into_owned()),
            false => (name.into_owned(), value.into_owned()),
        })
        .collect();
    attributes.sort_by_key(|(name, _)| name.encode_utf16().collect::<Vec<_>>());
    for (name, value) in attributes {
        writeln!(out, "| {indent}  {name}=\"{value}\"").unwrap();
    }
    if node.name() == "template" && node.namespace() == Namespace::Html {
        writeln!(out, "| {indent}  content").unwrap();
        dump_children(node, depth + 2, out);
    } else {
        dump_children(node, depth + 1, out);
    }
}

/// The suite writes these with a space instead of the colon, because they have a namespace of their own.
const PREFIXED: [&str; 10] = [
    "xlink:actuate",
    "xlink:arcrole",
    "xlink:href",
    "xlink:role",
    "xlink:show",
    "xlink:title",
    "xlink:type",
    "xml:lang",
    "xml:space",
    "xmlns:xlink",
];
