//! Checks that every path named in the documents exists.

use crate::project;

/// Words in code that begin with one of these folders are taken for paths of the project, even if the folder does not exist.
const FOLDERS: [&str; 8] = ["crates", "docs", "xtask", "fuzz", "benches", "python", ".ci", ".cargo"];

/// Lists the named paths that do not exist.
pub(crate) fn check() -> Result<Vec<String>, String> {
    let files = project::files()?;
    let mut faults = Vec::new();
    for document in files.iter().filter(|file| is_document(file)) {
        let text = project::read(document)?;
        for (line, path) in paths_in(&text) {
            if !exists(&path, document, &files) {
                faults.push(format!("{document}:{line}: there is no `{path}`"));
            }
        }
    }
    Ok(faults)
}

fn is_document(file: &str) -> bool {
    file.ends_with(".md")
        && (!file.contains('/') || file.starts_with("docs/") || file.ends_with("/README.md"))
}

/// Whether a path exists, relative to the root or to the document's folder. A bare file name may be anywhere in the project.
fn exists(path: &str, document: &str, files: &[String]) -> bool {
    let path = path.trim_end_matches('/');
    let beside = document.rsplit_once('/').map_or(path.to_owned(), |(folder, _)| upwards(folder, path));
    let inside = [format!("{path}/"), format!("{beside}/")];
    let anywhere = format!("/{path}");
    files.iter().any(|file| {
        file == path
            || *file == beside
            || inside.iter().any(|folder| file.starts_with(folder.as_str()))
            || (!path.contains('/') && file.ends_with(&anywhere))
    })
}

/// Resolves a relative path against a folder. Each leading `..` goes one folder up.
pub(crate) fn upwards(folder: &str, path: &str) -> String {
    match path.strip_prefix("../") {
        Some(rest) => folder.rsplit_once('/').map_or(rest.to_owned(), |(above, _)| upwards(above, rest)),
        None => format!("{folder}/{path}"),
    }
}

/// The paths that a document names in `code`, in code blocks and as targets of links, with their line numbers.
fn paths_in(text: &str) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    let mut in_block = false;
    for (number, line) in text.lines().enumerate() {
        let mut add = |word: &str| {
            if is_path(word) {
                paths.push((number + 1, word.to_owned()));
            }
        };
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            line.split([' ', '"', '\'', '(', ')']).filter(|word| word.contains('/')).for_each(&mut add);
        } else {
            line.split('`').skip(1).step_by(2).for_each(&mut add);
            links_in(line).filter(|target| !target.contains(':')).for_each(|target| {
                let file = target.split('#').next().unwrap_or_default();
                if !file.is_empty() {
                    paths.push((number + 1, file.to_owned()));
                }
            });
        }
    }
    paths
}

pub(crate) fn links_in(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// Whether a word in code is taken for a path of this project: it begins with one of [`FOLDERS`], or ends in `.rs`, `.md` or `.toml`.
fn is_path(word: &str) -> bool {
    if word.contains([' ', '*', '<', '$', '{', '…', ':'])
        || word.starts_with(['/', '~', '-', '.']) && !word.starts_with(".c")
    {
        return false;
    }
    let first = word.split('/').next().unwrap_or_default();
    let ours = word.contains('/') && FOLDERS.contains(&first);
    ours || [".rs", ".md", ".toml"].iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = paths_in(text).into_iter().map(|(_, path)| path).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn paths_are_found_in_code_blocks_and_links() {
        check("See `crates/a/src` and `page.rs`.", &["crates/a/src", "page.rs"]);
        check("```text\ncrates/\n  a/  what (xtask/src)\n```", &["crates/", "xtask/src"]);
        check("[one](docs/a.md#part) [two](https://a.example/b.md) [three](#part)", &["docs/a.md"]);
    }

    #[test]
    fn other_code_is_no_path() {
        check("`text/html` `--format jsonl` `crates/*/src` `a.warc.gz` `cargo run`, docs/x", &[]);
    }

    #[test]
    fn paths_count_from_the_root_or_the_document() {
        let files = ["crates/a/src/page.rs", "docs/a.md", "docs/b/c.md"].map(str::to_owned);
        for path in ["crates/a/", "crates/a/src/page.rs", "page.rs", "b/c.md", "docs/a.md"] {
            assert!(exists(path, "docs/a.md", &files), "{path}");
        }
        for path in ["crates/b", "age.rs", "src/page.rs", "docs/a"] {
            assert!(!exists(path, "docs/a.md", &files), "{path}");
        }
    }
}
