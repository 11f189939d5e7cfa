//! The summary of a crawl for people: a row for each site, and all of them together.

use std::collections::BTreeMap;

use unframe::Page;
use unframe::html::Document;
use unframe_crawl::Summary;

use crate::reading::skipped;
use crate::table::{Table, bytes};

/// Sites that get a row of their own; more would not fit on a screen.
const SITES_SHOWN_MAX: usize = 40;

/// What the summary needs to know of a page.
pub(crate) struct PageFacts {
    site: String,
    charset: &'static str,
    bytes: u64,
    problems: u64,
    /// Nodes of the tree, if the page was parsed.
    nodes: u64,
}

impl PageFacts {
    pub(crate) fn of(page: &Page) -> PageFacts {
        PageFacts {
            site: page.site.clone(),
            charset: page.charset.name(),
            bytes: page.payload.len() as u64,
            problems: page.problems.len() as u64,
            nodes: 0,
        }
    }

    /// The same with the tree of the page counted.
    pub(crate) fn with_tree(self, document: &Document<'_>) -> PageFacts {
        PageFacts { nodes: document.node_count() as u64, ..self }
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
    nodes: u64,
    charsets: BTreeMap<&'static str, u64>,
}

impl SiteTable {
    /// Counts a page. Never fails; sinks may.
    pub(crate) fn add(&mut self, page: PageFacts) -> anyhow::Result<()> {
        let counts = self.sites.entry(page.site).or_default();
        counts.pages += 1;
        counts.bytes += page.bytes;
        counts.problems += page.problems;
        counts.nodes += page.nodes;
        *counts.charsets.entry(page.charset).or_default() += 1;
        Ok(())
    }

    /// The table and a last line about everything: largest sites first.
    pub(crate) fn text(&self, summary: &Summary) -> String {
        let mut sites: Vec<_> = self.sites.iter().collect();
        sites.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.pages));
        let sum = |of: fn(&Counts) -> u64| sites.iter().map(|(_, counts)| of(counts)).sum::<u64>();
        // Without trees there are no nodes, and the table leaves out a column with nothing in it.
        let nodes = |nodes: u64| if nodes == 0 { String::new() } else { nodes.to_string() };
        let mut table = Table::new(&["site", "pages>", "bytes>", "problems>", "nodes>", "charset"]);
        for (site, counts) in sites.iter().take(SITES_SHOWN_MAX) {
            table.row([
                site.to_string(),
                counts.pages.to_string(),
                bytes(counts.bytes),
                counts.problems.to_string(),
                nodes(counts.nodes),
                counts.charset_list(),
            ]);
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
        table.row([
            format!("all {} sites", sites.len()),
            summary.pages.to_string(),
            bytes(summary.payload_bytes),
            summary.problems.to_string(),
            nodes(sum(|counts| counts.nodes)),
        ]);
        format!(
            "{}{} records read, {}{}\n",
            table.text(),
            summary.records,
            bytes(summary.bytes_read),
            skipped(summary)
        )
    }
}

impl Counts {
    /// The charsets of a site, the most frequent first.
    fn charset_list(&self) -> String {
        let mut charsets: Vec<_> = self.charsets.iter().collect();
        charsets.sort_by_key(|(_, pages)| std::cmp::Reverse(**pages));
        charsets.iter().map(|(name, _)| **name).collect::<Vec<_>>().join(", ")
    }
}
