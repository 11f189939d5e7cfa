//! Compares the trees of our parser with those of html5ever, node by node, on the same pages.

use std::collections::BTreeMap;
use std::path::PathBuf;

use html5ever::ParseOpts;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use unframe::html::{Node, NodeKind, Parser};

use crate::corpus::Corpus;

/// Maximum number of differences to print.
const SHOWN: usize = 5;

/// Compares all pages and prints how many differ, grouped by the explanation.
pub(crate) fn run(inputs: &[PathBuf]) -> anyhow::Result<()> {
    let corpus = Corpus::load(inputs)?;
    let mut parser = Parser::new();
    let (mut nodes, mut differences) = (0, BTreeMap::<&str, usize>::new());
    let mut shown = 0;
    for page in &corpus.pages {
        let document = parser.parse(page.as_bytes(), encoding_rs::UTF_8);
        let ours = of_unframe(document.root());
        let theirs = of_html5ever(page);
        nodes += ours.len();
        let Some(at) = (0..ours.len().max(theirs.len())).find(|at| ours.get(*at) != theirs.get(*at)) else {
            continue;
        };
        let why = explain(&ours, &theirs, at);
        *differences.entry(why).or_default() += 1;
        if shown < SHOWN && why == UNEXPLAINED {
            shown += 1;
            println!("{why}, node {at}:\n  ours   {:?}\n  theirs {:?}", line(&ours, at), line(&theirs, at));
        }
    }
    println!(
        "{} pages, {nodes} nodes, {} pages differ",
        corpus.pages.len(),
        differences.values().sum::<usize>()
    );
    for (why, pages) in differences {
        println!("{pages:6} {why}");
    }
    Ok(())
}

const UNEXPLAINED: &str = "not explained";

fn line(lines: &[String], at: usize) -> String {
    lines.get(at).map_or("(nothing)".to_owned(), |line| line.trim_start().chars().take(100).collect())
}

/// Explains why two trees differ from this line on.
fn explain(ours: &[String], theirs: &[String], at: usize) -> &'static str {
    let depth = |line: &String| line.len() - line.trim_start().len();
    let around = |name: &str| {
        let mut inner = usize::MAX;
        let mut before = ours[..at.min(ours.len())].iter().rev();
        before.any(|line| {
            let is_around = depth(line) < inner;
            inner = inner.min(depth(line));
            is_around && line.trim_start().starts_with(name)
        })
    };
    let deepest = ours.iter().chain(theirs).map(depth).max().unwrap_or(0);
    match () {
        () if around("<select")
            || line(ours, at).starts_with("<select")
            || line(theirs, at).starts_with("<select") =>
        {
            "in a `select`: html5ever has the rules from before 2024, when elements in it were dropped"
        }
        () if deepest >= unframe::limits::DEPTH_MAX => {
            "deeper than 512 elements, where we attach as browsers do"
        }
        () => UNEXPLAINED,
    }
}

fn of_unframe(root: Node<'_>) -> Vec<String> {
    let mut lines = Lines::default();
    let mut stack: Vec<(Node<'_>, usize)> = root.children().map(|node| (node, 0)).collect();
    stack.reverse();
    while let Some((node, depth)) = stack.pop() {
        match node.kind() {
            NodeKind::Text => lines.text(depth, &node.text()),
            NodeKind::Comment => lines.push(depth, format!("<!--{}-->", node.text())),
            NodeKind::Doctype => {
                let id = |id: Option<std::borrow::Cow<'_, str>>| id.unwrap_or_default().into_owned();
                lines.push(
                    depth,
                    format!("<!DOCTYPE {}|{}|{}", node.name(), id(node.public_id()), id(node.system_id())),
                );
            }
            NodeKind::Element => {
                let attributes =
                    node.attributes().map(|(name, value)| (name.into_owned(), value.into_owned()));
                lines.element(depth, &node.name(), attributes.collect());
            }
            NodeKind::Document => {}
        }
        let children: Vec<_> = node.children().collect();
        stack.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    lines.0
}

fn of_html5ever(page: &str) -> Vec<String> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let tree = html5ever::parse_document(RcDom::default(), options).one(StrTendril::from_slice(page));
    let mut lines = Lines::default();
    let mut stack: Vec<(Handle, usize)> =
        tree.document.children.borrow().iter().rev().map(|node| (node.clone(), 0)).collect();
    while let Some((node, depth)) = stack.pop() {
        let mut children = node.children.borrow().clone();
        match &node.data {
            NodeData::Text { contents } => lines.text(depth, &contents.borrow()),
            NodeData::Comment { contents } => lines.push(depth, format!("<!--{contents}-->")),
            NodeData::Doctype { name, public_id, system_id } => {
                lines.push(depth, format!("<!DOCTYPE {name}|{public_id}|{system_id}"));
            }
            NodeData::Element { name, attrs, template_contents, .. } => {
                // html5ever gives `xmlns` an empty prefix.
                let full = |name: &html5ever::QualName| match &name.prefix {
                    Some(prefix) if !prefix.is_empty() => format!("{prefix}:{}", name.local),
                    _ => name.local.to_string(),
                };
                let attributes =
                    attrs.borrow().iter().map(|a| (full(&a.name), a.value.to_string())).collect();
                lines.element(depth, &name.local, attributes);
                if let Some(contents) = &*template_contents.borrow() {
                    children = contents.children.borrow().clone();
                }
            }
            NodeData::Document | NodeData::ProcessingInstruction { .. } => {}
        }
        stack.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    lines.0
}

/// A tree as lines, indented by depth. Adjacent text nodes are joined.
#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    fn push(&mut self, depth: usize, text: String) {
        // The indentation is limited. Trees deeper than this differ for a known reason or not at all.
        self.0.push(" ".repeat(depth.min(2_000)) + &text);
    }

    fn text(&mut self, depth: usize, text: &str) {
        let start = " ".repeat(depth.min(2_000)) + "\"";
        match self.0.last_mut() {
            Some(last) if last.starts_with(&start) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.0.push(start + text),
        }
    }

    fn element(&mut self, depth: usize, name: &str, mut attributes: Vec<(String, String)>) {
        attributes.sort();
        let attributes: String =
            attributes.iter().map(|(name, value)| format!(" {name}={value:?}")).collect();
        self.push(depth, format!("<{name}{attributes}"));
    }
}
