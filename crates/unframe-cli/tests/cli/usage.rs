//! Tests help, errors of usage, and the version.

use super::unframe;

#[test]
fn without_a_verb_there_is_help_and_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("Usage: unframe <COMMAND>"), "{}", run.stderr);
}

#[test]
fn every_verb_has_help_with_an_example() {
    let folder = tempfile::tempdir().unwrap();
    for verb in ["pages", "demo"] {
        let run = unframe(folder.path(), &[verb, "--help"]);
        assert_eq!(run.code, Some(0));
        assert!(
            run.stdout.contains("Example:") && run.stdout.contains(&format!("unframe {verb}")),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn wrong_values_say_what_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["pages", "x", "--site-by", "hosts"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("`hosts` is not a way to group pages: choose host, domain, prefix or all"),
        "{}",
        run.stderr
    );
    let run = unframe(folder.path(), &["pages", "x", "--status", "404"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("[possible values: 200, any]"), "{}", run.stderr);
    let run = unframe(folder.path(), &["pages"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("<INPUT>"), "{}", run.stderr);
}

#[test]
fn the_version_says_what_it_was_built_with() {
    let folder = tempfile::tempdir().unwrap();
    let short = unframe(folder.path(), &["-V"]).stdout;
    assert_eq!(short, concat!("unframe ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = unframe(folder.path(), &["--version"]).stdout;
    let keys: Vec<&str> = long.lines().skip(1).filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!((long.starts_with(&short), keys), (true, vec!["features", "profile", "target", "rustc"]));
    assert!(!long.lines().any(|line| line.ends_with(": unknown")), "{long}");
}
