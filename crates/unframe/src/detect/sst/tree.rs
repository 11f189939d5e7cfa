//! The site style tree: the merged trees of many pages, with the importance of each part.

use std::collections::{BTreeMap, HashMap};

use super::outline::Outline;
use crate::sample::{Count, PieceHasher};

/// The merged trees of many pages. Each part is keyed by a hash of the path to it, so no search is needed.
#[derive(Debug, Default)]
pub(super) struct StyleTree {
    /// The elements, parents before their children.
    elements: Vec<Element>,
    numbers: HashMap<u64, usize, PieceHasher>,
}

#[derive(Debug, Default)]
struct Element {
    key: u64,
    parent: Option<usize>,
    pages: u32,
    /// The styles, each with its number of pages and the importance of its elements.
    styles: BTreeMap<u64, Style>,
    /// The style of the parent that the element belongs to.
    in_style: u64,
    /// The words directly in the element, with the sums for their entropy.
    words: HashMap<u64, Entropy, PieceHasher>,
}

#[derive(Debug, Default)]
struct Style {
    pages: u32,
    importance: f64,
    elements: u32,
}

/// The entropy of a word over pages: `ln(n) − Σ(c·ln c)/n` for counts `c` with the sum `n`.
#[derive(Debug, Default)]
struct Entropy {
    occurrences: f64,
    sum: f64,
}

/// The result for an element and its descendants.
#[derive(Debug, Default, Clone, Copy)]
struct Subtree {
    /// The highest importance of the element and its descendants.
    most: f64,
    /// Whether there is any text or image inside.
    has_content: bool,
}

impl StyleTree {
    /// Merges a page.
    pub(super) fn merge(&mut self, page: &Outline) {
        let keys = page.keys();
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for (at, node) in page.nodes.iter().enumerate() {
            let parent = (node.parent != at).then(|| self.numbers.get(&keys[node.parent]).copied()).flatten();
            let in_style = page.nodes[node.parent].style;
            let element = self.element(keys[at], parent, in_style);
            element.pages += 1;
            if node.children > 0 {
                element.styles.entry(node.style).or_default().pages += 1;
                continue;
            }
            counts.clear();
            page.words(at).iter().for_each(|word| *counts.entry(*word).or_default() += 1);
            for (word, count) in &counts {
                let entropy = element.words.entry(*word).or_default();
                let count = f64::from(*count);
                entropy.occurrences += count;
                entropy.sum += count * count.ln();
            }
        }
    }

    fn element(&mut self, key: u64, parent: Option<usize>, in_style: u64) -> &mut Element {
        let elements = &mut self.elements;
        let at = *self.numbers.entry(key).or_insert_with(|| {
            elements.push(Element { key, parent, in_style, ..Element::default() });
            elements.len() - 1
        });
        &mut elements[at]
    }

    /// The outermost elements that are noise together with all their descendants.
    pub(super) fn noise(mut self, threshold: f64, gamma: f64) -> HashMap<u64, Count, PieceHasher> {
        let mut subtrees = vec![Subtree::default(); self.elements.len()];
        // Children come after their parents, so in reverse order all descendants of an element are done before it.
        for at in (0..self.elements.len()).rev() {
            let element = &self.elements[at];
            let importance = element.importance(gamma);
            subtrees[at].has_content |= !element.words.is_empty();
            subtrees[at].most = subtrees[at].most.max(importance);
            let (parent, in_style, own) = (element.parent, element.in_style, subtrees[at]);
            if let Some(parent) = parent.filter(|_| own.has_content) {
                subtrees[parent].most = subtrees[parent].most.max(own.most);
                subtrees[parent].has_content = true;
                if let Some(style) = self.elements[parent].styles.get_mut(&in_style) {
                    style.importance += importance;
                    style.elements += 1;
                }
            }
        }
        let is_noise = |at: usize| subtrees[at].has_content && subtrees[at].most < threshold;
        let outermost = self.elements.iter().enumerate().filter(|(at, element)| {
            is_noise(*at) && element.pages > 1 && !element.parent.is_some_and(is_noise)
        });
        outermost
            .map(|(_, element)| (element.key, Count { occurrences: element.pages, pages: element.pages }))
            .collect()
    }
}

impl Element {
    fn importance(&self, gamma: f64) -> f64 {
        let pages = f64::from(self.pages);
        if self.pages <= 1 {
            return 1.0;
        }
        if self.styles.is_empty() {
            return self.importance_of_words(pages);
        }
        let (mut own, mut inside) = (0.0, 0.0);
        for style in self.styles.values() {
            let share = f64::from(style.pages) / pages;
            own -= share * share.ln() / pages.ln();
            inside += share * style.importance / f64::from(style.elements.max(1));
        }
        let weight = gamma.powi(self.styles.len() as i32);
        (1.0 - weight) * own + weight * inside
    }

    fn importance_of_words(&self, pages: f64) -> f64 {
        if self.words.is_empty() {
            return 0.0;
        }
        // Sorted, because the sum of floating-point numbers depends on their order.
        let mut entropies: Vec<f64> = (self.words.values())
            .map(|word| (word.occurrences.ln() - word.sum / word.occurrences) / pages.ln())
            .collect();
        entropies.sort_by(f64::total_cmp);
        1.0 - entropies.iter().sum::<f64>() / entropies.len() as f64
    }
}
