//! Fits the default method: the lexicon, the trees and the calibration that separate content from boilerplate on gold data.
//!
//! `cargo xtask fit` runs it and writes `crates/unframe/src/detect/places/weights.bin`, with a report beside it. The report is of a
//! cross-validation: each fold of the sites is held out in turn, and the model is fitted on the others. A fold contains whole families of sites (of
//! one owner, or of one generator), because sites of one family look alike. Everything is computed in integers or in a fixed order, so that
//! the same data give the same file.

mod boost;
mod calibration;
mod data;
mod lexicon;
mod rows;
mod score;
mod synthetic;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use clap::Parser;
use unframe::detect::places::fitting::{
    Calibration, Forest, KIND_FEATURES, Lexicon, PageKind, Scorer, Weights, encode, names, second_pass_names,
    single_page_names,
};

use boost::{BinnedDataset, Dataset, Settings, boost, boost_all};
use data::{Site, Source};
use lexicon::ContentShares;

#[derive(Parser)]
#[command(about = "Fits the default method on gold data")]
struct Arguments {
    /// Folders of sites whose content was annotated by people
    #[arg(long)]
    human: Vec<PathBuf>,
    /// Folders of sites whose content is defined as the content container of their generator
    #[arg(long)]
    silver: Vec<PathBuf>,
    /// Folders of sites in which attribute values are annotated
    #[arg(long)]
    values: Vec<PathBuf>,
    /// Folders of pages of all kinds from many hosts; pages of one host are also compared with each other
    #[arg(long)]
    single: Vec<PathBuf>,
    /// Folds of the cross-validation
    #[arg(long, default_value_t = 3)]
    folds: u64,
    /// Hold out only this fold
    #[arg(long)]
    only: Option<u64>,
    /// Trees of each forest that scores blocks
    #[arg(long, default_value_t = 240)]
    trees: usize,
    /// Leaves of a tree
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u8).range(2..=32))]
    leaves: u8,
    /// Keep the weights of each fold in this folder; if the file of a fold exists, the fold is measured without fitting
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Also print the scores of the worst sites
    #[arg(long)]
    sites: bool,
    /// Also fit on all sites, and write the weights to this file and the report to the same name with `.md`
    #[arg(long)]
    write: Option<PathBuf>,
}

/// Learning rates of the forests that score blocks, and of those that predict the kind of a page.
const BLOCK_LEARNING_RATE: f64 = 0.07;
const KIND_LEARNING_RATE: f64 = 0.1;

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let start = Instant::now();
    let progress = |what: &str| eprintln!("{:5.0} s  {what}", start.elapsed().as_secs_f64());
    let mut report = String::from(
        "# How the weights were fitted\n\nWritten by `cargo xtask fit`.\n\n| folder | checksum of its files | sites |\n|---|---|---|\n",
    );
    let mut sites = Vec::new();
    for (folders, source) in [
        (&arguments.human, Source::Human),
        (&arguments.silver, Source::Silver),
        (&arguments.values, Source::Values),
        (&arguments.single, Source::Single),
    ] {
        for folder in folders {
            let more = data::read(folder, source)?;
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            writeln!(report, "| {name} | {:016x} | {} |", data::checksum(folder)?, more.len())?;
            sites.extend(more);
        }
    }
    sites.extend(synthetic::sites());
    progress(&format!("{} sites", sites.len()));
    let shares = ContentShares::of(&sites);
    let (mut evaluation, mut predictions) = (score::Evaluation::default(), Vec::new());
    let folds: Vec<u64> =
        (0..arguments.folds).filter(|fold| arguments.only.is_none_or(|only| only == *fold)).collect();
    for fold in folds {
        let is_used = |family: &str| family == "synthetic" || fold_of(family, arguments.folds) != fold;
        let (training, held_out): (Vec<&Site>, Vec<&Site>) =
            sites.iter().partition(|site| is_used(&site.family));
        let cached = arguments.cache.as_ref().map(|folder| folder.join(format!("{fold}.bin")));
        let weights = match cached.as_ref().and_then(|path| std::fs::read(path).ok()) {
            Some(bytes) => Weights::decode(&bytes).with_context(|| {
                format!("the cached weights of fold {fold} are damaged or of another version: delete the folder of --cache")
            })?,
            None => {
                let fitted = fit(&training, &shares, is_used, &arguments);
                progress(&format!("fold {fold}: fitted on {} sites", training.len()));
                if let Some(path) = &cached {
                    std::fs::write(path, fitted.encode(&[Calibration::default(); PageKind::ALL.len()]))?;
                }
                fitted.weights(&[])
            }
        };
        predictions.extend(evaluation.add(&held_out, &weights));
        progress(&format!("fold {fold}: measured on {} sites", held_out.len()));
    }
    let calibrations = calibration::calibrate(&predictions);
    writeln!(
        report,
        "\nCross-validation in {} folds of whole families of sites (the fold is a hash of the family's name):\n\n{}",
        arguments.folds,
        evaluation.table(arguments.sites)
    )?;
    writeln!(
        report,
        "How often blocks of held-out sites are content, by their calibrated probability (blocks weigh by their words, and all pages the same):\n\n{}",
        calibration::reliability_table(&predictions, &calibrations)
    )?;
    if let Some(path) = &arguments.write {
        let all: Vec<&Site> = sites.iter().collect();
        let fitted = fit(&all, &shares, |_| true, &arguments);
        progress("fitted on all sites");
        writeln!(report, "Features by gain: {}.", fitted.top_features())?;
        std::fs::write(path, fitted.encode(&calibrations))?;
        std::fs::write(path.with_extension("md"), &report)?;
    }
    print!("{report}");
    Ok(())
}

