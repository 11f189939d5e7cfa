//! `cargo xtask docs`: builds the documents as a web site in one folder, which needs no server and no network.

mod links;
mod mdbook;

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::{documents, project};

/// The list of the site's pages, in order. Paths in it are relative to `docs`.
const SUMMARY: &str = "docs/SUMMARY.md";
/// Files that configure mdBook.
const SETTINGS: [&str; 2] = ["book.toml", "site.css"];
/// mdBook writes this file into every site. A folder with files but without this one is not the output of an earlier run.
const MARK: &str = ".nojekyll";

/// Builds the site into `target/docs`, or into the folder that `-o` names.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let output = match *options {
        [] => project::target().join("docs"),
        ["-o", folder] => std::path::absolute(folder).map_err(|error| format!("{folder}: {error}"))?,
        _ => return Err("cargo xtask docs [-o FOLDER]".to_owned()),
    };
    if !may_be_replaced(&output) {
        return Err(format!("{} is not empty, and no earlier site: choose another folder", output.display()));
    }
    let source = project::target().join("docs-source");
    gather(&source)?;
    mdbook::build(&source, &output)?;
    let faults = links::check(&output)?;
    if !faults.is_empty() {
        return Err(format!("{}\n\nFAILED: {} broken links", faults.join("\n"), faults.len()));
    }
    println!("{}", output.join("index.html").display());
    Ok(())
}

/// Lists the documents that are missing from the site.
pub(crate) fn check() -> Result<Vec<String>, String> {
    let pages = pages(&project::read(SUMMARY)?);
    let is_page = |file: &String| file.starts_with("docs/") && file.ends_with(".md") && file != SUMMARY;
    let files = project::files()?.into_iter().filter(is_page);
    let missing = files.filter(|file| !pages.contains(file));
    Ok(missing.map(|file| format!("{SUMMARY}: it does not list `{file}`")).collect())
}

fn may_be_replaced(output: &Path) -> bool {
    let is_empty = fs::read_dir(output).map_or(true, |mut entries| entries.next().is_none());
    is_empty || output.join(MARK).exists()
}

/// Copies the pages and the files that they show into one folder with the layout of the project, so that links between documents stay
/// valid. mdBook itself would copy the whole project.
fn gather(folder: &Path) -> Result<(), String> {
    let failed = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let _ = fs::remove_dir_all(folder);
    let summary = project::read(SUMMARY)?;
    let is_shown = |file: &String| {
        let name = file.rsplit('/').next().unwrap_or_default();
        file.starts_with("docs/") && !file.ends_with(".md") && !SETTINGS.contains(&name)
    };
    for file in pages(&summary).into_iter().chain(project::files()?.into_iter().filter(is_shown)) {
        let copy = folder.join("src").join(&file);
        let parent = copy.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
        fs::copy(project::root().join(&file), &copy).map_err(|error| failed(Path::new(&file), error))?;
    }
    for file in SETTINGS {
        let (from, to) = (project::root().join("docs").join(file), folder.join(file));
        fs::copy(&from, &to).map_err(|error| failed(&from, error))?;
    }
    let summary_copy: PathBuf = folder.join("src/SUMMARY.md");
    fs::write(&summary_copy, from_root(&summary)).map_err(|error| failed(&summary_copy, error))
}

/// The paths of the pages in a summary, relative to the root of the project.
fn pages(summary: &str) -> Vec<String> {
    let links = summary.lines().flat_map(documents::links_in);
    links.map(|link| documents::upwards("docs", link)).collect()
}

/// The summary with links relative to the root of the project.
fn from_root(summary: &str) -> String {
    let mut parts = summary.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("](");
        text.push_str(&documents::upwards("docs", part));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_summary_count_from_the_root() {
        let summary = "[Start](../README.md)\n\n- [Guide](guide.md)\n  - [dom](methods/dom.md)\n";
        assert_eq!(pages(summary), ["README.md", "docs/guide.md", "docs/methods/dom.md"]);
        let expected = "[Start](README.md)\n\n- [Guide](docs/guide.md)\n  - [dom](docs/methods/dom.md)\n";
        assert_eq!(from_root(summary), expected);
    }
}
