//! Writes the shares as a table, as CSV and as JSON, row by row, since a crawl may have very many sites.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::{Row, Shares, VolumeReport};
use crate::table;

impl VolumeReport {
    /// Writes the report for a terminal, in percent: sites, then categories, then totals.
    pub fn write_text(&self, to: &mut dyn Write) -> io::Result<()> {
        self.write_table("site", &self.sites, to)?;
        if !self.categories.is_empty() {
            writeln!(to)?;
            self.write_table("category", &self.categories, to)?;
        }
        writeln!(to)?;
        self.write_table("total", &[self.overall.clone(), self.pooled.clone()], to)
    }

    /// Writes all rows as CSV, with a column that distinguishes sites, categories and totals. Shares are from 0 to 1.
    pub fn write_csv(&self, to: &mut dyn Write) -> io::Result<()> {
        let precise = |share: f64| format!("{share:.6}");
        let rows = [
            ("site", self.sites.as_slice()),
            ("category", &self.categories),
            ("all", std::slice::from_ref(&self.overall)),
            ("pooled", std::slice::from_ref(&self.pooled)),
        ];
        let rows = rows.into_iter().flat_map(|(kind, rows)| rows.iter().map(move |row| (kind, row)));
        let cells = rows.map(|(kind, row)| [vec![kind.to_owned()], self.cells(row, precise)].concat());
        table::write_csv(&[vec!["kind".to_owned()], self.headings("name")].concat(), cells, to)
    }

    /// Writes the report as JSON.
    pub fn write_json(&self, to: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *to, &Json(self))?;
        writeln!(to)
    }

    fn write_table(&self, name: &str, rows: &[Row], to: &mut dyn Write) -> io::Result<()> {
        table::write_text(&self.headings(name), 2, || rows.iter().map(|row| self.cells(row, percent)), to)
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

/// A report as JSON, of which only one row is in memory at a time.
struct Json<'r>(&'r VolumeReport);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("all", &report.json_of(&report.overall))?;
        map.serialize_entry("categories", &JsonRows(report, &report.categories))?;
        map.serialize_entry("pooled", &report.json_of(&report.pooled))?;
        map.serialize_entry("sites", &JsonRows(report, &report.sites))?;
        map.end()
    }
}

struct JsonRows<'r>(&'r VolumeReport, &'r [Row]);

impl Serialize for JsonRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|row| self.0.json_of(row)))
    }
}
