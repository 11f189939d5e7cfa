//! The lexicon: what a token of a class name, or a word of a short text, says of the blocks that have it, by a vote of the hosts.

use std::collections::{BTreeMap, HashMap};

use unframe::detect::places::fitting::Lexicon;

use crate::data::Site;

/// Hosts that must have a token.
const HOSTS_MIN: u32 = 3;
/// The share of content that is expected of a token of which nothing is known.
const PRIOR: f64 = 0.4;
/// Words of a long block count like so many.
const WORDS_MAX: usize = 60;
/// Tokens that are kept, those that say most.
const TOKENS_MAX: usize = 6000;

/// For each token, the share of content by host.
#[derive(Default)]
struct Votes(HashMap<u32, (f64, u32)>);

/// For each token, its words in content and all of them.
type WordSums = HashMap<u32, (f64, f64)>;

/// The votes of all families, so that those of some can be left out.
pub(crate) struct Ballots {
    families: BTreeMap<String, [HashMap<u32, f64>; 2]>,
}

impl Ballots {
    pub(crate) fn of(sites: &[Site]) -> Ballots {
        let mut sums: BTreeMap<String, [WordSums; 2]> = BTreeMap::new();
        for site in sites {
            let sums = sums.entry(site.family.clone()).or_default();
            for page in site.fitted() {
                for at in 0..page.blocks.len() {
                    let Some(label) = page.labels[at] else { continue };
                    let weight = page.blocks.block_words(at).len().min(WORDS_MAX) as f64;
                    let right = if label >= 0.5 { weight } else { 0.0 };
                    let mut add = |kind: usize, token: u32| {
                        let sum = sums[kind].entry(token).or_default();
                        *sum = (sum.0 + right, sum.1 + weight);
                    };
                    page.blocks.path_tokens(at).into_iter().for_each(|token| add(0, token));
                    page.blocks.lexicon_words(at).iter().for_each(|word| add(1, *word));
                }
            }
        }
        let shares = |sums: WordSums| -> HashMap<u32, f64> {
            sums.into_iter().map(|(token, (right, all))| (token, right / all)).collect()
        };
        Ballots { families: sums.into_iter().map(|(family, sums)| (family, sums.map(shares))).collect() }
    }

    /// The entries of a lexicon of the families that are `used`: of tokens, and of words.
    pub(crate) fn entries(&self, used: impl Fn(&str) -> bool) -> [Vec<(u32, i8)>; 2] {
        [0, 1].map(|kind| {
            let mut votes = Votes::default();
            for (_, shares) in self.families.iter().filter(|(family, _)| used(family)) {
                for (token, share) in &shares[kind] {
                    let vote = votes.0.entry(*token).or_default();
                    *vote = (vote.0 + share, vote.1 + 1);
                }
            }
            let mut entries: Vec<(u32, i8)> = votes
                .0
                .into_iter()
                .filter(|(_, (_, hosts))| *hosts >= HOSTS_MIN)
                .map(|(token, (share, hosts))| (token, worth(share, hosts)))
                .filter(|(_, worth)| worth.abs() >= 2)
                .collect();
            entries.sort_unstable_by_key(|(token, worth)| (std::cmp::Reverse(worth.unsigned_abs()), *token));
            entries.truncate(TOKENS_MAX);
            entries.sort_unstable();
            entries
        })
    }

    /// The lexicon of the families that are used.
    pub(crate) fn lexicon(&self, used: impl Fn(&str) -> bool) -> Lexicon {
        let [tokens, words] = self.entries(used);
        Lexicon::new(&tokens, &words)
    }
}

/// Log-odds in sixteenths, beside what is expected of any token.
fn worth(share: f64, hosts: u32) -> i8 {
    let odds = (share + PRIOR) / (f64::from(hosts) - share + 1.0 - PRIOR);
    let expected = PRIOR / (1.0 - PRIOR);
    // Sixteenths of natural logarithms, found by counting so that no machine differs.
    let step = 1.064_494_458_917_859_4;
    let (mut worth, mut ratio) = (0i8, odds / expected);
    while ratio >= step && worth < 80 {
        (ratio, worth) = (ratio / step, worth + 1);
    }
    while ratio * step <= 1.0 && worth > -80 {
        (ratio, worth) = (ratio * step, worth - 1);
    }
    worth
}
