//! Finds template blocks by the positions of their words. Implements the method `blocks` for the construction of an index.

use std::path::Path;

use unframe::blocks::{Signature, cluster_sizes};
use unframe::detect::Blocks;
use xxhash_rust::xxh3;

use crate::error::SearchError;
use crate::places::{Place, Places, distinct_words};
use crate::spill::Spill;
use crate::tally::{Counts, Tally};

/// Makes the hash of a block's style distinct for each site.
pub(crate) fn site_style(site: u64, style: u64) -> u64 {
    xxh3::xxh3_64_with_seed(&style.to_le_bytes(), site)
}

/// The inverted table of words: the positions of each word in blocks. In memory it has up to `bytes_max` bytes of positions and counts,
/// and a few bytes of each page.
pub(crate) struct WordTable {
    places: Spill,
    bytes_max: usize,
    /// Number of blocks.
    blocks: u32,
    /// For each page, the number of its first block and the number of its site.
    pages: Vec<(u32, u32)>,
    /// Number of pages of each site.
    sites: Vec<usize>,
    /// Blocks of pages that were replaced.
    forgotten: Vec<std::ops::Range<u32>>,
}

impl WordTable {
    /// A table that holds up to `bytes_max` bytes in memory, and writes others to files in `folder`.
    pub(crate) fn new(bytes_max: usize, folder: &Path) -> WordTable {
        WordTable {
            places: Spill::new(bytes_max, folder),
            bytes_max,
            blocks: 0,
            pages: Vec::new(),
            sites: Vec::new(),
            forgotten: Vec::new(),
        }
    }

    /// Removes the page with this number.
    pub(crate) fn forget(&mut self, page: u32) {
        let Some((first, site)) = self.pages.get(page as usize).copied() else { return };
        let end = self.pages.get(page as usize + 1).map_or(self.blocks, |(first, _)| *first);
        self.forgotten.push(first..end);
        self.sites[site as usize] -= 1;
    }

    /// Adds a page of the site with this number. Its blocks get the next numbers.
    pub(crate) fn add(&mut self, site: usize, places: &Places) -> Result<(), SearchError> {
        self.pages.push((self.blocks, site as u32));
        if self.sites.len() <= site {
            self.sites.resize(site + 1, 0);
        }
        self.sites[site] += 1;
        let blocks = u32::try_from(places.blocks().len()).unwrap_or(u32::MAX);
        self.blocks = self.blocks.checked_add(blocks).ok_or(SearchError::TooManyBlocks)?;
        self.places.push(places)
    }

    /// Compares all blocks.
    pub(crate) fn templates(self, method: &Blocks) -> Result<TemplateBlocks<'_>, SearchError> {
        let WordTable { places, bytes_max, blocks, pages, sites, mut forgotten } = self;
        forgotten.sort_unstable_by_key(|blocks| blocks.start);
        let is_wanted = |block: u32| {
            let after = forgotten.partition_point(|blocks| blocks.start <= block);
            after == 0 || !forgotten[after - 1].contains(&block)
        };
        let df_of = |block: u32| {
            let page = pages.partition_point(|(first, _)| *first <= block).saturating_sub(1);
            method.df_for(sites[pages[page].1 as usize])
        };
        // Most words are in too few blocks to be template words, and need no comparison.
        let least = |block: u32| (df_of(block) as usize).max(2);
        let mut clustering = Clustering::default();
        let mut template_words = Tally::new(blocks as usize, bytes_max, places.folder())?;
        places.for_each_word(is_wanted, least, |places| {
            let df = df_of(places[0].block);
            clustering.find(places, df, method.similarity);
            // Words at different offsets from the start of their blocks may have the same offset from the end.
            if clustering.templates.len() < places.len() {
                let seen_from_end = |place: &mut Place| {
                    place.signature = place.signature.seen_from_end(usize::from(place.block_words))
                };
                places.iter_mut().for_each(seen_from_end);
                clustering.find_more(places, df, method.similarity);
            }
            clustering.templates.iter().try_for_each(|block| template_words.add(*block))
        })?;
        Ok(TemplateBlocks { method, template_words: template_words.into_counts(), memory: Vec::new() })
    }
}

/// Which blocks are template, in the order in which they were added.
pub(crate) struct TemplateBlocks<'m> {
    method: &'m Blocks,
    template_words: Counts,
    memory: Vec<u64>,
}

impl TemplateBlocks<'_> {
    /// Whether the next block, with these words, is template.
    pub(crate) fn next(&mut self, hashes: &[u64]) -> Result<bool, SearchError> {
        let template_words = self.template_words.next()?;
        Ok(template_words > 0
            && self.method.is_template_block(template_words, distinct_words(hashes, &mut self.memory)))
    }
}

/// The buffers and the result of clustering.
#[derive(Default)]
struct Clustering {
    signatures: Vec<Signature>,
    sizes: Vec<(Signature, u32)>,
    memory: Vec<(Signature, u32)>,
    /// The blocks in which the word is a template word, each once.
    templates: Vec<u32>,
}

impl Clustering {
    /// Finds the blocks of the clusters with at least `df` blocks. The places must be those of one word in blocks of one style. They are
    /// sorted by their signatures.
    fn find(&mut self, places: &mut [Place], df: u32, similarity: f64) {
        self.templates.clear();
        self.push(places, df, similarity);
    }

    /// Adds the blocks that [`Clustering::find`] would find with other signatures of the same places.
    fn find_more(&mut self, places: &mut [Place], df: u32, similarity: f64) {
        self.push(places, df, similarity);
        self.templates.sort_unstable();
        self.templates.dedup();
    }

    fn push(&mut self, places: &mut [Place], df: u32, similarity: f64) {
        places.sort_unstable_by_key(|place| (place.signature, place.block));
        self.signatures.clear();
        self.signatures.extend(places.iter().map(|place| place.signature));
        cluster_sizes(&self.signatures, similarity, &mut self.sizes, &mut self.memory);
        let mut sizes = self.sizes.iter();
        let mut size = sizes.next();
        for place in places {
            while size.is_some_and(|(signature, _)| *signature != place.signature) {
                size = sizes.next();
            }
            if size.is_some_and(|(_, size)| *size >= df) {
                self.templates.push(place.block);
            }
        }
    }
}
