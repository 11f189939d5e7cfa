//! Wang and others: finding templates page by page.

use super::gibson::percent;
use super::lab::Lab;
use super::printed;
use super::{Compared, Findings, PapersError};
use crate::following::{AtRecall, at_recall};
use crate::table::Table;

/// The recall that all methods must reach, as in the paper.
const RECALL: f64 = 0.8;
/// The batch methods that the paper compares with.
const METHODS: [&str; 2] = ["shingle", "sst"];

/// Table 1: the storage needed to find 80 % of the templates.
pub(super) fn table_1(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let folder = lab.texts()?;
    let sites = at_recall(folder, &METHODS, RECALL, lab.options.threads)?;
    // Sites can be compared only if all three methods reach the recall there.
    let reached: Vec<&AtRecall> = sites
        .iter()
        .filter(|site| site.table.is_some() && site.batches.iter().all(Option::is_some))
        .collect();
    if reached.is_empty() {
        return Err(PapersError::Missing(
            "not comparable: on no site do all three find 80 % of the template blocks",
        ));
    }
    let mean = |of: &dyn Fn(&AtRecall) -> f64| {
        reached.iter().map(|site| of(site)).sum::<f64>() / reached.len() as f64
    };
    let stored = mean(&|site| site.table.map_or(0.0, |table| table.stored));
    let memory = mean(&|site| site.table.map_or(0.0, |table| table.memory));
    let batch = |at: usize| mean(&|site| site.batches[at].map_or(0.0, |batch| batch.bytes));
    let pages = |at: usize| mean(&|site| site.batches[at].map_or(0.0, |batch| batch.pages as f64));
    let printed = [0, 1, 2].map(mean_column);
    let kilobytes = |bytes: f64| format!("{:.1} kB", bytes / 1e3);
    let saved = |of: f64, against: f64| percent(1.0 - of / against.max(1e-12));
    let mut compared = vec![
        Compared::new(
            "sites on which all three reach 80 %",
            "5 of 5",
            format!("{} of {}", reached.len(), sites.len()),
        ),
        Compared::new("our table, as it is stored", format!("{:.0} KB", printed[0]), kilobytes(stored)),
        Compared::new("our table, in memory", "", kilobytes(memory)),
    ];
    for (at, name) in METHODS.iter().enumerate() {
        let theirs = printed[at + 1];
        compared.push(Compared::new(
            format!("pages of a batch of {name}"),
            format!("{theirs:.0} KB"),
            kilobytes(batch(at)),
        ));
        compared.push(Compared::new(
            format!("storage saved against {name}, stored"),
            saved(printed[0], theirs),
            saved(stored, batch(at)),
        ));
        compared.push(Compared::new(
            format!("storage saved against {name}, memory"),
            "",
            saved(memory, batch(at)),
        ));
        compared.push(Compared::new(
            format!("pages in a batch of {name}"),
            "24 on average",
            format!("{:.1}", pages(at)),
        ));
    }
    let precision = mean(&|site| site.table.map_or(0.0, |table| table.precision));
    compared.push(Compared::new("precision of our method", "above 98 %", percent(precision)));
    for (at, name) in METHODS.iter().enumerate() {
        let precision = mean(&|site| site.batches[at].map_or(0.0, |batch| batch.precision));
        compared.push(Compared::new(format!("precision of {name}"), "above 98 %", percent(precision)));
    }
    let tables =
        vec![("Ours, site by site".to_owned(), ours(&sites)), ("Printed, in KB".to_owned(), theirs())];
    Ok(Findings { data: lab.describe(folder), compared, tables, ..Findings::default() })
}

fn mean_column(at: usize) -> f64 {
    printed::WANG_STORAGE.iter().map(|row| row.1[at]).sum::<f64>() / printed::WANG_STORAGE.len() as f64
}

fn ours(sites: &[AtRecall]) -> Table {
    let headings =
        ["site", "Tb", "N", "stored kB", "memory kB", "shingle pages", "shingle kB", "sst pages", "sst kB"];
    let mut table = Table::new(1, headings);
    let kilobytes = |bytes: f64| format!("{:.1}", bytes / 1e3);
    for site in sites {
        let mut cells = vec![site.site.clone()];
        match site.table {
            Some(one) => cells.extend([
                one.base.to_string(),
                one.factor.to_string(),
                kilobytes(one.stored),
                kilobytes(one.memory),
            ]),
            None => cells.extend(["not reached", "", "", ""].map(str::to_owned)),
        }
        for batch in &site.batches {
            match batch {
                Some(batch) => cells.extend([batch.pages.to_string(), kilobytes(batch.bytes)]),
                None => cells.extend(["not reached".to_owned(), String::new()]),
            }
        }
        table.row(cells);
    }
    table
}

fn theirs() -> Table {
    let mut table = Table::new(1, ["site", "Our Method", "Shingle", "SST"]);
    for (site, sizes) in printed::WANG_STORAGE {
        table.row(std::iter::once(site.to_owned()).chain(sizes.map(|size| format!("{size:.0}"))));
    }
    table
}
