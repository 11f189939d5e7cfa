//! Fits the default method: finds the trees and the lexicon that separate content from the rest best on gold data.
//!
//! `cargo xtask fit` runs it and writes `crates/unframe/src/detect/places/weights.bin`, with a report beside it. Whole families of sites (those of one
//! owner, or of one generator) are left out in turn, and what was fitted on the others is measured on them: that is what sites never
//! seen can expect. Everything is counted in whole numbers and in a fixed order, so that the same data give the same file.

mod boost;
mod calibration;
mod data;
mod rows;
mod score;
mod synthetic;
mod words;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use clap::Parser;
use unframe::detect::places::fitting::{
    Calibration, Forest, KIND_FEATURES, Lexicon, PageKind, Scorer, Weights, encode, names, second_pass_names,
    single_page_names,
};

use boost::{Binned, Settings, Table, boost, boost_all, random};
use data::{Site, Source};
use words::Ballots;

#[derive(Parser)]
#[command(about = "Fits the default method on gold data")]
struct Arguments {
    /// Folders with sites whose content people marked
    #[arg(long)]
    human: Vec<PathBuf>,
    /// Folders with sites whose content is a container of their generator
    #[arg(long)]
    silver: Vec<PathBuf>,
    /// Folders with sites of which values are known
    #[arg(long)]
    values: Vec<PathBuf>,
    /// Folders with pages of all kinds from many hosts; those of one host are compared with each other as well
    #[arg(long)]
    single: Vec<PathBuf>,
    /// Parts of the sites that are left out in turn
    #[arg(long, default_value_t = 3)]
    folds: u64,
    /// Leave out only this part
    #[arg(long)]
    only: Option<u64>,
    /// Trees that judge blocks
    #[arg(long, default_value_t = 240)]
    trees: usize,
    /// Leaves of a tree
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u8).range(2..=32))]
    leaves: u8,
    /// A folder for what was fitted on each part: read where it is there, so that decisions can be measured again without fitting
    #[arg(long)]
    parts: Option<PathBuf>,
    /// Print the scores of the worst sites
    #[arg(long)]
    sites: bool,
    /// Fit on everything, and write the weights to this file and the report to the same name with `.md`
    #[arg(long)]
    write: Option<PathBuf>,
}

/// The share of a tree's answer that counts: of the trees that judge blocks, and of those that tell the kind of a page.
const RATE: f64 = 0.07;
const KINDS_RATE: f64 = 0.1;

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
    let ballots = Ballots::of(&sites);
    let (mut tally, mut judged) = (score::Tally::default(), Vec::new());
    let folds: Vec<u64> =
        (0..arguments.folds).filter(|fold| arguments.only.is_none_or(|only| only == *fold)).collect();
    for fold in folds {
        let is_used = |family: &str| family == "synthetic" || family_fold(family, arguments.folds) != fold;
        let (used, held): (Vec<&Site>, Vec<&Site>) = sites.iter().partition(|site| is_used(&site.family));
        let known = arguments.parts.as_ref().map(|parts| parts.join(format!("{fold}.bin")));
        let weights = match known.as_ref().and_then(|path| std::fs::read(path).ok()) {
            Some(bytes) => Weights::decode(&bytes).context("the weights of a part are damaged")?,
            None => {
                let fitted = fit(&used, &ballots, is_used, &arguments);
                progress(&format!("fold {fold}: fitted on {} sites", used.len()));
                if let Some(path) = &known {
                    std::fs::write(path, fitted.encode(&[Calibration::default(); PageKind::ALL.len()]))?;
                }
                fitted.weights(&[])
            }
        };
        judged.extend(tally.add(&held, &weights));
        progress(&format!("fold {fold}: measured on {} sites", held.len()));
    }
    let calibrations = calibration::calibrate(&judged);
    writeln!(
        report,
        "\nSites by families, left out in {} parts (families by a hash of their names):\n\n{}",
        arguments.folds,
        tally.table(arguments.sites)
    )?;
    writeln!(
        report,
        "How often blocks of left-out sites are content, after calibration (by words, and all pages alike):\n\n{}",
        calibration::table(&judged, &calibrations)
    )?;
    if let Some(path) = &arguments.write {
        let all: Vec<&Site> = sites.iter().collect();
        let fitted = fit(&all, &ballots, |_| true, &arguments);
        progress("fitted on everything");
        writeln!(report, "Features by gain: {}.", fitted.top_features())?;
        std::fs::write(path, fitted.encode(&calibrations))?;
        std::fs::write(path.with_extension("md"), &report)?;
    }
    print!("{report}");
    Ok(())
}

