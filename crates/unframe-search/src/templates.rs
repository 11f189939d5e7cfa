//! Finds template blocks by the positions of their words. Implements the method `blocks` for the construction of an index.

use std::collections::HashMap;
use std::path::Path;

use unframe::blocks::{Signature, cluster_sizes};
use unframe::detect::Blocks;
use unframe::sample::PieceHasher;
use xxhash_rust::xxh3;

use crate::error::SearchError;
use crate::places::{Place, Places};
use crate::spill::Spill;

/// Makes the hash of a block's style distinct for each site.
pub(crate) fn site_style(site: u64, style: u64) -> u64 {
    xxh3::xxh3_64_with_seed(&style.to_le_bytes(), site)
}

/// The inverted table of words: the positions of each word in blocks.
pub(crate) struct WordTable {
    places: Spill,
    /// Number of blocks of each style.
    styles: HashMap<u64, u32, PieceHasher>,
    /// For each block, the numbers of distinct words and of template words among them.
    words: Vec<(u32, u32)>,
    /// For each block, the number of words modulo 32.
    lens: Vec<u8>,
    /// For each page, the number of its first block and the number of its site.
    pages: Vec<(u32, u32)>,
    /// Number of pages of each site.
    sites: Vec<usize>,
    /// Blocks of pages that were replaced.
    forgotten: Vec<std::ops::Range<u32>>,
}

impl WordTable {
    /// A table that holds up to `bytes_max` bytes of places in memory, and spills others to a file in `folder`.
    pub(crate) fn new(bytes_max: usize, folder: &Path) -> WordTable {
        WordTable {
            places: Spill::new(bytes_max, folder),
            styles: HashMap::default(),
            words: Vec::new(),
            lens: Vec::new(),
            pages: Vec::new(),
            sites: Vec::new(),
            forgotten: Vec::new(),
        }
    }

    /// Removes the page with this number.
    pub(crate) fn forget(&mut self, page: u32) {
        let Some((first, site)) = self.pages.get(page as usize).copied() else { return };
        let end = self.pages.get(page as usize + 1).map_or(self.words.len() as u32, |(first, _)| *first);
        self.forgotten.push(first..end);
        self.sites[site as usize] -= 1;
    }

    /// Adds a page of the site with this number. Its blocks get the next numbers.
    pub(crate) fn add(&mut self, site: usize, places: &Places) -> Result<(), SearchError> {
        self.pages.push((self.words.len() as u32, site as u32));
        if self.sites.len() <= site {
            self.sites.resize(site + 1, 0);
        }
        self.sites[site] += 1;
        for block in places.blocks() {
            self.words.push((block.words, 0));
            self.lens.push(block.len);
            *self.styles.entry(block.style).or_default() += 1;
        }
        self.places.push(places)
    }

    /// Whether each block is template, in the order in which the blocks were added.
    pub(crate) fn templates(self, method: &Blocks) -> Result<Vec<bool>, SearchError> {
        let WordTable { places, styles, mut words, lens, pages, sites, mut forgotten } = self;
        forgotten.sort_unstable_by_key(|blocks| blocks.start);
        let is_forgotten = |block: u32| {
            let after = forgotten.partition_point(|blocks| blocks.start <= block);
            after > 0 && forgotten[after - 1].contains(&block)
        };
        let df_of = |block: u32| {
            let page = pages.partition_point(|(first, _)| *first <= block).saturating_sub(1);
            method.df_for(sites[pages[page].1 as usize])
        };
        let is_wanted = |style: u64, block: u32| {
            styles.get(&style).is_some_and(|blocks| *blocks > 1) && !is_forgotten(block)
        };
        // Most words are in too few blocks to be template words, and need no comparison.
        let least = |block: u32| (df_of(block) as usize).max(2);
        let mut clustering = Clustering::default();
        places.for_each_word(is_wanted, least, |places| {
            let df = df_of(places[0].block);
            clustering.find(places, df, method.similarity);
            // Words at different offsets from the start of their blocks may have the same offset from the end.
            if clustering.templates.len() < places.len() {
                let seen_from_end = |place: &mut Place| {
                    place.signature = place.signature.seen_from_end(usize::from(lens[place.block as usize]))
                };
                places.iter_mut().for_each(seen_from_end);
                clustering.find_more(places, df, method.similarity);
            }
            clustering.templates.iter().for_each(|block| words[*block as usize].1 += 1);
        })?;
        Ok(words.iter().map(|(all, template)| method.is_template_block(*template, *all)).collect())
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
