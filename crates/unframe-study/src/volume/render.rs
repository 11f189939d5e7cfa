//! The shares as a table, as CSV and as JSON.

use serde_json::{Value, json};

use super::{Row, Shares, VolumeReport};
use crate::table::Table;

impl VolumeReport {
    /// The report for a terminal, in percent: sites, then categories, then totals.
    pub fn text(&self) -> String {
        let mut text = self.table("site", &self.sites, percent).text();
        if !self.categories.is_empty() {
            text.push('\n');
            text.push_str(&self.table("category", &self.categories, percent).text());
        }
        text.push('\n');
        let totals = [self.overall.clone(), self.pooled.clone()];
        text.push_str(&self.table("total", &totals, percent).text());
        text
    }

    /// All rows, with a column that distinguishes sites, categories and totals. Shares are from 0 to 1.
    pub fn csv(&self) -> String {
        let precise = |share: f64| format!("{share:.6}");
        let mut table = Table::new(3, ["kind".to_owned()].into_iter().chain(self.headings("name")));
        for (kind, rows) in [
            ("site", self.sites.as_slice()),
            ("category", &self.categories),
            ("all", std::slice::from_ref(&self.overall)),
            ("pooled", std::slice::from_ref(&self.pooled)),
        ] {
            for row in rows {
                table.row(std::iter::once(kind.to_owned()).chain(self.cells(row, precise)));
            }
        }
        table.csv()
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let rows = |rows: &[Row]| rows.iter().map(|row| self.json_of(row)).collect::<Vec<_>>();
        json!({
            "sites": rows(&self.sites),
            "categories": rows(&self.categories),
            "all": self.json_of(&self.overall),
            "pooled": self.json_of(&self.pooled),
        })
    }

    fn table(&self, name: &str, rows: &[Row], number: fn(f64) -> String) -> Table {
        let mut table = Table::new(2, self.headings(name));
        rows.iter().for_each(|row| table.row(self.cells(row, number)));
        table
    }

    fn headings(&self, name: &str) -> Vec<String> {
        let mut headings: Vec<String> = [name, "categories", "sites", "pages"].map(str::to_owned).to_vec();
        for method in &self.methods {
            headings.extend(["html", "text", "links"].map(|of| format!("{method} {of}")));
        }
        if self.has_difference() {
            headings.extend(["difference", "text - dom"].map(str::to_owned));
        }
        headings
    }

    /// Whether both `text` and `dom` were measured, so that their difference can be shown.
    fn has_difference(&self) -> bool {
        self.pooled.difference.is_some()
    }

    fn json_of(&self, row: &Row) -> Value {
        let methods = self.methods.iter().zip(&row.shares);
        let methods: serde_json::Map<String, Value> = methods
            .filter_map(|(method, shares)| {
                let Shares { html, text, links } = (*shares)?;
                Some((method.clone(), json!({"html": html, "text": text, "links": links})))
            })
            .collect();
        json!({
            "name": row.name,
            "categories": row.categories,
            "sites": row.sites,
            "pages": row.pages,
            "template": methods,
            "difference": row.difference,
            "signed_difference": row.signed,
        })
    }

    fn cells(&self, row: &Row, number: impl Fn(f64) -> String) -> Vec<String> {
        let mut cells =
            vec![row.name.clone(), row.categories.join(";"), row.sites.to_string(), row.pages.to_string()];
        for shares in &row.shares {
            match shares {
                Some(shares) => cells.extend([shares.html, shares.text, shares.links].map(&number)),
                None => cells.extend([const { String::new() }; 3]),
            }
        }
        if self.has_difference() {
            cells.extend([row.difference, row.signed].map(|value| value.map_or(String::new(), &number)));
        }
        cells
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
