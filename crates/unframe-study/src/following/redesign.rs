//! What a redesign does: how soon the new template is found, and when the old one is forgotten.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use unframe::detect::Segments;
use unframe::segments::{PageId, Table};
use unframe::text::content;
use unframe::{Page, PageParser, SiteBy};
use unframe_crawl::{Event, ReadError, ReadOptions};

use crate::table::Table as Rows;

/// The first pages of a snapshot, on which a new template is learned.
const FIRST: usize = 5;

/// Follows a crawl with dated versions of pages, snapshot by snapshot.
///
/// # Errors
/// If the crawl is not there.
pub fn redesign(crawl: &Path, segments: &Segments) -> Result<String, ReadError> {
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
    for (date, pages) in &snapshots {
        rows.row(std::iter::once(date.clone()).chain(following.snapshot(pages)));
    }
    let name = crawl.file_name().unwrap_or_default().to_string_lossy();
    Ok(format!(
        "{name}, snapshot by snapshot: how much of the text of its pages is found to be template:\n\n{}",
        rows.text()
    ))
}

struct Following<'s> {
    segments: &'s Segments,
    table: Table,
    /// The template segments that pages of the snapshot before had.
    templates: HashSet<u64>,
    /// Those of all snapshots so far.
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
