//! From what is believed of places to the regions of a page.

use xxhash_rust::xxh3;

use super::belief::confidence;
use super::outline::{self, PageNames};
use super::tree::{ROOT, place_key, text_key};
use crate::html::{Document, Node, NodeKind, Span};
use crate::model::{Model, PlaceBelief, PlaceTable};
use crate::regions::{Region, RegionKind, TemplateHash, tidy};

/// The regions of a page.
pub(super) fn regions(
    model: &Model,
    table: &PlaceTable,
    certainty: f64,
    document: &Document<'_>,
) -> Vec<Region> {
    Judged::of(model, table, certainty, document).regions(document)
}

/// The regions of a page that is judged alone. Something of it must be content: a page that looks like a menu may be one, and is all
/// that there is.
pub(super) fn regions_alone(
    model: &Model,
    table: &PlaceTable,
    certainty: f64,
    document: &Document<'_>,
) -> Vec<Region> {
    let judged = Judged::of(model, table, certainty, document);
    match judged.states[document.root().index()] {
        State::Content => judged.regions(document),
        State::Template | State::Empty => Vec::new(),
    }
}

impl Judged {
    fn regions(&self, document: &Document<'_>) -> Vec<Region> {
        let mut texts = self.texts.as_slice();
        let mut regions = Vec::new();
        for span in spans(document, &self.states) {
            let before = texts.partition_point(|text| text.span.start < span.start);
            texts = &texts[before..];
            let inside = texts.partition_point(|text| text.span.start < span.end);
            tile(span, &texts[..inside], &mut regions);
        }
        tidy(&mut regions);
        regions
    }
}

/// What is inside a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// No text.
    #[default]
    Empty,
    /// Text that is all template.
    Template,
    /// Text of which some is content.
    Content,
}

/// A text that is template.
struct TemplateText {
    span: Span,
    kind: RegionKind,
    /// A hash of what is repeated: the text at its place, or only the place.
    hash: u64,
    pages: u32,
    confidence: u8,
    len: usize,
}

/// The answer for every text of a page.
struct Judged {
    states: Vec<State>,
    /// In the order of their bytes.
    texts: Vec<TemplateText>,
}

impl Judged {
    fn of(model: &Model, table: &PlaceTable, certainty: f64, document: &Document<'_>) -> Judged {
        let threshold = (certainty * 100.0).round() as u8;
        let mut finder = PlaceFinder::new(table, document);
        let mut judged = Judged { states: vec![State::Empty; document.node_count()], texts: Vec::new() };
        outline::for_each_text(document, |node, parent, text| {
            let found = finder.find(parent);
            let key = text_key(found.place, outline::hash_of(text));
            let repeated = model.count(key);
            let (kind, believed) = match repeated {
                Some(_) => (RegionKind::Repeated, found.belief.repeated),
                None => (RegionKind::Changing, found.belief.changing),
            };
            let is_template = believed >= threshold.max(1);
            judged.mark(node, if is_template { State::Template } else { State::Content });
            if is_template {
                let (hash, pages) =
                    repeated.map_or((found.place, found.belief.pages), |count| (key, count.pages));
                judged.texts.push(TemplateText {
                    span: node.span(),
                    kind,
                    hash,
                    pages,
                    confidence: confidence(believed, repeated.is_some()),
                    len: text.len(),
                });
            }
        });
        judged.texts.sort_by_key(|text| text.span.start);
        judged
    }

    /// Tells a node and those around it what it holds.
    fn mark(&mut self, node: Node<'_>, state: State) {
        for node in std::iter::once(node).chain(node.ancestors()) {
            let known = &mut self.states[node.index()];
            if *known == State::Content || *known == state {
                return;
            }
            *known = state;
        }
    }
}

/// Finds the places of elements, each once.
pub(super) struct PlaceFinder<'t> {
    table: &'t PlaceTable,
    names: PageNames,
    found: Vec<Option<Found>>,
}

/// Where an element is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The path, whether the site has such a place or not.
    path: u64,
    /// The place: the innermost one on the path that the site has.
    pub(super) place: u64,
    pub(super) belief: PlaceBelief,
}

impl<'t> PlaceFinder<'t> {
    pub(super) fn new(table: &'t PlaceTable, document: &Document<'_>) -> PlaceFinder<'t> {
        PlaceFinder { table, names: PageNames::default(), found: vec![None; document.node_count()] }
    }

    pub(super) fn find(&mut self, element: Node<'_>) -> Found {
        if let Some(found) = self.found[element.index()] {
            return found;
        }
        let parent = element.parent().filter(|parent| parent.kind() == NodeKind::Element);
        let around = match parent {
            Some(parent) => self.find(parent),
            None => self.root(),
        };
        let names = self.names.of(element);
        let kind = names.kind_of(element);
        let path = place_key(around.path, kind, &names.hashes, |name| self.table.names.contains(&name));
        let found = match self.table.places.get(&path) {
            Some(belief) => Found { path, place: path, belief: *belief },
            None => Found { path, ..around },
        };
        self.found[element.index()] = Some(found);
        found
    }

    fn root(&self) -> Found {
        let belief = self.table.places.get(&ROOT).copied().unwrap_or_default();
        Found { path: ROOT, place: ROOT, belief }
    }
}

/// The largest spans of which all text is template. Neighbours without content between them are one, whatever else lies there.
fn spans(document: &Document<'_>, states: &[State]) -> Vec<Span> {
    let mut spans: Vec<(Option<usize>, Span)> = Vec::new();
    // The parent whose children are being joined; none once content came between.
    let mut joining = None;
    let mut next = document.root().first_child();
    while let Some(node) = next {
        let parent = node.parent().map(Node::index);
        let state = states[node.index()];
        if state == State::Template {
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

/// Cuts a span where repeated and changing texts meet: each region begins with its first text, the first one with the span.
fn tile(span: Span, texts: &[TemplateText], regions: &mut Vec<Region>) {
    let mut start = span.start;
    let mut runs = texts.chunk_by(|one, other| one.kind == other.kind).peekable();
    while let Some(run) = runs.next() {
        let end = runs.peek().map_or(span.end, |next| next[0].span.start.clamp(start, span.end));
        let mut hash = xxh3::xxh3_64(&[run[0].kind as u8]);
        let (mut confidence, mut len) = (0, 0);
        for text in run {
            hash = xxh3::xxh3_64_with_seed(&text.hash.to_le_bytes(), hash);
            confidence += usize::from(text.confidence) * text.len;
            len += text.len;
        }
        let pages = run.iter().map(|text| text.pages).min().unwrap_or(0);
        regions.push(
            Region::new(Span { start, end }, TemplateHash(hash), pages)
                .with_kind(run[0].kind)
                .with_confidence((confidence / len.max(1)) as u8),
        );
        start = end;
    }
}
