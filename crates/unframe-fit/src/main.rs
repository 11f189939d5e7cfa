//! Finds the weights of the method `places`: those under which the pages of gold folders are told apart best.
//!
//! `cargo xtask fit` runs it on the shared data and writes `crates/unframe/src/detect/places/weights.rs`. With `--folds`,
//! whole families of sites (those of one generator, or of one kind of shop) are left out in turns, and the weights found on the others are
//! measured on them: that is what sites never seen can expect.

mod ascent;
mod calibration;
mod gold;
mod invented;
mod score;
mod write;

use std::path::PathBuf;

use clap::Parser;
use unframe::detect::places::fitting::{Numbers, weights_in_use};

use ascent::{Problem, climb};
use calibration::Calibration;
use gold::{Family, Kinship, Known};
use unframe_study::gold::GoldKind;

#[derive(Parser)]
#[command(about = "Finds the weights of the default method on gold data")]
struct Arguments {
    /// Folders with gold data.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Folders with gold data whose pages have nothing to do with each other: each is looked at alone.
    #[arg(long)]
    strangers: Vec<PathBuf>,
    /// Leave out one of so many parts of the families in turns, and measure on it.
    #[arg(long, default_value_t = 0)]
    folds: usize,
    /// Steps of the ascent.
    #[arg(long, default_value_t = 150)]
    steps: usize,
    /// How much large weights are held back.
    #[arg(long, default_value_t = 5e-4)]
    restraint: f64,
    /// Clues that are left out, to see what they are worth.
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Write the weights to this file.
    #[arg(long)]
    write: Option<PathBuf>,
    /// Leave the weights of compared pages as they are.
    #[arg(long)]
    alone: bool,
    /// Only measure the weights in use.
    #[arg(long)]
    measure: bool,
    /// Print the score of every site.
    #[arg(long)]
    sites: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let mut sites = Vec::new();
    for folder in &arguments.folders {
        sites.extend(gold::read(folder, Kinship::Site)?);
    }
    for folder in &arguments.strangers {
        sites.extend(gold::read(folder, Kinship::Strangers)?);
    }
    println!("{} sites, {} families", sites.len(), gold::families(&sites).len());
    let all: Vec<&Known> = sites.iter().collect();
    if arguments.measure {
        report("weights in use", &all, &weights_in_use(), arguments.sites);
        return Ok(());
    }
    let invented = invented::sites();
    report("invented, before", &invented.iter().collect::<Vec<_>>(), &weights_in_use(), true);
    let calibration = (arguments.folds > 0).then(|| leave_out(&sites, &invented, &arguments));
    if arguments.folds == 0 || arguments.write.is_some() {
        let weights = fit(&all, &invented, &arguments);
        report("all", &all, &weights, arguments.sites);
        report("invented", &invented.iter().collect::<Vec<_>>(), &weights, true);
        let text = write::weights(&weights, calibration);
        match &arguments.write {
            Some(path) => std::fs::write(path, text)?,
            None => print!("{text}"),
        }
    }
    Ok(())
}

/// Leaves out families in turns and measures on them. Tells how odds become a confidence that is right there.
fn leave_out(sites: &[Known], invented: &[Known], arguments: &Arguments) -> Calibration {
    let (mut sums, mut beliefs) = (Vec::new(), Vec::new());
    for fold in 0..arguments.folds {
        let is_held = |family: &Family| gold::fold_of(family, sites, arguments.folds) == fold;
        let (held, used): (Vec<&Known>, Vec<&Known>) = sites.iter().partition(|site| is_held(&site.family));
        let names = gold::families(sites).into_iter().filter(|family| is_held(family));
        println!("left out: {}", names.map(|family| family.0.as_str()).collect::<Vec<_>>().join(", "));
        let weights = fit(&used, invented, arguments);
        report("  fitted on", &used, &weights, false);
        report("  left out", &held, &weights, arguments.sites);
        sums.push(text_scores(&held, &weights));
        beliefs.extend(calibration::beliefs(&Problem::compared(&held, &weights[1]), &weights[0]));
    }
    let sum = |at: usize| sums.iter().map(|sums| sums[at]).sum::<f64>();
    let means: Vec<String> = (1..sums[0].len()).map(|at| format!("{:.4}", sum(at) / sum(0))).collect();
    println!(
        "F1 of all sites, each when it was left out, alone and by numbers of pages: {}",
        means.join(" ")
    );
    let calibration = calibration::calibrate(&beliefs);
    println!(
        "confidence on sites that were left out, odds by {calibration:?}:\n{}",
        calibration::table(&beliefs, &calibration)
    );
    calibration
}

/// First the weights of a page alone, which the others build on.
fn fit(sites: &[&Known], invented: &[Known], arguments: &Arguments) -> [Numbers; 2] {
    let sites: Vec<&Known> = sites.iter().copied().chain(invented).collect();
    let [site, page] = weights_in_use();
    let climb = |problem: &Problem<'_>, start| {
        climb(problem, start, arguments.steps, arguments.restraint, &arguments.without)
    };
    let page = climb(&Problem::alone(&sites), page);
    let site = if arguments.alone { site } else { climb(&Problem::compared(&sites, &page), site) };
    [site, page]
}

fn report(title: &str, sites: &[&Known], weights: &[Numbers; 2], each: bool) {
    let (strangers, sites) = by_kinship(sites);
    let alone = Problem::alone(&sites).scores(&weights[1]);
    let compared = Problem::compared(&sites, &weights[1]);
    if !strangers.is_empty() {
        let strangers = Problem::alone(&strangers).scores(&weights[1]);
        println!("{title}: strangers {}", score::summary(&strangers));
    }
    println!("{title}: alone {}", score::summary(&alone));
    for size in compared.sizes() {
        println!("{title}: {size} pages {}", score::summary(&compared.scores_of_size(&weights[0], size)));
    }
    if each {
        let largest = compared.sizes().last().copied().unwrap_or_default();
        for score in compared.scores_of_size(&weights[0], largest) {
            println!("    {:.3} {:.3} {}", score.main, score.other, score.site);
        }
    }
}

/// Pages that are strangers to each other, and sites.
fn by_kinship<'k>(sites: &[&'k Known]) -> (Vec<&'k Known>, Vec<&'k Known>) {
    sites.iter().partition(|site| site.kinship == Kinship::Strangers)
}

/// How many sites have gold texts, and the sums of their F1: alone, and for each number of pages.
fn text_scores(sites: &[&Known], weights: &[Numbers; 2]) -> Vec<f64> {
    let (_, sites) = by_kinship(sites);
    let sum = |scores: Vec<score::Score<'_>>| {
        scores.iter().filter(|score| score.kind == GoldKind::Text).map(|score| score.main).sum::<f64>()
    };
    let count = sites.iter().filter(|site| site.kind == GoldKind::Text).count() as f64;
    let compared = Problem::compared(&sites, &weights[1]);
    let mut sums = vec![count, sum(Problem::alone(&sites).scores(&weights[1]))];
    sums.extend(compared.sizes().into_iter().map(|size| sum(compared.scores_of_size(&weights[0], size))));
    sums
}
