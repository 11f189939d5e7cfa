//! `unframe templates`: lists the templates of each site, with selectors that select them.
//!
//! There are three passes over the crawl: learning, labelling with candidate selectors, and testing the selectors on all pages. The last
//! two passes are repeated for sites that did not fit into memory.

mod report;
mod site_group;
mod rules;

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;

use unframe::aggregate::{Aggregation, Template, average_coverage};
use unframe::html::Span;
use unframe::learn::Models;
use unframe::limits::TEMPLATE_TEXT_MAX;
use unframe::regions::Sort;
use unframe::select::{self, Check, Tally};
use unframe::templates::{self, MarkupCount, Occurrence, SiteTemplate, Variant};
use unframe::text::content::{self, Volume};
use unframe::{Page, PageParser, TemplateHash, text};

use crate::args::TemplatesArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;
use crate::output::{Output, make_folder};
use crate::reading::{Reading, Run};
use report::Report;
use site_group::{FinishedGroup, PageFindings, SiteFindings, SiteGroup};

/// Runs the verb.
pub(crate) fn run(args: &TemplatesArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, true)?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.path())?;
    let output = Output::open(args.output.path())?;
    let mut report = Report::new(args, models.detector(), output);
    let knows_places = models.detector().knows_places();
    let mut site_group = SiteGroup::new(memory(args));
    loop {
        collect(&inputs, args, &models, &mut site_group)?;
        let FinishedGroup { sites, next } = site_group.finish();
        let mut sites: BTreeMap<String, Site> =
            sites.into_iter().map(|(name, observed)| (name, Site::new(observed, knows_places))).collect();
        let reading = inputs.reading(&args.reading);
        let reading = if next.is_some() { reading.not_last() } else { reading };
        let run = check(reading, &models, &mut sites)?;
        if let Some(folder) = &args.curves {
            write_curves(folder, &sites)?;
        }
        report.add(&sites)?;
        match next {
            Some(next) => site_group = next,
            None => {
                report.finish()?;
                return run.finish();
            }
        }
    }
}

/// Memory for the collected data of sites. It is unlimited if sites are compared with each other, which needs all of them at once.
fn memory(args: &TemplatesArgs) -> usize {
    if args.shared || args.curves.is_some() { usize::MAX } else { args.reading.memory().learned(1) }
}

/// A site, ready to be reported.
struct Site {
    /// The addresses of its pages.
    urls: Vec<String>,
    /// The template shares of its pages.
    volume: Volume,
    templates: Vec<ListedTemplate>,
    markup: MarkupCount,
    aggregation: Aggregation,
    texts: HashMap<TemplateHash, String>,
    check: Check,
    tally: Tally,
}

/// A template, and the ids of its regions: its own id, or those of its pieces.
struct ListedTemplate {
    template: SiteTemplate,
    ids: Vec<TemplateHash>,
}

/// Labels all pages of the sites of a group.
fn collect(
    inputs: &Inputs,
    args: &TemplatesArgs,
    models: &Models,
    site_group: &mut SiteGroup,
) -> anyhow::Result<()> {
    let knows_places = models.detector().knows_places();
    let with_pieces = !knows_places || args.shared || args.curves.is_some();
    let sites = site_group.sites();
    let new_worker = || {
        let mut parser = PageParser::new();
        let sites = &sites;
        move |page: Page| {
            if !sites.contains(&page.site) {
                return None;
            }
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
            Some(PageFindings { site: page.site, url: page.url, volume, places, pieces, texts, candidates })
        }
    };
    // The last pass reports all problems, so this one is silent.
    let reading = inputs.reading(&args.reading).not_last();
    reading.run(new_worker, |page| {
        page.into_iter().for_each(|page| site_group.add(page));
        Ok(())
    })?;
    Ok(())
}

impl Site {
    fn new(observed: SiteFindings, knows_places: bool) -> Site {
        let markup = observed.places.markup();
        let aggregation = observed.pieces.finish();
        let templates = match knows_places {
            true => observed.places.finish().into_iter().map(ListedTemplate::place).collect(),
            false => {
                let templates = aggregation.templates.iter();
                templates.map(|template| ListedTemplate::pieces(template, &observed.texts)).collect()
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

impl ListedTemplate {
    fn place(template: SiteTemplate) -> ListedTemplate {
        ListedTemplate { ids: vec![template.id], template }
    }

    fn pieces(template: &Template, texts: &HashMap<TemplateHash, String>) -> ListedTemplate {
        let pages = template.pages.len() as u32;
        let parts = template.hashes.iter().filter_map(|hash| texts.get(hash)).filter(|text| !text.is_empty());
        let text = parts.map(String::as_str).collect::<Vec<_>>().join(" … ");
        let at = |page: Option<&u32>, spans: &[Span]| Occurrence {
            page: page.copied().unwrap_or(0),
            spans: spans.to_vec(),
        };
        ListedTemplate {
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

/// Tests the selectors on all pages.
fn check(reading: Reading<'_>, models: &Models, sites: &mut BTreeMap<String, Site>) -> anyhow::Result<Run> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let sites_there = &*sites;
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let site = sites_there.get(&page.site)?;
            let parsed = parser.open(&page);
            let regions = models.templates(&page.site, &parsed);
            let checked = site.check.page(&parsed, &regions);
            Some((page.site, checked))
        }
    };
    let run = reading.run(new_worker, |page| {
        if let Some((site, checked)) = page {
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

/// Writes two curves: the occurrences of templates by rank, and the share that the most frequent templates cover.
fn write_curves(folder: &Path, sites: &BTreeMap<String, Site>) -> anyhow::Result<()> {
    make_folder(folder)?;
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
