//! Fits the lexicon: the log-odds of content of class-name tokens and of words in short texts.
//!
//! Every family of sites counts as one observation, however many pages it has. Otherwise a token that one large site uses in its own way would
//! outweigh all others.

use std::collections::{BTreeMap, HashMap};

use unframe::detect::places::fitting::Lexicon;

use crate::data::Site;

/// The smallest number of families that must use a token.
const FAMILIES_MIN: u32 = 3;
/// The prior: the share of content among blocks in general.
const PRIOR: f64 = 0.4;
/// Maximum weight of a block, which otherwise weighs as much as its number of words.
const BLOCK_WEIGHT_MAX: usize = 60;
/// The smallest absolute log-odds of an entry, in sixteenths.
const LOG_ODDS_MIN: i8 = 2;
const LOG_ODDS_MAX: i8 = 80;
/// Maximum number of entries; those with the largest absolute log-odds are kept.
const ENTRIES_MAX: usize = 6000;

/// For each token, the weight of its content blocks and the weight of all its blocks.
type BlockWeights = HashMap<u32, (f64, f64)>;

/// For each family of sites, the share of content among the blocks of each token and of each word. The shares are stored by family, so that a
/// lexicon can be made without the held-out families.
pub(crate) struct ContentShares {
    families: BTreeMap<String, [HashMap<u32, f64>; 2]>,
}

impl ContentShares {
    pub(crate) fn of(sites: &[Site]) -> ContentShares {
        let mut weights: BTreeMap<String, [BlockWeights; 2]> = BTreeMap::new();
        for site in sites {
            let weights = weights.entry(site.family.clone()).or_default();
            for page in site.training_pages() {
                for at in 0..page.blocks.len() {
                    let Some(label) = page.labels[at] else { continue };
                    let weight = page.blocks.block_words(at).len().min(BLOCK_WEIGHT_MAX) as f64;
                    let content = if label >= 0.5 { weight } else { 0.0 };
                    let mut add = |table: usize, token: u32| {
                        let sum = weights[table].entry(token).or_default();
                        *sum = (sum.0 + content, sum.1 + weight);
                    };
                    page.blocks.path_tokens(at).into_iter().for_each(|token| add(0, token));
                    page.blocks.lexicon_words(at).iter().for_each(|word| add(1, *word));
                }
            }
        }
        let shares = |weights: BlockWeights| -> HashMap<u32, f64> {
            weights.into_iter().map(|(token, (content, all))| (token, content / all)).collect()
        };
        let families = weights.into_iter().map(|(family, weights)| (family, weights.map(shares)));
        ContentShares { families: families.collect() }
    }

    /// The entries of tokens and of words, from the families that `is_used` accepts.
    pub(crate) fn entries(&self, is_used: impl Fn(&str) -> bool) -> [Vec<(u32, i8)>; 2] {
        [0, 1].map(|table| {
            // For each token, the sum of its shares and the number of its families.
            let mut sums: HashMap<u32, (f64, u32)> = HashMap::new();
            for (_, shares) in self.families.iter().filter(|(family, _)| is_used(family)) {
                for (token, share) in &shares[table] {
                    let sum = sums.entry(*token).or_default();
                    *sum = (sum.0 + share, sum.1 + 1);
                }
            }
            let mut entries: Vec<(u32, i8)> = sums
                .into_iter()
                .filter(|(_, (_, families))| *families >= FAMILIES_MIN)
                .map(|(token, (share, families))| (token, log_odds(share, families)))
                .filter(|(_, log_odds)| log_odds.abs() >= LOG_ODDS_MIN)
                .collect();
            entries.sort_unstable_by_key(|(token, log_odds)| {
                (std::cmp::Reverse(log_odds.unsigned_abs()), *token)
            });
            entries.truncate(ENTRIES_MAX);
            entries.sort_unstable();
            entries
        })
    }

    /// The lexicon of the families that `is_used` accepts.
    pub(crate) fn lexicon(&self, is_used: impl Fn(&str) -> bool) -> Lexicon {
        let [tokens, words] = self.entries(is_used);
        Lexicon::new(&tokens, &words)
    }
}

/// The log-odds of content relative to the prior, in sixteenths, smoothed by one observation of the prior.
fn log_odds(share: f64, families: u32) -> i8 {
    let odds = (share + PRIOR) / (f64::from(families) - share + 1.0 - PRIOR);
    let expected = PRIOR / (1.0 - PRIOR);
    // The logarithm by repeated division by exp(1/16): `ln` of the standard library differs between platforms.
    let step = 1.064_494_458_917_859_4;
    let (mut log_odds, mut ratio) = (0i8, odds / expected);
    while ratio >= step && log_odds < LOG_ODDS_MAX {
        (ratio, log_odds) = (ratio / step, log_odds + 1);
    }
    while ratio * step <= 1.0 && log_odds > -LOG_ODDS_MAX {
        (ratio, log_odds) = (ratio * step, log_odds - 1);
    }
    log_odds
}
