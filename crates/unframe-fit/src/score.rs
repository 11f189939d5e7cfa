//! Scores of decisions on held-out sites.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use unframe::detect::places::fitting::{Decisions, KindScores, PageKind, Weights};

use crate::calibration::HeldOutBlock;
use crate::data::{GoldPage, Site, Source};
use crate::rows::{self, Group};

/// Group sizes, in pages that are compared with each other; 0 stands for all pages of a site.
const GROUP_SIZES: [usize; 6] = [1, 2, 3, 5, 10, 0];
/// Maximum number of sites of each set that `--sites` lists.
const WORST_SITES: usize = 45;

/// Scores of held-out sites, by source, gold set and group size.
#[derive(Default)]
pub(crate) struct Evaluation {
    scores: BTreeMap<(Source, String, usize), Vec<SiteScore>>,
    /// For each kind of single pages, how many were classified correctly, and how many there are.
    kinds: BTreeMap<PageKind, (usize, usize)>,
}

#[derive(Clone)]
struct SiteScore {
    site: String,
    /// Word F1; for sites with values, the share of values that were kept.
    score: f64,
    /// For sites with values, the share of repeated text that was removed.
    removed: f64,
    /// The word F1 of the blocks that are labelled as content: an approximate upper bound for any choice of blocks.
    oracle: f64,
    /// The mean log-odds of the kinds of pages, in sixteenths.
    kinds: KindScores,
}

impl Evaluation {
    /// Adds the scores of sites, and returns the predictions for the blocks of pages that are compared with all pages of their site.
    pub(crate) fn add(&mut self, sites: &[&Site], weights: &Weights) -> Vec<HeldOutBlock> {
        let (one, other) = sites.split_at(sites.len() / 2);
        let parts = std::thread::scope(|scope| {
            let other = scope.spawn(|| measure(other, weights));
            [measure(one, weights), other.join().expect("a thread of the fit failed")]
        });
        let mut predictions = Vec::new();
        for (scores, blocks, kinds) in parts {
            for (actual, predicted) in kinds {
                let count = self.kinds.entry(actual).or_default();
                *count = (count.0 + usize::from(actual == predicted), count.1 + 1);
            }
            for (key, score) in scores {
                self.scores.entry(key).or_default().push(score);
            }
            predictions.extend(blocks);
        }
        predictions
    }

    /// A row for each set, a column for each group size.
    pub(crate) fn table(&self, with_worst_sites: bool) -> String {
        let mut text = String::from(
            "| set | sites | 1 page | 2 | 3 | 5 | 10 | all |\n|---|---|---|---|---|---|---|---|\n",
        );
        let sets: Vec<(Source, String)> =
            self.scores.keys().map(|(source, set, _)| (*source, set.clone())).collect();
        let mut means: BTreeMap<Source, Vec<[f64; GROUP_SIZES.len()]>> = BTreeMap::new();
        let mut last = None;
        for (source, set) in sets.into_iter().filter(|set| last.replace(set.clone()).as_ref() != Some(set)) {
            let mut count = 0;
            let mut mean = |of: fn(&SiteScore) -> f64| {
                GROUP_SIZES.map(|size| match self.scores.get(&(source, set.clone(), size)) {
                    Some(sites) => {
                        count = sites.len();
                        sites.iter().map(of).sum::<f64>() / sites.len() as f64
                    }
                    None => f64::NAN,
                })
            };
            let (score, removed) = (mean(|site| site.score), mean(|site| site.removed));
            means.entry(source).or_default().push(score);
            writeln!(text, "| {} {set} | {count} | {} |", source.name(), cells(&score)).ok();
            if source == Source::Values {
                writeln!(text, "| repeated text removed | {count} | {} |", cells(&removed)).ok();
            }
        }
        for (source, sets) in means.iter().filter(|(_, sets)| sets.len() > 1) {
            let mean: [f64; GROUP_SIZES.len()] =
                std::array::from_fn(|at| sets.iter().map(|set| set[at]).sum::<f64>() / sets.len() as f64);
            writeln!(text, "| {}, mean of {} sets | | {} |", source.name(), sets.len(), cells(&mean)).ok();
        }
        for source in [Source::Single, Source::Several] {
            let mut count = 0;
            let mean = GROUP_SIZES.map(|size| {
                let pages = self.scores.iter().filter(|((of, _, n), _)| (*of, *n) == (source, size));
                let scores: Vec<f64> = pages.flat_map(|(_, pages)| pages).map(|page| page.score).collect();
                count = count.max(scores.len());
                scores.iter().sum::<f64>() / scores.len() as f64
            });
            if count > 0 {
                writeln!(text, "| {}, mean of pages | {count} | {} |", source.name(), cells(&mean)).ok();
            }
        }
        text += &self.kind_accuracy();
        if with_worst_sites {
            self.add_worst_sites(&mut text);
        }
        text
    }

    /// The number of single pages whose kind was predicted correctly.
    fn kind_accuracy(&self) -> String {
        let all = self.kinds.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        let percent = |(correct, all): (usize, usize)| correct * 100 / all.max(1);
        let kinds = self.kinds.iter().map(|(kind, count)| format!("{} {} %", kind.name(), percent(*count)));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        format!(
            "\nSingle pages of held-out sites whose kind is recognised: {} % of {} ({kinds}).\n",
            percent(all),
            all.1
        )
    }

