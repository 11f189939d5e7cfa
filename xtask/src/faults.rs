//! `cargo xtask faults`: tests how the program behaves when it is killed or interrupted, runs out of resources, or cannot write.
//!
//! Every verb that writes is run under every fault on a small synthetic crawl. In every case, no incomplete file may appear under a final
//! name, the exit code must show the failure, and there must be one clear message. The table of results goes to `docs/faults.md`.

mod children;
mod follow;
mod kill;
mod scarcity;
mod verbs;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::project;
use children::Runner;
use verbs::Verb;

/// How often each verb is killed by default.
const KILLS: u32 = 100;

/// A fault: its name in the table, and a function that runs a verb under it. The function returns a cell of the table, or an error.
type Fault = (&'static str, fn(&Runner, &Verb) -> Result<String, String>);

const FAULTS: [Fault; 8] = [
    ("kill -9 at random moments", kill::at_random_moments),
    ("INT and TERM", kill::by_signals),
    ("disk full", scarcity::disk_full),
    ("folder that cannot be written to", scarcity::read_only),
    ("few file descriptors", scarcity::descriptors),
    ("little memory", scarcity::memory),
    ("reader goes away", scarcity::broken_pipe),
    ("output to a full device", scarcity::full_device),
];

/// Runs all verbs, or one, under all faults, and writes the rows of the table.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let (kills, only) = match arguments {
        [] => (KILLS, None),
        [kills] => (kills.parse().map_err(|_| format!("`{kills}` is not a number of kills"))?, None),
        [kills, verb] => {
            (kills.parse().map_err(|_| format!("`{kills}` is not a number of kills"))?, Some(*verb))
        }
        _ => return Err("cargo xtask faults [KILLS [VERB]]".to_owned()),
    };
    let runner = Runner::new(program()?, kills)?;
    let verbs: Vec<Verb> =
        verbs::all().into_iter().filter(|verb| only.is_none_or(|only| verb.name == only)).collect();
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for verb in &verbs {
        println!("{}", verb.name);
        let mut row = vec![verb.name.to_owned()];
        for (fault, check) in FAULTS {
            let cell = check(&runner, verb).unwrap_or_else(|failure| {
                failures.push(format!("{}, {fault}: {failure}", verb.name));
                "FAILED".to_owned()
            });
            println!("  {fault}: {cell}");
            row.push(cell);
        }
        rows.push(row);
    }
    let page = project::root().join("docs/faults.md");
    let old = fs::read_to_string(&page).unwrap_or_default();
    fs::write(&page, document(&old, &rows)).map_err(|error| format!("{}: {error}", page.display()))?;
    if failures.is_empty() { Ok(()) } else { Err(format!("\nFAILED:\n{}", failures.join("\n"))) }
}

fn program() -> Result<PathBuf, String> {
    let build = ["build", "--quiet", "-p", "unframe-cli"];
    let status = project::cargo().current_dir(project::root()).args(build).status();
    match status.map_err(|error| format!("cargo cannot be started: {error}"))? {
        status if status.success() => Ok(project::target().join("debug/unframe")),
        status => Err(format!("building the program ended with {status}")),
    }
}

/// The document with these rows in its table. Rows of verbs that were not run stay.
fn document(old: &str, rows: &[Vec<String>]) -> String {
    let mut text = format!("{}\n| verb |", include_str!("faults/head.md"));
    FAULTS.iter().for_each(|(fault, _)| {
        let _ = write!(text, " {fault} |");
    });
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(FAULTS.len()));
    for verb in verbs::all() {
        let start = format!("| `{}` |", verb.name);
        match rows.iter().find(|row| row[0] == verb.name) {
            Some(row) => {
                let _ = writeln!(text, "{start} {} |", row[1..].join(" | "));
            }
            None => old.lines().filter(|line| line.starts_with(&start)).for_each(|line| {
                let _ = writeln!(text, "{line}");
            }),
        }
    }
    text
}
