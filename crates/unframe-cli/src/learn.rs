//! `unframe learn`: learns the sites of a crawl and saves the model.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use unframe::detect::Detector;
use unframe::learn::Learned;
use unframe::model_file::{Encoder, ModelError, ModelFile, describe};
use unframe_picture::figures::plural;

use crate::args::LearnArgs;
use crate::exit::Outcome;
use crate::learning;
use crate::output::Output;
use crate::reading::Reading;
use crate::spill::Learning;

/// Runs the verb.
pub(crate) fn run(args: &LearnArgs) -> anyhow::Result<Outcome> {
    let to = ModelDestination { path: &args.output, compact: args.compact, quiet: args.reading.quiet };
    if args.merge {
        let ModelFile { detector, seed, sites } = merged(args)?;
        let mut saving = ModelFileWriter::begin(&to, &*detector, seed, sites.len())?;
        sites.into_iter().try_for_each(|(site, learned)| saving.add(&site, learned))?;
        saving.finish()?;
        return Ok(Outcome::Clean);
    }
    let reading = Reading::from(&args.reading);
    let (learning, run) = learning::learn(reading, &args.method, args.reading.memory())?;
    save(learning, &to)?;
    run.finish()
}

/// Saves a model.
pub(crate) fn save(learning: Learning, to: &ModelDestination<'_>) -> anyhow::Result<()> {
    let (detector, seed) = (learning.detector().copy(), learning.seed());
    let saving =
        learning.sites(|sites| ModelFileWriter::begin(to, &*detector, seed, sites), ModelFileWriter::add)?;
    saving.finish()
}

/// Where and how a model is saved.
pub(crate) struct ModelDestination<'a> {
    pub(crate) path: &'a Path,
    /// Whether to save only what labelling needs.
    pub(crate) compact: bool,
    pub(crate) quiet: bool,
}

fn merged(args: &LearnArgs) -> anyhow::Result<ModelFile> {
    let mut files = args.reading.inputs.iter();
    let first = files.next().context("no model file was given")?;
    let mut merged = learning::load(first)?;
    let mut compact = is_compact(&merged).then_some(first);
    for path in files {
        let file = learning::load(path)?;
        compact = compact.or_else(|| is_compact(&file).then_some(path));
        merged.merge(file).map_err(|error| match (error, compact) {
            (ModelError::Compact(site), Some(compact)) => anyhow!(
                "cannot merge the models of {site}: {} was saved with --compact, which leaves out what merging needs. Learn it again without --compact",
                compact.display()
            ),
            (error, _) => anyhow::Error::from(error).context(format!("cannot merge {}", path.display())),
        })?;
    }
    Ok(merged)
}

/// Whether a model has only what labelling needs.
fn is_compact(file: &ModelFile) -> bool {
    file.sites.values().any(|learned| matches!(learned, Learned::Templates(_)))
}

/// A model file that is written site by site.
struct ModelFileWriter<'a> {
    to: &'a ModelDestination<'a>,
    detector: &'a dyn Detector,
    seed: u64,
    sites: usize,
    encoder: Encoder<'a>,
    output: Output,
    bytes: usize,
}

impl<'a> ModelFileWriter<'a> {
    fn begin(
        to: &'a ModelDestination<'a>,
        detector: &'a dyn Detector,
        seed: u64,
        sites: usize,
    ) -> anyhow::Result<ModelFileWriter<'a>> {
        let (encoder, bytes) = Encoder::begin(detector, seed, sites);
        let output = Output::open(Some(to.path))?;
        let mut saving = ModelFileWriter { to, detector, seed, sites, encoder, output, bytes: 0 };
        saving.write(&bytes)?;
        Ok(saving)
    }

    fn add(&mut self, site: &str, learned: Learned) -> anyhow::Result<()> {
        let learned = match self.to.compact {
            true => Learned::Templates(learned.model(self.detector)),
            false => learned,
        };
        let bytes = self.encoder.site(site, &learned);
        self.write(&bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.bytes += bytes.len();
        self.output.write_all(bytes).context("cannot write the model")
    }

    fn finish(mut self) -> anyhow::Result<()> {
        let checksum = self.encoder.end();
        self.output.write_all(&checksum).context("cannot write the model")?;
        self.output.finish()?;
        if !self.to.quiet {
            let learned = describe(self.detector, self.seed);
            let bytes = self.bytes + checksum.len();
            let sites = plural(self.sites as u64, "site");
            eprintln!("unframe: {sites}, {bytes} bytes, learned with {learned}");
        }
        Ok(())
    }
}
