//! The experiments of the papers on synthetic sites.

use std::fs;

use super::{names_in, unframe};

/// The cells of a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

#[test]
fn every_experiment_runs_on_synthetic_sites() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["eval", "papers", "--quick", "-q", "-o", "papers.html"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    assert_eq!(names_in(folder.path()), ["papers.csv", "papers.html"]);
    let html = fs::read_to_string(folder.path().join("papers.html")).unwrap();
    assert_eq!(html.matches("Why they differ: ").count(), 28);
    assert_eq!(html.matches("not run: ").count(), 0);
    assert!(html.contains("<code>unframe eval papers --quick --only gibson-fig2</code>"));
    // Plots of figures 1, 3, 4, 10 to 15 of the first paper and 2, 4, 5, 6 of the last, and three pictures of sites.
    assert_eq!(html.matches("<svg ").count(), 1 + 1 + 2 + 6 + 4 + 3);
    let csv = fs::read_to_string(folder.path().join("papers.csv")).unwrap();
    let ours = |experiment: &str, value: &str| -> (String, String) {
        let lines = csv.lines().filter(|line| line.starts_with(&format!("{experiment},")));
        let line = lines.into_iter().find(|line| line.contains(value));
        let cells = cells(line.unwrap_or_else(|| panic!("{value}: {csv}")));
        (cells[3].clone(), cells[4].clone())
    };
    let pair = |printed: &str, ours: &str| (printed.to_owned(), ours.to_owned());
    assert_eq!(ours("gibson-categories", ",News,"), pair("5", "2"));
    assert_eq!(ours("gibson-difference", "mean of text − dom").0, "+7.1");
    assert_eq!(ours("gibson-table1", ",sites,").1, "7");
    assert_eq!(
        ours("gottron-table1", "by hand: 00 00 00 03 00 00 06 07 00 06").1,
        "00 00 00 03 00 00 06 07 00 06"
    );
    assert_eq!(ours("gottron-table6", "fingerprint: clusters").0, "274");
    // All pages of the synthetic sites have the templates of one program each.
    let (printed, found) = ours("gibson-fig2", "News: text by text");
    assert_eq!(printed, "12 %; appendix: 16.5 %; 29.2 %");
    for share in found.split("; ").map(|share| share.trim_end_matches(" %").parse::<f64>().unwrap()) {
        assert!((10.0..90.0).contains(&share), "{share}");
    }
}

#[test]
fn one_experiment_can_be_run_and_wrong_names_list_all() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["eval", "papers", "--quick", "--only", "gottron-table1"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(
        run.stdout,
        "gottron-table1: Table 1, The fingerprint of the example\n\
         value                                                               printed  ours\n\
         fingerprint of the example; by hand: 00 00 00 03 00 00 06 07 00 06  lost     00 00 00 03 00 00 06 07 00 06\n\n"
    );
    assert!(run.stderr.contains("unframe: gottron-table1: "), "{}", run.stderr);
    let wrong = unframe(folder.path(), &["eval", "papers", "--only", "fig2"]);
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.stderr.contains("there is no experiment `fig2`; there are gibson-fig1, "),
        "{}",
        wrong.stderr
    );
}

#[test]
fn data_that_are_missing_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let none = unframe(folder.path(), &["eval", "papers", "."]);
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("there is no file SITE.gold.jsonl.gz"), "{}", none.stderr);
    fs::create_dir(folder.path().join("snapshots")).unwrap();
    fs::write(folder.path().join("snapshots/x.warc.gz"), "").unwrap();
    let run = unframe(folder.path(), &["eval", "papers", ".", "-q", "--only", "chen-table2"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("not run: the data have no folder of gold texts"), "{}", run.stdout);
}