/// The result of a fit.
struct Fitted {
    single_page: Forest,
    second_pass: Forest,
    with_site: Forest,
    /// The total gain of each feature in the forest `with_site`.
    gains: Vec<f64>,
    kinds: Vec<Forest>,
    /// The lexicon entries of tokens and of words.
    lexicon: [Vec<(u32, i8)>; 2],
}

impl Fitted {
    fn weights(&self, calibrations: &[Calibration]) -> Weights {
        let [tokens, words] = &self.lexicon;
        Weights {
            single_page: Scorer::new(self.single_page.clone()),
            second_pass: Scorer::new(self.second_pass.clone()),
            with_site: Scorer::new(self.with_site.clone()),
            kinds: scorers(&self.kinds),
            lexicon: Lexicon::new(tokens, words),
            calibrations: calibrations.to_vec(),
        }
    }

    fn encode(&self, calibrations: &[Calibration]) -> Vec<u8> {
        encode(
            [&self.single_page, &self.second_pass, &self.with_site],
            &self.kinds,
            &self.lexicon,
            calibrations,
        )
    }

    fn top_features(&self) -> String {
        let (names, all): (Vec<String>, f64) = (names(), self.gains.iter().sum());
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|one, other| self.gains[*other].total_cmp(&self.gains[*one]));
        let feature = |at: &usize| format!("{} {:.1} %", names[*at], self.gains[*at] * 100.0 / all);
        order.iter().take(30).map(feature).collect::<Vec<_>>().join(", ")
    }
}

/// Number of inner folds of the training sites. The lexicon, the kind forests and the single-page forest produce features for the later forests.
/// The features of a site come from models that were fitted on the other inner folds (out-of-fold predictions). Otherwise these features would
/// be more accurate on training sites than on unseen sites, and the later forests would rely on them too much.
const INNER_FOLDS: u64 = 4;

fn inner_fold_of(family: &str) -> u64 {
    fold_of(&format!("{family}#"), INNER_FOLDS)
}

