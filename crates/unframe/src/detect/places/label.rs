//! Turns decisions for blocks into regions: the largest spans of the page without content, split where the template or the kind changes.

use super::blocks::{PageBlocks, TextNode};
use super::decide::{Judged, Verdict};
use super::landmarks::TemplateOfBlock;
use crate::html::Span;
use crate::regions::{Region, RegionKind, TemplateHash, tidy};

/// The regions of a page, sorted, none overlapping another.
pub(super) fn regions(page: &PageBlocks, judged: &Judged) -> Vec<Region> {
    let (states, texts) = mark(page, judged);
    let mut regions = Vec::new();
    let mut rest = &texts[..];
    for span in spans(page, judged, &states) {
        // Text that the tree builder moved elsewhere may lie before the span.
        let before = rest.iter().take_while(|text| text.span.start < span.start).count();
        rest = &rest[before..];
        let inside = rest.iter().take_while(|text| text.span.end <= span.end).count();
        let (texts, after) = rest.split_at(inside);
        tile(span, texts, &mut regions);
        rest = after;
    }
    // `tidy` drops markup inside one of the spans.
    regions.extend(judged.markup.iter().map(|(markup, pages)| {
        Region::new(markup.span, TemplateHash(markup.hash), *pages).with_kind(RegionKind::Markup)
    }));
    tidy(&mut regions);
    regions
}

/// The text inside a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No text.
    Empty,
    /// Only text that is removed.
    Goes,
    /// Some content.
    Content,
}

impl State {
    fn of(text: &TextNode, judged: &Judged) -> State {
        match judged.verdicts[text.block as usize] {
            Verdict::Content => State::Content,
            Verdict::Goes { .. } => State::Goes,
        }
    }
}

/// A text node that is removed.
struct GoingText {
    span: Span,
    kind: RegionKind,
    template: TemplateOfBlock,
    /// The span of the template's element.
    element: Span,
    pages: u32,
    confidence: u8,
}

/// The state of every element, and the removed text nodes in the order of their bytes.
fn mark(page: &PageBlocks, judged: &Judged) -> (Vec<State>, Vec<GoingText>) {
    let mut states = vec![State::Empty; page.elements.len()];
    let mut texts = Vec::new();
    for text in &page.texts {
        let state = State::of(text, judged);
        if let Verdict::Goes { kind, template, confidence, pages } = judged.verdicts[text.block as usize] {
            let element = page.element(template.element).span;
            texts.push(GoingText { span: text.span, kind, template, element, pages, confidence });
        }
        let mut at = text.parent;
        loop {
            let known = &mut states[at as usize];
            if *known == State::Content || *known == state {
                break;
            }
            *known = state;
            at = page.parent(at);
        }
    }
    texts.sort_by_key(|text| text.span.start);
    (states, texts)
}

/// The largest spans in which all text is removed. Neighbours are joined if no content is between them.
fn spans(page: &PageBlocks, judged: &Judged, states: &[State]) -> Vec<Span> {
    let mut joiner = Joiner { spans: Vec::new(), joining: None, states };
    let mut texts = page.texts.iter().peekable();
    for (at, element) in page.elements.iter().enumerate() {
        if at > 0 {
            joiner.add(element.parent, states[at], element.span, element.is_moved);
        }
        while let Some(text) = texts.next_if(|text| text.after as usize == at) {
            joiner.add(text.parent, State::of(text, judged), text.span, text.is_moved);
        }
    }
    let mut spans: Vec<Span> = joiner.spans.into_iter().map(|(_, span)| span).collect();
    spans.sort_unstable_by_key(|span| span.start);
    spans
}

/// Joins removed nodes, in tree order.
struct Joiner<'s> {
    /// Each span with its parent element.
    spans: Vec<(u32, Span)>,
    /// The element whose children are being joined; `None` after content.
    joining: Option<u32>,
    states: &'s [State],
}

impl Joiner<'_> {
    fn add(&mut self, parent: u32, state: State, span: Span, is_moved: bool) {
        // A removed element includes its descendants.
        if parent > 0 && self.states[parent as usize] != State::Content {
            return;
        }
        match state {
            State::Empty => {}
            State::Content => self.joining = None,
            State::Goes => {
                match self.spans.last_mut() {
                    Some((last_parent, last))
                        if *last_parent == parent
                            && self.joining == Some(parent)
                            && !is_moved
                            && last.end <= span.start =>
                    {
                        last.end = span.end;
                    }
                    _ => self.spans.push((parent, span)),
                }
                self.joining = (!is_moved).then_some(parent);
            }
        }
    }
}

/// Whether two adjacent texts belong to one region.
fn belong_together(one: &GoingText, other: &GoingText) -> bool {
    one.kind == other.kind && one.template.id == other.template.id
}

/// Splits a span where the template or the kind changes.
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

/// The boundary between two regions: the start of the second one's element or the end of the first one's, if it is between their texts.
fn boundary(run: &[GoingText], next: &[GoingText]) -> u32 {
    let (last, first) = (&run[run.len() - 1], &next[0]);
    let between = last.span.end..=first.span.start;
    [first.element.start, last.element.end]
        .into_iter()
        .find(|position| between.contains(position))
        .unwrap_or(first.span.start)
}
