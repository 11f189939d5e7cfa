//! Pages for measurements without a crawl: the documentation in Debian packages.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use jiff::Timestamp;
use unframe_crawl::WarcWriter;

/// Packages with many pages, made by different generators. A package that a release of Debian lacks is skipped.
const PACKAGES: [&str; 12] = [
    "git-doc",
    "sqlite3-doc",
    "debian-policy",
    "developers-reference",
    "doxygen-doc",
    "libeigen3-doc",
    "python3.11-doc",
    "python3.13-doc",
    "python-sqlalchemy-doc",
    "python-django-doc",
    "libglib2.0-doc",
    "gimp-help-en",
];

/// Makes a crawl of each package, in a folder that caches them for the next run.
pub(crate) fn crawls(folder: &Path, pages_max: usize) -> anyhow::Result<Vec<PathBuf>> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut crawls = Vec::new();
    for package in PACKAGES {
        let crawl = folder.join(format!("{package}.warc.gz"));
        if !crawl.exists() && !fetch(package, &crawl, folder, pages_max)? {
            println!("{package}: there is no such package with HTML pages here");
            continue;
        }
        crawls.push(crawl);
    }
    ensure!(
        !crawls.is_empty(),
        "no package could be fetched by `apt-get download`: name crawls to measure on"
    );
    Ok(crawls)
}

/// Makes a crawl of a package; returns `false` if that is not possible. Nothing is installed, and root is not required.
fn fetch(package: &str, crawl: &Path, folder: &Path, pages_max: usize) -> anyhow::Result<bool> {
    let place = tempfile::tempdir_in(folder)?;
    let place = place.path();
    let mut apt = Command::new("apt-get");
    if !succeeds(apt.args(["download", package]).current_dir(place)) {
        return Ok(false);
    }
    let is_package = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "deb");
    let Some(archive) = files_in(place)?.into_iter().find(is_package) else { return Ok(false) };
    let unpacked = place.join("unpacked");
    if !succeeds(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&unpacked)) {
        return Ok(false);
    }
    let mut pages = Vec::new();
    collect_pages(&unpacked, &mut pages)?;
    // Pages are sampled evenly, because the first ones by name are all of one kind.
    let step = pages.len().div_ceil(pages_max).max(1);
    let pages: Vec<PathBuf> = pages.into_iter().step_by(step).collect();
    if pages.is_empty() {
        return Ok(false);
    }
    write(package, &pages, &unpacked, crawl)?;
    Ok(true)
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn write(package: &str, pages: &[PathBuf], root: &Path, crawl: &Path) -> anyhow::Result<()> {
    let unfinished = crawl.with_extension("unfinished");
    let mut writer = WarcWriter::gzip(BufWriter::new(File::create(&unfinished)?));
    for page in pages {
        let path = page.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        let url = format!("https://{package}.example/{path}");
        let headers = [("Content-Type", "text/html")];
        writer.response(&url, Timestamp::UNIX_EPOCH, 200, &headers, &fs::read(page)?)?;
    }
    writer.into_inner().into_inner()?.sync_all()?;
    fs::rename(&unfinished, crawl).with_context(|| crawl.display().to_string())
}

/// The HTML files of a folder and its subfolders, by name. Symbolic links lead to other packages and are not followed.
fn collect_pages(folder: &Path, pages: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for path in files_in(folder)? {
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() {
            collect_pages(&path, pages)?;
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "html" || ending == "htm")
        {
            pages.push(path);
        }
    }
    Ok(())
}

fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = entries.collect::<Result<Vec<PathBuf>, _>>()?;
    files.sort();
    Ok(files)
}
