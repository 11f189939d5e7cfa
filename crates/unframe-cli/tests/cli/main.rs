//! Tests of the program as its users see it: arguments in, output and exit code out.

/// What is typed wrongly, and help.
mod usage;
/// Listing pages.
mod pages;
/// Input that is damaged, output that cannot be written, interruption.
mod trouble;
/// The tree of a page.
mod parse;
/// Learning sites, labelling and cleaning their pages.
mod templates;
/// Options of `clean` that are refused or keep what would be removed, and names of outputs.
mod options;
/// Addresses of pages that are files.
mod addresses;
/// Shares that several verbs report.
mod numbers;
/// What pages are read from beside crawls, and formats for other programs.
mod exchange;
/// Runs that were stopped and are continued.
mod resume;
/// Crawls on other machines, and the server of these tests.
#[cfg(feature = "remote")]
mod remote;
#[cfg(feature = "remote")]
mod file_server;
/// Crawls that are larger than memory.
mod memory;
/// Templates and the selectors that select them.
mod selectors;
/// Fingerprints, clusters and classification.
mod structure;
/// Pages labelled one by one, with state on disk.
mod follow;
/// Pictures, templates over time, links and savings.
mod studies;
/// The experiments of the papers.
#[cfg(feature = "search")]
mod papers;
/// Search indexes without templates.
mod search;
/// Manual pages, completions and the reference.
mod manual;
/// Commands in the documents.
#[cfg(unix)]
mod documents;
/// The service, killed and stopped.
mod serve;
/// The synthetic crawl.
mod demo;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run of the program gave.
struct Run {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

/// The program, to be run in a folder.
fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unframe"));
    command.current_dir(folder).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program in a folder.
fn unframe(folder: &Path, arguments: &[&str]) -> Run {
    run(program(folder, arguments), b"")
}

fn run(mut command: Command, stdin: &[u8]) -> Run {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(stdin).expect("the program reads its input");
    let output = child.wait_with_output().expect("the program ends");
    Run {
        stdout: String::from_utf8(output.stdout).expect("output in UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("errors in UTF-8"),
        code: output.status.code(),
    }
}

/// A folder with one file in it, gone at the end of the test.
fn folder_with(name: &str, contents: impl AsRef<[u8]>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(name), contents).expect("a file");
    folder
}

/// The names of the files in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
