//! `unframe clean`: the content of every page.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;

use anyhow::Context;
use serde::Serialize;
use unframe::detect::PageBytes;
use unframe::html::Parser;
use unframe::learn::Models;
use unframe::text::content::{self, Content};
use unframe::{Page, Region, TemplateHash};

use crate::args::{CleanArgs, CleanFormat};
use crate::exit::Outcome;
use crate::label::VolumeLine;
use crate::learning::{self, Inputs};
use crate::output::Output;

/// Runs the verb.
pub(crate) fn run(args: &CleanArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, args.model.is_none())?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.as_deref())?;
    let mut output = Output::open(args.output.as_deref())?;
    let new_worker = || {
        let mut parser = Parser::new();
        let models = &models;
        move |page: Page| Labelled::new(page, models, &mut parser, args)
    };
    let mut seen = SeenTemplates::default();
    let mut parser = Parser::new();
    let mut pages = BTreeMap::<String, u64>::new();
    let run = inputs.reading(&args.reading).run(new_worker, |labelled: Labelled| {
        *pages.entry(labelled.site().to_owned()).or_default() += 1;
        let bytes = match labelled {
            Labelled::Done { bytes, .. } => bytes?,
            // Which occurrence is the first depends on the order of the input, so this is not for the workers.
            Labelled::Undecided { page, mut regions } => {
                seen.keep_first(&page.site, &mut regions);
                render(&page, &regions, &mut parser, args.format)?
            }
        };
        output.write_all(&bytes).context("cannot write the texts")
    })?;
    output.finish()?;
    if !args.reading.quiet {
        warn_of_lonely_pages(&models, &pages);
    }
    run.finish()
}

/// A page on its way from the worker to the output.
enum Labelled {
    Done { site: String, bytes: anyhow::Result<Vec<u8>> },
    Undecided { page: Box<Page>, regions: Vec<Region> },
}

impl Labelled {
    fn new(page: Page, models: &Models, parser: &mut Parser, args: &CleanArgs) -> Labelled {
        let regions = models.label(&page.site, PageBytes::of(&page), parser);
        if args.keep_once {
            return Labelled::Undecided { page: Box::new(page), regions };
        }
        let bytes = render(&page, &regions, parser, args.format);
        Labelled::Done { site: page.site, bytes }
    }

    fn site(&self) -> &str {
        match self {
            Labelled::Done { site, .. } => site,
            Labelled::Undecided { page, .. } => &page.site,
        }
    }
}

/// The templates that were already kept once.
#[derive(Default)]
struct SeenTemplates {
    sites: BTreeMap<String, HashSet<TemplateHash>>,
}

impl SeenTemplates {
    /// Takes those regions out whose template was not seen before.
    fn keep_first(&mut self, site: &str, regions: &mut Vec<Region>) {
        if !self.sites.contains_key(site) {
            self.sites.insert(site.to_owned(), HashSet::new());
        }
        if let Some(seen) = self.sites.get_mut(site) {
            regions.retain(|region| !seen.insert(region.template));
        }
    }
}

/// A line of the output. Fields may be added, never renamed.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    site: &'a str,
    date: Option<String>,
    title: Option<&'a str>,
    text: &'a str,
    volume: VolumeLine,
}

fn render(
    page: &Page,
    regions: &[Region],
    parser: &mut Parser,
    format: CleanFormat,
) -> anyhow::Result<Vec<u8>> {
    let content = content::extract(PageBytes::of(page), regions, parser);
    match format {
        CleanFormat::Jsonl => json_line(page, &content),
        CleanFormat::Text => Ok(format!("# {}\n{}\n\n", page.url, content.text).into_bytes()),
    }
}

/// The content of a page as a line of JSON.
pub(crate) fn json_line(page: &Page, content: &Content) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(&Line {
        url: &page.url,
        site: &page.site,
        date: page.date.map(|date| date.to_string()),
        title: content.title.as_deref(),
        text: &content.text,
        volume: content.volume.into(),
    })?;
    line.push(b'\n');
    Ok(line)
}

/// Says why nothing was removed from some pages.
fn warn_of_lonely_pages(models: &Models, pages: &BTreeMap<String, u64>) {
    let lonely = |site: &&String| models.site(site).is_none_or(|model| model.pages_sampled() < 2);
    let sites: Vec<&String> = pages.keys().filter(lonely).collect();
    if let Some(first) = sites.first() {
        let others = match sites.len() {
            1 => String::new(),
            more => format!(" and {} other sites", more - 1),
        };
        eprintln!(
            "unframe: nothing was removed from the pages of {first}{others}: one page shows no repetition. \
             --site-by domain or all makes larger sites"
        );
    }
}
