//! `dom`: repeated nodes of the document tree.
//!
//! # What it does
//! Every element and every text gets a hash of its name, its attributes with their values, and its whole content. A node is template if its
//! hash was counted between `low` and `high` times in the sample and none of its ancestors is template. Adjacent template siblings are one
//! region if the text between them is no longer than `gap` bytes; that text becomes part of the template.
//!
//! # Assumes
//! White space in text is collapsed, white-space-only text and comments do not count, and the order of attributes does not matter. `html`,
//! `head` and `body` count like any other element: on a site of equal pages, the whole page is template.
//!
//! # Example
//! On a site of 100 pages, `<li><a href="/">Home</a></li>`, which is on 90 of them, is template; `<br>`, which occurs 400 times, is not.
//!
//! # Cost
//! One tree and one walk over it per page.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 3.1.

use std::ops::RangeInclusive;

use xxhash_rust::xxh3;

use super::Detector;
use super::settings::{Setting, SettingError, is_first, number, sample_size};
use crate::html::{Document, Node, NodeKind};
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::{Region, TemplateHash, tidy};
use crate::sample::Count;

/// Repeated nodes; see the [module](self).
#[derive(Debug, Clone, PartialEq)]
pub struct Dom {
    /// The minimum number of occurrences of a template node, as a share of the sampled pages; at least two. 0 means the paper's lower
    /// threshold of 1: a single occurrence is enough, so the whole page is template.
    pub low: f64,
    /// The maximum number of occurrences of a template node, as a share of the sampled pages.
    pub high: f64,
    /// The number of pages of a site that are compared.
    pub sample: usize,
    /// Whether a node counts once per page, however often it occurs there.
    pub count_pages: bool,
    /// Maximum bytes of text between two template nodes of one region.
    pub gap: u32,
}

impl Default for Dom {
    fn default() -> Dom {
        Dom { low: 0.1, high: 1.0, sample: 200, count_pages: false, gap: 0 }
    }
}

impl Detector for Dom {
    fn name(&self) -> &'static str {
        "dom"
    }

    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::new("low", self.low),
            Setting::new("high", self.high),
            Setting::new("sample", self.sample),
            Setting::new("count", if self.count_pages { "pages" } else { "occurrences" }),
            Setting::new("gap", self.gap),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        const SHARE: &str = "a share of the sampled pages is needed, such as 0.1";
        match name {
            "low" => self.low = number("low", value, 0.0..=1.0, SHARE)?,
            "high" => self.high = number("high", value, 0.0..=1e9, SHARE)?,
            "sample" => self.sample = sample_size(value)?,
            "count" => {
                let expected = "`occurrences` or `pages` is needed";
                self.count_pages = is_first("count", value, ["pages", "occurrences"], expected)?;
            }
            "gap" => self.gap = number("gap", value, 0..=1 << 20, "a number of bytes is needed")?,
            _ => return Err(SettingError::Unknown { method: "dom", name: name.to_owned() }),
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Detector> {
        Box::new(self.clone())
    }

    fn sample_size(&self) -> usize {
        self.sample
    }

    fn pieces(&self, page: &ParsedPage<'_>, pieces: &mut Vec<u64>) {
        let document = page.document();
        pieces.extend(NodeHashes::of(document).hashes.iter().flatten());
        pieces.sort_unstable();
    }

    fn is_template(&self, count: Count, pages_sampled: usize) -> bool {
        let counted = if self.count_pages { count.pages } else { count.occurrences };
        self.counts(pages_sampled).contains(&f64::from(counted))
    }

    fn rule(&self, pages_sampled: usize) -> String {
        let counts = self.counts(pages_sampled);
        let what = if self.count_pages { "stands on" } else { "occurs" };
        let unit = if self.count_pages { "pages" } else { "times" };
        format!(
            "a node is template when it {what} {} to {:.0} {unit} in {pages_sampled} compared pages",
            counts.start(),
            counts.end()
        )
    }

    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region> {
        if model.is_empty() {
            return Vec::new();
        }
        let document = page.document();
        let hashes = NodeHashes::of(document);
        let mut regions = Vec::new();
        let mut next = document.root().first_child();
        while let Some(node) = next {
            let found = hashes.hashes[node.index()].and_then(|hash| Some((hash, model.count(hash)?)));
            if let Some((hash, count)) = found {
                let region = Region::new(node.span(), TemplateHash(hash), count.pages);
                self.push_or_join(&mut regions, region, node);
            }
            let inside = if found.is_some() { None } else { node.first_child() };
            next = inside.or_else(|| node.next_outside());
        }
        let mut regions: Vec<Region> = regions.into_iter().map(|(region, _)| region).collect();
        tidy(&mut regions);
        regions
    }
}

impl Dom {
    /// The range of counts of a template node in this many pages.
    fn counts(&self, pages_sampled: usize) -> RangeInclusive<f64> {
        let pages = pages_sampled as f64;
        let least = if self.low == 0.0 { 1.0 } else { 2.0 };
        // In binary, 0.07 · 100 is a little more than 7, and 0.29 · 100 a little less than 29.
        let low = (self.low * pages - ROUNDING).ceil().max(least);
        low..=(self.high * pages + ROUNDING).floor().max(low)
    }

