//! The effect of a redesign: how soon the new template is found, and when the old one is dropped.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use unframe::detect::{FollowMethod, Segments};
use unframe::learn::Learner;
use unframe::segments::{PageId, Table};
use unframe::text::content;
use unframe::{Page, PageParser, Region, SiteBy};
use unframe_crawl::{Event, ReadError, ReadOptions};

use crate::table::Table as Rows;
use crate::words::WordScore;

/// The number of pages of a snapshot that are reported separately, because the new template is learned on them.
const FIRST: usize = 5;

/// Processes a crawl with dated versions of pages, snapshot by snapshot.
///
/// # Errors
/// If the crawl does not exist.
pub fn redesign(crawl: &Path, segments: &Segments) -> Result<String, ReadError> {
    let snapshots = snapshots(crawl)?;
    let found = found_by_segments(&snapshots, segments);
    let beside = compared_with_batch(&snapshots);
    let name = crawl.file_name().unwrap_or_default().to_string_lossy();
    Ok(format!(
        "{name}, snapshot by snapshot: how much of the text of its pages `segments` finds to be template:\n\n{}\n\
         `places` page by page through all snapshots beside all pages of one snapshot at once: word F1 of what is left of a page, as if the batch \
         were right:\n\n{}",
        found.text(),
        beside.text(),
    ))
}

/// The pages of each day.
fn snapshots(crawl: &Path) -> Result<BTreeMap<String, Vec<Page>>, ReadError> {
    let mut snapshots: BTreeMap<String, Vec<Page>> = BTreeMap::new();
    let options = ReadOptions { site_by: SiteBy::All, threads: 1, ..ReadOptions::default() };
    let inputs: [PathBuf; 1] = [crawl.to_owned()];
    unframe_crawl::read(
        &inputs,
        &options,
        || |page: Page| page,
        |event| {
            if let Event::Page(page) = event {
                let date =
                    page.date.map_or_else(|| "unknown".to_owned(), |date| date.to_string()[..10].to_owned());
                snapshots.entry(date).or_default().push(page);
            }
            ControlFlow::Continue(())
        },
    )?;
    Ok(snapshots)
}

fn compared_with_batch(snapshots: &BTreeMap<String, Vec<Page>>) -> Rows {
    let mut rows = Rows::new(1, ["snapshot", "pages", "first 5", "others"]);
    let (method, mut parser) = (FollowMethod::default(), PageParser::new());
    let mut state = method.begin();
    for (date, pages) in snapshots {
        let learner = Learner::new(method.detector().copy(), 0);
        pages.iter().for_each(|page| learner.observe(&page.site, &page.url, &parser.open(page)));
        let models = learner.models();
        let mut scores = [Vec::new(), Vec::new()];
        for (number, page) in pages.iter().enumerate() {
            let parsed = parser.open(page);
            let prepared = method.prepare(&parsed);
            method.take(&mut state, PageId::of(&page.url, &page.payload), &prepared.pieces);
            let model = method.model_for(&state, &prepared.pieces);
            let text = |regions: &[Region]| content::extract(&parsed, regions).text;
            let followed = text(&method.label(&model, &parsed, &prepared).regions);
            let batch = text(&models.label(&page.site, &parsed));
            scores[usize::from(number >= FIRST)].push(WordScore::of(&followed, &batch));
        }
        let scores = scores.map(|scores| format!("{:.3}", WordScore::mean(&scores).f1));
        rows.row([date.clone(), pages.len().to_string()].into_iter().chain(scores));
    }
    rows
}

fn found_by_segments(snapshots: &BTreeMap<String, Vec<Page>>, segments: &Segments) -> Rows {
    let headings = [
        "snapshot",
        "pages",
        "first 5: text %",
        "others: text %",
        "template segments",
        "new",
        "of the one before",
        "forgotten of all",
    ];
    let mut rows = Rows::new(1, headings);
    let mut following = Following {
        segments,
        table: Table::default(),
        templates: HashSet::new(),
        ever: HashSet::new(),
        parser: PageParser::new(),
    };
    for (date, pages) in snapshots {
        rows.row(std::iter::once(date.clone()).chain(following.snapshot(pages)));
    }
    rows
}

struct Following<'s> {
    segments: &'s Segments,
    table: Table,
    /// The template segments of the previous snapshot.
    templates: HashSet<u64>,
    /// The template segments of all snapshots so far.
    ever: HashSet<u64>,
    parser: PageParser,
}

impl Following<'_> {
    fn snapshot(&mut self, pages: &[Page]) -> Vec<String> {
        let mut shares = [(0u64, 0u64); 2];
        let mut seen = HashSet::new();
        for (number, page) in pages.iter().enumerate() {
            let cut = self.segments.cut(&self.parser.open(page));
            let keys = cut.keys();
            self.segments.visit(&mut self.table, PageId::of(&page.url, &page.payload), &keys);
            let regions = self.segments.label_cut(&self.table, &cut);
            let text = content::extract(&self.parser.open(page), &regions).volume.text;
            let share = &mut shares[usize::from(number >= FIRST)];
            (share.0, share.1) = (share.0 + text.template, share.1 + text.total);
            seen.extend(keys);
        }
        let df = |key: &u64| self.table.df(*key, self.segments.ageing()).is_some_and(|df| df >= 5);
        let now: HashSet<u64> = seen.into_iter().filter(df).collect();
        let stayed = now.intersection(&self.templates).count();
        let forgotten = self.ever.iter().filter(|key| !df(key)).count();
        let new = now.len() - stayed;
        self.ever.extend(&now);
        self.templates = now;
        let share = |(part, all): (u64, u64)| {
            if all == 0 { "-".to_owned() } else { format!("{:.1}", 100.0 * part as f64 / all as f64) }
        };
        let counts = [self.templates.len(), new, stayed, forgotten].map(|count| count.to_string());
        [pages.len().to_string(), share(shares[0]), share(shares[1])].into_iter().chain(counts).collect()
    }
}
