//! Writes the templates as a table, as JSON, or as rules for other programs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Write;

use anyhow::Context;
use serde_json::{Value, json};
use unframe::aggregate::{Shared, shared_hashes};
use unframe::detect::Detector;
use unframe::select::{Found, Selector};
use unframe::templates::{MarkupCount, Occurrence, SiteTemplate, Variant};
use unframe::text::content::{Share, Volume};
use unframe::{SiteBy, TemplateHash};
use unframe_picture::figures::{count, plural};

use super::rules::{Rules, SiteRules};
use super::site::{ListedTemplate, Site};
use crate::args::{TemplatesArgs, TemplatesFormat};
use crate::output::Output;
use crate::sites;
use crate::table::{self, Table};

/// Default number of templates of a site in a table.
const SHOWN: usize = 20;
/// Maximum nesting depth that a table shows.
const DEPTH_SHOWN: usize = 8;
/// Characters of a text or selector in a table.
const CELL_CHARS: usize = 60;
/// Elements that browsers do not display, so that no rule has to hide them.
const INVISIBLE: [&str; 7] = ["head", "meta", "link", "script", "style", "title", "base"];

/// A report that is being written.
pub(super) struct Report<'a> {
    args: &'a TemplatesArgs,
    detector: &'a dyn Detector,
    output: Output,
    /// Whether a site was written already.
    has_sites: bool,
    /// The rules of all sites, if they are requested. They are held until the end, because they take little memory.
    rules: Vec<SiteRules>,
}

impl<'a> Report<'a> {
    pub(super) fn new(args: &'a TemplatesArgs, detector: &'a dyn Detector, output: Output) -> Report<'a> {
        Report { args, detector, output, has_sites: false, rules: Vec::new() }
    }

    /// Writes the next sites.
    pub(super) fn add(&mut self, sites: &BTreeMap<String, Site>) -> anyhow::Result<()> {
        match self.args.format {
            TemplatesFormat::Table => {
                let table = self.table(sites);
                self.write(&table)?;
            }
            TemplatesFormat::Json => {
                if !self.has_sites {
                    let begin = self.json_begin(sites)?;
                    self.write(&begin)?;
                }
                for (name, site) in sites {
                    let separator = if self.has_sites { "," } else { "" };
                    let site = indented(&format!("{:#}", self.site_json(name, site)), "    ");
                    self.write(&format!("{separator}\n{site}"))?;
                    self.has_sites = true;
                }
            }
            _ => {
                let rules: Vec<SiteRules> =
                    sites.iter().map(|(name, site)| self.site_rules(name, site)).collect();
                self.rules.extend(rules);
            }
        }
        Ok(())
    }

    /// Writes the end of the report.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        let rules = Rules {
            sites: std::mem::take(&mut self.rules),
            method: self.detector.name(),
            // If the pages of all sites were compared with each other, the rules apply to all sites.
            is_for_all: self.args.reading.site_by == SiteBy::All,
        };
        let rest = match self.args.format {
            TemplatesFormat::Table => String::new(),
            TemplatesFormat::Json if self.has_sites => "\n  ]\n}\n".to_owned(),
            TemplatesFormat::Json => "]\n}\n".to_owned(),
            TemplatesFormat::Rules => rules.cosmetic_filters(),
            TemplatesFormat::Changedetection => rules.changedetection()?,
            TemplatesFormat::Urlwatch => rules.urlwatch()?,
            TemplatesFormat::Scrapy => format!("{:#}\n", rules.scrapy()),
            TemplatesFormat::Docsearch => format!("{:#}\n", rules.docsearch()),
        };
        self.write(&rest)?;
        self.output.finish()
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        self.output.write_all(text.as_bytes()).context("cannot write the templates")
    }

    /// The templates of a site that are reported.
    fn templates<'s>(&self, site: &'s Site) -> &'s [ListedTemplate] {
        let all = &site.templates;
        let is_table = self.args.format == TemplatesFormat::Table;
        let top = match self.args.top {
            Some(0) => all.len(),
            Some(top) => top,
            None if is_table => SHOWN,
            None => all.len(),
        };
        &all[..top.min(all.len())]
    }

    fn table(&self, sites: &BTreeMap<String, Site>) -> String {
        let mut text = String::new();
        for (name, site) in sites {
            let (pages, all) = (site.urls.len(), site.templates.len());
            let shown = self.templates(site);
            let more = if shown.len() < all { format!(", the first {}", shown.len()) } else { String::new() };
            let (pages, all) = (plural(pages as u64, "page"), plural(all as u64, "template"));
            text += &format!("{}: {pages}, {all}{more}; {}\n", sites::display_name(name), self.shares(site));
            let knows_places = self.detector.knows_places();
            text += &if knows_places { places(site, shown) } else { pieces(site, shown) }.text();
            if site.markup.occurrences > 0 {
                let MarkupCount { occurrences, bytes } = site.markup;
                text += &format!(
                    "and {} of repeated markup that nobody reads, in {occurrences} places\n",
                    table::bytes(bytes)
                );
            }
            text.push('\n');
        }
        if self.args.shared {
            text += &shared_table(sites);
        }
        text
    }

    /// The template shares of a site as text.
    fn shares(&self, site: &Site) -> String {
        let Volume { html, text, links } = site.volume;
        let [html, text, links] = [html, text, links].map(|share| share.fraction() * 100.0);
        let method = self.detector.name();
        format!(
            "`{method}` finds {html:.1} % of the HTML, {text:.1} % of the text, {links:.1} % of the links"
        )
    }

    /// The beginning of a JSON report, up to the first site.
    fn json_begin(&self, sites: &BTreeMap<String, Site>) -> anyhow::Result<String> {
        let mut text = format!("{{\n  \"method\": {},\n", serde_json::to_string(self.detector.name())?);
        if self.args.shared {
            let shared = format!("\"shared\": {:#},", shared_json(sites));
            text += &(indented(&shared, "  ") + "\n");
        }
        Ok(text + "  \"sites\": [")
    }

    fn site_json(&self, name: &str, site: &Site) -> Value {
        let templates: Vec<Value> =
            self.templates(site).iter().map(|listed| listed_json(site, listed)).collect();
        let MarkupCount { occurrences, bytes } = site.markup;
        let all = site.templates.iter().map(|listed| listed.template.bytes).sum::<u64>();
        json!({
            "site": name,
            "pages": site.urls.len(),
            "volume": volume_json(site.volume),
            "bytes": all + bytes,
            "markup": { "occurrences": occurrences, "bytes": bytes },
            "templates": templates,
        })
    }

    /// The selectors of a site's templates.
    fn site_rules(&self, name: &str, site: &Site) -> SiteRules {
        let mut selectors: Vec<Selector> = Vec::new();
        let mut written = HashSet::new();
        for listed in self.templates(site) {
            let text = &listed.template.variants[0].text;
            for id in listed.ids.iter().filter(|id| written.insert(**id)) {
                let found = site.check.found(*id, &site.tally).selectors.into_iter();
                selectors.extend(found.filter(|selector| is_visible(selector, text)));
            }
        }
        SiteRules::new(name, site.urls.first().map_or("", String::as_str), &selectors)
    }
}

