//! What fitting the weights needs: the places of known pages, what is believed of them under any weights, and in which
//! direction each weight would change it.
//!
//! Only built with the feature `fitting`, for the program that `cargo xtask fit` runs.

use super::alone;
use super::belief::{pass, probability};
use super::evidence::{Clue, Subject, Weights, for_each_clue};
use super::outline;
use super::tree::{Occurrence, PlaceTree};
use super::weights::{PAGE, SITE};
use crate::detect::PageBytes;
use crate::html::Parser;

/// A number for each of [`Clue::ALL`].
pub type Numbers = [f64; Clue::ALL.len()];

/// The weights in use: for pages that are compared, and for a page alone.
pub fn weights_in_use() -> [Numbers; 2] {
    [SITE.0, PAGE.0]
}

/// A page, to be compared with others.
pub struct Outline(Vec<u64>);

impl Outline {
    /// The outline of a page, and its texts, white space collapsed.
    pub fn of(page: PageBytes<'_>, parser: &mut Parser) -> (Outline, Vec<String>) {
        let document = parser.parse(page.payload, page.encoding);
        let mut words = Vec::new();
        outline::write(&document, &mut words);
        let mut texts = Vec::new();
        outline::for_each_text(&document, |_, _, text| texts.push(text.to_owned()));
        (Outline(words), texts)
    }
}

/// Texts of which the same is believed: the repeated or the changing ones of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Group {
    /// The number of the place.
    pub place: usize,
    /// Whether they are the repeated ones.
    pub is_repeated: bool,
}

/// Pages that are compared, or one alone.
pub struct Places {
    parents: Vec<usize>,
    clues: Vec<(usize, Subject, Clue, f64)>,
    /// The group of each text of each page.
    pub texts: Vec<Vec<Group>>,
    /// What the pages say of changing texts when each is looked at alone, under the weights in use.
    alone: Vec<Option<f64>>,
}

/// What is believed of all places: logarithms of odds, and what they came from.
pub struct Beliefs<'p> {
    places: &'p Places,
    evidence: Vec<[f64; 6]>,
    inside: Vec<f64>,
    told: Vec<f64>,
    all: Vec<f64>,
}

impl Places {
    /// The places of pages.
    pub fn of(outlines: &[&Outline], page_weights: &Numbers) -> Places {
        let words: Vec<&[u64]> = outlines.iter().map(|outline| outline.0.as_slice()).collect();
        let (tree, occurrences) = PlaceTree::with_texts(&words);
        let mut clues = Vec::new();
        for_each_clue(&tree, |place, subject, clue, amount| {
            if amount != 0.0 {
                clues.push((place, subject, clue, amount));
            }
        });
        let group = |found: &Occurrence| Group { place: found.place, is_repeated: tree.is_repeated(found) };
        let mut texts = vec![Vec::new(); outlines.len()];
        occurrences.iter().for_each(|found| texts[found.page as usize].push(group(found)));
        let alone = match outlines.len() {
            1 => vec![None; tree.places.len()],
            _ => alone::opinions(words.into_iter(), &tree, &Weights(*page_weights)),
        };
        Places { parents: tree.places.iter().map(|place| place.parent).collect(), clues, texts, alone }
    }

    /// What is believed under these weights.
    pub fn beliefs(&self, weights: &Numbers) -> Beliefs<'_> {
        let len = self.parents.len();
        let mut evidence = vec![[0.0; 6]; len];
        for (place, subject, clue, amount) in &self.clues {
            evidence[*place][*subject as usize] += weights[*clue as usize] * amount;
        }
        let mut inside: Vec<f64> = evidence.iter().map(|evidence| evidence[0]).collect();
        let mut told = vec![0.0; len];
        for at in (0..len).rev() {
            let [_, tie, repeated, repeated_tie, changing, changing_tie] = evidence[at];
            inside[at] += pass(repeated, repeated_tie) + pass(changing, changing_tie);
            if at > 0 {
                told[at] = pass(inside[at], tie);
                inside[self.parents[at]] += told[at];
            }
        }
        let mut all = inside.clone();
        for at in 1..len {
            all[at] += pass(all[self.parents[at]] - told[at], evidence[at][1]);
        }
        Beliefs { places: self, evidence, inside, told, all }
    }
}