    fn add_worst_sites(&self, text: &mut String) {
        for ((source, set, size), sites) in
            self.scores.iter().filter(|((source, _, size), _)| *size == 0 || *source == Source::Single)
        {
            let mut sites = sites.clone();
            sites.sort_by(|one, other| one.score.total_cmp(&other.score));
            for site in sites.iter().take(WORST_SITES) {
                writeln!(
                    text,
                    "    {} {set} {size}: {:.3} {:.3} {} {:?}",
                    source.name(),
                    site.score,
                    if *source == Source::Values { site.removed } else { site.oracle },
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

/// The actual and the predicted kinds of pages.
type Kinds = Vec<(PageKind, PageKind)>;
type Scores = Vec<((Source, String, usize), SiteScore)>;

fn measure(sites: &[&Site], weights: &Weights) -> (Scores, Vec<HeldOutBlock>, Kinds) {
    let (mut scores, mut predictions, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    for site in sites {
        let is_single = site.source == Source::Single;
        let has_several = site.pages.len() > 1;
        let sizes: &[usize] = if is_single && !has_several { &[1] } else { &GROUP_SIZES };
        let scored = rows::score_pages(site.pages.iter(), weights);
        for size in sizes {
            let is_last = *size == 0 || !has_several;
            let groups = rows::groups(&scored, *size);
            let site_kinds = groups
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
                        predictions.extend(held_out_blocks(page, &decisions));
                    }
                    if !is_single {
                        sums.add(site.source, page, &decisions.stays, &repeated);
                        continue;
                    }
                    let mut sums = Sums::default();
                    sums.add(site.source, page, &decisions.stays, &repeated);
                    let mut add = |source| {
                        let score = sums.score(&site.name, site_kinds);
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
                scores.push(((site.source, site.set.clone(), *size), sums.score(&site.name, site_kinds)));
            }
        }
    }
    (scores, predictions, kinds)
}

/// The labelled blocks of a page with their predictions. All pages have the same total weight, so that a few long ones do not dominate.
fn held_out_blocks(page: &GoldPage, decisions: &Decisions) -> Vec<HeldOutBlock> {
    let words = |at: usize| page.blocks.block_words(at).len() as f64;
    let all: f64 = (0..page.blocks.len()).map(words).sum();
    let block = |at: usize| {
        Some(HeldOutBlock {
            kind: decisions.kind,
            probability: decisions.probabilities[at],
            is_content: page.labels[at]? >= 0.5,
            weight: words(at) / all.max(1.0),
        })
    };
    (0..page.blocks.len()).filter_map(block).collect()
}

#[derive(Default)]
struct Sums {
    score: f64,
    count: f64,
    oracle: f64,
    removed: f64,
    repeated: f64,
}

impl Sums {
    fn add(&mut self, source: Source, page: &GoldPage, stays: &[bool], repeated: &HashMap<u64, bool>) {
        if source != Source::Values {
            self.score += f1(page, stays);
            let labels: Vec<bool> =
                page.labels.iter().map(|label| label.is_some_and(|label| label >= 0.5)).collect();
            self.oracle += f1(page, &labels);
            self.count += 1.0;
            return;
        }
        let is_kept = |blocks: &&Vec<u32>| blocks.iter().any(|at| stays[*at as usize]);
        self.score += page.value_blocks.iter().filter(is_kept).count() as f64;
        self.count += page.value_blocks.len() as f64;
        for at in (0..page.blocks.len()).filter(|at| repeated[&page.blocks.block_text(*at).0]) {
            let words = page.blocks.block_words(at).len() as f64;
            self.removed += if stays[at] { 0.0 } else { words };
            self.repeated += words;
        }
    }

    fn score(&self, site: &str, kinds: KindScores) -> SiteScore {
        SiteScore {
            site: site.to_owned(),
            score: self.score / self.count.max(1.0),
            removed: self.removed / self.repeated.max(1.0),
            oracle: self.oracle / self.count.max(1.0),
            kinds,
        }
    }
}

/// For each text, whether at least half of the pages contain it.
fn repeated_texts(group: &Group<'_, '_>) -> HashMap<u64, bool> {
    let mut frequencies: HashMap<u64, usize> = HashMap::new();
    for page in group.pages.iter().map(|page| page.single_page.page) {
        let mut texts: Vec<u64> = (0..page.blocks.len()).map(|at| page.blocks.block_text(at).0).collect();
        texts.sort_unstable();
        texts.dedup();
        texts.into_iter().for_each(|text| *frequencies.entry(text).or_default() += 1);
    }
    frequencies.into_iter().map(|(text, pages)| (text, pages * 2 >= group.pages.len())).collect()
}

/// Word F1 of the kept blocks. Words that the annotators were unsure of are removed from both sides.
fn f1(page: &GoldPage, stays: &[bool]) -> f64 {
    let mut kept: HashMap<u32, u32> = HashMap::new();
    for at in (0..stays.len()).filter(|at| stays[*at]) {
        page.blocks.block_words(at).iter().for_each(|word| *kept.entry(*word).or_default() += 1);
    }
    let without_unsure =
        |count: u32, word: &u32| count - count.min(page.unsure_words.get(word).copied().unwrap_or(0));
    let (mut correct, mut all) = (0u32, 0u32);
    for (word, count) in &kept {
        let count = without_unsure(*count, word);
        all += count;
        correct += count.min(page.gold_words.get(word).map_or(0, |gold| without_unsure(*gold, word)));
    }
    let gold: u32 = page.gold_words.iter().map(|(word, count)| without_unsure(*count, word)).sum();
    if all + gold == 0 { 1.0 } else { 2.0 * f64::from(correct) / f64::from(all + gold) }
}
