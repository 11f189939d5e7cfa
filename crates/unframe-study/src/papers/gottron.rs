//! Hachenberg and Gottron, sections 3 and 4: fingerprints and classification.

use std::time::Duration;

use encoding_rs::UTF_8;
use unframe::fingerprint::signature::LENGTH;
use unframe::fingerprint::{Clusters, Fingerprinter, Method, Settings, Signature, SignatureMaker, split};

use super::lab::Lab;
use super::printed;
use super::{Compared, Findings, PapersError};
use crate::fingerprints::{self, Measures, TemplateCounts, few_examples, paired_test};
use crate::plot::{Axis, COLORS, Plot, Series, Shape};
use crate::table::Table;

/// A page with the tags of the example in section 3.1, as far as they are legible in the scan of the paper.
const EXAMPLE: &str =
    "<html><head><title>T</title></head><body><p>a</p><p>b</p><p>c<b>d</b></p></body></html>";
/// Its fingerprint, computed by hand with the rules of algorithm 1.
const EXAMPLE_FINGERPRINT: &str = "00 00 00 03 00 00 06 07 00 06";
/// Number of examples of each template in table 4.
const EXAMPLES: usize = 10;
/// The number of pages of the paper's collection.
const PAPER_PAGES: f64 = 13_237.0;

/// Table 1: the fingerprint of the example.
pub(super) fn table_1(_: &Lab<'_>) -> Result<Findings, PapersError> {
    let found = Fingerprinter::new(LENGTH).fingerprint(EXAMPLE.as_bytes(), UTF_8);
    let numbers: Vec<String> = found.as_bytes().iter().map(|number| format!("{number:02x}")).collect();
    let what = format!("fingerprint of the example; by hand: {EXAMPLE_FINGERPRINT}");
    let compared = vec![Compared::new(what, "lost", numbers.join(" "))];
    Ok(Findings { data: "a page of 16 tags".to_owned(), compared, ..Findings::default() })
}

/// Figure 2: the entropy of both parts of a fingerprint, by the position of the cut.
pub(super) fn figure_2(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let mut maker = SignatureMaker::new(&Settings::new(Method::Fingerprint));
    let mut clusters = Clusters::new(Settings::new(Method::Fingerprint));
    let mut pages = 0;
    for site in lab.all_sites()? {
        for page in site.read(usize::MAX)?.pages {
            let signature: Signature = maker.make(&page.page.payload, page.page.charset.encoding);
            pages += usize::from(clusters.add(0, &signature).is_ok());
        }
    }
    let entropies = clusters.split_entropies();
    let best = split::best(&entropies).map_or(String::new(), |split| split.to_string());
    let line = |name: &str, color, of: fn(&split::SplitEntropy) -> f64| Series {
        name: name.to_owned(),
        color,
        shape: Shape::Both,
        points: entropies.iter().map(|one| (one.split as f64, of(one), String::new())).collect(),
    };
    let most = entropies.iter().map(|one| one.prefix_bits.max(one.suffix_bits)).fold(1.0, f64::max);
    let plot = Plot {
        title: "Figure 2: entropy of prefixes and suffixes".to_owned(),
        note: format!("fingerprints of {pages} pages"),
        x: Axis::numbers("cut after so many numbers", [entropies.len() as f64]),
        y: Axis::numbers("bits", [most]),
        series: vec![
            line("prefix", COLORS[0], |one| one.prefix_bits),
            line("suffix", COLORS[1], |one| one.suffix_bits),
        ],
    };
    let compared = vec![Compared::new("cut at which both parts say equally much", "17", best)];
    Ok(Findings { data: lab.describe_all()?, compared, plots: vec![plot], ..Findings::default() })
}

/// Table 3: the size of the collection.
pub(super) fn table_3(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let folder = lab.templates()?;
    let report = lab.structure()?;
    let collection = report.methods.first().and_then(|method| method.collections.first());
    let number = |of: Option<usize>| of.map_or(String::new(), |number| number.to_string());
    let compared = vec![
        Compared::new("templates", "50", number(collection.map(|one| one.templates))),
        Compared::new("documents", "13,237", number(collection.map(|one| one.pages))),
    ];
    Ok(Findings { data: lab.describe(folder), compared, ..Findings::default() })
}

