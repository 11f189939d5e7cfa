//! The savings as a table, as CSV and as JSON.

use serde_json::{Value, json};

use super::{CachePoint, Sizes};
use crate::table::Table;
use unframe_picture::figures::{bytes_short, percent};

/// A storage format: its name and its field of `Sizes`.
type StoreFormat = (&'static str, fn(&Sizes) -> u64);

const STORE_FORMATS: [StoreFormat; 6] = [
    ("plain", |sizes| sizes.plain),
    ("gzip", |sizes| sizes.gzip),
    ("zstd", |sizes| sizes.zstd),
    ("zstd dictionary", |sizes| sizes.dictionary),
    ("reference", |sizes| sizes.reference),
    ("reference zstd", |sizes| sizes.reference_zstd),
];

/// The savings of all sites.
#[derive(Debug, Clone, PartialEq)]
pub struct SavingsReport {
    /// The sizes of each site by name, including what is stored once per site.
    pub sites: Vec<(String, Sizes)>,
    /// The savings of caches.
    pub cache: Vec<CachePoint>,
}

impl SavingsReport {
    fn all(&self) -> Sizes {
        let mut all = Sizes::default();
        self.sites.iter().for_each(|(_, sizes)| all += *sizes);
        all
    }

    fn rows(&self) -> impl Iterator<Item = (&str, Sizes)> {
        let sites = self.sites.iter().map(|(name, sizes)| (name.as_str(), *sizes));
        sites.chain([("(all sites)", self.all())])
    }

    /// The report for a terminal: uncompressed bytes, and the other formats as a share of them.
    pub fn text(&self) -> String {
        let headings = ["site", "pages"].into_iter().chain(STORE_FORMATS.map(|(name, _)| name));
        let mut table = Table::new(1, headings);
        for (name, sizes) in self.rows() {
            let share = |(_, bytes): &StoreFormat| {
                format!("{:.1} %", bytes(&sizes) as f64 * 100.0 / sizes.plain.max(1) as f64)
            };
            let cells = [name.to_owned(), sizes.pages.to_string(), bytes_short(sizes.plain)];
            table.row(cells.into_iter().chain(STORE_FORMATS[1..].iter().map(share)));
        }
        let mut cache = Table::new(0, ["templates in a cache", "of occurrences", "of template bytes saved"]);
        for point in &self.cache {
            cache.row([point.templates.to_string(), percent(point.occurrences), percent(point.bytes)]);
        }
        let broken = match self.all().broken {
            0 => String::new(),
            pages => format!("\n{pages} pages could not be put together again and were stored whole\n"),
        };
        format!("{}\n{}{broken}", table.text(), cache.text())
    }

    /// The bytes of every site in every format, as CSV.
    pub fn csv(&self) -> String {
        let mut table =
            Table::new(1, ["site", "pages"].into_iter().chain(STORE_FORMATS.map(|(name, _)| name)));
        for (name, sizes) in self.rows() {
            let bytes = STORE_FORMATS.map(|(_, bytes)| bytes(&sizes).to_string());
            table.row([name.to_owned(), sizes.pages.to_string()].into_iter().chain(bytes));
        }
        table.csv()
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let row = |(name, sizes): (&str, Sizes)| {
            let bytes: serde_json::Map<String, Value> =
                STORE_FORMATS.iter().map(|(way, bytes)| ((*way).to_owned(), json!(bytes(&sizes)))).collect();
            json!({"site": name, "pages": sizes.pages, "bytes": bytes, "broken": sizes.broken})
        };
        let cache = self.cache.iter().map(
            |point| json!({"templates": point.templates, "occurrences": point.occurrences, "bytes": point.bytes}),
        );
        json!({"sites": self.rows().map(row).collect::<Vec<_>>(), "cache": cache.collect::<Vec<_>>()})
    }
}
