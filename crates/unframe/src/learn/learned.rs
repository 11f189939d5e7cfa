//! What is known of a site while it is learned, and what a file keeps of it.

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
}
