//! How good the decisions are on sites that were left out.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use unframe::detect::places::fitting::{Decisions, KindScores, PageKind, Weights};

use crate::calibration::Judged;
use crate::data::{KnownPage, Site, Source};
use crate::rows::{self, Group};

/// Numbers of pages that are compared; 0 is all pages of a site.
const SIZES: [usize; 6] = [1, 2, 3, 5, 10, 0];
/// Sites that are named with their scores.
const WORST: usize = 45;

/// Scores of sites by their set and by how many pages were compared.
#[derive(Default)]
pub(crate) struct Tally {
    scores: BTreeMap<(Source, String, usize), Vec<SiteScore>>,
    /// Single pages by their kind: how many were taken for it, and how many there are.
    kinds: BTreeMap<PageKind, (usize, usize)>,
}

#[derive(Clone)]
struct SiteScore {
    site: String,
    /// Word F1; of values, the share that is kept.
    main: f64,
    /// Of values, the share of the repeated text that is gone.
    gone: f64,
    /// The word F1 of the right blocks, which none can exceed by much.
    best: f64,
    /// The mean log-odds of the kinds of its pages, in sixteenths.
    kinds: KindScores,
}

impl Tally {
    /// Measures sites, and returns their blocks as they were judged with all pages.
    pub(crate) fn add(&mut self, sites: &[&Site], weights: &Weights) -> Vec<Judged> {
        let (one, other) = sites.split_at(sites.len() / 2);
        let parts = std::thread::scope(|scope| {
            let other = scope.spawn(|| measure(other, weights));
            [measure(one, weights), other.join().expect("a thread of the fit failed")]
        });
        let mut judged = Vec::new();
        for (scores, blocks, kinds) in parts {
            for (is, said) in kinds {
                let count = self.kinds.entry(is).or_default();
                *count = (count.0 + usize::from(is == said), count.1 + 1);
            }
            for (key, score) in scores {
                self.scores.entry(key).or_default().push(score);
            }
            judged.extend(blocks);
        }
        judged
    }

    /// A row for each set, a column for each number of pages.
    pub(crate) fn table(&self, worst: bool) -> String {
        let mut text = String::from(
            "| set | sites | 1 page | 2 | 3 | 5 | 10 | all |\n|---|---|---|---|---|---|---|---|\n",
        );
        let sets: Vec<(Source, String)> =
            self.scores.keys().map(|(source, set, _)| (*source, set.clone())).collect();
        let mut means: BTreeMap<Source, Vec<[f64; SIZES.len()]>> = BTreeMap::new();
        let mut last = None;
        for (source, set) in sets.into_iter().filter(|set| last.replace(set.clone()).as_ref() != Some(set)) {
            let mut count = 0;
            let mut mean = |of: fn(&SiteScore) -> f64| {
                SIZES.map(|size| match self.scores.get(&(source, set.clone(), size)) {
                    Some(sites) => {
                        count = sites.len();
                        sites.iter().map(of).sum::<f64>() / sites.len() as f64
                    }
                    None => f64::NAN,
                })
            };
            let (main, gone) = (mean(|site| site.main), mean(|site| site.gone));
            means.entry(source).or_default().push(main);
            writeln!(text, "| {} {set} | {count} | {} |", source.name(), cells(&main)).ok();
            if source == Source::Values {
                writeln!(text, "| repeated text gone | {count} | {} |", cells(&gone)).ok();
            }
        }
        for (source, sets) in means.iter().filter(|(_, sets)| sets.len() > 1) {
            let mean: [f64; SIZES.len()] =
                std::array::from_fn(|at| sets.iter().map(|set| set[at]).sum::<f64>() / sets.len() as f64);
            writeln!(text, "| {}, mean of {} sets | | {} |", source.name(), sets.len(), cells(&mean)).ok();
        }
        for source in [Source::Single, Source::Several] {
            let mut count = 0;
            let mean = SIZES.map(|size| {
                let pages = self.scores.iter().filter(|((of, _, n), _)| (*of, *n) == (source, size));
                let scores: Vec<f64> = pages.flat_map(|(_, pages)| pages).map(|page| page.main).collect();
                count = count.max(scores.len());
                scores.iter().sum::<f64>() / scores.len() as f64
            });
            if count > 0 {
                writeln!(text, "| {}, mean of pages | {count} | {} |", source.name(), cells(&mean)).ok();
            }
        }
        text += &self.kinds();
        if worst {
            self.worst(&mut text);
        }
        text
    }

    /// How many single pages were taken for what they are.
    fn kinds(&self) -> String {
        let all = self.kinds.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        let percent = |(right, all): (usize, usize)| right * 100 / all.max(1);
        let kinds = self.kinds.iter().map(|(kind, count)| format!("{} {} %", kind.name(), percent(*count)));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        format!(
            "\nSingle pages of left-out sites whose kind is recognised: {} % of {} ({kinds}).\n",
            percent(all),
            all.1
        )
    }

    fn worst(&self, text: &mut String) {
        for ((source, set, size), sites) in
            self.scores.iter().filter(|((source, _, size), _)| *size == 0 || *source == Source::Single)
        {
            let mut sites = sites.clone();
            sites.sort_by(|one, other| one.main.total_cmp(&other.main));
            for site in sites.iter().take(WORST) {
                writeln!(
                    text,
                    "    {} {set} {size}: {:.3} {:.3} {} {:?}",
                    source.name(),
                    site.main,
                    if *source == Source::Values { site.gone } else { site.best },
                    site.site,
                    site.kinds
                )
                .ok();
            }
        }
    }
}

