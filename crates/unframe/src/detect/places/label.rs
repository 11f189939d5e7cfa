//! From judged blocks to regions: the largest parts of the page without content, cut where the template or the kind changes.

use super::blocks::PageBlocks;
use super::decide::{Judged, Verdict};
use super::landmarks::TemplateOfBlock;
use crate::html::{Document, Node, Span};
use crate::regions::{Region, RegionKind, TemplateHash, tidy};

/// The regions of a page, sorted, none overlapping another.
pub(super) fn regions(document: &Document<'_>, page: &PageBlocks, judged: &Judged) -> Vec<Region> {
    let (states, texts) = mark(document, page, judged);
    let mut regions = Vec::new();
    let mut rest = &texts[..];
    for span in spans(document, &states) {
        // Texts that the rules moved elsewhere may lie before the span.
        let before = rest.iter().take_while(|text| text.span.start < span.start).count();
        rest = &rest[before..];
        let inside = rest.iter().take_while(|text| text.span.end <= span.end).count();
        let (texts, after) = rest.split_at(inside);
        tile(span, texts, &mut regions);
        rest = after;
    }
    // What lies in one of the spans goes with it.
    regions.extend(judged.markup.iter().map(|(markup, pages)| {
        Region::new(markup.span, TemplateHash(markup.hash), *pages).with_kind(RegionKind::Markup)
    }));
    tidy(&mut regions);
    regions
}

/// What is inside of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// No text.
    #[default]
    Empty,
    /// Text that goes, all of it.
    Goes,
    /// Text of which some is content.
    Content,
}

/// A text that goes.
struct GoingText {
    span: Span,
    kind: RegionKind,
    template: TemplateOfBlock,
    /// The template's element.
    element: Span,
    pages: u32,
    confidence: u8,
}

/// The state of every node, and the texts that go, in the order of their bytes.
fn mark(document: &Document<'_>, page: &PageBlocks, judged: &Judged) -> (Vec<State>, Vec<GoingText>) {
    let mut states = vec![State::Empty; document.node_count()];
    let mut texts = Vec::new();
    for text in &page.texts {
        let node = document.node_at(text.node as usize);
        let state = match judged.verdicts[text.block as usize] {
            Verdict::Content => State::Content,
            Verdict::Goes { kind, template, confidence, pages } => {
                let element = page.element(template.element).node;
                let element = document.node_at(element as usize).span();
                texts.push(GoingText { span: node.span(), kind, template, element, pages, confidence });
                State::Goes
            }
        };
        for node in std::iter::once(node).chain(node.ancestors()) {
            let known = &mut states[node.index()];
            if *known == State::Content || *known == state {
                break;
            }
            *known = state;
        }
    }
    texts.sort_by_key(|text| text.span.start);
    (states, texts)
}

/// The largest spans of which all text goes. Neighbours without content between them are one, whatever else lies there.
fn spans(document: &Document<'_>, states: &[State]) -> Vec<Span> {
    let mut spans: Vec<(Option<usize>, Span)> = Vec::new();
    // The parent whose children are being joined; none once content came between.
    let mut joining = None;
    let mut next = document.root().first_child();
    while let Some(node) = next {
        let parent = node.parent().map(Node::index);
        let state = states[node.index()];
        if state == State::Goes {
            match spans.last_mut() {
                Some((last_parent, span))
                    if *last_parent == parent
                        && joining == parent
                        && !node.is_moved()
                        && span.end <= node.span().start =>
                {
                    span.end = node.span().end;
                }
                _ => spans.push((parent, node.span())),
            }
            joining = if node.is_moved() { None } else { parent };
        }
        if state == State::Content {
            joining = None;
        }
        let inside = if state == State::Content { node.first_child() } else { None };
        next = inside.or_else(|| std::iter::once(node).chain(node.ancestors()).find_map(Node::next_sibling));
    }
    let mut spans: Vec<Span> = spans.into_iter().map(|(_, span)| span).collect();
    spans.sort_unstable_by_key(|span| span.start);
    spans
}

/// Whether two texts are parts of one region.
fn belong_together(one: &GoingText, other: &GoingText) -> bool {
    one.kind == other.kind && one.template.id == other.template.id
}

/// Cuts a span where the template or the kind changes.
fn tile(span: Span, texts: &[GoingText], regions: &mut Vec<Region>) {
    let mut start = span.start;
    let mut runs = texts.chunk_by(belong_together).peekable();
    while let Some(run) = runs.next() {
        let end = runs.peek().map_or(span.end, |next| boundary(run, next).clamp(start, span.end));
        let len: usize = run.iter().map(|text| text.span.len()).sum();
        let confidence: usize = run.iter().map(|text| usize::from(text.confidence) * text.span.len()).sum();
        let pages = run.iter().map(|text| text.pages).min().unwrap_or(0);
        let TemplateOfBlock { id, within, sort, .. } = run[0].template;
        regions.push(Region {
            kind: run[0].kind,
            sort,
            within,
            confidence: (confidence / len.max(1)) as u8,
            ..Region::new(Span { start, end }, id, pages)
        });
        start = end;
    }
}

/// Where one region ends and the next begins: where an element of theirs does, if that is between them.
fn boundary(run: &[GoingText], next: &[GoingText]) -> u32 {
    let (last, first) = (&run[run.len() - 1], &next[0]);
    let between = last.span.end..=first.span.start;
    [first.element.start, last.element.end]
        .into_iter()
        .find(|position| between.contains(position))
        .unwrap_or(first.span.start)
}
