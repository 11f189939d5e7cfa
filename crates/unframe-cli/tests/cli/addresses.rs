//! Tests the addresses of pages that come from files and pipes.

use std::fs;

use super::{program, run, unframe};

const PAGE: &str = "<!doctype html><title>Tea</title><p>Tea is hot, and that is all that this page says.";

#[test]
fn a_page_from_a_pipe_has_the_same_address_in_each_run() {
    let folder = tempfile::tempdir().unwrap();
    let clean = || run(program(folder.path(), &["clean", "-", "-q"]), PAGE.as_bytes()).stdout;
    assert!(clean().starts_with("{\"url\":\"file:///dev/stdin\",\"site\":\"file:\","), "{}", clean());
}

#[test]
fn pages_can_be_explained_by_their_path() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("teas")).unwrap();
    fs::write(folder.path().join("teas/a.html"), PAGE).unwrap();
    let first_line = |arguments: &[&str]| {
        let run = unframe(folder.path(), &[&["explain", "-q"], arguments].concat());
        run.stdout.lines().next().unwrap_or(&run.stderr).to_owned()
    };
    let real = fs::canonicalize(folder.path()).unwrap();
    let begins = format!("file://{}/teas/a.html (", real.display());
    assert!(first_line(&["teas/a.html"]).starts_with(&begins), "{}", first_line(&["teas/a.html"]));
    fs::write(folder.path().join("teas/b.html"), PAGE.replace("hot", "cold")).unwrap();
    assert!(first_line(&["teas", "--url", "teas/a.html"]).starts_with(&begins));
    assert!(first_line(&["teas"]).starts_with("unframe: there are several pages: choose one with --url"));
    assert!(
        first_line(&["teas/a.html", "--url", "teas/b.html"])
            .contains("teas/b.html is not a page in the input")
    );
}

#[test]
fn files_are_called_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.html"), PAGE).unwrap();
    let run = unframe(folder.path(), &["clean", "a.html"]);
    assert_eq!(
        run.stderr,
        "unframe: pages of the files were scored one by one: a single page cannot be compared with anything\n"
    );
}
