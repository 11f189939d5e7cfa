//! The effect of links in templates, as tables.

use std::collections::HashMap;

use super::Graph;
use super::rank::{page_rank, places};
use crate::table::Table;
use unframe_picture::figures::{count, percent, plural};

/// Pages ranked by all links and by the links in content alone.
#[derive(Debug, Clone)]
pub struct LinkReport<'g> {
    graph: &'g Graph,
    rows: Vec<Row>,
    /// The number of links between pages of the crawl, and how many of them are in templates.
    inner: (usize, usize),
}

/// The ranks of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    page: u32,
    links: usize,
    template_links: usize,
    rank: f64,
    content_rank: f64,
    place: u32,
    content_place: u32,
}

impl<'g> LinkReport<'g> {
    /// Ranks the pages of a crawl. Links to addresses outside of the crawl are ignored.
    pub fn of(graph: &'g Graph) -> LinkReport<'g> {
        let pages: Vec<u32> = graph.pages().collect();
        let numbers: HashMap<u32, u32> = pages.iter().copied().zip(0..).collect();
        let mut all = Vec::new();
        let mut in_content = Vec::new();
        let mut counts = vec![(0, 0); pages.len()];
        for edge in graph.edges() {
            let (Some(from), Some(to)) = (numbers.get(&edge.from), numbers.get(&edge.to)) else { continue };
            all.push((*from, *to));
            counts[*to as usize].0 += 1;
            match edge.template {
                Some(_) => counts[*to as usize].1 += 1,
                None => in_content.push((*from, *to)),
            }
        }
        let inner = (all.len(), all.len() - in_content.len());
        let (ranks, content_ranks) = (page_rank(pages.len(), &all), page_rank(pages.len(), &in_content));
        let (place, content_place) = (places(&ranks), places(&content_ranks));
        let row = |(at, page): (usize, &u32)| Row {
            page: *page,
            links: counts[at].0,
            template_links: counts[at].1,
            rank: ranks[at],
            content_rank: content_ranks[at],
            place: place[at],
            content_place: content_place[at],
        };
        let mut rows: Vec<Row> = pages.iter().enumerate().map(row).collect();
        rows.sort_by(|a, b| {
            b.rank.total_cmp(&a.rank).then_with(|| graph.address(a.page).cmp(graph.address(b.page)))
        });
        LinkReport { graph, rows, inner }
    }

    /// All links as CSV: source, target, whether it is in a template, and the template.
    pub fn links_csv(&self) -> String {
        let mut table = Table::new(4, ["from", "to", "in", "template"]);
        for edge in self.graph.edges() {
            let (kind, template) = match edge.template {
                Some(template) => ("template", template.to_string()),
                None => ("content", String::new()),
            };
            let ends = [edge.from, edge.to].map(|number| self.graph.address(number).to_owned());
            table.row(ends.into_iter().chain([kind.to_owned(), template]));
        }
        table.csv()
    }

    /// All pages with both ranks as CSV, the highest rank by all links first.
    pub fn ranks_csv(&self) -> String {
        let headings =
            ["page", "site", "links", "in templates", "rank", "rank by content", "place", "place by content"];
        let mut table = Table::new(2, headings);
        for row in &self.rows {
            let site = self.graph.site(row.page).unwrap_or_default().to_owned();
            table.row([
                self.graph.address(row.page).to_owned(),
                site,
                row.links.to_string(),
                row.template_links.to_string(),
                format!("{:.9}", row.rank),
                format!("{:.9}", row.content_rank),
                row.place.to_string(),
                row.content_place.to_string(),
            ]);
        }
        table.csv()
    }

    /// The report for a terminal: the number of links in templates, and the `top` pages that gain and lose most without them.
    pub fn text(&self, top: usize) -> String {
        let links = self.graph.edges().len();
        let templates = self.graph.edges().iter().filter(|edge| edge.template.is_some()).count();
        let share = |part: usize, all: usize| percent(part as f64 / all.max(1) as f64);
        let mut text = format!(
            "{}, {} of them in templates; between the {} of the crawl {}, {} of them in templates\n",
            plural(links as u64, "link"),
            share(templates, links),
            plural(self.rows.len() as u64, "page"),
            count(self.inner.0 as u64),
            share(self.inner.1, self.inner.0),
        );
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| gain(b).total_cmp(&gain(a)).then_with(|| a.page.cmp(&b.page)));
        for (heading, rows) in [
            (
                "pages that gain without template links",
                rows.iter().filter(|row| gain(row) > 0.0).take(top).collect::<Vec<_>>(),
            ),
            ("pages that lose", rows.iter().rev().filter(|row| gain(row) < 0.0).take(top).collect()),
        ] {
            let headings =
                [heading, "links", "in templates", "rank ×10⁶", "by content", "place", "by content"];
            let mut table = Table::new(1, headings);
            for row in rows {
                let million = |rank: f64| format!("{:.0}", rank * 1e6);
                table.row([
                    self.graph.address(row.page).to_owned(),
                    row.links.to_string(),
                    row.template_links.to_string(),
                    million(row.rank),
                    million(row.content_rank),
                    row.place.to_string(),
                    row.content_place.to_string(),
                ]);
            }
            text.push('\n');
            text.push_str(&table.text());
        }
        text
    }
}

fn gain(row: &Row) -> f64 {
    row.content_rank - row.rank
}
