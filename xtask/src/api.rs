//! Lists the public items of the crates that others build on. Each crate has its list in a file, so that a review shows every change.
//!
//! The items are parsed from rustdoc's HTML pages. Its JSON output would be easier to parse, but is not available in stable Rust, and its
//! format changes often.

mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project;
use crate::step::Outcome;

/// The crates with a list.
const CRATES: [&str; 2] = ["unframe", "unframe-html"];
/// A module that is left out of the lists. It is public only for the program that fits the default method.
const PRIVATE: &str = "detect/places/fitting/";
/// Writes the lists.
pub(crate) fn write() -> Result<(), String> {
    document()?;
    for name in CRATES {
        let file = file(name);
        fs::write(&file, list(name)?).map_err(|error| format!("{}: {error}", file.display()))?;
        println!("{}", file.display());
    }
    Ok(())
}

/// Compares the lists with the current items. Skipped for other versions of rustdoc, which show some items differently.
pub(crate) fn check() -> Result<Outcome, String> {
    document()?;
    let mut faults = Vec::new();
    for name in CRATES {
        let (old, new) = (fs::read_to_string(file(name)).unwrap_or_default(), list(name)?);
        let (old_head, new_head) = (old.lines().next(), new.lines().next());
        if old_head.is_some() && old_head != new_head {
            return Ok(Outcome::Skipped(
                "another version of Rust; `cargo xtask api` lists the items anew".to_owned(),
            ));
        }
        faults.extend(differences(&old, &new).into_iter().map(|line| format!("{name}: {line}")));
    }
    if faults.is_empty() {
        return Ok(Outcome::Passed);
    }
    Err(format!("{}\n\nIf this is meant, `cargo xtask api` writes the lists.", faults.join("\n")))
}

fn file(name: &str) -> PathBuf {
    project::root().join("crates").join(name).join("public-api.txt")
}

fn document() -> Result<(), String> {
    let mut doc = project::cargo();
    doc.current_dir(project::root()).args(["doc", "--quiet", "--no-deps"]);
    for name in CRATES {
        doc.args(["--package", name]);
    }
    match doc.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo doc ended with {status}")),
        Err(error) => Err(format!("cargo cannot be started: {error}")),
    }
}

/// The list of a crate: its re-exports at the root, then each item with its methods and the traits that it implements.
fn list(name: &str) -> Result<String, String> {
    let folder = project::target().join("doc").join(name.replace('-', "_"));
    let read = |path: &str| read(&folder.join(path));
    let version = rust_version()?;
    let mut text = format!(
        "Public items of the crate {name}, as rustdoc {version} shows them. `cargo xtask api` writes this file.\n\n"
    );
    page::reexports(&read("index.html")?).for_each(|line| text.extend([&line, "\n"]));
    let mut items: Vec<(String, String)> = page::items(&read("all.html")?).collect();
    items.retain(|(file, _)| !file.starts_with(PRIVATE));
    items.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    for (file, path) in items {
        text.extend(["\n", &path, "\n"]);
        page::lines(&read(&file)?).iter().for_each(|line| text.extend(["    ", line, "\n"]));
    }
    Ok(text)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The version of the compiler, such as `1.95` for `rustc 1.95.0 (…)`.
fn rust_version() -> Result<String, String> {
    let output = Command::new("rustc").arg("--version").output();
    let output = output.map_err(|error| format!("rustc cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let number = text.split(' ').nth(1).unwrap_or_default();
    Ok(number.rsplit_once('.').map_or(number, |(minor, _)| minor).to_owned())
}

/// The lines that are only in one of two lists, each with its item.
fn differences(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (with_items(old), with_items(new));
    let gone = old.iter().filter(|line| !new.contains(line)).map(|line| format!("- {line}"));
    let added = new.iter().filter(|line| !old.contains(line)).map(|line| format!("+ {line}"));
    gone.chain(added).collect()
}

fn with_items(list: &str) -> Vec<String> {
    let mut item = "";
    let mut lines = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("    ") {
            Some(line) => lines.push(format!("{item}: {}", line.trim())),
            None => {
                item = line;
                lines.push(line.to_owned());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_their_item() {
        let old = "Head\n\na::B\n    pub fn c()\n    pub fn d()\n";
        let new = "Head\n\na::B\n    pub fn c(&self)\n    pub fn d()\n\na::E\n    pub fn d()\n";
        let expected = ["- a::B: pub fn c()", "+ a::B: pub fn c(&self)", "+ a::E", "+ a::E: pub fn d()"];
        assert_eq!(differences(old, new), expected);
        assert!(differences(new, new).is_empty());
    }
}
