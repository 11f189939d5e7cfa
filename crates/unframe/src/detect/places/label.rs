//! From judged blocks to regions: the largest parts of the page without content, cut where the kind changes.

use xxhash_rust::xxh3;

use super::blocks::PageBlocks;
use super::decide::{Judged, Verdict};
use crate::html::{Document, Node, Span};
use crate::regions::{Region, RegionKind, Sort, TemplateHash, tidy};

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
    sort: Sort,
    /// A hash of what is repeated: the text at its place, or only the place.
    hash: u64,
    pages: u32,
    confidence: u8,
}

/// The state of every node, and the texts that go, in the order of their bytes.
fn mark(document: &Document<'_>, page: &PageBlocks, judged: &Judged) -> (Vec<State>, Vec<GoingText>) {
    let mut states = vec![State::Empty; document.node_count()];
    let mut texts = Vec::new();
    for text in &page.texts {
        let node = document.node_at(text.node as usize);
        let block = &page.blocks[text.block as usize];
        let state = match judged.verdicts[text.block as usize] {
            Verdict::Content => State::Content,
            Verdict::Goes { kind, sort, confidence, pages } => {
                let place = page.place_of(block);
                let hash = match kind {
                    RegionKind::Repeated => block.text ^ place.rotate_left(32),
                    RegionKind::Changing | RegionKind::Clutter => place,
                };
                texts.push(GoingText { span: node.span(), kind, sort, hash, pages, confidence });
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

/// Whether two texts are parts of one region. Repeated text stays in one piece: it is one template, whatever its parts are.
fn belong_together(one: &GoingText, other: &GoingText) -> bool {
    one.kind == other.kind && (one.kind == RegionKind::Repeated || one.sort == other.sort)
}

/// Cuts a span where the kind changes: each region begins with its first text, the first one with the span.
fn tile(span: Span, texts: &[GoingText], regions: &mut Vec<Region>) {
    let mut start = span.start;
    let mut runs = texts.chunk_by(belong_together).peekable();
    while let Some(run) = runs.next() {
        let end = runs.peek().map_or(span.end, |next| next[0].span.start.clamp(start, span.end));
        let mut hash = xxh3::xxh3_64(&[run[0].kind as u8]);
        let (mut confidence, mut len) = (0, 0);
        for text in run {
            hash = xxh3::xxh3_64_with_seed(&text.hash.to_le_bytes(), hash);
            confidence += usize::from(text.confidence) * text.span.len();
            len += text.span.len();
        }
        let pages = run.iter().map(|text| text.pages).min().unwrap_or(0);
        let sort = run.iter().map(|text| text.sort).find(|sort| *sort != Sort::Unknown);
        regions.push(
            Region::new(Span { start, end }, TemplateHash(hash), pages)
                .with_kind(run[0].kind)
                .with_sort(sort.unwrap_or_default())
                .with_confidence((confidence / len.max(1)) as u8),
        );
        start = end;
    }
}
