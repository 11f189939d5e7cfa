//! Finds template blocks by the positions of their words: the method `blocks` while an index is built.

use std::collections::HashMap;
use std::path::Path;

use unframe::blocks::{Signature, cluster_sizes};
use unframe::detect::Blocks;
use unframe::sample::PieceHasher;
use xxhash_rust::xxh3;

use crate::error::SearchError;
use crate::places::{Place, Places};
use crate::spill::Spill;

/// The style of a block, apart from equal ones of other sites.
pub(crate) fn site_style(site: u64, style: u64) -> u64 {
    xxh3::xxh3_64_with_seed(&style.to_le_bytes(), site)
}

/// The inverted table of words: the positions of each word in blocks.
pub(crate) struct WordTable {
    places: Spill,
    /// Blocks of each style.
    styles: HashMap<u64, u32, PieceHasher>,
    /// Different words of each block, and how many of them are template.
    words: Vec<(u32, u32)>,
    /// All words of each block, by their remainder of 32.
    lens: Vec<u8>,
    /// The blocks at which pages begin, with the number of their site.
    pages: Vec<(u32, u32)>,
    /// Pages of each site.
    sites: Vec<usize>,
    /// Blocks of pages that were replaced.
    forgotten: Vec<std::ops::Range<u32>>,
}

impl WordTable {
    /// A table that holds this many bytes of places in memory, and writes others to a file in `folder`.
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

    /// Takes a page out again, the one with this number.
    pub(crate) fn forget(&mut self, page: u32) {
        let Some((first, site)) = self.pages.get(page as usize).copied() else { return };
        let end = self.pages.get(page as usize + 1).map_or(self.words.len() as u32, |(first, _)| *first);
        self.forgotten.push(first..end);
        self.sites[site as usize] -= 1;
    }

    /// Takes in a page of a site, which is given by a number. Its blocks are numbered on.
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

    /// For each block, in the order in which they came, whether it is template.
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
        // Most words are in few blocks, and need no comparison.
        let least = |block: u32| (df_of(block) as usize).max(2);
        let mut clustering = Clustering::default();
        places.for_each_word(is_wanted, least, |places| {
            let df = df_of(places[0].block);
            clustering.find(places, df, method.similarity);
            // Words at different distances from the start may have the same distance from the end.
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

/// What clustering takes, and finds.
#[derive(Default)]
struct Clustering {
    signatures: Vec<Signature>,
    sizes: Vec<(Signature, u32)>,
    memory: Vec<(Signature, u32)>,
    /// The blocks in which the word is a template word, each once.
    templates: Vec<u32>,
}

impl Clustering {
    /// Finds the blocks of clusters that are large enough. The places are those of one word in the blocks of one style, and get the order of
    /// their signatures.
    fn find(&mut self, places: &mut [Place], df: u32, similarity: f64) {
        self.templates.clear();
        self.push(places, df, similarity);
    }

    /// The same for other signatures of the same places.
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
