//! `unframe clean`: the content of every page.

mod by_input;
mod report;
mod report_page;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use unframe::detect::{self, Detector, Dom, SettingError};
use unframe::learn::{Evidence, Models};
use unframe::regions::Keep;
use unframe::{Page, PageParser, ParsedPage, Region, Sort, TemplateHash, text};
use unframe_crawl::write::{BodyFormat, CleanPage};
use xxhash_rust::xxh3::xxh3_64;

use crate::args::CleanArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;
use crate::output::{self, Output};
use crate::reading::Reading;
use crate::sites;
use report::{PageNotes, Report};

/// Runs the verb.
pub(crate) fn run(args: &CleanArgs) -> anyhow::Result<Outcome> {
    args.check()?;
    check_method(args)?;
    if let (true, Some(folder)) = (args.by_input, &args.output) {
        return by_input::run(args, folder);
    }
    let inputs = Inputs::new(&args.reading, args.model.path().is_none())?;
    let keep = keep(&args.keep)?;
    let models = models(args, &inputs, args.model.path())?;
    check_keep(args, models.detector())?;
    clean(args, &models, &keep, inputs.reading(&args.reading), args.output.as_deref())
}

/// Refuses a method that does not exist or cannot apply `--keep`, before the input is read.
fn check_method(args: &CleanArgs) -> anyhow::Result<()> {
    match args.method.method.split_once(':').map_or(args.method.method.as_str(), |(name, _)| name) {
        _ if args.model.path().is_some() => Ok(()),
        "none" if args.keep.is_empty() => Ok(()),
        "none" => bail!("--keep has no effect with --method none, which keeps everything"),
        name => match detect::method(name) {
            Some(method) => check_keep(args, &*method),
            None => bail!("{}, or none", SettingError::NoMethod(name.to_owned())),
        },
    }
}

/// Refuses `--keep` for methods that do not label single pages, because they do not distinguish clutter from content.
fn check_keep(args: &CleanArgs, method: &dyn Detector) -> anyhow::Result<()> {
    match args.keep.is_empty() || method.labels_single_pages() {
        true => Ok(()),
        false => bail!(
            "--keep needs the method `places`: `{}` only removes what pages have in common",
            method.name()
        ),
    }
}

/// The models to clean with, from a file or learned from the inputs.
fn models(args: &CleanArgs, inputs: &Inputs, file: Option<&Path>) -> anyhow::Result<Models> {
    match args.method.method.as_str() {
        "none" => Ok(Models::new(Box::new(Dom::default()), BTreeMap::new())),
        _ => learning::models(inputs, &args.reading, &args.method, file),
    }
}

/// Cleans all pages in one pass.
fn clean(
    args: &CleanArgs,
    models: &Models,
    keep: &Keep,
    reading: Reading<'_>,
    output: Option<&Path>,
) -> anyhow::Result<Outcome> {
    let mut pages = output::page_writer(args.write_options(), output)?;
    let report_file = args.report.as_deref().map(|path| Output::open(Some(path))).transpose()?;
    let options = PageOptions {
        body: args.body_format(),
        metadata: args.metadata,
        keep_once: args.keep_once,
        notes: report_file.is_some(),
    };
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| Labelled::new(page, models, &mut parser, keep, &options)
    };
    let mut report = Report::default();
    let mut seen = SeenTemplates::default();
    let warns_of_uncompared = !args.reading.quiet && args.method.method != "none";
    let (mut uncompared, mut unknown) = (UncomparedSites::default(), UncomparedSites::default());
    let mut parser = PageParser::new();
    let run = reading.run(new_worker, |labelled: Labelled| {
        let (page, notes) = match labelled {
            Labelled::Clean(page, notes) => (*page, notes),
            // Only the sink gets the pages in the order of the input, which is needed to find first occurrences.
            Labelled::Undecided { page, regions } => {
                let regions = seen.repeated(&page.site, regions);
                options.clean(&page, &parser.open(&*page), &regions, models)
            }
        };
        if let Some(notes) = notes {
            report.add(&page, notes);
        }
        if warns_of_uncompared && page.evidence == Evidence::Page {
            let named = if models.site(&page.site).is_some() { &mut uncompared } else { &mut unknown };
            named.add(&page.site);
        }
        pages.write(&page)
    })?;
    pages.finish()?;
    if let Some(mut file) = report_file {
        file.write_all(report_page::html(&report).as_bytes()).context("cannot write the report")?;
        file.finish()?;
    }
    let advice = match run.summary.pages {
        1 => "a single page cannot be compared with anything",
        _ => "a single page cannot be compared with anything. --site-by domain or all makes larger sites",
    };
    uncompared.warn(models, advice);
    unknown.warn(
        models,
        "the model does not contain these sites. Learn it from pages of these sites, with the same --site-by",
    );
    run.finish()
}

