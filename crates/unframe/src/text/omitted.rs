//! Elements whose text is not part of the content, whatever surrounds them: line numbers and buttons of code, tooltips in code, links from
//! notes back to their references, links to edit a section.
//!
//! Every output for readers leaves them out. Methods still compare their text.

mod additions;

use crate::html::{Node, NodeKind};
use crate::parsed::ParsedPage;
use crate::regions::Region;
use crate::text::notes::{self, Notes};

/// Maximum number of nodes that are visited to find the elements of a page, as a multiple of its nodes. Nested candidates could be visited
/// again for each of them.
const VISITS_PER_NODE: usize = 8;

/// The elements of a page that are left out.
#[derive(Debug, Default)]
pub(crate) struct Omitted {
    /// The indices of the elements, sorted.
    elements: Vec<usize>,
}

impl Omitted {
    /// Finds the elements of a page. `notes` are those of the same page.
    pub(crate) fn of(page: &ParsedPage<'_>, notes: &Notes) -> Omitted {
        let mut elements = notes.back_links().to_vec();
        if additions::is_on(page) {
            let mut visits = Visits(page.document().node_count().saturating_mul(VISITS_PER_NODE));
            let all = page.document().descendants().filter(|node| node.kind() == NodeKind::Element);
            all.for_each(|node| additions::find(node, &mut visits, &mut elements));
        }
        elements.sort_unstable();
        elements.dedup();
        Omitted { elements }
    }

    /// Finds the elements of a page whose text outside of `regions` is its content.
    pub(crate) fn outside(page: &ParsedPage<'_>, regions: &[Region]) -> Omitted {
        Omitted::of(page, &notes::of(page, regions))
    }

    /// Whether an element is left out.
    pub(crate) fn contains(&self, node: Node<'_>) -> bool {
        !self.elements.is_empty() && self.elements.binary_search(&node.index()).is_ok()
    }

    /// The indices of the elements.
    pub(crate) fn elements(&self) -> &[usize] {
        &self.elements
    }
}

/// The number of nodes that may still be visited.
struct Visits(usize);

impl Visits {
    /// The node and its descendants, as long as any visits are left.
    fn inside<'d>(&mut self, node: Node<'d>) -> impl Iterator<Item = Node<'d>> {
        node.descendants().take_while(|_| {
            self.0 = self.0.saturating_sub(1);
            self.0 > 0
        })
    }

    fn are_left(&self) -> bool {
        self.0 > 1
    }
}

/// Whether an element has one of these classes.
pub(crate) fn has_class(node: Node<'_>, names: &[&str]) -> bool {
    node.attribute("class")
        .is_some_and(|class| class.split_ascii_whitespace().any(|word| names.contains(&word)))
}