/// Everything that is fitted.
struct Fitted {
    single_page: Forest,
    second_pass: Forest,
    with_site: Forest,
    /// Of the features of `with_site`.
    gains: Vec<f64>,
    kinds: Vec<Forest>,
    /// Entries of tokens and of words.
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

/// The parts of the sites that the trees are fitted on. What the lexicon, the kinds and the trees of pages alone say of a site comes from
/// the other parts: otherwise the trees that are given it would trust it too much.
const PARTS: u64 = 4;

fn part_of(family: &str) -> u64 {
    family_fold(&format!("{family}#"), PARTS)
}

fn fit(
    sites: &[&Site],
    ballots: &Ballots,
    is_used: impl Fn(&str) -> bool + Sync,
    arguments: &Arguments,
) -> Fitted {
    let settings = Settings {
        trees: arguments.trees,
        leaves: usize::from(arguments.leaves),
        rate: RATE,
        features: 400,
        rows: 600,
        ridge: 0.4,
        leaf_min: 0.4,
        seed: 1,
    };
    let mut parts: Vec<Weights> = (0..PARTS)
        .map(|part| {
            let others: Vec<&Site> =
                sites.iter().filter(|site| part_of(&site.family) != part).copied().collect();
            let lexicon = ballots.lexicon(|family| is_used(family) && part_of(family) != part);
            Weights { kinds: scorers(&kind_forests(&others)), lexicon, ..Weights::default() }
        })
        .collect();
    let (table, ends) = table(sites, &parts, single_page_names().len(), rows::add_single_page);
    let binned = Binned::of(&table);
    for (part, weights) in parts.iter_mut().enumerate() {
        let start = part.checked_sub(1).map_or(0, |before| ends[before]);
        weights.single_page = Scorer::new(boost(&table, &binned, &(start..ends[part]), &settings).0);
    }
    let (single_page, _) = boost(&table, &binned, &(0..0), &settings);
    let (table, _) = self::table(sites, &parts, second_pass_names().len(), rows::add_second_pass);
    let (second_pass, _) = boost_all(&table, &settings);
    let (table, _) = self::table(sites, &parts, names().len(), rows::add_site);
    let (with_site, gains) = boost_all(&table, &settings);
    Fitted {
        single_page,
        second_pass,
        with_site,
        gains,
        kinds: kind_forests(sites),
        lexicon: ballots.entries(&is_used),
    }
}

/// The rows of all sites, part after part, and where each part ends.
fn table(
    sites: &[&Site],
    parts: &[Weights],
    features: usize,
    add: impl Fn(&Site, &Weights, &mut Table) + Sync,
) -> (Table, Vec<usize>) {
    let mut table = Table { features, ..Table::default() };
    let mut ends = Vec::new();
    for (part, weights) in parts.iter().enumerate() {
        let mine: Vec<&Site> =
            sites.iter().filter(|site| part_of(&site.family) == part as u64).copied().collect();
        let assemble = |sites: &[&Site]| {
            let mut table = Table { features, ..Table::default() };
            sites.iter().for_each(|site| add(site, weights, &mut table));
            table
        };
        let (one, other) = mine.split_at(mine.len() / 2);
        let halves = std::thread::scope(|scope| {
            let other = scope.spawn(|| assemble(other));
            [assemble(one), other.join().expect("a thread of the fit failed")]
        });
        for half in halves {
            table.values.extend(half.values);
            table.answers.extend(half.answers);
            table.weights.extend(half.weights);
        }
        ends.push(table.rows());
    }
    (table, ends)
}

/// The trees that tell the kind of a page, one forest for each of [`PageKind::ALL`].
fn kind_forests(sites: &[&Site]) -> Vec<Forest> {
    let settings = Settings {
        trees: 80,
        leaves: 8,
        rate: KINDS_RATE,
        features: 500,
        rows: 800,
        ridge: 1.0,
        leaf_min: 1.0,
        seed: 2,
    };
    let forest = |kind: &PageKind| {
        let mut table = Table { features: KIND_FEATURES, ..Table::default() };
        for site in sites {
            // A site counts like a few single pages, however many it has.
            let weight =
                if site.source == Source::Single { 1.0 } else { 4.0 / site.fitted().count().max(4) as f32 };
            for page in site.fitted() {
                let Some(found) = page.kind else { continue };
                table.values.extend_from_slice(&page.kind_row[..KIND_FEATURES]);
                table.answers.push(found == *kind);
                table.weights.push(weight);
            }
        }
        boost_all(&table, &settings).0
    };
    PageKind::ALL.iter().map(forest).collect()
}

fn scorers(forests: &[Forest]) -> Vec<Scorer> {
    forests.iter().cloned().map(Scorer::new).collect()
}

/// The fold that a family is in.
fn family_fold(family: &str, folds: u64) -> u64 {
    let name = family.bytes().fold(7, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte));
    random(5, name, 1) % folds
}