/// Indents every line. This keeps JSON valid, because JSON strings contain no line breaks.
fn indented(text: &str, by: &str) -> String {
    text.lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}

/// Templates that occur on more than one site.
fn shared(sites: &BTreeMap<String, Site>) -> Vec<Shared> {
    shared_hashes(sites.iter().map(|(name, site)| (name.as_str(), &site.aggregation)))
}

fn shared_table(sites: &BTreeMap<String, Site>) -> String {
    let mut table = Table::new(&["shared template", "sites>", "times>", "on", "text"]);
    for shared in shared(sites) {
        let names: Vec<&str> = shared.sites.iter().map(|(site, _)| site.as_str()).collect();
        let times: u64 = shared.sites.iter().map(|(_, times)| times).sum();
        table.row([
            shared.template.to_string(),
            names.len().to_string(),
            times.to_string(),
            cut(&names.join(" ")),
            cut(sites.get(names[0]).map_or("", |site| site.text_of(shared.template))),
        ]);
    }
    table.text()
}

fn shared_json(sites: &BTreeMap<String, Site>) -> Value {
    let shared = shared(sites).into_iter().map(|shared| {
        let on = shared.sites.iter().map(|(site, times)| json!({ "site": site, "occurrences": times }));
        let text = sites.get(&shared.sites[0].0).map_or("", |site| site.text_of(shared.template));
        json!({ "template": shared.template.to_string(), "text": text, "sites": on.collect::<Vec<_>>() })
    });
    shared.collect()
}

impl Site {
    fn text_of(&self, template: unframe::TemplateHash) -> &str {
        self.texts.get(&template).map_or("", String::as_str)
    }

    /// The selectors of a template, and the number of its elements that they select.
    fn selectors(&self, listed: &ListedTemplate) -> Found {
        let mut all = Found::default();
        let ids: BTreeSet<_> = listed.ids.iter().collect();
        for id in ids {
            let found = self.check.found(*id, &self.tally);
            all.total += found.total;
            all.selected += found.selected;
            all.lost += found.lost;
            all.untried += found.untried;
            for selector in found.selectors {
                if !all.selectors.contains(&selector) {
                    all.selectors.push(selector);
                }
            }
        }
        all
    }