impl Beliefs<'_> {
    /// The evidence of a group, its tie, and what the place tells it.
    fn parts(&self, group: Group) -> (f64, f64, f64) {
        let first = if group.is_repeated { Subject::Repeated } else { Subject::Changing } as usize;
        let (own, tie) = (self.evidence[group.place][first], self.evidence[group.place][first + 1]);
        (own, tie, self.all[group.place] - pass(own, tie))
    }

    /// How likely a group is template.
    pub fn template(&self, group: Group) -> f64 {
        let (own, tie, others) = self.parts(group);
        let odds = own + pass(others, tie);
        probability(match self.places.alone[group.place] {
            Some(alone) if !group.is_repeated => alone::join(odds, alone),
            _ => odds,
        })
    }

    /// How a sum of beliefs changes with the weights, if it changes so much with the odds of each group.
    pub fn gradient(&self, groups: &[(Group, f64)]) -> Numbers {
        let len = self.all.len();
        let mut of_evidence = vec![[0.0; 6]; len];
        let mut of_all = vec![0.0; len];
        for (group, amount) in groups {
            let is_joined = !group.is_repeated && self.places.alone[group.place].is_some();
            let amount = amount * if is_joined { 1.0 - alone::ALONE } else { 1.0 };
            let first = if group.is_repeated { Subject::Repeated } else { Subject::Changing } as usize;
            let (own, tie, others) = self.parts(*group);
            let (by_others, by_tie) = slopes(others, tie);
            let (told_by_own, told_by_tie) = slopes(own, tie);
            of_all[group.place] += amount * by_others;
            of_evidence[group.place][first] += amount * (1.0 - by_others * told_by_own);
            of_evidence[group.place][first + 1] += amount * (by_tie - by_others * told_by_tie);
        }
        let mut of_inside = vec![0.0; len];
        let mut of_told = vec![0.0; len];
        for at in (1..len).rev() {
            let parent = self.places.parents[at];
            let (by_others, by_tie) = slopes(self.all[parent] - self.told[at], self.evidence[at][1]);
            of_evidence[at][1] += of_all[at] * by_tie;
            of_all[parent] += of_all[at] * by_others;
            of_told[at] -= of_all[at] * by_others;
        }
        of_inside.iter_mut().zip(&of_all).for_each(|(inside, all)| *inside += all);
        for at in 0..len {
            if at > 0 {
                let of_told = of_told[at] + of_inside[self.places.parents[at]];
                let (by_inside, by_tie) = slopes(self.inside[at], self.evidence[at][1]);
                of_evidence[at][1] += of_told * by_tie;
                of_inside[at] += of_told * by_inside;
            }
            of_evidence[at][0] += of_inside[at];
            for first in [Subject::Repeated as usize, Subject::Changing as usize] {
                let (by_own, by_tie) = slopes(self.evidence[at][first], self.evidence[at][first + 1]);
                of_evidence[at][first] += of_inside[at] * by_own;
                of_evidence[at][first + 1] += of_inside[at] * by_tie;
            }
        }
        let mut gradient = [0.0; Clue::ALL.len()];
        for (place, subject, clue, amount) in &self.places.clues {
            gradient[*clue as usize] += of_evidence[*place][*subject as usize] * amount;
        }
        gradient
    }
}

/// How [`pass`] changes with the odds and with the tie.
fn slopes(odds: f64, tie: f64) -> (f64, f64) {
    let together = probability(odds + tie);
    (together - probability(odds - tie), together - probability(tie - odds))
}

#[cfg(test)]
mod tests {
    use super::super::belief::beliefs;
    use super::*;
    use crate::Sample;
    use crate::sample::Rank;

    fn outlines() -> Vec<Outline> {
        let page = |n: usize| {
            format!(
                "<title>Tea {n}</title><div class=nav><a href=/>Home</a> <a href=/{n}>Tea {n}</a></div><main><h1>Tea {n}</h1>\
                 <h2>See also</h2><p>{}<a href=/x>one</a> and more</p></main><footer>Seen {n} times</footer>",
                format!("a leaf {n} of green ").repeat(9)
            )
        };
        let outline = |n| {
            let page = page(n);
            let page = PageBytes { payload: page.as_bytes(), encoding: encoding_rs::UTF_8 };
            Outline::of(page, &mut Parser::new()).0
        };
        (0..6).map(outline).collect()
    }

    #[test]
    fn beliefs_are_those_of_the_method() {
        let outlines = outlines();
        let [site, page] = weights_in_use();
        let places = Places::of(&outlines.iter().collect::<Vec<_>>(), &page);
        let mut sample = Sample::new(100);
        for (rank, outline) in outlines.iter().enumerate() {
            sample.add(Rank(rank as u128), outline.0.clone());
        }
        let tree = PlaceTree::of(&sample);
        let expected = alone::joined(&sample, &tree, beliefs(&tree, &SITE), &PAGE);
        let found = places.beliefs(&site);
        for (place, belief) in expected.iter().enumerate() {
            let of = |is_repeated| found.template(Group { place, is_repeated });
            assert!((of(true) - probability(belief.repeated)).abs() < 1e-9, "{place}");
            assert!((of(false) - probability(belief.changing)).abs() < 1e-9, "{place}");
        }
    }

    #[test]
    fn the_gradient_is_what_small_steps_show() {
        let outlines = outlines();
        let [site, page] = weights_in_use();
        let places = Places::of(&outlines.iter().collect::<Vec<_>>(), &page);
        let groups: Vec<Group> = places.texts.concat();
        // Odds, without the bounds of certainty, which have no slope.
        let sum = |weights: &Numbers| {
            let beliefs = places.beliefs(weights);
            let odds = |group: &Group| {
                let (own, tie, others) = beliefs.parts(*group);
                let is_joined = !group.is_repeated && places.alone[group.place].is_some();
                (own + pass(others, tie)) * if is_joined { 1.0 - alone::ALONE } else { 1.0 }
            };
            groups.iter().map(odds).sum::<f64>()
        };
        let all: Vec<(Group, f64)> = groups.iter().map(|group| (*group, 1.0)).collect();
        let gradient = places.beliefs(&site).gradient(&all);
        for clue in 0..Clue::ALL.len() {
            let step = |size: f64| {
                let mut weights = site;
                weights[clue] += size;
                sum(&weights)
            };
            let slope = (step(1e-5) - step(-1e-5)) / 2e-5;
            assert!((slope - gradient[clue]).abs() < 1e-4 * slope.abs().max(1.0), "{:?}", Clue::ALL[clue]);
        }
    }
}
