//! Tests the demo, and that the commands it shows work when they are pasted.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{names_in, unframe};

#[test]
fn the_demo_writes_a_crawl_and_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["demo", "crawl", "--pages", "10"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names_in(&folder.path().join("crawl")), ["demo-1.html", "demo-1.jsonl", "demo-1.warc.gz"]);
    assert!(
        run.stderr.starts_with("7 synthetic sites with 10 pages each, written to crawl"),
        "{}",
        run.stderr
    );
    let beginnings = [
        "site                         pages    bytes  problems  charset              template: html  text  links",
        "far-harbour-news.example        10  45.9 kB         0  UTF-8  ",
        "far-heron-portal.example        10  34.8 kB         0  GBK  ",
    ];
    for (line, beginning) in run.stdout.lines().zip(beginnings) {
        assert!(line.starts_with(beginning), "{}", run.stdout);
    }
    assert!(run.stdout.contains("\nall 7 sites                     70 "), "{}", run.stdout);
}

/// The two columns of a row, and whether it is marked as template.
fn columns(row: &str) -> (bool, &str, &str) {
    let (left, right) = row.split_once('│').unwrap();
    (left.starts_with("- "), left[2..].trim(), right.trim())
}

#[test]
fn one_page_is_shown_before_and_after() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["demo", "crawl"]);
    assert!(!run.stdout.contains('\x1b'), "colour in a pipe: {}", run.stdout);
    let rows: Vec<_> = run.stdout.lines().filter(|line| line.contains('│')).map(columns).collect();
    assert_eq!(rows[0], (false, "before", "after"));
    for text in
        ["Skip to content", "News from the quay since 1887", "© 2024 The Far Harbour", "We use cookies"]
    {
        let found = rows.iter().find(|(_, left, _)| left.contains(text));
        let &(is_template, _, right) = found.unwrap_or_else(|| panic!("{text}: {}", run.stdout));
        assert_eq!((is_template, right), (true, ""), "{}", run.stdout);
    }
    let content: Vec<_> = rows[1..].iter().filter(|(is_template, ..)| !is_template).collect();
    assert!(content.len() > 5 && content.iter().all(|(_, left, right)| left == right), "{}", run.stdout);
    let page = unframe(folder.path(), &["demo", "quiet", "-q"]).stdout;
    assert!(!page.contains('│') && page.ends_with("warcinfo)\n"), "{page}");
}

/// What is printed after `Try next:`, without the remarks.
fn commands(printed: &str) -> Vec<&str> {
    let (_, after) = printed.split_once("\nTry next:\n").unwrap();
    after
        .lines()
        .map_while(|line| line.strip_prefix("  "))
        .filter(|line| !line.trim().starts_with('#'))
        .collect()
}

#[cfg(unix)]
#[test]
fn commands_to_try_next_work_when_pasted() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["unframe-demo", "it's a demo"] {
        let run = match name {
            "unframe-demo" => unframe(folder.path(), &["demo"]),
            name => unframe(folder.path(), &["demo", name]),
        };
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let commands = commands(&run.stdout);
        assert_eq!(commands.len(), 3, "{}", run.stdout);
        // Twice, as users do.
        for command in commands.iter().chain(&commands) {
            let output =
                Command::new("sh").args(["-c", command]).current_dir(folder.path()).output().unwrap();
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            let is_expected = match command {
                explain if explain.contains(" explain ") => printed.contains("| The Far Harbour Courier\n"),
                templates if templates.contains(" templates ") => {
                    printed.contains("far-harbour-news.example: 60 pages")
                }
                _ => {
                    fs::read_to_string(folder.path().join(name).join("demo-1.markdown"))
                        .unwrap()
                        .matches("<!-- https://")
                        .count()
                        == 420
                }
            };
            assert!(is_expected, "{command}: {printed}");
        }
    }
}

/// From the folder where it was built, from its own folder, and found by the shell.
#[cfg(unix)]
#[test]
fn commands_begin_with_the_shortest_name_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().canonicalize().unwrap();
    let built = here.join("target/release/unframe");
    fs::create_dir_all(built.parent().unwrap()).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_unframe"), &built).unwrap();
    let folder_of_program = built.parent().unwrap();
    let cases = [
        (here.as_path(), Path::new("/nowhere"), "target/release/unframe "),
        (folder_of_program, Path::new("/nowhere"), "./unframe "),
        (here.as_path(), folder_of_program, "unframe "),
    ];
    for (current, path, expected) in cases {
        let mut command = Command::new(&built);
        command.args(["demo", "--pages", "3"]).current_dir(current).env("PATH", path);
        let printed = String::from_utf8(output_of(&mut command).stdout).unwrap();
        assert!(commands(&printed).iter().all(|command| command.starts_with(expected)), "{printed}");
    }
}

/// What a program prints that was copied a moment ago. A process that another test starts just then holds the copy open, and it
/// cannot be run until that is over.
fn output_of(command: &mut Command) -> std::process::Output {
    loop {
        match command.output() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            output => return output.unwrap(),
        }
    }
}

#[test]
fn the_explorer_of_a_site_is_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["demo", "crawl", "--pages", "5"]);
    let path = Path::new("crawl").join("demo-1.html");
    assert!(run.stdout.contains(&format!("\nOpen {} in a browser", path.display())), "{}", run.stdout);
    let page = fs::read_to_string(folder.path().join(path)).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("far-harbour-news.example"), "{page}");
    assert!(!page.contains(" src=") && !page.contains("<link"), "it loads something");
}

#[test]
fn a_demo_of_few_pages_has_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    for (pages, shown) in [("0", ""), ("1", "\nhttps://www.far-harbour-news.example/\n")] {
        let run = unframe(folder.path(), &["demo", "crawl", "--pages", pages]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains(shown), "{}", run.stdout);
        assert_eq!(run.stdout.contains("Try next:"), pages == "1", "{}", run.stdout);
    }
}

#[test]
fn the_same_seed_makes_the_same_crawl() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = |name: &str, seed: &str| {
        let run = unframe(folder.path(), &["demo", name, "--pages", "3", "--seed", seed, "-q"]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
        std::fs::read(folder.path().join(name).join(format!("demo-{seed}.warc.gz"))).unwrap()
    };
    assert_eq!(crawl("a", "5"), crawl("b", "5"));
    assert_ne!(crawl("a", "5"), crawl("a", "6"));
}
