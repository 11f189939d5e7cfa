//! Folders of gold data: pages whose content is known.
//!
//! A folder holds one `SITE.warc.gz` for each site, and beside it one of
//! - `SITE.gold.jsonl.gz`, lines of `{"url","text"[,"unsure"]}`: the text of the page's content, and text that may or may not
//!   be content;
//! - `SITE.values.jsonl.gz`, lines of `{"url","values":{attribute:[value,…]}}`: attribute values that are content.
//!
//! Lines may also have `page_type`, the kind of the page inside its site, and other fields. All pages of a WARC file form one site, whatever their
//! addresses.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::limits::GOLD_BYTES_MAX;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use unframe::{Page, SiteBy};
use unframe_crawl::{Event, ReadError, ReadOptions};

/// The kind of gold data of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoldKind {
    /// The text of the content.
    Text,
    /// Attribute values that are content.
    Values,
}

impl GoldKind {
    fn suffix(self) -> &'static str {
        match self {
            GoldKind::Text => ".gold.jsonl.gz",
            GoldKind::Values => ".values.jsonl.gz",
        }
    }
}

/// A folder of gold data.
#[derive(Debug, Clone)]
pub struct GoldFolder {
    /// Its path.
    pub path: PathBuf,
    /// The kind of its gold data.
    pub kind: GoldKind,
    /// The sites, in the order of their names.
    pub sites: Vec<GoldSite>,
}

/// A site of a folder; its pages are read on demand.
#[derive(Debug, Clone)]
pub struct GoldSite {
    /// The name of its files.
    pub name: String,
    kind: GoldKind,
    crawl: PathBuf,
    gold: PathBuf,
    /// Maximum number of pages to read.
    pages_max: usize,
}

/// The pages of a site.
#[derive(Debug, Default)]
pub struct SitePages {
    /// The pages, in the order of the WARC file.
    pub pages: Vec<GoldPage>,
    /// Problems of the input. Each affects only one page.
    pub problems: Vec<String>,
}

/// A page with its gold data.
#[derive(Debug)]
pub struct GoldPage {
    /// The page.
    pub page: Page,
    /// Its gold data, if the gold file has any for it.
    pub gold: Option<Gold>,
    /// Text of the gold data that is excluded from the score, because it may be template.
    pub unsure: String,
    /// Its kind, if the gold file names it.
    pub page_type: Option<String>,
}

/// The gold data of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gold {
    /// The text of its content.
    Text(String),
    /// Values that are content, by attribute.
    Values(BTreeMap<String, Vec<String>>),
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoldError {
    /// A file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The folder has no gold file.
    #[error("{}: there is no file SITE.gold.jsonl.gz or SITE.values.jsonl.gz", path.display())]
    NoGold {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has both kinds of gold files.
    #[error("{}: gold texts and gold values cannot be scored together: use a folder for each", path.display())]
    Mixed {
        /// The folder.
        path: PathBuf,
    },
    /// Kinds of pages were requested, but the gold files have too few.
    #[error("{}: no site has {pages_min} pages or more whose `page_type` is in its gold file", path.display())]
    NoKinds {
        /// The folder.
        path: PathBuf,
        /// The number of pages that a site needs.
        pages_min: usize,
    },
    /// A line of a gold file is invalid.
    #[error("{}, line {line}: {source}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The error of the parser.
        source: serde_json::Error,
    },
    /// A gold file is too large.
    #[error("{}: more than {bytes_max} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        bytes_max: u64,
    },
    /// The crawl of a site is missing.
    #[error(transparent)]
    Crawl(#[from] ReadError),
}

impl GoldFolder {
    /// Lists the sites of a folder.
    pub fn open(folder: &Path) -> Result<GoldFolder, GoldError> {
        let unreadable = |source| GoldError::Unreadable { path: folder.to_owned(), source };
        let mut sites = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            sites.extend(name.to_str().and_then(|name| GoldSite::of(folder, name)));
        }
        sites.sort_by(|one, other| one.name.cmp(&other.name));
        let kind = match sites.first() {
            None => return Err(GoldError::NoGold { path: folder.to_owned() }),
            Some(first) => first.kind,
        };
        match sites.iter().all(|site| site.kind == kind) {
            true => Ok(GoldFolder { path: folder.to_owned(), kind, sites }),
            false => Err(GoldError::Mixed { path: folder.to_owned() }),
        }
    }
}

impl GoldFolder {
    /// Limits the folder to `sites_max` sites, spread evenly, and to the first `pages_max` pages of each.
    pub fn limited(mut self, sites_max: usize, pages_max: usize) -> GoldFolder {
        let (all, kept) = (self.sites.len(), self.sites.len().min(sites_max.max(1)));
        let mut number = 0;
        self.sites.retain(|_| {
            number += 1;
            // Keep one of every `all / kept` sites.
            number * kept / all > (number - 1) * kept / all
        });
        self.sites.iter_mut().for_each(|site| site.pages_max = pages_max.max(1));
        self
    }
}

impl GoldSite {
    /// The site that a gold file belongs to.
    fn of(folder: &Path, file_name: &str) -> Option<GoldSite> {
        [GoldKind::Text, GoldKind::Values].into_iter().find_map(|kind| {
            let name = file_name.strip_suffix(kind.suffix()).filter(|name| !name.is_empty())?.to_owned();
            let crawl = folder.join(format!("{name}.warc.gz"));
            Some(GoldSite { name, kind, crawl, gold: folder.join(file_name), pages_max: usize::MAX })
        })
    }

