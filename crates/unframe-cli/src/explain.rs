//! `unframe explain`: shows one page with the reason for every region.

use std::collections::{HashMap, HashSet};
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
    let site_name = args.reading.site_by.key(&url);
    let new_worker = || {
        let mut parser = PageParser::new();
        let (models, site_name) = (&models, &site_name);
        move |page: Page| {
            if page.site != *site_name {
                return None;
            }
            let regions = models.label(&page.site, &parser.open(&page));
            Some((page, regions))
        }
    };
    let mut found: Option<(Page, Vec<Region>)> = None;
    let mut site = SitePages::default();
    let run = inputs.reading(&args.reading).run(new_worker, |labelled| {
        if let Some((page, regions)) = labelled {
            let is_wanted = page.url == url && found.is_none();
            site.add(&regions, (!is_wanted).then_some(&page.url));
            if is_wanted {
                found = Some((page, regions));
            }
        }
        Ok(())
    })?;
    let Some((page, regions)) = found else {
        bail!("no page has the address {url}: `unframe pages` lists the addresses");
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
        Explanation { page: &page, parsed, regions: &regions, site: &site, models: &models, color }.text()?;
    output.write_all(text.as_bytes()).context("cannot write the explanation")?;
    output.finish()?;
    run.finish()
}

/// The address of the page: the given one, that of the given file, or that of the only page in the input.
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
        (None, _, None) => bail!("the input contains no page"),
        (None, _, Some(path)) => bail!("{path} is not a page in the input"),
        (Some(url), ..) => bail!("there are several pages: choose one with --url, such as --url {url}"),
    }
}

/// The occurrences of a site's templates on all pages of the input.
#[derive(Default)]
struct SitePages {
    pages: u32,
    templates: HashMap<TemplateHash, OnPages>,
}

/// The pages on which a template occurs.
#[derive(Default)]
struct OnPages {
    pages: u32,
    /// The first other pages with the template, or with clutter in the same place. The explained page is not among them.
    others: Vec<String>,
}

impl SitePages {
    /// Adds a page. `url` is `None` for the explained page.
    fn add(&mut self, regions: &[Region], url: Option<&String>) {
        self.pages += 1;
        let mut counted = HashSet::new();
        for region in regions {
            let on = self.templates.entry(region.template).or_default();
            on.pages += u32::from(region.kind.is_template() && counted.insert(region.template));
            let has_room = on.others.len() < OTHER_PAGES_SHOWN;
            on.others.extend(url.filter(|url| has_room && on.others.last() != Some(*url)).cloned());
        }
    }
}

/// A page with its regions, to be explained.
struct Explanation<'a> {
    page: &'a Page,
    parsed: &'a ParsedPage<'a>,
    regions: &'a [Region],
    site: &'a SitePages,
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
        let parts = self.parts();
        let mut at = 0;
        while at < self.regions.len() {
            self.write_content(&mut out, &parts[2 * at])?;
            let markup = self.markup_from(at, &parts);
            if markup > 0 {
                self.write_markup(&mut out, &self.regions[at..at + markup])?;
            } else {
                self.write_region(&mut out, &self.regions[at], &parts[2 * at + 1])?;
            }
            at += markup.max(1);
        }
        self.write_content(&mut out, &parts[2 * at])?;
        Ok(out)
    }

    /// All parts of the page, alternately content and region: part `2 * n` precedes region `n`, which is part `2 * n + 1`.
    fn parts(&self) -> Vec<Part> {
        let mut spans = Vec::new();
        let mut at = 0;
        for region in self.regions {
            spans.extend([Span { start: at, end: region.span.start }, region.span]);
            at = region.span.end;
        }
        spans.push(Span { start: at, end: self.page.payload.len() as u32 });
        let model = self.models.site(&self.page.site).unwrap_or_default();
        let reasons = self.models.detector().why(&model, self.parsed, &spans);
        let lines = lines_of(self.parsed, &spans).into_iter();
        lines.zip(reasons).map(|(lines, why)| Part { lines, why }).collect()
    }

    /// Number of consecutive markup regions from this one on, without text between them.
    fn markup_from(&self, first: usize, parts: &[Part]) -> usize {
        let is_next = |at: &usize| {
            self.regions[*at].kind == RegionKind::Markup && (*at == first || parts[2 * at].lines.is_empty())
        };
        (first..self.regions.len()).take_while(is_next).count()
    }

    fn write_content(&self, out: &mut String, part: &Part) -> anyhow::Result<()> {
        for line in &part.lines {
            writeln!(out, "  {line}")?;
        }
        if let Some(why) = part.why.as_ref().filter(|_| !part.lines.is_empty()) {
            let (green, plain) = if self.color { ("\x1b[32m", "\x1b[0m") } else { ("", "") };
            writeln!(out, "{green}  content: {why}{plain}")?;
        }
        Ok(())
    }

    /// Writes consecutive markup regions in one line.
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

    fn write_region(&self, out: &mut String, region: &Region, part: &Part) -> anyhow::Result<()> {
        let (dim, plain) = if self.color { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        for line in &part.lines {
            writeln!(out, "{dim}| {line}{plain}")?;
        }
        let Span { start, end } = region.span;
        let (blue, plain) = if self.color { ("\x1b[34m", "\x1b[0m") } else { ("", "") };
        let what = self.description(region);
        let sure = match region.confidence {
            0 => String::new(),
            confidence => format!(", {confidence} % sure"),
        };
        let others = self.site.templates.get(&region.template).map_or(&[][..], |on| &on.others);
        let also = if others.is_empty() { String::new() } else { format!(", also on {}", others.join(" ")) };
        writeln!(out, "{blue}└ {} bytes {start}..{end}: {what}{sure}{also}{plain}", region.template)?;
        if let Some(why) = &part.why {
            writeln!(out, "{blue}  {why}{plain}")?;
        }
        Ok(())
    }

    /// A description of a region. For a method with places, the place is counted on all pages of the input, and its text on the pages that
    /// were compared.
    fn description(&self, region: &Region) -> String {
        let on = self.site.templates.get(&region.template).filter(|_| region.kind.is_template());
        let place = on.filter(|_| self.models.detector().knows_places());
        let pages = match place {
            Some(_) => format!("{} of those compared", region.pages),
            None => format!("{} pages", region.pages),
        };
        let text = match region.kind {
            RegionKind::Repeated => format!("the same text on {pages}"),
            RegionKind::Changing => format!("a part that changes, in a place that {pages} have"),
            RegionKind::Markup => "markup".to_owned(),
            RegionKind::Clutter => "clutter".to_owned(),
        };
        match (place, region.sort.name()) {
            (Some(on), sort) => {
                format!("{} on {} of {} pages, {text}", sort.unwrap_or("box"), on.pages, self.site.pages)
            }
            (None, Some(sort)) => format!("{text} ({sort})"),
            (None, None) => text,
        }
    }
}

