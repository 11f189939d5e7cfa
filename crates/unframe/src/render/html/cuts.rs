//! Finds the elements that are cut out entirely.

use crate::html::tag::{Namespace, Tag};
use crate::html::{Document, Node, NodeKind, Span};
use crate::regions::Region;
use crate::text::content::is_block;

/// The spans of the elements to cut, in order. Cut text is not included.
pub(super) fn find(document: &Document<'_>, regions: &[Region]) -> Vec<Span> {
    let regions = joined(regions.iter().map(|region| region.span).collect());
    let (mut cuts, mut kept) = (Vec::new(), Vec::new());
    let mut next = document.root().first_child();
    while let Some(node) = next {
        let is_cut = lies_in(&regions, node.span()) && !stays(node);
        if is_cut {
            cuts.push(node.span());
            kept.extend(node.descendants().filter(|inside| is_for_the_page(*inside)).map(Node::span));
        } else {
            // If elements overlap, these tags may lie in the middle of an element that is cut.
            kept.extend(node.start_tag().into_iter().chain(node.end_tag()));
        }
        let inside = node.first_child().filter(|_| !is_cut && !is_for_the_page(node));
        if is_for_the_page(node) {
            kept.push(node.span());
        }
        next = inside.or_else(|| node.next_outside());
    }
    without(joined(cuts), &joined(kept))
}

/// Whether an element in a region keeps its tags nevertheless; see the parent module.
fn stays(node: Node<'_>) -> bool {
    let Some(tag) = node.tag().filter(|_| node.namespace() == Namespace::Html) else {
        return node.kind() != NodeKind::Element;
    };
    match tag {
        Tag::HTML | Tag::HEAD | Tag::BODY | Tag::BR | Tag::WBR => true,
        Tag::TD | Tag::TH | Tag::COL | Tag::COLGROUP => true,
        tag => is_for_the_page(node) || (is_block(tag) && is_before_bare_text(node)),
    }
}

/// Whether an element affects the look of the whole page.
fn is_for_the_page(node: Node<'_>) -> bool {
    let Some(tag) = node.tag().filter(|_| node.namespace() == Namespace::Html) else {
        return false;
    };
    let has_word = |name, word: &str| {
        node.attribute(name)
            .is_some_and(|value| value.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word)))
    };
    match tag {
        Tag::STYLE | Tag::BASE | Tag::TITLE => true,
        Tag::LINK => has_word("rel", "stylesheet"),
        Tag::META => node.attribute("charset").is_some() || has_word("http-equiv", "content-type"),
        _ => false,
    }
}

fn is_before_bare_text(node: Node<'_>) -> bool {
    let mut next = node.next_sibling();
    while let Some(sibling) = next {
        match (sibling.kind(), sibling.tag()) {
            (NodeKind::Text, _) if !sibling.text().trim_ascii().is_empty() => return true,
            (_, Some(tag)) => return !is_block(tag),
            _ => next = sibling.next_sibling(),
        }
    }
    false
}

/// Whether one of the sorted spans contains a span entirely.
fn lies_in(spans: &[Span], span: Span) -> bool {
    let after = spans.partition_point(|around| around.start <= span.start);
    !span.is_empty() && after.checked_sub(1).is_some_and(|at| spans[at].contains(span))
}

/// The spans in order, with contiguous and overlapping ones joined.
fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
    spans
}

/// Subtracts `holes` from `spans`. Both must be sorted and must not overlap.
fn without(spans: Vec<Span>, holes: &[Span]) -> Vec<Span> {
    let mut left = Vec::with_capacity(spans.len());
    for span in spans {
        let mut at = span.start;
        let first = holes.partition_point(|hole| hole.end <= span.start);
        for hole in holes[first..].iter().take_while(|hole| hole.start < span.end) {
            if hole.start > at {
                left.push(Span { start: at, end: hole.start });
            }
            at = at.max(hole.end);
        }
        if at < span.end {
            left.push(Span { start: at, end: span.end });
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(pairs: &[(u32, u32)]) -> Vec<Span> {
        pairs.iter().map(|(start, end)| Span { start: *start, end: *end }).collect()
    }

    #[test]
    fn holes_are_left_out() {
        let left = without(spans(&[(0, 10), (20, 30), (40, 50)]), &spans(&[(0, 2), (4, 5), (28, 42)]));
        assert_eq!(left, spans(&[(2, 4), (5, 10), (20, 28), (42, 50)]));
    }

    #[test]
    fn touching_spans_are_one() {
        let joined = joined(spans(&[(5, 7), (0, 2), (2, 4), (1, 3)]));
        assert_eq!(joined, spans(&[(0, 4), (5, 7)]));
        assert!(lies_in(&joined, Span { start: 1, end: 4 }));
        assert!(!lies_in(&joined, Span { start: 1, end: 5 }));
        assert!(!lies_in(&joined, Span { start: 6, end: 6 }));
    }
}
