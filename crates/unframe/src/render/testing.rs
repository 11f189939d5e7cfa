//! Regions for tests.

use crate::html::Span;
use crate::regions::{Region, TemplateHash};

/// Extracts the regions that are marked with `⟦` and `⟧`, and the page without the marks.
pub(super) fn marked(page: &str) -> (String, Vec<Region>) {
    let mut bytes = String::new();
    let mut regions = Vec::new();
    for (number, part) in page.split('⟦').enumerate() {
        let (inside, after) = if number == 0 { ("", part) } else { part.split_once('⟧').unwrap() };
        if number > 0 {
            let span = Span::new(bytes.len(), bytes.len() + inside.len());
            regions.push(region(span));
        }
        bytes.extend([inside, after]);
    }
    (bytes, regions)
}

/// Regions that begin and end between characters, near the given shares of the page.
pub(super) fn regions(html: &str, shares: &[(f64, f64)]) -> Vec<Region> {
    let at = |share: f64| (share * html.len() as f64) as usize;
    let ends = shares.iter().flat_map(|(start, end)| [at(*start), at(*end)]);
    let mut ends: Vec<usize> = ends.filter(|at| is_between(html, *at)).collect();
    ends.sort_unstable();
    ends.dedup();
    ends.chunks_exact(2).map(|ends| region(Span::new(ends[0], ends[1]))).collect()
}

fn region(span: Span) -> Region {
    Region::new(span, TemplateHash(1), 2)
}

/// Whether a position of a page is outside of tags, character references and multi-byte characters.
fn is_between(html: &str, at: usize) -> bool {
    html.is_char_boundary(at) && {
        let before = &html[..at];
        let is_in =
            |from: char, to: char| before.rfind(from).is_some_and(|from| !before[from..].contains(to));
        !is_in('<', '>') && !is_in('&', ';')
    }
}