    /// Reads the first `pages_max` pages of the site.
    pub fn read(&self, pages_max: usize) -> Result<SitePages, GoldError> {
        let pages_max = pages_max.min(self.pages_max);
        let mut gold = self.read_gold()?;
        let mut site = SitePages::default();
        let options = ReadOptions { site_by: SiteBy::All, threads: 1, ..ReadOptions::default() };
        let sink = |event| {
            match event {
                Event::Page(page) => {
                    let page: Page = page;
                    let of_page = page.problems.iter().map(|problem| format!("{}: {problem}", page.origin));
                    site.problems.extend(of_page);
                    let known = gold.remove(&page.url).unwrap_or_default();
                    let GoldLine { gold, unsure, page_type } = known;
                    site.pages.push(GoldPage { page, gold, unsure, page_type });
                }
                Event::Problem { origin, problem } => site.problems.push(format!("{origin}: {problem}")),
            }
            match site.pages.len() < pages_max {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        unframe_crawl::read(std::slice::from_ref(&self.crawl), &options, || |page| page, sink)?;
        if site.pages.len() < pages_max && !gold.is_empty() {
            let (file, missing) = (self.gold.display(), gold.len());
            let example = gold.keys().min().map_or("", String::as_str);
            site.problems.push(format!("{file}: {missing} pages are not in the crawl, such as {example}"));
        }
        Ok(site)
    }

    /// The kinds of the pages by their addresses. Pages without a kind are left out.
    pub fn page_types(&self) -> Result<HashMap<String, String>, GoldError> {
        let text = read_gzip(&self.gold, GOLD_BYTES_MAX)?;
        let mut types = HashMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let bad = |source| GoldError::BadLine { path: self.gold.clone(), line: number + 1, source };
            let TypeLine { url, page_type } = serde_json::from_str(line).map_err(bad)?;
            types.extend(page_type.map(|page_type| (url, page_type)));
        }
        Ok(types)
    }

    /// The lines of the gold file, by address.
    fn read_gold(&self) -> Result<HashMap<String, GoldLine>, GoldError> {
        let text = read_gzip(&self.gold, GOLD_BYTES_MAX)?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let parsed = lines.map(|(number, line)| {
            self.kind.parse(line).map_err(|source| GoldError::BadLine {
                path: self.gold.clone(),
                line: number + 1,
                source,
            })
        });
        parsed.collect()
    }
}

impl GoldKind {
    fn parse(self, line: &str) -> Result<(String, GoldLine), serde_json::Error> {
        match self {
            GoldKind::Text => serde_json::from_str(line).map(|TextLine { url, text, unsure, page_type }| {
                (url, GoldLine { gold: Some(Gold::Text(text)), unsure, page_type })
            }),
            GoldKind::Values => serde_json::from_str(line).map(|ValuesLine { url, values }| {
                (url, GoldLine { gold: Some(Gold::Values(values)), ..GoldLine::default() })
            }),
        }
    }
}

/// A line of a gold file.
#[derive(Default)]
struct GoldLine {
    gold: Option<Gold>,
    unsure: String,
    page_type: Option<String>,
}

#[derive(Deserialize)]
struct TextLine {
    url: String,
    text: String,
    #[serde(default)]
    unsure: String,
    page_type: Option<String>,
}

#[derive(Deserialize)]
struct TypeLine {
    url: String,
    page_type: Option<String>,
}

#[derive(Deserialize)]
struct ValuesLine {
    url: String,
    values: BTreeMap<String, Vec<String>>,
}

fn read_gzip(path: &Path, bytes_max: u64) -> Result<String, GoldError> {
    let unreadable = |source| GoldError::Unreadable { path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    MultiGzDecoder::new(file).take(bytes_max + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > bytes_max {
        return Err(GoldError::TooLarge { path: path.to_owned(), bytes_max });
    }
    String::from_utf8(bytes).map_err(|error| unreadable(io::Error::new(io::ErrorKind::InvalidData, error)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn sites_of_a_smaller_folder_are_spread() {
        let site = |name: usize| GoldSite::of(Path::new("x"), &format!("{name}.gold.jsonl.gz"));
        let folder = GoldFolder {
            path: PathBuf::new(),
            kind: GoldKind::Text,
            sites: (0..9).filter_map(site).collect(),
        };
        let names = |sites_max| {
            let limited = folder.clone().limited(sites_max, 5);
            limited.sites.into_iter().map(|site| (site.name, site.pages_max)).collect::<Vec<_>>()
        };
        assert_eq!(names(3), [("2".to_owned(), 5), ("5".to_owned(), 5), ("8".to_owned(), 5)]);
        assert_eq!(names(100).len(), 9);
    }

    #[test]
    fn a_gold_file_may_be_as_large_as_the_limit() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut gzip = GzEncoder::new(&file, Compression::fast());
        gzip.write_all(b"four").and_then(|()| gzip.try_finish()).unwrap();
        assert_eq!(read_gzip(file.path(), 4).ok().as_deref(), Some("four"));
        let error = read_gzip(file.path(), 3).unwrap_err().to_string();
        assert!(error.ends_with(": more than 3 bytes"), "{error}");
    }
}