    /// The nesting depth of a template: the number of listed templates that contain it.
    fn depth(&self, template: &SiteTemplate) -> usize {
        let around = |within: TemplateHash| self.templates.iter().find(|listed| listed.template.id == within);
        let outer =
            |template: &&SiteTemplate| template.within.and_then(around).map(|listed| &listed.template);
        std::iter::successors(outer(&template), outer).take(DEPTH_SHOWN).count()
    }
}

/// The table for a method with places: the sort of each place, and the number of its pages.
fn places(site: &Site, shown: &[ListedTemplate]) -> Table {
    let mut table = Table::new(&["template", "pages>", "texts>", "links>", "bytes>", "selector", "text"]);
    for listed in shown {
        let template = &listed.template;
        let name = template.sort.name().unwrap_or("box");
        let texts = template.variants.len();
        let more = if template.other_pages > 0 { "+" } else { "" };
        table.row([
            format!("{}{name}", "  ".repeat(site.depth(template))),
            format!("{} of {}", count(template.pages.into()), count(site.urls.len() as u64)),
            format!("{texts}{more}"),
            template.links_per_page().to_string(),
            table::bytes(template.bytes),
            selector_cell(site, listed),
            cut(&template.variants[0].text),
        ]);
    }
    table
}

/// The table for a method whose templates consist of repeated pieces.
fn pieces(site: &Site, shown: &[ListedTemplate]) -> Table {
    let mut table = Table::new(&["pages>", "times>", "bytes>", "selector", "text"]);
    for listed in shown {
        let template = &listed.template;
        table.row([
            template.pages.to_string(),
            template.occurrences.to_string(),
            table::bytes(template.bytes),
            selector_cell(site, listed),
            cut(&template.variants[0].text),
        ]);
    }
    table
}

fn selector_cell(site: &Site, listed: &ListedTemplate) -> String {
    let found = site.selectors(listed);
    match &found.selectors[..] {
        [] => format!("({})", reason(&found).unwrap_or("none")),
        [one] => cut(&one.css()),
        [first, others @ ..] => format!("{} +{}", cut(&first.css()), others.len()),
    }
}

fn listed_json(site: &Site, listed: &ListedTemplate) -> Value {
    let found = site.selectors(listed);
    let template = &listed.template;
    let selector = |selector: &Selector| json!({ "css": selector.css(), "xpath": selector.xpath() });
    let place = |at: &Occurrence| {
        let url = site.urls.get(at.page as usize);
        let regions = at.spans.iter().map(|span| json!({ "start": span.start, "end": span.end }));
        json!({ "url": url, "regions": regions.collect::<Vec<_>>() })
    };
    let variant = |variant: &Variant| json!({ "text": variant.text, "pages": variant.pages });
    json!({
        "template": template.id.to_string(),
        "within": template.within.map(|id| id.to_string()),
        "sort": template.sort.name(),
        "hashes": listed.ids.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "text": template.variants[0].text,
        "texts": template.variants.iter().map(variant).collect::<Vec<_>>(),
        "pages_with_other_texts": template.other_pages,
        "pages": template.pages,
        "share": f64::from(template.pages) / site.urls.len().max(1) as f64,
        "occurrences": template.occurrences,
        "links": template.links,
        "bytes": template.bytes,
        "first": place(&template.first),
        "last": place(&template.last),
        "selectors": found.selectors.iter().map(selector).collect::<Vec<_>>(),
        "selected": found.selected as f64 / found.total.max(1) as f64,
        "reason": reason(&found),
    })
}

fn volume_json(volume: Volume) -> Value {
    let share = |share: Share| json!({ "template": share.template, "total": share.total });
    json!({ "html": share(volume.html), "text": share(volume.text), "links": share(volume.links) })
}

/// The reason why the selectors do not select a template exactly.
fn reason(found: &Found) -> Option<&'static str> {
    match found {
        found if found.is_exact() => None,
        found if found.untried > 0 => {
            Some("not tried: the site has too many different pieces, or too long names")
        }
        found if found.lost > 0 => Some("inside of an element with content"),
        _ => Some("every selector that was tried selects content, too, or something on one page only"),
    }
}

fn is_visible(selector: &Selector, text: &str) -> bool {
    let name = selector.steps.last().and_then(|(_, last)| last.name.as_deref());
    !text.is_empty() || name.is_some_and(|name| !INVISIBLE.contains(&name))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(CELL_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A field of a CSV file.
pub(super) fn csv_field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