/// Table 4: classification by ten examples of each template.
pub(super) fn table_4(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let folder = lab.templates()?;
    let budget = if lab.options.quick { Duration::from_secs(1) } else { Duration::from_secs(20) };
    let found = few_examples(folder, &fingerprints::methods("all").unwrap_or_default(), EXAMPLES, budget)?;
    let mut compared = Vec::new();
    let mut table = Table::new(1, ["method", "pages", "classified", "seconds for all", "pages/s"]);
    for one in &found {
        let seconds = one.seconds_for_all();
        let (shown, rate) = match seconds {
            Some(seconds) => {
                (format!("{seconds:.2}"), format!("{:.1}", one.pages as f64 / seconds.max(1e-9)))
            }
            None => (format!("more than {} before the first", budget.as_secs()), String::new()),
        };
        table.row([
            one.method.to_string(),
            one.pages.to_string(),
            one.classified.to_string(),
            shown,
            rate.clone(),
        ]);
        let printed = match one.method {
            Method::Rtdm => "334 days for ten-fold cross validation",
            Method::Lcts => "30 days for ten-fold cross validation",
            _ => "",
        };
        // The paper uses nine tenths of all pages as examples and compares each page with all of them.
        let days = seconds.map(|seconds| {
            let (ours, examples) = (one.pages as f64, EXAMPLES as f64 * folder.sites.len() as f64);
            seconds / (ours * examples) * (PAPER_PAGES * PAPER_PAGES * 0.9) / 86_400.0
        });
        let ours = match (days, one.method.is_looked_up()) {
            (Some(days), false) => format!("{rate} pages/s; {days:.2} days for the paper's collection"),
            _ => format!("{rate} pages/s"),
        };
        compared.push(Compared::new(one.method.to_string(), printed, ours));
    }
    let tables = vec![("Ours; extrapolated where not all pages were classified".to_owned(), table)];
    Ok(Findings { data: lab.describe(folder), compared, tables, ..Findings::default() })
}

/// Table 5 (figure 3 in the scan): ten-fold cross validation.
pub(super) fn table_5(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let folder = lab.templates()?;
    let report = lab.structure()?;
    let mut compared = Vec::new();
    let mut of_templates: Vec<(String, Vec<Measures>)> = Vec::new();
    for method in &report.methods {
        let name = method.method.to_string();
        let printed = printed::GOTTRON_CLASSES.iter().find(|row| row.0 == name).map(|row| row.1);
        let theirs = |at: usize| printed.map_or("", |printed| printed[at]);
        let Some((score, accuracy)) = method.classification() else {
            let late = format!("not finished within {} s", report.budget.as_secs());
            compared.push(Compared::new(format!("{name}: all"), theirs(2), late));
            continue;
        };
        let (means, micro) = (score.macro_averaged(), score.micro());
        let rate = score.pages as f64 / score.seconds.max(1e-9);
        let rows = [
            ("precision, mean of templates", theirs(0), four(means.precision)),
            ("recall, mean of templates", theirs(1), four(means.recall)),
            ("F1, mean of templates", theirs(2), four(means.f1)),
            ("precision, all decisions", "", four(micro.precision)),
            ("recall, all decisions", "", four(micro.recall)),
            ("F1, all decisions", "", four(micro.f1)),
            ("accuracy", theirs(3), four(accuracy)),
            ("documents a second", theirs(4), format!("{rate:.1}")),
        ];
        compared
            .extend(rows.map(|(what, theirs, ours)| Compared::new(format!("{name}: {what}"), theirs, ours)));
        of_templates.push((name, score.by_template.iter().map(TemplateCounts::measures).collect()));
    }
    compared.extend(tests(&of_templates));
    Ok(Findings { data: lab.describe(folder), compared, ..Findings::default() })
}

/// Selects one of the measures.
type Figure = fn(&Measures) -> f64;

/// The paired tests of section 4.3 on the recall and F1 of templates.
fn tests(methods: &[(String, Vec<Measures>)]) -> Vec<Compared> {
    const PAIRS: [(&str, &str, &str); 3] = [
        ("mdh5", "fingerprint", "significant"),
        ("mdh5", "ctss", "significant"),
        ("fingerprint", "ctss", "not significant"),
    ];
    let figures: [(&str, Figure); 2] = [("recall", |one| one.recall), ("F1", |one| one.f1)];
    let of = |name: &str| methods.iter().find(|method| method.0 == name).map(|method| &method.1);
    let mut compared = Vec::new();
    for (first, second, printed) in PAIRS {
        for (figure, value) in figures {
            let (Some(one), Some(other)) = (of(first), of(second)) else { continue };
            let values = |of: &[Measures]| of.iter().map(value).collect::<Vec<f64>>();
            let ours = paired_test(&values(one), &values(other)).map_or(String::new(), |test| {
                let verdict = if test.is_significant { "significant" } else { "not significant" };
                format!(
                    "{verdict}: {:+.4}, t = {:.2}, {} degrees of freedom",
                    test.difference, test.t, test.freedom
                )
            });
            let what = format!("paired t-test, p = 0.05: {figure} of {first} and {second}");
            compared.push(Compared::new(what, printed, ours));
        }
    }
    compared
}

fn four(value: f64) -> String {
    format!("{value:.4}")
}

#[cfg(test)]
mod tests_of_the_example {
    use super::*;

    #[test]
    fn the_example_has_its_fingerprint() {
        let found = Fingerprinter::new(LENGTH).fingerprint(EXAMPLE.as_bytes(), UTF_8);
        let numbers: Vec<String> = found.as_bytes().iter().map(|number| format!("{number:02x}")).collect();
        assert_eq!(numbers.join(" "), EXAMPLE_FINGERPRINT);
    }
}
