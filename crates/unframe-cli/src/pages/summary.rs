//! The summary of a crawl as a table: a row for each site, and the totals.

use std::collections::BTreeMap;

use unframe::Page;
use unframe::text::content::{Share, Volume};
use unframe_crawl::Summary;

use crate::reading::skipped;
use crate::table::{Table, bytes};

/// Maximum number of rows; more would not fit on a screen.
const SITES_SHOWN_MAX: usize = 40;

/// The data of a page that the summary needs.
pub(crate) struct PageFacts {
    site: String,
    charset: &'static str,
    bytes: u64,
    problems: u64,
    /// The template share of the page, if it was measured.
    volume: Volume,
}

impl PageFacts {
    pub(crate) fn of(page: &Page) -> PageFacts {
        PageFacts {
            site: page.site.clone(),
            charset: page.charset.name(),
            bytes: page.payload.len() as u64,
            problems: page.problems.len() as u64,
            volume: Volume::default(),
        }
    }

    /// Adds the measured template share.
    pub(crate) fn with_volume(self, volume: Volume) -> PageFacts {
        PageFacts { volume, ..self }
    }
}

/// Pages counted by site.
#[derive(Default)]
pub(crate) struct SiteTable {
    sites: BTreeMap<String, Counts>,
}

#[derive(Default)]
struct Counts {
    pages: u64,
    bytes: u64,
    problems: u64,
    volume: Volume,
    charsets: BTreeMap<&'static str, u64>,
}

impl SiteTable {
    /// Counts a page. Never fails, but returns a `Result` so that it can be used as a sink.
    pub(crate) fn add(&mut self, page: PageFacts) -> anyhow::Result<()> {
        let counts = self.sites.entry(page.site).or_default();
        counts.pages += 1;
        counts.bytes += page.bytes;
        counts.problems += page.problems;
        counts.volume += page.volume;
        *counts.charsets.entry(page.charset).or_default() += 1;
        Ok(())
    }

    /// The table, with the largest sites first and the totals in the last line.
    pub(crate) fn text(&self, summary: &Summary) -> String {
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.pages));
        let sum = |of: fn(&Counts) -> u64| sites.iter().map(|(_, counts)| of(counts)).sum::<u64>();
        let headings =
            ["site", "pages>", "bytes>", "problems>", "charset", "template: html>", "text>", "links>"];
        let mut table = Table::new(&headings);
        for (site, counts) in sites.iter().take(SITES_SHOWN_MAX) {
            let first = [
                site.to_string(),
                counts.pages.to_string(),
                bytes(counts.bytes),
                counts.problems.to_string(),
                counts.charset_list(),
            ];
            table.row(first.into_iter().chain(percentages(counts.volume)));
        }
        let hidden = sites.len().saturating_sub(SITES_SHOWN_MAX);
        if hidden > 0 {
            table.row([format!("… and {hidden} more sites")]);
        }
        let others = summary.problems.saturating_sub(sum(|counts| counts.problems));
        if others > 0 {
            table.row([
                "records without a page".to_owned(),
                String::new(),
                String::new(),
                others.to_string(),
            ]);
        }
        let mut volume = Volume::default();
        sites.iter().for_each(|(_, counts)| volume += counts.volume);
        let last = [
            match sites.len() {
                1 => "1 site".to_owned(),
                sites => format!("all {sites} sites"),
            },
            summary.pages.to_string(),
            bytes(summary.payload_bytes),
            summary.problems.to_string(),
            String::new(),
        ];
        table.row(last.into_iter().chain(percentages(volume)));
        format!(
            "{}{} records read, {}{}\n",
            table.text(),
            summary.records,
            bytes(summary.bytes_read),
            skipped(summary)
        )
    }
}

/// The template shares as text. They are empty if they were not measured, and the table omits empty columns.
fn percentages(volume: Volume) -> [String; 3] {
    let percent = |share: Share| match volume.html.total {
        0 => String::new(),
        _ => format!("{:.0} %", 100.0 * share.fraction()),
    };
    [percent(volume.html), percent(volume.text), percent(volume.links)]
}

impl Counts {
    /// The charsets of a site, the most frequent first.
    fn charset_list(&self) -> String {
        let mut charsets: Vec<_> = self.charsets.iter().collect();
        charsets.sort_by_key(|(_, pages)| std::cmp::Reverse(**pages));
        charsets.iter().map(|(name, _)| **name).collect::<Vec<_>>().join(", ")
    }
}
