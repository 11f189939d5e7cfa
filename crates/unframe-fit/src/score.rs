//! How well pages are told apart: for people, and with a slope for the ascent.

use unframe::detect::places::fitting::{Beliefs, Group, Places};
use unframe_study::gold::GoldKind;

use crate::gold::{Known, KnownPage};

/// What keeping values counts beside words: a value that is lost is worse than a few words of a menu.
const VALUES: f64 = 2.0;
/// What removing repeated text is worth where values must be kept.
const REMOVAL: f64 = 0.1;

/// Some pages of a site, compared with each other.
pub(crate) struct Case<'k> {
    pub(crate) site: &'k Known,
    pub(crate) places: Places,
    pub(crate) pages: Vec<&'k KnownPage>,
}

/// The score of one site.
pub(crate) struct Score<'k> {
    pub(crate) site: &'k str,
    pub(crate) kind: GoldKind,
    /// F1 in words, or the share of values that are kept.
    pub(crate) main: f64,
    /// The share of repeated text that is removed.
    pub(crate) other: f64,
}

/// Means over sites, by kinds of gold.
pub(crate) fn summary(scores: &[Score<'_>]) -> String {
    let of = |kind: GoldKind, figure: fn(&Score<'_>) -> f64| {
        let figures: Vec<f64> = scores.iter().filter(|score| score.kind == kind).map(figure).collect();
        figures.iter().sum::<f64>() / figures.len().max(1) as f64
    };
    format!(
        "F1 {:.4}, values kept {:.4}, repeated text removed {:.3}",
        of(GoldKind::Text, |score| score.main),
        of(GoldKind::Values, |score| score.main),
        of(GoldKind::Values, |score| score.other)
    )
}

/// A figure and how it changes with the odds of groups.
#[derive(Default)]
pub(crate) struct Sloped {
    pub(crate) figure: f64,
    pub(crate) slopes: Vec<(Group, f64)>,
}

impl Case<'_> {
    /// What a reader of the results would measure: everything is template or is not.
    pub(crate) fn score(&self, beliefs: &Beliefs<'_>) -> (f64, f64) {
        let keeps = |group: Group| if beliefs.template(group) >= 0.495 { 0.0 } else { 1.0 };
        let known = self.known_pages();
        let main = known.iter().map(|(page, groups)| self.page_figure(page, groups, &keeps)).sum::<f64>();
        let (mut repeated, mut removed) = (0.0, 0.0);
        for (page, groups) in &known {
            for (text, group) in page.texts.iter().zip(*groups).filter(|(_, group)| group.is_repeated) {
                repeated += text.words;
                removed += text.words * (1.0 - keeps(*group));
            }
        }
        (main / known.len().max(1) as f64, removed / f64::max(repeated, 1.0))
    }

    /// Pages of which something is known, with the groups of their texts.
    fn known_pages(&self) -> Vec<(&KnownPage, &Vec<Group>)> {
        let pages = self.pages.iter().copied().zip(&self.places.texts);
        pages.filter(|(page, _)| page.gold_words.is_some() || !page.values.is_empty()).collect()
    }

    fn page_figure(&self, page: &KnownPage, groups: &[Group], keeps: &impl Fn(Group) -> f64) -> f64 {
        match page.gold_words {
            Some(gold) => {
                let (mut found, mut right) = (0.0, 0.0);
                for (text, group) in page.texts.iter().zip(groups) {
                    let kept = keeps(*group);
                    found += kept * text.words;
                    right += kept * text.right;
                }
                if found + gold == 0.0 { 1.0 } else { 2.0 * right / (found + gold) }
            }
            None => {
                let lost =
                    |texts: &Vec<usize>| texts.iter().map(|at| 1.0 - keeps(groups[*at])).product::<f64>();
                1.0 - page.values.iter().map(lost).sum::<f64>() / page.values.len().max(1) as f64
            }
        }
    }

    /// The same with probabilities, which have slopes.
    pub(crate) fn sloped(&self, beliefs: &Beliefs<'_>) -> Sloped {
        let known = self.known_pages();
        let share = 1.0 / known.len().max(1) as f64;
        let mut sloped = Sloped::default();
        for (page, groups) in known {
            let template: Vec<f64> = groups.iter().map(|group| beliefs.template(*group)).collect();
            match page.gold_words {
                Some(gold) => words(page, gold, groups, &template, share, &mut sloped),
                None => values(page, groups, &template, share, &mut sloped),
            }
        }
        sloped
    }
}

/// Expected F1.
fn words(page: &KnownPage, gold: f64, groups: &[Group], template: &[f64], share: f64, sloped: &mut Sloped) {
    let (mut found, mut right) = (0.0, 0.0);
    for (text, template) in page.texts.iter().zip(template) {
        found += (1.0 - template) * text.words;
        right += (1.0 - template) * text.right;
    }
    let all = f64::max(found + gold, 1.0);
    let figure = 2.0 * right / all;
    sloped.figure += share * figure;
    for ((text, group), template) in page.texts.iter().zip(groups).zip(template) {
        let by_kept = (2.0 * text.right - figure * text.words) / all;
        sloped.slopes.push((*group, -share * by_kept * template * (1.0 - template)));
    }
}

/// Expected share of values that are kept, and a little for repeated text that is not.
fn values(page: &KnownPage, groups: &[Group], template: &[f64], share: f64, sloped: &mut Sloped) {
    let each = share / page.values.len().max(1) as f64;
    for texts in &page.values {
        let lost: f64 = texts.iter().map(|at| template[*at]).product();
        let each = VALUES * each;
        sloped.figure += each * (1.0 - lost);
        // With the odds of a text, the logarithm of its probability changes by what is missing to 1.
        sloped.slopes.extend(texts.iter().map(|at| (groups[*at], -each * lost * (1.0 - template[*at]))));
    }
    let is_repeated = |at: &usize| groups[*at].is_repeated;
    let repeated: f64 = (0..groups.len()).filter(is_repeated).map(|at| page.texts[at].words).sum();
    for at in (0..groups.len()).filter(is_repeated) {
        let part = REMOVAL * share * page.texts[at].words / repeated.max(1.0);
        sloped.figure += part * template[at];
        sloped.slopes.push((groups[at], part * template[at] * (1.0 - template[at])));
    }
}
