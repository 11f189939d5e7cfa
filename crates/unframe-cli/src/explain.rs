//! `unframe explain`: one page, with the reason for every region.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use unframe::html::Span;
use unframe::learn::Models;
use unframe::text::Piece;
use unframe::{Page, PageParser, ParsedPage, Region, RegionKind, TemplateHash};

use crate::args::{Color, ExplainArgs};
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;
use crate::output::Output;
use crate::sites;
use crate::terminal;

/// Number of other pages that are listed for a template.
const OTHER_PAGES_SHOWN: usize = 3;

/// Runs the verb.
pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, true)?;
    let url = url_of(args, &inputs)?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.path())?;
    let site = args.reading.site_by.key(&url);
    let new_worker = || {
        let mut parser = PageParser::new();
        let (models, site) = (&models, &site);
        move |page: Page| {
            if page.site != *site {
                return None;
            }
            let regions = models.label(&page.site, &parser.open(&page));
            Some((page, regions))
        }
    };
    let mut found: Option<(Page, Vec<Region>)> = None;
    let mut others: HashMap<TemplateHash, Vec<String>> = HashMap::new();
    let run = inputs.reading(&args.reading).run(new_worker, |labelled| {
        if let Some((page, regions)) = labelled {
            if page.url == url && found.is_none() {
                found = Some((page, regions));
            } else {
                remember(&mut others, &page.url, &regions);
            }
        }
        Ok(())
    })?;
    let Some((page, regions)) = found else {
        bail!("no page has the address {url}: `unframe pages` lists those that are there");
    };
    let color = match args.color {
        Color::Auto => terminal::has_colour(),
        Color::Always => true,
        Color::Never => false,
    };
    let mut output = Output::open(None)?;
    let mut parser = PageParser::new();
    let parsed = &parser.open(&page);
    let text =
        Explanation { page: &page, parsed, regions: &regions, others: &others, models: &models, color }
            .text()?;
    output.write_all(text.as_bytes()).context("cannot write the explanation")?;
    output.finish()?;
    run.finish()
}

/// The address of the page: as given, or of the file whose path was given, or of the only page.
fn url_of(args: &ExplainArgs, inputs: &Inputs) -> anyhow::Result<String> {
    let path = match &args.url {
        Some(url) if !Path::new(url).exists() => return Ok(url.clone()),
        path => path.as_deref().and_then(|path| fs::canonicalize(path).ok()),
    };
    let is_wanted = |page: &Page| {
        path.is_none() || fs::canonicalize(&*page.origin.file).is_ok_and(|file| Some(file) == path)
    };
    let mut urls = Vec::new();
    let new_worker = || |page: Page| is_wanted(&page).then_some(page.url);
    inputs.reading(&args.reading).not_last().run(new_worker, |url| {
        urls.extend(url);
        urls.truncate(2);
        Ok(())
    })?;
    match (urls.pop(), urls.is_empty(), &args.url) {
        (Some(url), true, _) => Ok(url),
        (None, _, None) => bail!("the input has no page"),
        (None, _, Some(path)) => bail!("{path} is not a page of the input"),
        (Some(url), ..) => bail!("there are several pages: choose one with --url, such as --url {url}"),
    }
}

fn remember(others: &mut HashMap<TemplateHash, Vec<String>>, url: &str, regions: &[Region]) {
    for region in regions {
        let urls = others.entry(region.template).or_default();
        if urls.len() < OTHER_PAGES_SHOWN && urls.last().is_none_or(|last| last != url) {
            urls.push(url.to_owned());
        }
    }
}

struct Explanation<'a> {
    page: &'a Page,
    parsed: &'a ParsedPage<'a>,
    regions: &'a [Region],
    others: &'a HashMap<TemplateHash, Vec<String>>,
    models: &'a Models,
    color: bool,
}

