//! `cargo xtask differential`: compares the parser's trees with those of html5ever, and the records of crawls with those that warcio and
//! FastWARC read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{project, python};

/// For each file, the number of occurrences of each pair of address and payload.
type Pages = BTreeMap<String, BTreeMap<(String, String), usize>>;

/// Compares on the given crawls, or else on those of the real data, and writes `docs/differential.md`.
pub(crate) fn run(files: &[&str]) -> Result<(), String> {
    let build = ["build", "--quiet", "-p", "unframe-bench"];
    let mut cargo = project::cargo();
    output(cargo.current_dir(project::root()).args(build))?;
    let program = project::target().join("debug/unframe-bench");
    let data = std::env::var_os("UNFRAME_DATA")
        .map_or_else(|| project::root().join("../shared/data"), PathBuf::from);
    let given: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let in_data = |folders: &[&str]| match given.is_empty() {
        true => folders.iter().flat_map(|folder| warc_files(&data.join(folder))).collect(),
        false => given.clone(),
    };
    let for_trees = in_data(&["sites", "swde", "snapshots"]);
    let for_records = in_data(&["sites", "swde", "snapshots", "warc"]);
    if for_trees.is_empty() {
        return Err("name crawls to compare on, or the folder of real data with UNFRAME_DATA".to_owned());
    }
    let trees = output(Command::new(&program).arg("differential").args(&for_trees))?;
    print!("{trees}");
    let readers = python::with_readers()?;
    let script = project::root().join("crates/unframe-bench/peers/records.py");
    let ours = parse(&output(Command::new(&program).arg("records").args(&for_records))?);
    let mut text = include_str!("differential/head.md").replace("TREES", trees.trim_end());
    for peer in ["warcio", "fastwarc"] {
        let theirs = output(Command::new(&readers).arg(&script).arg(peer).args(&for_records))?;
        let row = compare(peer, &ours, &parse(&theirs), &data);
        print!("{row}");
        text.push_str(&row);
    }
    let page = project::root().join("docs/differential.md");
    fs::write(&page, text).map_err(|error| format!("{}: {error}", page.display()))
}

/// Compares the pages of a peer with ours, file by file.
fn compare(peer: &str, ours: &Pages, theirs: &Pages, data: &Path) -> String {
    let empty = BTreeMap::new();
    let (mut same, mut files, mut missing, mut errors) = (0, 0, Vec::new(), Vec::new());
    for (file, pages) in theirs {
        let found = ours.get(file).unwrap_or(&empty);
        let name = Path::new(file).strip_prefix(data).unwrap_or(Path::new(file)).display();
        files += 1;
        for ((url, hash), times) in pages {
            if url == "ERROR" {
                errors.push(format!("{name}: {hash}"));
                continue;
            }
            let common = found.get(&(url.clone(), hash.clone())).copied().unwrap_or(0).min(*times);
            same += common;
            if common < *times {
                let other = found.keys().any(|(known, _)| known == url);
                missing
                    .push(format!("{name}: {url}: {}", if other { "another payload" } else { "not there" }));
            }
        }
    }
    let only_ours: usize = ours
        .iter()
        .flat_map(|(file, pages)| pages.iter().map(move |(key, times)| (file, key, *times)))
        .map(|(file, key, times)| {
            times.saturating_sub(theirs.get(file).and_then(|pages| pages.get(key)).copied().unwrap_or(0))
        })
        .sum();
    let mut text = format!(
        "\n## {peer}\n\n{files} files with pages; {same} pages with the same address and the same bytes, {} that {peer} has and we have not, {only_ours} \
         that only we have; {peer} gave up {} files.\n\n",
        missing.len(),
        errors.len()
    );
    for line in missing.iter().take(40) {
        let _ = writeln!(text, "- {line}");
    }
    for line in errors.iter().take(40) {
        let _ = writeln!(text, "- given up: {line}");
    }
    text
}

fn parse(lines: &str) -> Pages {
    let mut pages = Pages::new();
    for line in lines.lines() {
        let mut parts = line.split('\t');
        if let (Some(file), Some(url), Some(hash)) = (parts.next(), parts.next(), parts.next()) {
            let file = pages.entry(file.to_owned()).or_default();
            *file.entry((url.to_owned(), hash.to_owned())).or_default() += 1;
        }
    }
    pages
}

/// The WARC files in a folder, sorted by name.
fn warc_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| {
        file.to_string_lossy().ends_with(".warc.gz") || file.to_string_lossy().ends_with(".warc")
    });
    files.sort();
    files
}

fn output(command: &mut Command) -> Result<String, String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("{:?} failed", command.get_program()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
