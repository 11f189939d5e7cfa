//! Tests the manual, the man pages and the completions.

use std::path::Path;

use super::{names_in, unframe};

#[test]
fn the_committed_reference_is_current() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["manual", "markdown"]);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference.md");
    let committed = std::fs::read_to_string(page).unwrap();
    assert!(
        run.stdout == committed,
        "docs/reference.md is not current. Update it with: cargo run -- manual markdown -o docs/reference.md"
    );
}

#[test]
fn there_is_a_manual_page_for_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["manual", "man", "-o", "man1"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let names = names_in(&folder.path().join("man1"));
    for name in ["unframe.1", "unframe-clean.1", "unframe-eval.1", "unframe-eval-search.1"] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
    }
    let page = std::fs::read_to_string(folder.path().join("man1/unframe-clean.1")).unwrap();
    for part in ["unframe\\-clean", "\\-\\-keep\\-once", "\\-\\-model", "Example"] {
        assert!(page.contains(part), "{part} is missing in {page}");
    }
}

#[test]
fn completions_know_verbs_and_flags() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = unframe(folder.path(), &["manual", "completions", shell]);
        assert_eq!(run.code, Some(0));
        assert!(run.stdout.contains("templates") && run.stdout.contains("keep-once"), "{shell}");
    }
}
