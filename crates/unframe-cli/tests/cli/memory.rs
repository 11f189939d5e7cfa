//! `--memory` changes where things wait, and nothing else.

use super::{Run, folder_with, names_in, program, run, unframe};

/// Pages of several sites in turn, some in three versions; two sites have one page only.
fn crawl() -> String {
    let page = |number: usize| {
        let site = if number < 2 { number } else { 2 + number * number % 5 };
        let html = format!(
            "<ul><li><a href='/'>Home of tea {site}</a></li><li><a href='/about'>About us</a></li></ul>\
             <h1>Garden {number}</h1><p>Words {number} of this page only{number}, which nobody else has.</p>"
        );
        let date = format!("{}-05-01T00:00:00Z", 2004 + number % 3);
        serde_json::json!({"url": format!("http://{site}.example/{}", number % 20), "date": date, "html": html})
            .to_string()
            + "\n"
    };
    (0..60).map(page).collect()
}

/// A run with so much memory and so many threads, which must leave no temporary file.
fn limited(arguments: &[&str], memory: &str, threads: &str) -> Run {
    let folder = folder_with("crawl.jsonl", crawl());
    let temporary = tempfile::tempdir().unwrap();
    let mut command = program(folder.path(), arguments);
    command.args(["--memory", memory, "--threads", threads]).env("TMPDIR", temporary.path());
    let run = run(command, b"");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names_in(temporary.path()), [] as [&str; 0]);
    run
}

#[test]
fn the_output_is_the_same_in_any_memory_and_on_any_number_of_threads() {
    for method in ["places", "dom", "text", "segments", "blocks", "shingle", "sst"] {
        for verb in [["label", "-q"], ["clean", "--keep-once"]] {
            let arguments = [&verb[..], &["crawl.jsonl", "--method", method]].concat();
            let whole = limited(&arguments, "1G", "1");
            assert!(whole.stdout.lines().count() == 60, "{}", whole.stdout);
            for (memory, threads) in [("1K", "1"), ("1K", "3"), ("64K", "2")] {
                let parts = limited(&arguments, memory, threads);
                assert_eq!(parts.stdout, whole.stdout, "{method} {memory} {threads}");
                assert_eq!(parts.stderr, whole.stderr, "{method} {memory} {threads}");
            }
        }
    }
}

#[test]
fn all_verbs_that_learn_do_so_in_any_memory() {
    for arguments in [
        &["templates", "crawl.jsonl", "--format", "json"][..],
        &["volume", "crawl.jsonl"],
        &["volume", "crawl.jsonl", "--savings"],
        &["explain", "crawl.jsonl", "--url", "http://6.example/7"],
        &["evolve", "crawl.jsonl", "--changes"],
        &["draw", "crawl.jsonl", "--site", "6.example", "--format", "svg"],
    ] {
        let whole = limited(arguments, "1G", "2");
        assert!(!whole.stdout.is_empty());
        assert_eq!(limited(arguments, "1K", "2").stdout, whole.stdout, "{arguments:?}");
    }
}

#[test]
fn model_files_are_the_same_in_any_memory() {
    let folder = folder_with("crawl.jsonl", crawl());
    for method in ["places", "segments"] {
        for compact in [&[][..], &["--compact"]] {
            let learned = |memory: &str| {
                let arguments =
                    ["learn", "crawl.jsonl", "--method", method, "-o", "model", "--memory", memory];
                let run = unframe(folder.path(), &[&arguments[..], compact].concat());
                assert_eq!(run.code, Some(0), "{}", run.stderr);
                (std::fs::read(folder.path().join("model")).unwrap(), run.stderr)
            };
            assert!(learned("1K") == learned("1G"), "{method} {compact:?}");
            let label = |memory: &str| {
                unframe(folder.path(), &["label", "crawl.jsonl", "--model", "model", "--memory", memory])
                    .stdout
            };
            assert_eq!(label("1K").lines().count(), 60);
            assert_eq!(label("1K"), label("1G"), "{method} {compact:?}");
        }
    }
}

#[test]
fn damaged_models_are_refused_in_any_memory() {
    let folder = folder_with("crawl.jsonl", crawl());
    unframe(folder.path(), &["learn", "crawl.jsonl", "-o", "model", "--method", "dom"]);
    let model = std::fs::read(folder.path().join("model")).unwrap();
    for wrong in [&b"<html>"[..], b"", &model[..model.len() - 1], &model[..1000], &[0; 3000]] {
        std::fs::write(folder.path().join("wrong"), wrong).unwrap();
        for memory in ["1K", "1G"] {
            let run =
                unframe(folder.path(), &["clean", "crawl.jsonl", "--model", "wrong", "--memory", memory]);
            assert_eq!(run.code, Some(2), "{memory}: {}", run.stderr);
            assert!(run.stderr.contains("cannot use the model wrong: "), "{memory}: {}", run.stderr);
        }
    }
}

#[test]
fn a_disk_that_cannot_be_used_is_reported() {
    let folder = folder_with("crawl.jsonl", crawl());
    let mut command =
        program(folder.path(), &["clean", "crawl.jsonl", "-o", "texts.jsonl", "--memory", "1K"]);
    command.env("TMPDIR", "not/there");
    let run = run(command, b"");
    assert_eq!(run.code, Some(2));
    let message = "cannot write to a temporary file in not/there; TMPDIR can name a folder with more room";
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert_eq!(names_in(folder.path()), ["crawl.jsonl"]);
}

#[test]
fn a_size_is_a_number_with_a_unit() {
    let folder = folder_with("crawl.jsonl", crawl());
    let run = unframe(folder.path(), &["clean", "crawl.jsonl", "--memory", "lots"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("write a number with K, M, G or T, such as 500M or 2G"), "{}", run.stderr);
}