impl Explanation<'_> {
    fn text(&self) -> anyhow::Result<String> {
        let mut out = String::new();
        let bytes = self.page.payload.len();
        let covered = |is_template: bool| -> usize {
            let regions = self.regions.iter().filter(|region| region.kind.is_template() == is_template);
            regions.map(|region| region.span.len()).sum()
        };
        let clutter = match covered(false) {
            0 => String::new(),
            clutter => format!(", {clutter} are clutter"),
        };
        writeln!(out, "{} ({} of {bytes} bytes are template{clutter})", self.page.url, covered(true))?;
        match self.models.site(&self.page.site) {
            Some(model) if model.pages_sampled() > 1 => writeln!(
                out,
                "{}: {}; {} pages of {} were observed\n",
                self.models.detector().name(),
                self.models.detector().rule(model.pages_sampled()),
                model.pages_observed(),
                sites::display_name(&self.page.site)
            )?,
            _ if self.models.detector().labels_single_pages() => writeln!(
                out,
                "{}: {}; nothing is known of other pages of {}\n",
                self.models.detector().name(),
                self.models.detector().rule(1),
                sites::display_name(&self.page.site)
            )?,
            _ => writeln!(
                out,
                "nothing is known of other pages of {}, so nothing is template\n",
                sites::display_name(&self.page.site)
            )?,
        }
        let mut at = 0;
        for run in self.regions.chunk_by(|one, other| self.are_one_markup(one, other)) {
            self.write_content(&mut out, Span { start: at, end: run[0].span.start })?;
            match run[0].kind {
                RegionKind::Markup => self.write_markup(&mut out, run)?,
                _ => self.write_region(&mut out, &run[0])?,
            }
            at = run[run.len() - 1].span.end;
        }
        self.write_content(&mut out, Span { start: at, end: bytes as u32 })?;
        Ok(out)
    }

    fn write_content(&self, out: &mut String, span: Span) -> anyhow::Result<()> {
        let lines = self.lines(span);
        for line in &lines {
            writeln!(out, "  {line}")?;
        }
        if let Some(why) = self.why(span).filter(|_| !lines.is_empty()) {
            let (green, plain) = if self.color { ("\x1b[32m", "\x1b[0m") } else { ("", "") };
            writeln!(out, "{green}  content: {why}{plain}")?;
        }
        Ok(())
    }

    /// The reason for the label of a part of the page, by its longest text.
    fn why(&self, span: Span) -> Option<String> {
        let model = self.models.site(&self.page.site).unwrap_or_default();
        self.models.detector().why(&model, self.parsed, span)
    }

    /// Whether two neighbours are markup without any text between them.
    fn are_one_markup(&self, one: &Region, other: &Region) -> bool {
        let between = Span { start: one.span.end, end: other.span.start };
        [one, other].iter().all(|region| region.kind == RegionKind::Markup) && self.lines(between).is_empty()
    }

    /// Neighbouring pieces of markup, in one line.
    fn write_markup(&self, out: &mut String, run: &[Region]) -> anyhow::Result<()> {
        let (blue, plain) = if self.color { ("\x1b[34m", "\x1b[0m") } else { ("", "") };
        let (start, end) = (run[0].span.start, run[run.len() - 1].span.end);
        let bytes: usize = run.iter().map(|region| region.span.len()).sum();
        let pieces = if run.len() == 1 { "1 piece".to_owned() } else { format!("{} pieces", run.len()) };
        writeln!(
            out,
            "{blue}└ bytes {start}..{end}: {pieces} of markup, {bytes} bytes, that other pages have{plain}"
        )?;
        Ok(())
    }

    fn write_region(&self, out: &mut String, region: &Region) -> anyhow::Result<()> {
        let (dim, plain) = if self.color { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        for line in self.lines(region.span) {
            writeln!(out, "{dim}| {line}{plain}")?;
        }
        let Span { start, end } = region.span;
        let others = self.others.get(&region.template).map(|urls| urls.join(" ")).unwrap_or_default();
        let also = if others.is_empty() { String::new() } else { format!(", also on {others}") };
        let (blue, plain) = if self.color { ("\x1b[34m", "\x1b[0m") } else { ("", "") };
        let what = match region.kind {
            RegionKind::Repeated => format!("the same text on {} pages", region.pages),
            RegionKind::Changing => {
                format!("a part that changes, in a place that {} pages have", region.pages)
            }
            RegionKind::Markup => "markup".to_owned(),
            RegionKind::Clutter => "clutter".to_owned(),
        };
        let sure = match region.confidence {
            0 => String::new(),
            confidence => format!(", {confidence} % sure"),
        };
        let sort = region.sort.name().map(|sort| format!(" ({sort})")).unwrap_or_default();
        writeln!(out, "{blue}└ {} bytes {start}..{end}: {what}{sort}{sure}{also}{plain}", region.template)?;
        if let Some(why) = self.why(region.span) {
            writeln!(out, "{blue}  {why}{plain}")?;
        }
        Ok(())
    }

    /// The visible text of a part of the page, a line for each piece.
    fn lines(&self, span: Span) -> Vec<String> {
        let source = self.parsed.source();
        let mut lines: BTreeMap<u32, String> = BTreeMap::new();
        for piece in self.parsed.pieces() {
            if let Piece::Text { span: text, kind } = *piece {
                let mut line = String::new();
                source.for_each_char(text, kind, |c, bytes| {
                    if span.contains(bytes) {
                        line.push(c);
                    }
                });
                let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
                if !line.is_empty() {
                    lines.insert(text.start, line);
                }
            }
        }
        lines.into_values().collect()
    }
}