fn cells(figures: &[f64]) -> String {
    let cell = |figure: &f64| if figure.is_nan() { String::new() } else { format!("{figure:.3}") };
    figures.iter().map(cell).collect::<Vec<_>>().join(" | ")
}

/// What pages are, and what they were taken for.
type Kinds = Vec<(PageKind, PageKind)>;
type Scores = Vec<((Source, String, usize), SiteScore)>;

fn measure(sites: &[&Site], weights: &Weights) -> (Scores, Vec<Judged>, Kinds) {
    let (mut scores, mut judged, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    for site in sites {
        let is_single = site.source == Source::Single;
        let has_several = site.pages.len() > 1;
        let sizes: &[usize] = if is_single && !has_several { &[1] } else { &SIZES };
        let scored = rows::scored(site.pages.iter(), weights);
        for size in sizes {
            let is_last = *size == 0 || !has_several;
            let groups = rows::groups(&scored, *size);
            let of_site = groups
                .first()
                .and_then(|group| group.table.as_ref())
                .map_or(KindScores::default(), |table| table.mean_kinds());
            let mut sums = Sums::default();
            for group in &groups {
                let repeated = repeated_texts(group);
                for page in &group.pages {
                    let page = page.single_page.page;
                    let decisions = page.blocks.judge(group.table.as_ref(), weights);
                    if is_last && site.source != Source::Values {
                        judged.extend(blocks(page, &decisions));
                    }
                    if !is_single {
                        sums.add(site.source, page, &decisions.stays, &repeated);
                        continue;
                    }
                    let mut sums = Sums::default();
                    sums.add(site.source, page, &decisions.stays, &repeated);
                    let mut add = |source| {
                        let score = sums.score(&site.name, of_site);
                        scores.push(((source, page.kind_name.clone(), *size), score));
                    };
                    if *size == 1 {
                        add(Source::Single);
                        kinds.extend(page.kind.map(|kind| (kind, decisions.kind)));
                    }
                    if has_several {
                        add(Source::Several);
                    }
                }
            }
            if !is_single {
                scores.push(((site.source, site.set.clone(), *size), sums.score(&site.name, of_site)));
            }
        }
    }
    (scores, judged, kinds)
}

/// The blocks of a page with what was said of them. All pages count alike: otherwise a few long ones would decide.
fn blocks(page: &KnownPage, decisions: &Decisions) -> Vec<Judged> {
    let words = |at: usize| page.blocks.block_words(at).len() as f64;
    let all: f64 = (0..page.blocks.len()).map(words).sum();
    let judged = |at: usize| {
        Some(Judged {
            kind: decisions.kind,
            probability: decisions.probabilities[at],
            is_content: page.labels[at]? >= 0.5,
            weight: words(at) / all.max(1.0),
        })
    };
    (0..page.blocks.len()).filter_map(judged).collect()
}

#[derive(Default)]
struct Sums {
    main: f64,
    count: f64,
    best: f64,
    gone: f64,
    repeated: f64,
}

impl Sums {
    fn add(&mut self, source: Source, page: &KnownPage, stays: &[bool], repeated: &HashMap<u64, bool>) {
        if source != Source::Values {
            self.main += f1(page, stays);
            let right: Vec<bool> =
                page.labels.iter().map(|label| label.is_some_and(|label| label >= 0.5)).collect();
            self.best += f1(page, &right);
            self.count += 1.0;
            return;
        }
        let is_kept = |blocks: &&Vec<u32>| blocks.iter().any(|at| stays[*at as usize]);
        self.main += page.values.iter().filter(is_kept).count() as f64;
        self.count += page.values.len() as f64;
        for at in (0..page.blocks.len()).filter(|at| repeated[&page.blocks.block_text(*at).0]) {
            let words = page.blocks.block_words(at).len() as f64;
            self.gone += if stays[at] { 0.0 } else { words };
            self.repeated += words;
        }
    }

    fn score(&self, site: &str, kinds: KindScores) -> SiteScore {
        SiteScore {
            site: site.to_owned(),
            main: self.main / self.count.max(1.0),
            gone: self.gone / self.repeated.max(1.0),
            best: self.best / self.count.max(1.0),
            kinds,
        }
    }
}

/// Whether half of the pages have a text.
fn repeated_texts(group: &Group<'_, '_>) -> HashMap<u64, bool> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for page in group.pages.iter().map(|page| page.single_page.page) {
        let mut texts: Vec<u64> = (0..page.blocks.len()).map(|at| page.blocks.block_text(at).0).collect();
        texts.sort_unstable();
        texts.dedup();
        texts.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
    }
    counts.into_iter().map(|(text, pages)| (text, pages * 2 >= group.pages.len())).collect()
}

/// Word F1 of the kept blocks. Words of text that counts neither way are taken out of both sides.
fn f1(page: &KnownPage, stays: &[bool]) -> f64 {
    let mut found: HashMap<u32, u32> = HashMap::new();
    for at in (0..stays.len()).filter(|at| stays[*at]) {
        page.blocks.block_words(at).iter().for_each(|word| *found.entry(*word).or_default() += 1);
    }
    let without = |count: u32, word: &u32| count - count.min(page.unsure.get(word).copied().unwrap_or(0));
    let (mut right, mut all) = (0u32, 0u32);
    for (word, count) in &found {
        let count = without(*count, word);
        all += count;
        right += count.min(page.gold.get(word).map_or(0, |gold| without(*gold, word)));
    }
    let gold: u32 = page.gold.iter().map(|(word, count)| without(*count, word)).sum();
    if all + gold == 0 { 1.0 } else { 2.0 * f64::from(right) / f64::from(all + gold) }
}
