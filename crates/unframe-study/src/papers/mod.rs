//! Reproduces the experiments of the four papers: every table and figure, with the published values and ours.
//!
//! - [`EXPERIMENTS`] is the list of all of them, [`CANNOT_RUN`] of what no machine can run without the authors' data;
//! - [`run`] runs them on a folder ([`Data`]), [`PapersReport`] writes one HTML file and one CSV file;
//! - `printed` has the values of the papers, and each other file runs a few experiments. What several of them need is measured once (`lab`).
//!
//! The sites are others than those of the authors, so the values differ. What can be compared is the shape: which method finds more, what grows, what is faster.

mod chen;
mod data;
mod experiments;
mod gibson;
mod gibson_evolution;
mod gibson_reuse;
mod gibson_speed;
mod gottron;
mod gottron_scale;
mod lab;
mod printed;
mod render;
mod wang;

use std::time::Instant;

pub use data::Data;
pub use experiments::{CANNOT_RUN, EXPERIMENTS, Experiment, Paper};
pub use render::PapersReport;

use crate::gold::GoldError;
use crate::plot::Plot;
use crate::table::Table;
use crate::volume::Categories;
use lab::Lab;

/// How to run the experiments.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The experiments by their ids; all if there is none.
    pub only: Vec<String>,
    /// A part of the sites and pages, and less time for slow methods.
    pub quick: bool,
    /// Sites that are measured at the same time; 0 for one a core.
    pub threads: usize,
    /// Categories of sites, as in section 4.1 of the first paper.
    pub categories: Categories,
}

/// Why the run failed or is incomplete.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PapersError {
    /// The gold data cannot be read.
    #[error(transparent)]
    Gold(#[from] GoldError),
    /// A crawl cannot be read.
    #[error(transparent)]
    Read(#[from] unframe_crawl::ReadError),
    /// An index cannot be built.
    #[cfg(feature = "search")]
    #[error(transparent)]
    Search(#[from] crate::search::StudyError),
    /// A requested method does not exist.
    #[error(transparent)]
    Method(#[from] unframe::detect::SettingError),
    /// There is no such experiment.
    #[error("there is no experiment `{0}`; there are {list}", list = experiments::ids().join(", "))]
    Unknown(String),
    /// Something that an experiment needs is not there. The others run.
    #[error("{0}")]
    Missing(&'static str),
}

/// A value of a paper, compared with ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// What it is a value of.
    pub what: String,
    /// As the paper prints it; nothing if it prints none.
    pub printed: String,
    /// What we measured.
    pub ours: String,
}

impl Compared {
    /// A comparison of two values.
    fn new(what: impl Into<String>, printed: impl Into<String>, ours: impl Into<String>) -> Compared {
        Compared { what: what.into(), printed: printed.into(), ours: ours.into() }
    }
}

/// The results of an experiment.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// The data that it was run on.
    pub data: String,
    /// The values of the paper, compared with ours.
    pub compared: Vec<Compared>,
    /// More than single values, each with a heading.
    pub tables: Vec<(String, Table)>,
    /// Figures.
    pub plots: Vec<Plot>,
    /// Pictures as SVG, written by our own code.
    pub pictures: Vec<String>,
}

/// An experiment that was run.
#[derive(Debug, Clone)]
pub struct Section {
    /// Which one.
    pub experiment: &'static Experiment,
    /// What it found, or why it could not be run.
    pub findings: Result<Findings, String>,
    /// How long it took. What several experiments need counts for the first of them.
    pub seconds: f64,
}

/// Runs the selected experiments, in the order of the papers. `begin` is called with each before it runs, `end` with what it found.
///
/// # Errors
/// If an experiment does not exist, data are broken, or `end` fails. The section that needs data that are missing says so.
pub fn run<E: From<PapersError>>(
    data: &Data,
    options: &Options,
    mut begin: impl FnMut(&Experiment),
    mut end: impl FnMut(Section) -> Result<(), E>,
) -> Result<(), E> {
    if let Some(unknown) = options.only.iter().find(|id| !experiments::ids().contains(&id.as_str())) {
        return Err(PapersError::Unknown(unknown.clone()).into());
    }
    let lab = Lab::new(data, options);
    let is_wanted = |experiment: &&Experiment| {
        options.only.is_empty() || options.only.iter().any(|id| id == experiment.id)
    };
    for experiment in EXPERIMENTS.iter().filter(is_wanted) {
        begin(experiment);
        let start = Instant::now();
        let findings = match (experiment.run)(&lab) {
            Ok(findings) => Ok(findings),
            Err(PapersError::Missing(reason)) => Err(reason.to_owned()),
            Err(error) => return Err(error.into()),
        };
        end(Section { experiment, findings, seconds: start.elapsed().as_secs_f64() })?;
    }
    Ok(())
}
