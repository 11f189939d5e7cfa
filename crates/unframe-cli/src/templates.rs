//! `unframe templates`: the templates of each site, and how others find them.
//!
//! The crawl is read once to learn, once to label and to think of selectors, and once to try these on all pages.

mod report;
mod rules;

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use unframe::aggregate::{Aggregation, Aggregator, Template, average_coverage};
use unframe::html::Span;
use unframe::learn::Models;
use unframe::limits::TEMPLATE_TEXT_MAX;
use unframe::regions::Sort;
use unframe::select::{self, Candidates, Check, Tally};
use unframe::templates::{
    self, MarkupCount, Occurrence, PageTemplates, SiteTemplate, TemplateCollector, Variant,
};
use unframe::text::content::{self, Volume};
use unframe::{Page, PageParser, Region, TemplateHash, text};

use crate::args::TemplatesArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;
use crate::output::Output;
use crate::reading::Run;
use report::Report;

/// Runs the verb.
pub(crate) fn run(args: &TemplatesArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, true)?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.path())?;
    let mut output = Output::open(args.output.path())?;
    let observed = observe(&inputs, args, &models)?;
    let knows_places = models.detector().knows_places();
    let mut sites: BTreeMap<String, Site> =
        observed.into_iter().map(|(name, observed)| (name, Site::new(observed, knows_places))).collect();
    let run = check(&inputs, args, &models, &mut sites)?;
    if let Some(folder) = &args.curves {
        write_curves(folder, &sites)?;
    }
    let report = Report { sites: &sites, args, detector: models.detector() };
    output.write_all(report.text()?.as_bytes()).context("cannot write the templates")?;
    output.finish()?;
    run.finish()
}

/// What the second reading finds of a site.
#[derive(Default)]
struct Observed {
    urls: Vec<String>,
    volume: Volume,
    places: TemplateCollector,
    /// The repeated pieces; of a method that knows places, only where they are asked for.
    pieces: Aggregator,
    candidates: Candidates,
    /// The text of each piece where it occurs first.
    texts: HashMap<TemplateHash, String>,
}

/// A site, ready to be reported.
struct Site {
    /// The addresses of its pages.
    urls: Vec<String>,
    /// How much of them is template.
    volume: Volume,
    templates: Vec<Listed>,
    markup: MarkupCount,
    aggregation: Aggregation,
    texts: HashMap<TemplateHash, String>,
    check: Check,
    tally: Tally,
}

/// A template and the ids of its regions: its own, or those of the pieces that it is made of.
struct Listed {
    template: SiteTemplate,
    ids: Vec<TemplateHash>,
}

/// What a page adds to its site.
struct PageFound {
    site: String,
    url: String,
    volume: Volume,
    places: PageTemplates,
    pieces: Vec<Region>,
    texts: Vec<String>,
    candidates: Candidates,
}

/// Labels all pages.
fn observe(
    inputs: &Inputs,
    args: &TemplatesArgs,
    models: &Models,
) -> anyhow::Result<BTreeMap<String, Observed>> {
    let knows_places = models.detector().knows_places();
    let with_pieces = !knows_places || args.shared || args.curves.is_some();
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let parsed = parser.open(&page);
            let regions = models.templates(&page.site, &parsed);
            let places =
                if knows_places { templates::of_page(&parsed, &regions) } else { Default::default() };
            let candidates = select::candidates(&parsed, &regions);
            let volume = content::extract(&parsed, &regions).volume;
            let mut pieces = if with_pieces { regions } else { Vec::new() };
            let texts = text::of_regions(parsed.source(), &pieces, TEMPLATE_TEXT_MAX);
            if knows_places {
                templates::to_pieces(&mut pieces, &texts);
            }
            PageFound { site: page.site, url: page.url, volume, places, pieces, texts, candidates }
        }
    };
    let mut sites: BTreeMap<String, Observed> = BTreeMap::new();
    // The last reading tells all problems, so this one is silent.
    let reading = inputs.reading(&args.reading).another_follows();
    reading.run(new_worker, |page| {
        let site = sites.entry(page.site).or_default();
        site.urls.push(page.url);
        site.volume += page.volume;
        site.places.add(page.places);
        site.pieces.add_page(&page.pieces);
        site.candidates.add(page.candidates);
        for (piece, text) in page.pieces.iter().zip(page.texts) {
            site.texts.entry(piece.template).or_insert(text);
        }
        Ok(())
    })?;
    Ok(sites)
}

