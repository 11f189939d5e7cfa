//! The model of a site: the result of learning.

pub(crate) mod bytes;
mod own;

use std::collections::HashMap;

pub use own::Own;

use crate::sample::{Count, PieceHasher};

/// The template pieces of one site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    pages_observed: u64,
    pages_sampled: usize,
    templates: HashMap<u64, Count, PieceHasher>,
    own: Option<Own>,
}

impl Model {
    /// A model with these template pieces.
    pub fn new(
        pages_observed: u64,
        pages_sampled: usize,
        templates: HashMap<u64, Count, PieceHasher>,
    ) -> Model {
        Model { pages_observed, pages_sampled, templates, own: None }
    }

    /// Adds a method-specific part.
    pub fn with_own(self, own: Own) -> Model {
        Model { own: Some(own), ..self }
    }

    /// The method-specific part, if there is one.
    pub fn own(&self) -> Option<&Own> {
        self.own.as_ref()
    }

    /// The counts of a piece, if it is template.
    #[inline]
    pub fn count(&self, piece: u64) -> Option<Count> {
        self.templates.get(&piece).copied()
    }

    /// All template pieces, ordered by hash.
    pub fn templates(&self) -> Vec<(u64, Count)> {
        let mut templates: Vec<_> = self.templates.iter().map(|(piece, count)| (*piece, *count)).collect();
        templates.sort_unstable_by_key(|(piece, _)| *piece);
        templates
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.templates.is_empty() && self.own.is_none()
    }

    /// The number of observed pages of the site.
    pub fn pages_observed(&self) -> u64 {
        self.pages_observed
    }

    /// The number of sampled pages, which were compared with each other.
    pub fn pages_sampled(&self) -> usize {
        self.pages_sampled
    }
}
