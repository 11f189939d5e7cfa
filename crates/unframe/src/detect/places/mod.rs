//! `places`: repetition weighed for the places of a site.
//!
//! # What it does
//! A text that stands on many pages may be a menu or a heading such as "See also"; a text that stands on one page may be
//! content or the date in a footer. So the question is asked of places instead: a place is a path of elements, told apart
//! by their names, roles, `id`s and classes, that several pages have. For each place, what its texts are like over the whole
//! site is evidence: how much is repeated, and of what is not, how much is links, prose, labels or numbers; whether it is a
//! landmark of the standard or named like one; where on the page it stands, and whether that is where most of the prose is. Every place tends to be what the place around it
//! is, and what follows for all of them together are probabilities: one for the repeated texts of a place, and one
//! for its changing texts. The same is asked of every compared page by itself, and for changing texts the two answers are joined.
//! Texts of which template is more likely than `certainty` are template.
//!
//! A region is a maximal part of the page of which all text is template, cut where repeated text and changing text meet.
//!
//! # Assumes
//! Names that fewer than three pages have (of a few pages, two) do not tell places apart, and numbers in names do not count.
//! Where only one page is there, the same is asked of that page alone, with weights of its own.
//!
//! # Example
//! In `<div class=nav><a>Home</a> <a>Tea</a></div>` the last link is the section and changes; it goes with its place. In
//! `<main><h2>See also</h2>…` the heading is on every page, and stays with its place.
//!
//! # Cost
//! One tree and one walk over it a page; memory for the outlines of `sample` pages, about 20 KB each.

mod alone;
mod belief;
mod center;
mod evidence;
#[cfg(feature = "fitting")]
pub mod fitting;
mod label;
mod names;
mod outline;
mod tree;
mod weights;
mod why;

use super::settings::{Setting, SettingError, number};
use super::{Detector, PageBytes};
use crate::html::{Parser, Span};
use crate::model::{Model, PlaceBelief, PlaceTable};
use crate::regions::Region;
use crate::sample::{Count, Rank, Sample};
use belief::{Belief, beliefs, probability};
use evidence::Weights;
pub use evidence::{Clue, EvidenceKind};
use tree::PlaceTree;
use weights::{PAGE, SITE};

/// Repetition weighed for places; see the [module](self).
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    /// How many pages of a site are compared.
    pub sample: usize,
    /// How likely template must be: less removes more.
    pub certainty: f64,
    /// Kinds of evidence that are left out, to see what each is worth.
    pub without: Vec<EvidenceKind>,
}

impl Default for Places {
    fn default() -> Places {
        Places { sample: 100, certainty: 0.5, without: Vec::new() }
    }
}

impl Detector for Places {
    fn name(&self) -> &'static str {
        "places"
    }

    fn settings(&self) -> Vec<Setting> {
        let mut settings =
            vec![Setting::new("sample", self.sample), Setting::new("certainty", self.certainty)];
        if !self.without.is_empty() {
            let names: Vec<&str> = self.without.iter().map(|kind| kind.name()).collect();
            settings.push(Setting::new("without", names.join("+")));
        }
        settings
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        match name {
            "sample" => {
                self.sample = number("sample", value, 2..=1_000_000, "a number of pages from 2 on is needed")?
            }
            "certainty" => {
                self.certainty =
                    number("certainty", value, 0.0..=1.0, "a probability is needed, such as 0.5")?
            }
            "without" => self.without = kinds_of_evidence(value)?,
            _ => return Err(SettingError::Unknown { method: "places", name: name.to_owned() }),
        }
        Ok(())
    }

    fn sample_size(&self) -> usize {
        self.sample
    }

    fn pieces(&self, page: PageBytes<'_>, parser: &mut Parser, pieces: &mut Vec<u64>) {
        outline::write(&parser.parse(page.payload, page.encoding), pieces);
    }

    fn rule(&self, pages_sampled: usize) -> String {
        format!(
            "text is template when its place is with a probability of at least {:.0} %, as {} show",
            self.certainty * 100.0,
            if pages_sampled < 2 {
                "the page alone".to_owned()
            } else {
                format!("{pages_sampled} compared pages")
            }
        )
    }

    fn label(&self, model: &Model, page: PageBytes<'_>, parser: &mut Parser) -> Vec<Region> {
        match model.places() {
            Some(places) => {
                label::regions(model, places, self.certainty, &parser.parse(page.payload, page.encoding))
            }
            None => self.label_alone(page, parser),
        }
    }

    fn label_alone(&self, page: PageBytes<'_>, parser: &mut Parser) -> Vec<Region> {
        let model = self.weigh_alone(page, parser);
        match model.places() {
            Some(places) => label::regions_alone(
                &model,
                places,
                self.certainty,
                &parser.parse(page.payload, page.encoding),
            ),
            None => Vec::new(),
        }
    }

    fn why(&self, model: &Model, page: PageBytes<'_>, span: Span, parser: &mut Parser) -> Option<String> {
        let alone;
        let model = match model.places() {
            Some(_) => model,
            None => {
                alone = self.weigh_alone(page, parser);
                &alone
            }
        };
        why::why(model, model.places()?, &parser.parse(page.payload, page.encoding), span)
    }

    fn judges_pages_alone(&self) -> bool {
        true
    }

    fn model(&self, sample: &Sample) -> Model {
        match sample.pages_sampled() {
            // One page is evidence for itself and for no other.
            0 | 1 => Model::new(sample.pages_observed(), sample.pages_sampled(), Default::default()),
            _ => self.weigh(sample),
        }
    }
}

/// Reads `links+names`.
fn kinds_of_evidence(value: &str) -> Result<Vec<EvidenceKind>, SettingError> {
    let kind = |name: &str| {
        EvidenceKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or(SettingError::BadValue {
            name: "without",
            value: value.to_owned(),
            expected: "repetition, text, links, landmarks, names, position, frame and ties are kinds of evidence, joined by +",
        })
    };
    value.split('+').filter(|name| !name.is_empty()).map(kind).collect()
}

impl Places {
    /// The model of a page by itself.
    fn weigh_alone(&self, page: PageBytes<'_>, parser: &mut Parser) -> Model {
        let mut sample = Sample::new(1);
        let mut pieces = Vec::new();
        self.pieces(page, parser, &mut pieces);
        sample.add(Rank(0), pieces);
        self.weigh(&sample)
    }

    /// The model of a sample of any size.
    fn weigh(&self, sample: &Sample) -> Model {
        let tree = PlaceTree::of(sample);
        let weights = |weights: &Weights| weights.without(&self.without);
        let beliefs = match tree.pages {
            0 | 1 => beliefs(&tree, &weights(&PAGE)),
            _ => alone::joined(sample, &tree, beliefs(&tree, &weights(&SITE)), &weights(&PAGE)),
        };
        let percent = |odds: f64| (probability(odds) * 100.0).round() as u8;
        let places = tree.places.iter().zip(&beliefs).map(|(place, belief)| {
            let Belief { repeated, changing } = *belief;
            let belief =
                PlaceBelief { pages: place.pages, repeated: percent(repeated), changing: percent(changing) };
            (place.key, belief)
        });
        let places = PlaceTable { places: places.collect(), names: tree.names };
        let texts =
            tree.repeated.into_iter().map(|(text, pages)| (text, Count { occurrences: pages, pages }));
        Model::new(sample.pages_observed(), sample.pages_sampled(), texts.collect()).with_places(places)
    }
}