impl Site {
    fn new(observed: Observed, knows_places: bool) -> Site {
        let markup = observed.places.markup();
        let aggregation = observed.pieces.finish();
        let templates = match knows_places {
            true => observed.places.finish().into_iter().map(Listed::place).collect(),
            false => {
                let templates = aggregation.templates.iter();
                templates.map(|template| Listed::pieces(template, &observed.texts)).collect()
            }
        };
        Site {
            urls: observed.urls,
            volume: observed.volume,
            templates,
            markup,
            aggregation,
            texts: observed.texts,
            check: Check::new(observed.candidates),
            tally: Tally::default(),
        }
    }
}

impl Listed {
    fn place(template: SiteTemplate) -> Listed {
        Listed { ids: vec![template.id], template }
    }

    fn pieces(template: &Template, texts: &HashMap<TemplateHash, String>) -> Listed {
        let pages = template.pages.len() as u32;
        let parts = template.hashes.iter().filter_map(|hash| texts.get(hash)).filter(|text| !text.is_empty());
        let text = parts.map(String::as_str).collect::<Vec<_>>().join(" … ");
        let at = |page: Option<&u32>, spans: &[Span]| Occurrence {
            page: page.copied().unwrap_or(0),
            spans: spans.to_vec(),
        };
        Listed {
            template: SiteTemplate {
                id: template.hashes[0],
                within: None,
                sort: Sort::Unknown,
                pages,
                occurrences: template.occurrences,
                bytes: template.bytes,
                links: 0,
                variants: vec![Variant { text, pages }],
                other_pages: 0,
                first: at(template.pages.first(), &template.first),
                last: at(template.pages.last(), &template.last),
            },
            ids: template.hashes.clone(),
        }
    }
}

/// Tries the selectors on all pages.
fn check(
    inputs: &Inputs,
    args: &TemplatesArgs,
    models: &Models,
    sites: &mut BTreeMap<String, Site>,
) -> anyhow::Result<Run> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let sites_there = &*sites;
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let parsed = parser.open(&page);
            let regions = models.templates(&page.site, &parsed);
            let checked = sites_there.get(&page.site).map(|site| site.check.page(&parsed, &regions));
            (page.site, checked)
        }
    };
    let run = inputs.reading(&args.reading).run(new_worker, |(site, checked)| {
        if let Some(checked) = checked {
            tallies.entry(site).or_default().add(checked);
        }
        Ok(())
    })?;
    for (name, tally) in tallies {
        if let Some(site) = sites.get_mut(&name) {
            site.tally = tally;
        }
    }
    Ok(run)
}

/// Writes what can be drawn: occurrences by rank, and what the first templates of a site cover.
fn write_curves(folder: &Path, sites: &BTreeMap<String, Site>) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut ranks = Output::open(Some(&folder.join("ranks.csv")))?;
    let mut coverage = Output::open(Some(&folder.join("coverage.csv")))?;
    writeln!(ranks, "site,rank,template,occurrences,pages,bytes")?;
    writeln!(coverage, "site,templates,bytes,hashes")?;
    for (name, site) in sites {
        let name = report::csv_field(name);
        for (at, ranked) in site.aggregation.ranks.iter().enumerate() {
            let (hash, times) = (ranked.template, ranked.occurrences);
            writeln!(ranks, "{name},{},{hash},{times},{},{}", at + 1, ranked.pages, ranked.bytes)?;
        }
        for point in site.aggregation.coverage() {
            writeln!(coverage, "{name},{},{:.6},{}", point.templates, point.bytes, point.hashes)?;
        }
    }
    for point in average_coverage(sites.values().map(|site| &site.aggregation)) {
        writeln!(coverage, "(average),{},{:.6},{:.3}", point.templates, point.bytes, point.hashes)?;
    }
    ranks.finish()?;
    coverage.finish()
}
