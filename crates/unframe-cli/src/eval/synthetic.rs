//! A folder with gold data of synthetic sites, for experiments without real data.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use serde_json::json;
use tempfile::TempDir;
use unframe_crawl::WarcWriter;
use unframe_sample::{SamplePage, Site};

use crate::output;

/// The name of the table of categories.
pub(super) const CATEGORIES: &str = "categories.csv";
/// The category of the paper for each type of synthetic site.
const CATEGORY_OF: [(&str, &str); 7] = [
    ("news", "News"),
    ("shop", "Catalog"),
    ("gazeta", "News"),
    ("portal", "Portal"),
    ("forum", "Community"),
    ("docs", "Documents"),
    ("wiki", "Documents"),
];
/// Number of pages per site, in a quick run and in a full run.
const PAGES: [u64; 2] = [24, 120];
/// Number of seeds, in a quick run and in a full run. Each seed gives one site of each type.
const SEEDS: [u64; 2] = [1, 3];
/// Number of pages in each dated version of a site.
const DATED_PAGES: u64 = 12;
/// Number of versions of a site, half a year apart.
const VERSIONS: i64 = 13;
/// 1 March 2018.
const FIRST_VERSION: i64 = 1_519_862_400;
const HALF_YEAR: i64 = 15_778_800;

/// A temporary folder that is removed when it is dropped or when the program is interrupted.
pub(super) struct Folder {
    folder: TempDir,
}

impl Folder {
    /// The path of the folder.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The folder is removed right after this, so the interrupt handler need not do it.
        let _ = output::finish_unfinished(Some(self.folder.path()), || Ok(()));
    }
}

/// Makes a folder with gold texts in `sites`, dated crawls in `snapshots`, and categories.
pub(super) fn folder(is_quick: bool) -> io::Result<Folder> {
    let folder = output::create_unfinished(|| {
        let folder = tempfile::Builder::new().prefix("unframe-papers-").tempdir()?;
        let path = folder.path().to_owned();
        Ok((Folder { folder }, Some(path)))
    })?;
    let (sites, snapshots) = (folder.path().join("sites"), folder.path().join("snapshots"));
    fs::create_dir(&sites)?;
    fs::create_dir(&snapshots)?;
    let at = usize::from(!is_quick);
    let mut categories = "site,category\n".to_owned();
    for seed in 1..=SEEDS[at] {
        for site in unframe_sample::sites(seed) {
            let name = format!("{}-{seed}", site.name());
            write_gold(&sites, &name, &site, PAGES[at])?;
            let category = CATEGORY_OF.iter().find(|one| one.0 == site.name()).map_or("Portal", |one| one.1);
            categories.push_str(&format!("{name},{category}\n"));
            if seed == 1 {
                write_versions(&snapshots.join(format!("{name}.warc.gz")), &site)?;
            }
        }
    }
    fs::write(folder.path().join(CATEGORIES), categories)?;
    Ok(folder)
}

/// Writes the pages of a site, and their gold texts.
fn write_gold(folder: &Path, name: &str, site: &Site, pages: u64) -> io::Result<()> {
    let mut warc = WarcWriter::gzip(File::create(folder.join(format!("{name}.warc.gz")))?);
    let gold = File::create(folder.join(format!("{name}.gold.jsonl.gz")))?;
    let mut gold = GzEncoder::new(gold, Compression::fast());
    for page in (0..pages).map(|number| site.page(number)) {
        write_page(&mut warc, &page)?;
        writeln!(gold, "{}", json!({"url": page.url, "text": page.content}))?;
    }
    gold.finish().map(drop)
}

/// Writes versions of the first pages of a site over several years.
fn write_versions(file: &Path, site: &Site) -> io::Result<()> {
    let mut warc = WarcWriter::gzip(File::create(file)?);
    for version in 0..VERSIONS {
        let date = FIRST_VERSION + version * HALF_YEAR;
        let date = Timestamp::from_second(date).map_err(io::Error::other)?;
        for number in 0..DATED_PAGES {
            write_page(&mut warc, &site.page_on(number, date))?;
        }
    }
    Ok(())
}

fn write_page(warc: &mut WarcWriter<File>, page: &SamplePage) -> io::Result<()> {
    let headers = [("Content-Type", page.content_type)];
    warc.response(&page.url, page.date, 200, &headers, &page.html)
}
