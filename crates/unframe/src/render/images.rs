//! Decides which images belong to the content, and finds their addresses.

mod clutter;

use std::borrow::Cow;

use super::{begins_in, is_hidden};
use crate::html::tag::Tag;
use crate::html::{Document, Node, NodeKind, Span};
use crate::regions::{Region, RegionCursor};

/// Maximum number of ancestors of an image in which text is searched.
const ANCESTORS_MAX: usize = 64;
/// Maximum size in pixels of an icon, for images without an alternative text.
const ICON_MAX: f32 = 32.0;
/// Attributes in which lazy-loading scripts find the address.
const LAZY: [&str; 6] =
    ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-original-src", "data-hi-res-src"];
/// Parts of the names of placeholder files.
const PLACEHOLDERS: [&str; 9] =
    ["blank.", "placeholder", "spacer", "loading.", "transparent", "1x1", "pixel.", "clear.gif", "lazy"];

/// The images of a page.
pub(super) struct PageImages<'d, 'r> {
    document: &'d Document<'d>,
    regions: &'r [Region],
    /// The texts around images, computed when first needed.
    texts: Option<Texts>,
}

impl<'d, 'r> PageImages<'d, 'r> {
    pub(super) fn new(document: &'d Document<'d>, regions: &'r [Region]) -> PageImages<'d, 'r> {
        PageImages { document, regions, texts: None }
    }

    /// The address of an image that readers see, as the page has it. `None` if the image is left out.
    pub(super) fn address(&mut self, node: Node<'d>) -> Option<Cow<'d, str>> {
        address(node).filter(|address| self.shows(node, address))
    }

    /// Whether an image is shown to readers. Images with an alternative text always are, wherever they are.
    fn shows(&mut self, node: Node<'d>, address: &str) -> bool {
        if begins_in(self.regions, node) || is_invisible(node) || is_fallback(node) {
            return false;
        }
        if clutter::is_clutter(node, address) {
            return false;
        }
        let has_text = node.attribute("alt").is_some_and(|alt| !alt.trim().is_empty());
        if has_text || is_icon(node) {
            return has_text;
        }
        let (document, regions) = (self.document, self.regions);
        self.texts.get_or_insert_with(|| Texts::of(document, regions)).keep(node)
    }
}

/// The address of an image; `None` if there is only a placeholder.
fn address<'d>(node: Node<'d>) -> Option<Cow<'d, str>> {
    let src = node.attribute("src").filter(|src| is_file(src));
    if src.as_deref().is_some_and(|src| !is_placeholder(src)) {
        return src;
    }
    let lazy = || LAZY.iter().filter_map(|name| node.attribute(name)).find(|value| is_file(value));
    let set = |node: Node<'d>| {
        ["srcset", "data-srcset", "data-lazy-srcset"].iter().find_map(|name| largest(node, name))
    };
    let picture = node.parent().filter(|parent| parent.tag() == Some(Tag::PICTURE));
    let sources = || picture?.children().filter(|child| child.tag() == Some(Tag::SOURCE)).find_map(set);
    // If there is no other address, a file that looks like a placeholder may be the image after all.
    lazy().or_else(|| set(node).map(Cow::Owned)).or_else(|| sources().map(Cow::Owned)).or(src)
}

/// Whether an address leads to a file. A `data:` address contains the file, which is nearly always a placeholder.
fn is_file(address: &str) -> bool {
    let address = address.trim();
    let is_data = address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    !address.is_empty() && !is_data && address != "#" && !address.starts_with("about:")
}

fn is_placeholder(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or(address).to_ascii_lowercase();
    let file = path.rsplit('/').next().unwrap_or(&path);
    PLACEHOLDERS.iter().any(|part| file.contains(part))
}

/// The address of the largest image in a `srcset`: `a.jpg 300w, b.jpg 600w`.
fn largest(node: Node<'_>, name: &str) -> Option<String> {
    let set = node.attribute(name)?;
    let mut best: Option<(f32, &str)> = None;
    let mut rest = set.trim_start_matches([' ', '\t', '\n', '\r', ',']);
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        let file = word.trim_end_matches(',');
        let (size, next) = match after.split_once(',') {
            _ if file.len() < word.len() => ("", after),
            Some((size, next)) => (size, next),
            None => (after, ""),
        };
        let size = size.trim().trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        if is_file(file) && best.is_none_or(|(most, _)| size > most) {
            best = Some((size, file));
        }
        rest = next.trim_start_matches([' ', '\t', '\n', '\r', ',']);
    }
    best.map(|(_, file)| file.to_owned())
}

