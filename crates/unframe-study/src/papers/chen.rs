//! Chen, Ye and Li: templates found while a search index is built.

use std::collections::{HashMap, HashSet};

use unframe::PageParser;
use unframe::detect::Blocks;

use super::gibson::percent;
use super::lab::{Lab, methods};
use super::printed;
use super::{Compared, Findings, PapersError};
use crate::table::Table;
use crate::{blocks, parallel};

/// The method of the paper and the two that it is compared with.
const METHODS: [&str; 3] = ["blocks", "shingle", "sst"];
/// Number of times that table 3 is measured.
#[cfg(feature = "search")]
const ROUNDS: usize = 3;

/// Table 1: the sites.
pub(super) fn table_1(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let folder = lab.texts()?;
    let mut ours = Table::new(1, ["site", "pages"]);
    let mut pages = 0;
    for site in &folder.sites {
        let count = site.read(usize::MAX)?.pages.len();
        pages += count;
        ours.row([site.name.clone(), count.to_string()]);
    }
    let mut theirs = Table::new(1, ["site", "pages"]);
    printed::CHEN_SITES.iter().for_each(|(site, pages)| theirs.row([(*site).to_owned(), pages.to_string()]));
    let printed: u32 = printed::CHEN_SITES.iter().map(|site| site.1).sum();
    let compared = vec![
        Compared::new("sites", "8", folder.sites.len().to_string()),
        Compared::new("pages", printed.to_string(), pages.to_string()),
    ];
    let tables = vec![("Ours".to_owned(), ours), ("Printed".to_owned(), theirs)];
    Ok(Findings { data: lab.describe(folder), compared, tables, ..Findings::default() })
}

/// Section 3.3.3: the share of words that occur on fewer than 3 pages.
pub(super) fn rare_words(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let folder = lab.texts()?;
    let shares = parallel::map(&folder.sites, lab.options.threads, |site| -> Result<f64, PapersError> {
        let (cutter, mut parser) = (Blocks::default(), PageParser::new());
        let mut on_pages: HashMap<u64, u32> = HashMap::new();
        for page in site.read(usize::MAX)?.pages {
            let words: HashSet<u64> =
                cutter.cut(&parser.open(&page.page), &[]).hashes().into_iter().collect();
            words.into_iter().for_each(|word| *on_pages.entry(word).or_default() += 1);
        }
        let rare = on_pages.values().filter(|pages| **pages < 3).count();
        Ok(rare as f64 / on_pages.len().max(1) as f64)
    });
    let shares: Vec<f64> = shares.into_iter().collect::<Result<_, _>>()?;
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    let compared =
        vec![Compared::new("words with a document frequency below 3", "approximate 50 %", percent(mean))];
    Ok(Findings { data: lab.describe(folder), compared, ..Findings::default() })
}

/// Table 2: the share of template blocks that is found.
pub(super) fn table_2(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let folder = lab.texts()?;
    let report = blocks::evaluate_folder(folder, &methods(&METHODS)?, lab.options.threads)?;
    let mut compared = Vec::new();
    for (at, name) in METHODS.iter().enumerate() {
        let printed = mean_column(&printed::CHEN_ACCURACY, at);
        let score = report.mean(at);
        compared.push(Compared::new(
            format!("{name}: template blocks found"),
            format!("{printed:.1} %"),
            percent(score.found),
        ));
        compared.push(Compared::new(format!("{name}: content blocks lost"), "", percent(score.lost)));
    }
    let tables = vec![
        ("Ours, site by site".to_owned(), report.table()),
        ("Printed, in %".to_owned(), printed_table(&printed::CHEN_ACCURACY, |value| format!("{value:.0}"))),
    ];
    Ok(Findings { data: lab.describe(folder), compared, tables, ..Findings::default() })
}

/// Figure 4: relevant results among the first ten, by known-item queries.
#[cfg(feature = "search")]
pub(super) fn figure_4(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    use crate::search::queries::QueryKind;
    use crate::search::{self, RANKINGS};

    let folder = lab.texts()?;
    let queries_max = if lab.options.quick { 5 } else { 20 };
    let options = search::Options { queries_max, examples: 0, threads: lab.options.threads };
    let report = search::evaluate_folder(folder, &methods(&METHODS)?, &options)?;
    let printed = |name: &str| match name {
        "none" => "4.65",
        "blocks" => "6.5",
        "shingle" => "6.85",
        _ => "",
    };
    let okapi = RANKINGS.iter().position(|ranking| ranking.to_string() == "okapi").unwrap_or(0);
    let mut compared = Vec::new();
    for (method, name) in report.methods().iter().enumerate() {
        let in_ten = report
            .mean(okapi, Some(QueryKind::TemplateWord), method)
            .map(|mean| format!("{:.2}", mean.in_ten));
        compared.push(Compared::new(
            format!("{name}: relevant pages in the first ten, queries of template words, the paper's BM25"),
            printed(name),
            in_ten.unwrap_or_default(),
        ));
    }
    let mut table = Table::new(3, ["ranking", "queries from", "method", "queries", "MRR", "in first ten"]);
    for (at, ranking) in RANKINGS.iter().enumerate() {
        for kind in QueryKind::ALL {
            for (method, name) in report.methods().iter().enumerate() {
                let Some(mean) = report.mean(at, Some(kind), method) else { continue };
                table.row([
                    ranking.to_string(),
                    kind.name().to_owned(),
                    name.clone(),
                    mean.queries.to_string(),
                    format!("{:.4}", mean.reciprocal),
                    format!("{:.2}", mean.in_ten),
                ]);
            }
        }
    }
    let tables = vec![("All kinds of queries".to_owned(), table)];
    Ok(Findings { data: lab.describe(folder), compared, tables, ..Findings::default() })
}

