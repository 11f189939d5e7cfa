//! The learned data of a site, in memory and in files.

use std::sync::{Arc, Mutex, PoisonError};

use super::{PageInPieces, lock};
use crate::detect::{Detector, Own};
use crate::model::Model;
use crate::sample::Sample;

/// The learned data of a site.
#[derive(Debug, Clone, PartialEq)]
pub enum Learned {
    /// A sample, to which more pages can be added.
    Sample(Sample),
    /// A state, for a method for which page order matters.
    InOrder(Own),
    /// Only the data for labelling.
    Templates(Model),
}

impl Learned {
    /// The model for labelling pages.
    pub fn model(&self, detector: &dyn Detector) -> Model {
        match (self, detector.in_order()) {
            (Learned::Sample(sample), _) => detector.model(sample),
            (Learned::InOrder(state), Some(in_order)) => in_order.model(state),
            // Unreachable for files: states are rejected when a file of an unordered method is read.
            (Learned::InOrder(_), None) => Model::default(),
            (Learned::Templates(model), _) => model.clone(),
        }
    }

    /// The number of observed pages.
    pub fn pages_observed(&self, detector: &dyn Detector) -> u64 {
        match self {
            Learned::Sample(sample) => sample.pages_observed(),
            Learned::InOrder(state) => detector.in_order().map_or(0, |in_order| in_order.pages(state)),
            Learned::Templates(model) => model.pages_observed(),
        }
    }

    /// An estimate of the memory that it takes.
    pub(super) fn bytes(&self, detector: &dyn Detector) -> usize {
        match self {
            Learned::Sample(sample) => sample.bytes(),
            Learned::InOrder(state) => detector.in_order().map_or(0, |in_order| in_order.memory(state)),
            Learned::Templates(model) => size_of_val(model),
        }
    }

    /// Adds the next page, for a method for which page order matters.
    pub(super) fn take(&mut self, page: &PageInPieces, detector: &dyn Detector) {
        if let (Some(in_order), Learned::InOrder(state)) = (detector.in_order(), self) {
            in_order.take(state, page.id, &page.pieces);
        }
    }
}

/// Takes the learned data out of its lock. No other thread may use it any more.
pub(super) fn unshared(learned: Arc<Mutex<Learned>>) -> Learned {
    match Arc::try_unwrap(learned) {
        Ok(learned) => learned.into_inner().unwrap_or_else(PoisonError::into_inner),
        Err(shared) => lock(&shared).clone(),
    }
}