fn fit(
    sites: &[&Site],
    shares: &ContentShares,
    is_used: impl Fn(&str) -> bool + Sync,
    arguments: &Arguments,
) -> Fitted {
    let settings = Settings {
        trees: arguments.trees,
        leaves: usize::from(arguments.leaves),
        learning_rate: BLOCK_LEARNING_RATE,
        feature_fraction: 400,
        row_fraction: 600,
        lambda: 0.4,
        min_leaf_hessian: 0.4,
        seed: 1,
    };
    // For each inner fold, the models fitted without it.
    let mut out_of_fold: Vec<Weights> = (0..INNER_FOLDS)
        .map(|fold| {
            let others: Vec<&Site> =
                sites.iter().filter(|site| inner_fold_of(&site.family) != fold).copied().collect();
            let lexicon = shares.lexicon(|family| is_used(family) && inner_fold_of(family) != fold);
            Weights { kinds: scorers(&kind_forests(&others)), lexicon, ..Weights::default() }
        })
        .collect();
    let (rows, ends) = dataset(sites, &out_of_fold, single_page_names().len(), rows::add_single_page);
    let binned = BinnedDataset::of(&rows);
    for (fold, weights) in out_of_fold.iter_mut().enumerate() {
        let start = fold.checked_sub(1).map_or(0, |before| ends[before]);
        weights.single_page = Scorer::new(boost(&rows, &binned, &(start..ends[fold]), &settings).0);
    }
    let (single_page, _) = boost(&rows, &binned, &(0..0), &settings);
    let (rows, _) = dataset(sites, &out_of_fold, second_pass_names().len(), rows::add_second_pass);
    let (second_pass, _) = boost_all(&rows, &settings);
    let (rows, _) = dataset(sites, &out_of_fold, names().len(), rows::add_site);
    let (with_site, gains) = boost_all(&rows, &settings);
    Fitted {
        single_page,
        second_pass,
        with_site,
        gains,
        kinds: kind_forests(sites),
        lexicon: shares.entries(&is_used),
    }
}

/// The rows of all sites, ordered by inner fold, and the end of each fold.
fn dataset(
    sites: &[&Site],
    out_of_fold: &[Weights],
    features: usize,
    add: impl Fn(&Site, &Weights, &mut Dataset) + Sync,
) -> (Dataset, Vec<usize>) {
    let mut dataset = Dataset { features, ..Dataset::default() };
    let mut ends = Vec::new();
    for (fold, weights) in out_of_fold.iter().enumerate() {
        let in_fold: Vec<&Site> =
            sites.iter().filter(|site| inner_fold_of(&site.family) == fold as u64).copied().collect();
        let assemble = |sites: &[&Site]| {
            let mut dataset = Dataset { features, ..Dataset::default() };
            sites.iter().for_each(|site| add(site, weights, &mut dataset));
            dataset
        };
        let (one, other) = in_fold.split_at(in_fold.len() / 2);
        let halves = std::thread::scope(|scope| {
            let other = scope.spawn(|| assemble(other));
            [assemble(one), other.join().expect("a thread of the fit failed")]
        });
        for half in halves {
            dataset.values.extend(half.values);
            dataset.labels.extend(half.labels);
            dataset.weights.extend(half.weights);
        }
        ends.push(dataset.rows());
    }
    (dataset, ends)
}

/// The forests that predict the kind of a page, one against the rest for each of [`PageKind::ALL`].
fn kind_forests(sites: &[&Site]) -> Vec<Forest> {
    let settings = Settings {
        trees: 80,
        leaves: 8,
        learning_rate: KIND_LEARNING_RATE,
        feature_fraction: 500,
        row_fraction: 800,
        lambda: 1.0,
        min_leaf_hessian: 1.0,
        seed: 2,
    };
    let forest = |kind: &PageKind| {
        let mut dataset = Dataset { features: KIND_FEATURES, ..Dataset::default() };
        for site in sites {
            // A site weighs as much as four single pages, regardless of its number of pages.
            let weight = if site.source == Source::Single {
                1.0
            } else {
                4.0 / site.training_pages().count().max(4) as f32
            };
            for page in site.training_pages() {
                let Some(actual) = page.kind else { continue };
                dataset.values.extend_from_slice(&page.kind_row[..KIND_FEATURES]);
                dataset.labels.push(actual == *kind);
                dataset.weights.push(weight);
            }
        }
        boost_all(&dataset, &settings).0
    };
    PageKind::ALL.iter().map(forest).collect()
}

fn scorers(forests: &[Forest]) -> Vec<Scorer> {
    forests.iter().cloned().map(Scorer::new).collect()
}

/// The fold that a family belongs to.
fn fold_of(family: &str, folds: u64) -> u64 {
    let name = family.bytes().fold(7, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte));
    boost::random(5, name, 1) % folds
}
