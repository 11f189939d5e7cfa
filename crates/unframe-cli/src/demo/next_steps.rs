//! Suggestions after the demo: a file to open, and commands that can be pasted into the same shell.

use std::env;
use std::path::{Path, PathBuf};

/// The commands, each with a description.
pub(super) fn text(crawl: &Path, explorer: &Path, url: &str) -> String {
    let program = program();
    let [crawl, markdown] = [crawl, &explorer.with_extension("markdown")].map(quoted);
    let explorer = explorer.display();
    let steps = [
        (
            "why each part of that page is template or content",
            format!("explain {crawl} --url {}", quoted(url)),
        ),
        ("the templates of every site, with CSS selectors", format!("templates {crawl} --top 3")),
        ("the content of every page as Markdown", format!("clean {crawl} --format markdown -o {markdown}")),
    ];
    let mut text = format!("\nOpen {explorer} in a browser to explore the site.\n\nTry next:\n");
    for (what, command) in steps {
        text.push_str(&format!("  # {what}\n  {program} {command}\n"));
    }
    text
}

/// The shortest command that starts this program from the current folder.
fn program() -> String {
    let Ok(path) = env::current_exe() else { return "unframe".to_owned() };
    let same = |found: &Path| found.canonicalize().is_ok_and(|found| Some(found) == path.canonicalize().ok());
    let on_path = env::var_os("PATH").and_then(|folders| {
        env::split_paths(&folders).map(|folder| folder.join("unframe")).find(|file| file.is_file())
    });
    if on_path.is_some_and(|file| same(&file)) {
        return "unframe".to_owned();
    }
    let below = env::current_dir().ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    match below {
        Some(below) if below.components().count() > 1 => quoted(below),
        Some(below) => quoted(PathBuf::from(".").join(below)),
        None => quoted(path),
    }
}

/// Quotes a word for the shell, if necessary.
fn quoted(word: impl AsRef<std::ffi::OsStr>) -> String {
    let word = word.as_ref().to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=+,@%".contains(c) || !c.is_ascii();
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
