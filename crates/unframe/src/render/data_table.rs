//! Tells tables of data from those for the layout.

use super::code;
use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};

/// Whether a table holds data: at least two rows and two columns, with only text in its cells, or also lists and code if the table has
/// headers. Other tables are for layout.
pub(super) fn is_data(table: Node<'_>) -> bool {
    let (mut rows, mut columns, mut columns_max) = (0, 0, 0);
    let (mut has_headers, mut has_blocks) = (false, false);
    if code::is_listing(table) {
        return false;
    }
    for node in table.descendants().skip(1).filter(|node| node.kind() == NodeKind::Element) {
        match node.tag() {
            Some(Tag::TR) => (rows, columns) = (rows + 1, 0),
            Some(tag @ (Tag::TD | Tag::TH)) => {
                has_headers |= tag == Tag::TH;
                columns += 1;
                columns_max = columns_max.max(columns);
            }
            Some(Tag::PRE) if code::is_in_column(node) => return false,
            Some(Tag::UL | Tag::OL | Tag::PRE | Tag::LISTING) => has_blocks = true,
            Some(tag) if NOT_IN_DATA.contains(&tag) => return false,
            _ => {}
        }
    }
    rows >= 2 && columns_max >= 2 && (has_headers || !has_blocks)
}

#[rustfmt::skip]
const NOT_IN_DATA: [Tag; 16] = [
    Tag::TABLE, Tag::DL, Tag::MENU, Tag::DIR, Tag::XMP, Tag::PLAINTEXT, Tag::BLOCKQUOTE, Tag::HR,
    Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::ARTICLE, Tag::SECTION,
];
