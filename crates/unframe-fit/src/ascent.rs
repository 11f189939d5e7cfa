//! Walks uphill to better weights.

use unframe::detect::places::Clue;
use unframe::detect::places::fitting::{Numbers, Places};
use unframe_study::parallel;

use crate::gold::{Kinship, Known};
use crate::score::{Case, Score};

/// Numbers of pages that are compared; the last one stands for all.
const SIZES: [usize; 4] = [2, 5, 20, 100];
/// Pages of a site that are looked at alone.
const ALONE_MAX: usize = 20;
/// Groups of a size that are taken from a site.
const GROUPS_MAX: usize = 3;

/// Pages to be told apart.
pub(crate) struct Problem<'k> {
    /// With the number of pages that are compared.
    pub(crate) cases: Vec<(usize, Case<'k>)>,
}

impl<'k> Problem<'k> {
    /// Pages one by one.
    pub(crate) fn alone(sites: &[&'k Known]) -> Problem<'k> {
        let cases = sites.iter().flat_map(|site| {
            site.pages.iter().take(ALONE_MAX).map(|page| {
                let places = Places::of(&[&page.outline], &[0.0; Clue::ALL.len()]);
                (1, Case { site, places, pages: vec![page] })
            })
        });
        Problem { cases: cases.collect() }
    }

    /// Pages in groups of several sizes.
    pub(crate) fn compared(sites: &[&'k Known], page_weights: &Numbers) -> Problem<'k> {
        let kin = sites.iter().filter(|site| site.kinship == Kinship::Site);
        let groups = kin.flat_map(|site| {
            SIZES.iter().flat_map(move |size| {
                let groups = site.pages.chunks(*size).filter(|group| group.len() >= 2);
                groups.take(GROUPS_MAX).map(move |group| (*site, *size, group))
            })
        });
        let groups: Vec<_> = groups.collect();
        let case = |(site, size, group): &(&'k Known, usize, &'k [_])| {
            let pages: Vec<&crate::gold::KnownPage> = group.iter().collect();
            let outlines: Vec<_> = pages.iter().map(|page| &page.outline).collect();
            (*size, Case { site, places: Places::of(&outlines, page_weights), pages })
        };
        Problem { cases: parallel::map(&groups, 0, case) }
    }

    /// Are the pages looked at one by one?
    fn is_alone(&self) -> bool {
        self.cases.iter().all(|(size, _)| *size == 1)
    }

    /// The sizes that there are.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        SIZES.into_iter().filter(|size| self.cases.iter().any(|(of, _)| of == size)).collect()
    }

    /// The scores of all sites.
    pub(crate) fn scores(&self, weights: &Numbers) -> Vec<Score<'k>> {
        self.scores_of(weights, |_| true)
    }

    /// The scores of all sites with so many pages compared.
    pub(crate) fn scores_of_size(&self, weights: &Numbers, size: usize) -> Vec<Score<'k>> {
        self.scores_of(weights, |of| of == size)
    }

    fn scores_of(&self, weights: &Numbers, is_wanted: impl Fn(usize) -> bool) -> Vec<Score<'k>> {
        let cases: Vec<_> = self.cases.iter().filter(|(size, _)| is_wanted(*size)).collect();
        let found = parallel::map(&cases, 0, |(_, case)| case.score(&case.places.beliefs(weights)));
        let mut scores: Vec<(Score<'k>, f64)> = Vec::new();
        for ((_, case), (main, other)) in cases.iter().zip(found) {
            match scores.last_mut().filter(|(last, _)| last.site == case.site.name) {
                Some((last, count)) => {
                    last.main += main;
                    last.other += other;
                    *count += 1.0;
                }
                None => {
                    scores.push((Score { site: &case.site.name, kind: case.site.kind, main, other }, 1.0))
                }
            }
        }
        let mean = |(score, count): (Score<'k>, f64)| Score {
            main: score.main / count,
            other: score.other / count,
            ..score
        };
        scores.into_iter().map(mean).collect()
    }

    /// The mean figure of all cases and its gradient. Every site counts the same in every size.
    fn slope(&self, weights: &Numbers) -> (f64, Numbers) {
        let count = |site: &str, size: usize| {
            self.cases.iter().filter(|(of, case)| *of == size && case.site.name == site).count() as f64
        };
        let found = parallel::map(&self.cases, 0, |(size, case)| {
            let beliefs = case.places.beliefs(weights);
            let sloped = case.sloped(&beliefs);
            let share = 1.0 / count(&case.site.name, *size);
            (share, sloped.figure, beliefs.gradient(&sloped.slopes))
        });
        let all: f64 = found.iter().map(|(share, ..)| share).sum();
        let mut gradient = [0.0; Clue::ALL.len()];
        let mut figure = 0.0;
        for (share, of_case, slopes) in found {
            figure += share / all * of_case;
            gradient.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += share / all * slope);
        }
        (figure, gradient)
    }
}

