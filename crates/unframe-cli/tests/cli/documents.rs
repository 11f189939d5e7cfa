//! The documents that show commands with their output: every command is run, and prints what is shown.
//!
//! A block of the kind `console` has lines that begin with `$ ` and are commands, each followed by its output. A line that is
//! `…` stands for any lines, and a line that ends in `…` for any that begins so. All blocks of a document run in one folder.
//! After a change of the program that is meant, `UNFRAME_UPDATE_DOCUMENTS=1 cargo test -p unframe-cli documents` writes the
//! output anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::program;

#[test]
fn commands_in_the_documents_print_what_is_shown() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut pages = vec![docs.join("tutorial.md"), docs.join("recipes.md")];
    let methods = fs::read_dir(docs.join("methods")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(methods.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    let mut commands = 0;
    for page in pages {
        commands += check(&page, &docs.join("methods/tea.jsonl"));
    }
    assert!(commands > 20, "only {commands} commands were found");
}

/// What the README shows of the demo is what it prints, with `…` as in the documents.
#[test]
fn the_readme_shows_what_the_demo_prints() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program(folder.path(), &["demo"]);
    command.env("PATH", "");
    let printed = super::run(command, b"").stdout;
    let printed = printed.replace(env!("CARGO_BIN_EXE_unframe"), "target/release/unframe");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(&path).unwrap();
    // Between these, which go to standard error.
    let (before, rest) = readme.split_once("unframe-demo/demo-1.warc.gz\n").expect("the demo's first line");
    let (shown, after) = rest.split_once("\nCleaned in ").expect("the demo's last line");
    let fits = is_like(&shown.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>());
    if std::env::var_os("UNFRAME_UPDATE_DOCUMENTS").is_none() {
        assert!(fits, "the demo prints\n{printed}\nand not\n{shown}");
    } else if !fits {
        let new = format!("{before}unframe-demo/demo-1.warc.gz\n{printed}\nCleaned in {after}");
        fs::write(&path, new).unwrap();
    }
}

/// Runs the commands of a page; returns how many they are.
fn check(page: &Path, crawl: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(crawl, folder.path().join("tea.jsonl")).unwrap();
    let text = fs::read_to_string(page).unwrap();
    let is_update = std::env::var_os("UNFRAME_UPDATE_DOCUMENTS").is_some();
    let (mut new, mut commands) = (String::new(), 0);
    let mut lines = text.lines().peekable();
    let mut in_console = false;
    while let Some(line) = lines.next() {
        new.push_str(line);
        new.push('\n');
        match line {
            "```console" => in_console = true,
            "```" => in_console = false,
            _ => {}
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| in_console) else { continue };
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && *line != "```") {
            shown.push(line);
        }
        let printed = run(command, folder.path());
        let fits = is_like(&shown, &printed.lines().collect::<Vec<_>>());
        assert!(
            fits || is_update,
            "{}: `{command}` prints\n{printed}\nand not\n{}",
            page.display(),
            shown.join("\n")
        );
        let kept = if fits { shown.iter().map(|line| format!("{line}\n")).collect() } else { printed };
        new.push_str(&kept);
        commands += 1;
    }
    if is_update {
        fs::write(page, new).unwrap();
    }
    commands
}

fn run(command: &str, folder: &Path) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_unframe"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{{ {command}\n}} 2>&1")).current_dir(folder).env("PATH", path);
    let output = shell.output().expect("a shell");
    String::from_utf8(output.stdout).unwrap()
}

/// Whether what is shown is what was printed.
fn is_like(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], []) => true,
        (["…"], _) => true,
        (["…", rest @ ..], _) => (0..=printed.len()).any(|skipped| is_like(rest, &printed[skipped..])),
        ([line, rest @ ..], [first, others @ ..]) => {
            let fits = line.strip_suffix('…').map_or(line == first, |start| first.starts_with(start));
            fits && is_like(rest, others)
        }
        _ => false,
    }
}

#[test]
fn dots_stand_for_what_is_left_out() {
    assert!(is_like(&["a", "…", "d", "ef…"], &["a", "b", "c", "d", "efg"]));
    assert!(is_like(&["…"], &[]) && is_like(&["a", "…"], &["a"]));
    assert!(!is_like(&["a"], &["a", "b"]) && !is_like(&["a", "b"], &["a"]) && !is_like(&["ab…"], &["ba"]));
}