/// Parses the values of `--keep`.
fn keep(names: &[String]) -> anyhow::Result<Keep> {
    Keep::of(names.iter().map(String::as_str)).map_err(|name| {
        let sorts: Vec<&str> = Sort::NAMED.iter().filter_map(|sort| sort.name()).collect();
        anyhow!("`{name}` is not a kind that --keep knows: choose clutter, or any of {}", sorts.join(", "))
    })
}

/// The options for cleaning a page.
#[derive(Clone, Copy)]
struct PageOptions {
    body: BodyFormat,
    metadata: bool,
    keep_once: bool,
    /// Whether to collect what the report needs.
    notes: bool,
}

impl PageOptions {
    fn clean(
        &self,
        page: &Page,
        parsed: &ParsedPage<'_>,
        regions: &[Region],
        models: &Models,
    ) -> (CleanPage, Option<PageNotes>) {
        let clean = CleanPage::new(page, parsed, regions, self.body);
        let clean = clean.with_evidence(models.evidence(&page.site));
        let notes = self.notes.then(|| PageNotes::of(&clean, parsed, regions, page.payload.len()));
        (if self.metadata { clean.with_metadata(parsed, regions) } else { clean }, notes)
    }
}

/// A page that a worker passes to the sink.
enum Labelled {
    Clean(Box<CleanPage>, Option<PageNotes>),
    /// For `--keep-once`: the regions, each with a hash of its text.
    Undecided {
        page: Box<Page>,
        regions: Vec<(Region, u64)>,
    },
}

impl Labelled {
    fn new(
        page: Page,
        models: &Models,
        parser: &mut PageParser,
        keep: &Keep,
        options: &PageOptions,
    ) -> Labelled {
        let parsed = parser.open(&page);
        let mut regions = models.label(&page.site, &parsed);
        keep.apply(&mut regions);
        if options.keep_once {
            let texts = text::of_regions(parsed.source(), &regions, usize::MAX);
            let hashes = texts.iter().map(|text| xxh3_64(text.as_bytes()));
            let regions = regions.into_iter().zip(hashes).collect();
            return Labelled::Undecided { page: Box::new(page), regions };
        }
        let (clean, notes) = options.clean(&page, &parsed, &regions, models);
        Labelled::Clean(Box::new(clean), notes)
    }
}

/// The templates that `--keep-once` has already kept. Each is stored with all of its texts, because the text of a changing part
/// differs from page to page.
#[derive(Default)]
struct SeenTemplates {
    sites: BTreeMap<String, HashSet<(TemplateHash, u64)>>,
}

impl SeenTemplates {
    /// The regions whose template was seen before with the same text.
    fn repeated(&mut self, site: &str, regions: Vec<(Region, u64)>) -> Vec<Region> {
        if !self.sites.contains_key(site) {
            self.sites.insert(site.to_owned(), HashSet::new());
        }
        let Some(seen) = self.sites.get_mut(site) else { return Vec::new() };
        let is_repeated = |(region, text): &(Region, u64)| !seen.insert((region.template, *text));
        regions.into_iter().filter(is_repeated).map(|(region, _)| region).collect()
    }
}

/// Counts sites whose pages could not be compared with others, and holds the first name.
#[derive(Default)]
struct UncomparedSites {
    /// Hashes of the names, which take less memory.
    seen: HashSet<u64>,
    first: String,
}

impl UncomparedSites {
    fn add(&mut self, site: &str) {
        if self.seen.insert(xxh3_64(site.as_bytes())) && (self.seen.len() == 1 || site < self.first.as_str())
        {
            self.first = site.to_owned();
        }
    }

    /// Prints a warning if there are any.
    fn warn(&self, models: &Models, reason: &str) {
        let others = match self.seen.len() {
            0 => return,
            1 => String::new(),
            2 => " and another site".to_owned(),
            more => format!(" and {} other sites", more - 1),
        };
        let what = match models.detector().labels_single_pages() {
            true => "pages of {} were scored one by one",
            false => "nothing was removed from the pages of {}",
        };
        let what = what.replace("{}", &format!("{}{others}", sites::display_name(&self.first)));
        message!("unframe: {what}: {reason}");
    }
}
