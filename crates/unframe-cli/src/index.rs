//! `unframe index`: builds a search index without template text.

use anyhow::{Context, ensure};
use unframe::detect::{Blocks, Detector};
use unframe::learn::Models;
use unframe::{Page, PageParser};
use unframe_search::{Committed, IndexWriter, Options, Preparer, Removal};

use crate::args::IndexArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;

/// Runs the verb.
pub(crate) fn run(args: &IndexArgs) -> anyhow::Result<Outcome> {
    let is_labelled =
        !matches!(args.method.method.as_str(), "blocks" | "none") || args.model.path().is_some();
    let inputs = Inputs::new(&args.reading, is_labelled && args.model.path().is_none())?;
    let models = match is_labelled {
        true => Some(learning::models(&inputs, &args.reading, &args.method, args.model.path())?),
        false => None,
    };
    let removal = removal(args, models.as_ref())?;
    let options = Options {
        memory: args.reading.memory().indexed(is_labelled),
        threads: args.reading.threads,
        searchable_templates: !args.drop_templates,
    };
    crate::output::check_folder(&args.output)?;
    let mut writer = IndexWriter::open(&args.output, removal.clone(), &options)?;
    for url in &args.delete {
        writer.delete(url)?;
    }
    let new_worker = || {
        let mut preparer = Preparer::new(&removal);
        let mut parser = PageParser::new();
        let models = models.as_ref();
        move |page: Page| {
            let parsed = parser.open(&page);
            let label = |models: &Models| models.label(&page.site, &parsed);
            let regions = models.map(label).unwrap_or_default();
            preparer.prepare(&page, &parsed, &regions)
        }
    };
    let run = match args.reading.inputs.is_empty() {
        // Only deletions are requested.
        true => None,
        false => Some(
            inputs
                .reading(&args.reading)
                .run(new_worker, |page| writer.add(page).context("cannot write to the index"))?,
        ),
    };
    let committed = writer.commit().context("cannot write to the index")?;
    if !args.reading.quiet {
        print_summary(&committed);
    }
    run.map_or(Ok(Outcome::Clean), |run| run.finish())
}

fn removal(args: &IndexArgs, models: Option<&Models>) -> anyhow::Result<Removal> {
    if let Some(models) = models {
        return Ok(Removal::Labels(described(models.detector())));
    }
    if args.method.method == "none" {
        return Ok(Removal::None);
    }
    let asked = learning::detector(&args.method)?;
    ensure!(asked.name() == "blocks", "the method `{}` cannot run while an index is built", asked.name());
    let mut blocks = Blocks::default();
    for setting in asked.settings() {
        blocks.set(setting.name, &setting.value)?;
    }
    Ok(Removal::Blocks(blocks))
}

/// A method with its parameters, in the format in which a model file describes itself. The seed is omitted: like the input, it only
/// determines which pages are sampled.
fn described(detector: &dyn Detector) -> String {
    let settings = detector.settings().into_iter();
    let settings = settings.map(|setting| format!(" {}={}", setting.name, setting.value));
    format!("{}{}", detector.name(), settings.collect::<String>())
}

fn print_summary(committed: &Committed) {
    let Committed { pages, corrected, deleted, words, template_words, total } = *committed;
    let share = 100.0 * template_words as f64 / words.max(1) as f64;
    message!(
        "unframe: {pages} pages added or replaced, {corrected} corrected, {deleted} deleted; {share:.1} % of their words are \
         template; {total} pages in the index"
    );
}
