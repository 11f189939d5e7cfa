//! What is known of a site while it is learned, and what a file keeps of it.

use std::sync::{Arc, Mutex, PoisonError};

use super::{PageInPieces, lock};
use crate::detect::{Detector, Own};
use crate::model::Model;
use crate::sample::Sample;

/// What was learned of a site.
#[derive(Debug, Clone, PartialEq)]
pub enum Learned {
    /// Everything, so that learning can go on.
    Sample(Sample),
    /// The same of a method to which the order of the pages matters.
    InOrder(Own),
    /// Only what labelling needs.
    Templates(Model),
}

impl Learned {
    /// What is needed to label pages.
    pub fn model(&self, detector: &dyn Detector) -> Model {
        match (self, detector.in_order()) {
            (Learned::Sample(sample), _) => detector.model(sample),
            (Learned::InOrder(state), Some(in_order)) => in_order.model(state),
            // A file of a method without order holds no states: they are refused when it is read.
            (Learned::InOrder(_), None) => Model::default(),
            (Learned::Templates(model), _) => model.clone(),
        }
    }

    /// How many pages were observed.
    pub fn pages_observed(&self, detector: &dyn Detector) -> u64 {
        match self {
            Learned::Sample(sample) => sample.pages_observed(),
            Learned::InOrder(state) => detector.in_order().map_or(0, |in_order| in_order.pages(state)),
            Learned::Templates(model) => model.pages_observed(),
        }
    }

    /// The memory that it takes, about.
    pub(super) fn bytes(&self, detector: &dyn Detector) -> usize {
        match self {
            Learned::Sample(sample) => sample.bytes(),
            Learned::InOrder(state) => detector.in_order().map_or(0, |in_order| in_order.memory(state)),
            Learned::Templates(model) => size_of_val(model),
        }
    }

    /// Takes in a page whose turn it is, of a method to which that matters.
    pub(super) fn take(&mut self, page: &PageInPieces, detector: &dyn Detector) {
        if let (Some(in_order), Learned::InOrder(state)) = (detector.in_order(), self) {
            in_order.take(state, page.id, &page.pieces);
        }
    }
}

/// What was learned of a site, when nobody else learns any more.
pub(super) fn unshared(learned: Arc<Mutex<Learned>>) -> Learned {
    match Arc::try_unwrap(learned) {
        Ok(learned) => learned.into_inner().unwrap_or_else(PoisonError::into_inner),
        Err(shared) => lock(&shared).clone(),
    }
}