/// A part of a page.
struct Part {
    lines: Vec<String>,
    /// The reason for the label of its longest text.
    why: Option<String>,
}

/// The visible text of each part of a page, with a line for each text node. The parts must be sorted and must not overlap.
fn lines_of(page: &ParsedPage<'_>, parts: &[Span]) -> Vec<Vec<String>> {
    let mut lines = vec![Vec::new(); parts.len()];
    let mut at = 0;
    for piece in page.pieces() {
        let Piece::Text { span, kind } = *piece else { continue };
        let mut line = String::new();
        page.source().for_each_char(span, kind, |c, bytes| {
            while parts.get(at).is_some_and(|part| part.end <= bytes.start) {
                end_line(&mut line, &mut lines[at]);
                at += 1;
            }
            if parts.get(at).is_some_and(|part| part.contains(bytes)) {
                line.push(c);
            }
        });
        if let Some(lines) = lines.get_mut(at) {
            end_line(&mut line, lines);
        }
    }
    lines
}

fn end_line(line: &mut String, lines: &mut Vec<String>) {
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.extend((!words.is_empty()).then_some(words));
    line.clear();
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use unframe::Model;
    use unframe::detect::{Detector, Setting, SettingError};

    use super::*;

    /// A method whose reasons are the byte ranges of the parts. It counts how often it is asked for them.
    #[derive(Clone, Default)]
    struct Counting(Arc<AtomicUsize>);

    impl Detector for Counting {
        fn name(&self) -> &'static str {
            "counting"
        }

        fn settings(&self) -> Vec<Setting> {
            Vec::new()
        }

        fn set(&mut self, name: &str, _value: &str) -> Result<(), SettingError> {
            Err(SettingError::NoMethod(name.to_owned()))
        }

        fn copy(&self) -> Box<dyn Detector> {
            Box::new(self.clone())
        }

        fn sample_size(&self) -> usize {
            1
        }

        fn pieces(&self, _page: &ParsedPage<'_>, _pieces: &mut Vec<u64>) {}

        fn rule(&self, _pages_sampled: usize) -> String {
            String::new()
        }

        fn label(&self, _model: &Model, _page: &ParsedPage<'_>) -> Vec<Region> {
            Vec::new()
        }

        fn why(&self, _model: &Model, _page: &ParsedPage<'_>, parts: &[Span]) -> Vec<Option<String>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            parts.iter().map(|part| Some(format!("{}..{}", part.start, part.end))).collect()
        }
    }

    #[test]
    fn a_page_is_judged_once_however_many_regions_it_has() {
        let html =
            "<nav>Home <b>and</b> more</nav><p>One</p><hr><hr><p>Two &amp; three</p><footer>End</footer>";
        let region = |text: &str, kind| {
            let start = html.find(text).unwrap();
            Region::new(Span::new(start, start + text.len()), TemplateHash(1), 2).with_kind(kind)
        };
        let regions = [
            region("<nav>Home <b>and</b> more</nav>", RegionKind::Repeated),
            region("<hr>", RegionKind::Markup),
            Region::new(Span::new(45, 49), TemplateHash(1), 2).with_kind(RegionKind::Markup),
            region("<footer>End</footer>", RegionKind::Repeated),
        ];
        let counting = Counting::default();
        let models = Models::new(counting.copy(), BTreeMap::new());
        let page = Page::new("http://a.example/", html);
        let mut parser = PageParser::new();
        let parsed = &parser.open(&page);
        let site = SitePages::default();
        let explanation = Explanation {
            page: &page,
            parsed,
            regions: &regions,
            site: &site,
            models: &models,
            color: false,
        };
        let text = explanation.text().unwrap();
        let (_, text) = text.split_once("\n\n").unwrap();
        let expected = "\
| Home
| and
| more
└ 0000000000000001 bytes 0..31: the same text on 2 pages
  0..31
  One
  content: 31..41
└ bytes 41..49: 2 pieces of markup, 8 bytes, that other pages have
  Two & three
  content: 49..71
| End
└ 0000000000000001 bytes 71..91: the same text on 2 pages
  71..91
";
        assert_eq!(text, expected);
        assert_eq!(counting.0.load(Ordering::Relaxed), 1);
    }
}