/// Table 3: how long it takes to find templates and to build an index.
#[cfg(feature = "search")]
pub(super) fn table_3(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    use crate::search;

    let folder = lab.texts()?;
    // No queries, and one thread: sites that are measured in parallel would distort each other's times.
    let options = search::Options { queries_max: 0, examples: 0, threads: 1 };
    // Interleaved runs. The fastest run of each site counts, because the first one runs with cold caches.
    let mut fastest: Vec<(String, usize, Vec<f64>)> = Vec::new();
    for round in 0..ROUNDS {
        let report = search::evaluate_folder(folder, &methods(&METHODS)?, &options)?;
        for (at, (site, count, seconds)) in report.seconds().enumerate() {
            match fastest.get_mut(at).filter(|_| round > 0) {
                Some((_, _, best)) => {
                    best.iter_mut().zip(seconds).for_each(|(best, now)| *best = best.min(*now))
                }
                None => fastest.push((site.to_owned(), count, seconds.to_vec())),
            }
        }
    }
    let mut table = Table::new(1, ["site", "pages", "no removal ms", "blocks ms", "shingle ms", "sst ms"]);
    let mut sums = [0.0; 4];
    let mut pages = 0;
    for (site, count, seconds) in &fastest {
        pages += count;
        sums.iter_mut().zip(seconds).for_each(|(sum, seconds)| *sum += seconds);
        let cells = seconds.iter().map(|seconds| format!("{:.1}", seconds * 1e3));
        table.row([site.clone(), count.to_string()].into_iter().chain(cells));
    }
    let printed = [0, 1, 2].map(|at| mean_column(&printed::CHEN_SECONDS, at));
    let of_500 = |at: usize| format!("{:.2} s", sums[at] * 500.0 / pages.max(1) as f64);
    let mut compared = vec![Compared::new("500 pages, index without removal", "", of_500(0))];
    for (at, name) in METHODS.iter().enumerate() {
        compared.push(Compared::new(
            format!("500 pages, index and {name}"),
            format!("{:.2} s", printed[at]),
            of_500(at + 1),
        ));
    }
    for (at, name) in METHODS.iter().enumerate().skip(1) {
        let saved = |times: [f64; 2]| percent(1.0 - times[0] / times[1].max(1e-12));
        let longer = |times: [f64; 2]| percent(times[1] / times[0].max(1e-12) - 1.0);
        let (theirs, ours) = ([printed[0], printed[at]], [sums[1], sums[at + 1]]);
        compared.push(Compared::new(format!("time saved against {name}"), saved(theirs), saved(ours)));
        compared.push(Compared::new(format!("{name} takes longer by"), longer(theirs), longer(ours)));
    }
    let tables = vec![
        ("Ours, site by site".to_owned(), table),
        (
            "Printed, in seconds".to_owned(),
            printed_table(&printed::CHEN_SECONDS, |value| format!("{value:.2}")),
        ),
    ];
    Ok(Findings { data: lab.describe(folder), compared, tables, ..Findings::default() })
}

#[cfg(not(feature = "search"))]
pub(super) fn figure_4(_: &Lab<'_>) -> Result<Findings, PapersError> {
    Err(PapersError::Missing("not run: this program was built without the feature `search`"))
}

#[cfg(not(feature = "search"))]
pub(super) fn table_3(_: &Lab<'_>) -> Result<Findings, PapersError> {
    Err(PapersError::Missing("not run: this program was built without the feature `search`"))
}

fn mean_column(rows: &[[f64; 3]], at: usize) -> f64 {
    rows.iter().map(|row| row[at]).sum::<f64>() / rows.len() as f64
}

/// The values of the paper, by site and method.
fn printed_table(rows: &[[f64; 3]; 8], number: fn(f64) -> String) -> Table {
    let mut table = Table::new(1, ["site", "Our Method", "shingle", "SST"]);
    for ((site, _), row) in printed::CHEN_SITES.iter().zip(rows) {
        table.row(std::iter::once((*site).to_owned()).chain(row.map(number)));
    }
    table
}
