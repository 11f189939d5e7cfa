//! Prepares pages for the index in one pass over their tokens. Threads can do this in parallel.

use unframe::blocks::CutPage;
use unframe::detect::Blocks;
use unframe::{Page, ParsedPage, Region};
use xxhash_rust::xxh3;

use crate::language;
use crate::places::Places;
use crate::templates::site_style;
use crate::writer::Removal;

/// Prepares pages; each thread has its own.
pub struct Preparer {
    cutter: Blocks,
    /// Whether templates are detected by the positions of words.
    finds_templates: bool,
    memory: Vec<u64>,
}

/// A page that is ready for [`IndexWriter::add`](crate::IndexWriter::add).
pub struct Prepared {
    pub(crate) url: String,
    pub(crate) site: String,
    /// Seconds since 1970.
    pub(crate) date: Option<i64>,
    pub(crate) language: String,
    pub(crate) page: CutPage,
    /// The hash of each word.
    pub(crate) hashes: Vec<u64>,
    /// The positions of the words in each block.
    pub(crate) places: Places,
}

impl Preparer {
    /// A preparer for an index with this removal.
    pub fn new(removal: &Removal) -> Preparer {
        let (cutter, finds_templates) = match removal {
            Removal::Blocks(blocks) => (blocks.clone(), true),
            Removal::None | Removal::Labels(_) => (Blocks::default(), false),
        };
        Preparer { cutter, finds_templates, memory: Vec::new() }
    }

    /// Prepares a page. `regions` are its template regions, for [`Removal::Labels`].
    pub fn prepare(&mut self, page: &Page, parsed: &ParsedPage<'_>, regions: &[Region]) -> Prepared {
        let cut = self.cutter.cut(parsed, regions);
        let hashes = cut.hashes();
        let mut places = Places::default();
        if self.finds_templates {
            let site = xxh3::xxh3_64(page.site.as_bytes());
            for block in &cut.blocks {
                let style = site_style(site, block.style);
                places.push_block(style, &hashes[block.words()], &mut self.memory);
            }
        }
        Prepared {
            url: page.url.clone(),
            site: page.site.clone(),
            date: page.date.map(|date| date.as_second()),
            language: language::of(&cut),
            page: cut,
            hashes,
            places,
        }
    }
}