/// Walks so many steps uphill (Adam), and holds large weights back.
pub(crate) fn climb(
    problem: &Problem<'_>,
    start: Numbers,
    steps: usize,
    restraint: f64,
    without: &[String],
) -> Numbers {
    const RATE: f64 = 0.08;
    let mut weights = start;
    let (mut mean, mut square) = ([0.0; Clue::ALL.len()], [0.0; Clue::ALL.len()]);
    for step in 1..=steps {
        let (figure, gradient) = problem.slope(&weights);
        // Smaller steps at the end find the top.
        let rate = RATE * (1.0 - (step - 1) as f64 / steps as f64).max(0.05);
        for at in 0..weights.len() {
            let slope = gradient[at] - restraint * weights[at] / 10.0;
            mean[at] = 0.9 * mean[at] + 0.1 * slope;
            square[at] = 0.99 * square[at] + 0.01 * slope * slope;
            let mean = mean[at] / (1.0 - 0.9f64.powi(step as i32));
            let square = square[at] / (1.0 - 0.99f64.powi(step as i32));
            weights[at] += rate * mean / (square.sqrt() + 1e-6);
            let (low, high) = match without.iter().any(|name| *name == format!("{:?}", Clue::ALL[at])) {
                true => (0.0, 0.0),
                false => bounds(Clue::ALL[at], problem.is_alone()),
            };
            weights[at] = weights[at].clamp(low, high);
        }
        if step % 25 == 0 {
            eprintln!("    step {step}: {figure:.5}");
        }
    }
    weights
}

/// What a weight may be. Where the prose is and what is set aside is told of a page alone: of compared pages, what repeats says it
/// better, and weights that were fitted for them anyway were worse on families of sites that were left out. Some clues can only speak for one side, and some always say something, whether the sites at hand show
/// it or not: what repeats is template unless more speaks against it, and landmarks mean what they are called. Of a page alone, its
/// prose and its `main` are all that speaks for content.
fn bounds(clue: Clue, is_alone: bool) -> (f64, f64) {
    const MAX: f64 = 10.0;
    use Clue::*;
    match clue {
        BeforeTitle | AfterCore | OutsideMain | Landmark | NamedFrame | Form | Unseen if !is_alone => {
            (0.0, 0.0)
        }
        Main | NewProse if is_alone => (-MAX, -1.0),
        Repeated | RepeatedLink | Nav | Footer => (1.0, MAX),
        Aside | Header | NamedNav | NamedFoot | NamedSide => (0.5, MAX),
        PartlyRepeated | RepeatedInside | Alike | Steady | WaysInside | NamedHead | NamedTool | InFrame
        | FrameLink | FrameLabel | FrameNumber | Control | Jump | Echo | AtTheEnd | AtTheStart
        | BeforeTitle | Landmark | AfterCore | OutsideMain | NamedFrame | Form | Unseen | Tie | TieInline
        | TieItem | TieRepeated | TieChanging | TieChangingMass => (0.0, MAX),
        Main => (-MAX, -0.5),
        NamedContent => (-MAX, -1.0),
        ProseInside | Title | TieContrast | TieItemContrast | NewProse => (-MAX, 0.0),
        _ => (-MAX, MAX),
    }
}
