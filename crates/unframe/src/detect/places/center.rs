//! Where the content of pages most likely is: the place that holds most of the prose, and the one that the page calls its main
//! part. What is outside of these is rather template.

use super::evidence::{Clue, saturate, share};
use super::names::Traits;
use super::tree::{Place, PlaceTree};

/// The share of all prose that the core holds.
const CORE_SHARE: f64 = 0.75;
/// A main part with less of the prose is a small piece that is only named so.
const MAIN_SHARE: f64 = 0.5;
/// Characters of prose on a page with which half of it is believed.
const PROSE_CHARS: f64 = 1000.0;

/// The places of a site, seen from where its content is.
pub(super) struct Center<'t> {
    places: &'t [Place],
    /// The innermost place that holds most of the prose.
    core: usize,
    /// For each place, whether it is inside of the core or around it.
    is_near_core: Vec<bool>,
    /// The same for the main part, if there is one.
    is_near_main: Option<Vec<bool>>,
    /// How much prose there is, from 0 to 1.
    prose: f64,
}

impl Center<'_> {
    pub(super) fn of(tree: &PlaceTree) -> Center<'_> {
        let places = &tree.places[..];
        let prose = |at: usize| places[at].all.new_prose;
        let (mut core, mut main) = (0, None);
        // Every place comes after the one around it.
        for (at, place) in places.iter().enumerate().skip(1) {
            if place.parent == core && prose(at) >= CORE_SHARE * prose(0) {
                core = at;
            }
            if place.traits.has(Traits::MAIN) && main.is_none_or(|main| prose(at) > prose(main)) {
                main = Some(at);
            }
        }
        let main = main.filter(|main| prose(*main) >= MAIN_SHARE * prose(0));
        Center {
            places,
            core,
            is_near_core: near(places, core),
            is_near_main: main.map(|main| near(places, main)),
            prose: saturate(prose(0) / f64::from(tree.pages.max(1)), PROSE_CHARS),
        }
    }

    /// What a place is by where it is.
    pub(super) fn tell(&self, at: usize, mut tell: impl FnMut(Clue, f64)) {
        let position = |at: usize| share(self.places[at].all.position, &self.places[at].all);
        if !self.is_near_core[at] && position(at) > position(self.core) {
            tell(Clue::AfterCore, self.prose);
        }
        if self.is_near_main.as_ref().is_some_and(|is_near| !is_near[at]) {
            tell(Clue::OutsideMain, 1.0);
        }
    }
}

/// Whether each place is inside of another one, or around it.
fn near(places: &[Place], other: usize) -> Vec<bool> {
    let mut is_near = vec![false; places.len()];
    is_near[other] = true;
    for at in other + 1..places.len() {
        is_near[at] = is_near[places[at].parent];
    }
    let mut at = other;
    while at > 0 {
        at = places[at].parent;
        is_near[at] = true;
    }
    is_near
}