    /// Adds a region. Siblings with only a small gap between them are joined if equally many pages have them. Otherwise they stay separate:
    /// the joined text of siblings with different counts would be a template of its own, on few pages.
    fn push_or_join(&self, regions: &mut Vec<(Region, usize)>, region: Region, node: Node<'_>) {
        let parent = node.parent().map_or(0, Node::index);
        if let Some((last, last_parent)) = regions.last_mut()
            && *last_parent == parent
            && last.span.end <= region.span.start
            && !node.is_moved()
            && self.is_small_gap(node, last.span.end)
        {
            if last.pages == region.pages {
                last.span.end = region.span.end;
                let both = [last.template.0.to_le_bytes(), region.template.0.to_le_bytes()];
                last.template = TemplateHash(xxh3::xxh3_64(&both.concat()));
                return;
            }
            last.span.end = region.span.start;
        }
        regions.push((region, parent));
    }

    /// Whether the text between the end of the last region and `node` is short enough.
    fn is_small_gap(&self, node: Node<'_>, from: u32) -> bool {
        let mut text_len = 0;
        let mut before = node.previous_sibling();
        while let Some(sibling) = before.filter(|sibling| sibling.span().start >= from) {
            text_len += sibling.text().split_whitespace().map(str::len).sum::<usize>();
            if text_len > self.gap as usize {
                return false;
            }
            before = sibling.previous_sibling();
        }
        true
    }
}

/// The hash of every node; `None` for nodes that do not count.
struct NodeHashes {
    hashes: Vec<Option<u64>>,
}

/// The open elements. The hash of an element is computed from its name, its attributes and the hashes of its children in order.
#[derive(Default)]
struct Open<'d> {
    /// Each element, with the position in `bytes` where its data begins.
    elements: Vec<(Node<'d>, usize)>,
    bytes: Vec<u8>,
}

impl NodeHashes {
    fn of(document: &Document<'_>) -> NodeHashes {
        let mut hashes = vec![None; document.node_count()];
        let mut open = Open::default();
        let mut next = document.root().first_child();
        while let Some(node) = next {
            match node.kind() {
                NodeKind::Element => open.begin(node),
                NodeKind::Text => {
                    let hash = text_hash(&node.text());
                    hashes[node.index()] = hash;
                    open.add_child(hash);
                }
                NodeKind::Document | NodeKind::Doctype | NodeKind::Comment => {}
            }
            next = node.first_child().or_else(|| {
                // Hashes every element that ends here, innermost first.
                let mut ending = node;
                loop {
                    if ending.kind() == NodeKind::Element
                        && let Some((element, hash)) = open.end()
                    {
                        hashes[element.index()] = Some(hash);
                        open.add_child(Some(hash));
                    }
                    if let Some(sibling) = ending.next_sibling() {
                        return Some(sibling);
                    }
                    ending = ending.parent().filter(|parent| parent.kind() == NodeKind::Element)?;
                }
            });
        }
        NodeHashes { hashes }
    }
}

impl<'d> Open<'d> {
    fn begin(&mut self, node: Node<'d>) {
        self.elements.push((node, self.bytes.len()));
        self.bytes.extend(node.name().as_bytes());
        // A sum does not depend on the order of the attributes.
        let attributes = node.attributes().fold(0u64, |sum, (name, value)| {
            sum.wrapping_add(xxh3::xxh3_64_with_seed(value.as_bytes(), xxh3::xxh3_64(name.as_bytes())))
        });
        self.bytes.extend(attributes.to_le_bytes());
    }

    fn add_child(&mut self, hash: Option<u64>) {
        if let (Some(hash), false) = (hash, self.elements.is_empty()) {
            self.bytes.extend(hash.to_le_bytes());
        }
    }

    fn end(&mut self) -> Option<(Node<'d>, u64)> {
        let (element, start) = self.elements.pop()?;
        let hash = xxh3::xxh3_64(&self.bytes[start..]);
        self.bytes.truncate(start);
        Some((element, hash))
    }
}

/// The hash of a text with its white space collapsed; `None` if it is only white space.
fn text_hash(text: &str) -> Option<u64> {
    let mut words = text.split_ascii_whitespace();
    let first = words.next()?;
    let Some(second) = words.next() else {
        return Some(xxh3::xxh3_64_with_seed(first.as_bytes(), TEXT_SEED));
    };
    let mut collapsed = String::with_capacity(text.len());
    collapsed.push_str(first);
    for word in std::iter::once(second).chain(words) {
        collapsed.push(' ');
        collapsed.push_str(word);
    }
    Some(xxh3::xxh3_64_with_seed(collapsed.as_bytes(), TEXT_SEED))
}

/// More than the rounding error of a multiplied share of pages, and far less than one page.
const ROUNDING: f64 = 1e-6;
/// Distinguishes the text `b` from the element `<b>`.
const TEXT_SEED: u64 = 1;
