//! `unframe parse`: the tree of a page.

use std::collections::HashMap;
use std::io::Write;

use anyhow::Context;
use serde::Serialize;
use unframe::Page;
use unframe::html::{Document, Node, NodeKind, Parser, Span, outline};

use crate::args::ParseArgs;
use crate::exit::Outcome;
use crate::output::Output;
use crate::reading::Reading;

/// Runs the verb.
pub(crate) fn run(args: &ParseArgs) -> anyhow::Result<Outcome> {
    let mut output = Output::open(args.output.path())?;
    let mut found = 0;
    let new_worker = || {
        let mut parser = Parser::new();
        move |page: Page| -> anyhow::Result<Option<String>> {
            if args.url.as_ref().is_some_and(|url| *url != page.url) {
                return Ok(None);
            }
            let document = parser.parse(&page.payload, page.charset.encoding);
            if args.json { as_json(&page, &document).map(Some) } else { as_text(&page, &document).map(Some) }
        }
    };
    let run = Reading::from(&args.reading).run(new_worker, |tree| {
        if let Some(tree) = tree? {
            found += 1;
            output.write_all(tree.as_bytes()).context("cannot write the tree")?;
        }
        Ok(())
    })?;
    output.finish()?;
    if let Some(url) = args.url.as_ref().filter(|_| found == 0) {
        anyhow::bail!("no page has the address {url}: `unframe pages` lists the addresses");
    }
    run.finish()
}

fn as_text(page: &Page, document: &Document<'_>) -> anyhow::Result<String> {
    use std::fmt::Write;
    let mut text = String::new();
    writeln!(text, "# {} ({} bytes, {})", page.url, page.payload.len(), page.charset.name())?;
    for (problem, position, count) in document.problems().iter() {
        writeln!(text, "# {} at {position}, {count} in all", problem.code())?;
    }
    outline::write(document, &mut text)?;
    text.push('\n');
    Ok(text)
}

/// One page. Fields may be added, never renamed.
#[derive(Serialize)]
struct PageJson<'a> {
    url: &'a str,
    bytes: usize,
    charset: &'a str,
    problems: Vec<ProblemJson>,
    nodes: Vec<NodeJson>,
}

#[derive(Serialize)]
struct ProblemJson {
    code: &'static str,
    position: u32,
    count: u32,
}

#[derive(Serialize)]
struct NodeJson {
    kind: &'static str,
    /// The index of the parent in the list; `None` for top-level nodes.
    parent: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    start: u32,
    end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_tag: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_tag: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    moved: bool,
}

fn as_json(page: &Page, document: &Document<'_>) -> anyhow::Result<String> {
    let mut places = HashMap::new();
    let nodes = document.descendants().skip(1).enumerate().map(|(place, node)| {
        places.insert(node.index(), place);
        node_json(node, node.parent().and_then(|parent| places.get(&parent.index()).copied()))
    });
    let nodes = nodes.collect();
    let problems = document.problems().iter().map(|(problem, position, count)| ProblemJson {
        code: problem.code(),
        position,
        count,
    });
    let page = PageJson {
        url: &page.url,
        bytes: page.payload.len(),
        charset: page.charset.name(),
        problems: problems.collect(),
        nodes,
    };
    Ok(serde_json::to_string(&page)? + "\n")
}

fn node_json(node: Node<'_>, parent: Option<usize>) -> NodeJson {
    let pair = |span: Span| [span.start, span.end];
    NodeJson {
        kind: match node.kind() {
            NodeKind::Document => "document",
            NodeKind::Doctype => "doctype",
            NodeKind::Element => "element",
            NodeKind::Text => "text",
            NodeKind::Comment => "comment",
        },
        parent,
        name: node.name().into_owned(),
        attributes: node.attributes().map(|(name, value)| (name.into_owned(), value.into_owned())).collect(),
        text: matches!(node.kind(), NodeKind::Text | NodeKind::Comment).then(|| node.text().into_owned()),
        start: node.span().start,
        end: node.span().end,
        start_tag: node.start_tag().map(pair),
        end_tag: node.end_tag().map(pair),
        moved: node.is_moved(),
    }
}
