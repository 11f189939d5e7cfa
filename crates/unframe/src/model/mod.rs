//! What makes a piece of a site template: the result of learning.

pub(crate) mod bytes;
mod file;

use std::collections::{HashMap, HashSet};

#[cfg(test)]
pub(crate) use file::VERSION;
pub(crate) use file::copy_of;
pub use file::{Learned, ModelError, ModelFile};

use crate::sample::{Count, PieceHasher};

/// The template pieces of one site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    pages_observed: u64,
    pages_sampled: usize,
    templates: HashMap<u64, Count, PieceHasher>,
    places: Option<PlaceTable>,
}

/// What is believed of the places of a site, for a method that judges places.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlaceTable {
    /// The places, by the hash of their path.
    pub places: HashMap<u64, PlaceBelief, PieceHasher>,
    /// Hashes of the names (`id` and classes) that tell places apart.
    pub names: HashSet<u64, PieceHasher>,
}

/// What is believed of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlaceBelief {
    /// Pages of the sample that have the place.
    pub pages: u32,
    /// How likely its repeated texts are template, in percent.
    pub repeated: u8,
    /// How likely its changing texts are template, in percent.
    pub changing: u8,
}

impl Model {
    /// A model of these template pieces.
    pub fn new(
        pages_observed: u64,
        pages_sampled: usize,
        templates: HashMap<u64, Count, PieceHasher>,
    ) -> Model {
        Model { pages_observed, pages_sampled, templates, places: None }
    }

    /// The same with what is believed of places.
    pub fn with_places(self, places: PlaceTable) -> Model {
        Model { places: Some(places), ..self }
    }

    /// What is believed of places, if the method judges them and saw more than one page.
    pub fn places(&self) -> Option<&PlaceTable> {
        self.places.as_ref()
    }

    /// How often a piece was counted, if it is template.
    #[inline]
    pub fn count(&self, piece: u64) -> Option<Count> {
        self.templates.get(&piece).copied()
    }

    /// All template pieces, in the order of their hashes.
    pub fn templates(&self) -> Vec<(u64, Count)> {
        let mut templates: Vec<_> = self.templates.iter().map(|(piece, count)| (*piece, *count)).collect();
        templates.sort_unstable_by_key(|(piece, _)| *piece);
        templates
    }

    /// Whether nothing repeats, so that no page has regions.
    pub fn is_empty(&self) -> bool {
        self.templates.is_empty()
    }

    /// How many pages of the site were observed.
    pub fn pages_observed(&self) -> u64 {
        self.pages_observed
    }

    /// How many of them were compared with each other.
    pub fn pages_sampled(&self) -> usize {
        self.pages_sampled
    }
}