/// Whether an image is invisible to readers: a tracking pixel, or not displayed.
fn is_invisible(node: Node<'_>) -> bool {
    let style =
        node.attribute("style").unwrap_or_default().to_ascii_lowercase().replace([' ', '\t', '\n'], "");
    let is_hidden = |rule: &str| match rule.split_once(':') {
        Some(("width" | "height", size)) => pixels(size).is_some_and(|pixels| pixels <= 1.0),
        Some(("display", value)) => value == "none",
        Some(("visibility", value)) => value == "hidden",
        _ => false,
    };
    smallest_side(node).is_some_and(|pixels| pixels <= 1.0) || style.split(';').any(is_hidden)
}

/// Whether an image without an alternative text is so small that it must be decoration.
fn is_icon(node: Node<'_>) -> bool {
    smallest_side(node).is_some_and(|pixels| pixels <= ICON_MAX)
}

fn smallest_side(node: Node<'_>) -> Option<f32> {
    let sides = ["width", "height"].iter().filter_map(|name| pixels(&node.attribute(name)?));
    sides.min_by(f32::total_cmp)
}

fn pixels(size: &str) -> Option<f32> {
    size.trim().trim_end_matches("px").parse().ok()
}

/// Whether an image in `noscript` duplicates the image before it, which scripts load.
fn is_fallback(node: Node<'_>) -> bool {
    let context = node.ancestors().take(3).find(|context| context.tag() == Some(Tag::NOSCRIPT));
    let before = context.and_then(|noscript| {
        let mut siblings = std::iter::successors(noscript.previous_sibling(), |node| node.previous_sibling());
        siblings.find(|node| node.kind() == NodeKind::Element)
    });
    before.is_some_and(|before| {
        let mut images = before.descendants().take(8).filter(|node| node.tag() == Some(Tag::IMG));
        images.any(|image| address(image).is_some())
    })
}

/// The texts of a page, and whether they are kept. An image has no text, so the text around it decides whether it is kept.
struct Texts {
    /// The start of each text, and whether the text is kept, in document order.
    texts: Vec<(u32, bool)>,
}

impl Texts {
    /// The visible texts of a page.
    fn of(document: &Document<'_>, regions: &[Region]) -> Texts {
        let mut texts = Vec::new();
        if !regions.is_empty() {
            let visible = document.descendants().filter(|node| {
                node.kind() == NodeKind::Text
                    && !node.bytes().trim_ascii().is_empty()
                    && !node.parent().is_some_and(is_hidden)
            });
            texts.extend(visible.map(|node| start(node.span(), node.bytes())));
            texts.sort_unstable();
        }
        let mut cursor = RegionCursor::new(regions);
        Texts { texts: texts.into_iter().map(|at| (at, cursor.at(at).is_none())).collect() }
    }

    /// Whether an image is part of the content: the text next to it is kept, and so is text in the smallest ancestor that has any.
    fn keep(&self, image: Node<'_>) -> bool {
        let at = self.texts.partition_point(|(start, _)| *start < image.span().start);
        let before = at.checked_sub(1).and_then(|before| self.texts.get(before));
        let is_beside = before.into_iter().chain(self.texts.get(at)).any(|(_, is_kept)| *is_kept);
        let has_kept = |texts: &[(u32, bool)]| texts.iter().any(|(_, is_kept)| *is_kept);
        let mut context = image.ancestors().take(ANCESTORS_MAX).map(|node| self.inside(node.span()));
        let nearest = context.find(|texts| !texts.is_empty());
        self.texts.is_empty() || (is_beside && nearest.is_none_or(has_kept))
    }

    fn inside(&self, span: Span) -> &[(u32, bool)] {
        let from = self.texts.partition_point(|(start, _)| *start < span.start);
        let to = self.texts.partition_point(|(start, _)| *start < span.end);
        self.texts.get(from..to).unwrap_or_default()
    }
}

/// The position of the first character that is not white space.
fn start(span: Span, bytes: &[u8]) -> u32 {
    span.start + (bytes.len() - bytes.trim_ascii_start().len()) as u32
}
