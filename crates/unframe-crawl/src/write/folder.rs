//! HTML with one file per page in `pages/SITE/`, and a list of all files.
//!
//! File names are derived from addresses: every character except plain letters, digits, dots and dashes becomes a dash. A hash of the whole
//! address distinguishes names that are equal after that. `index.jsonl` has one line per file, in the order of the pages:
//! `{"file","url","site","date","title","charset","volume"}`.
//!
//! Simple HTML is a part of a page, so its files get a head with the charset and the title.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::json::{self, VolumeLine};
use super::target::UnfinishedFolder;
use super::{Body, CleanPage, PageWriter};

pub(super) struct Folder {
    folder: UnfinishedFolder,
    index: BufWriter<File>,
    /// The number of pages with each address, by the address's hash.
    counts: HashMap<u64, u32>,
}

impl Folder {
    pub(super) fn create(path: &Path) -> io::Result<Folder> {
        let folder = UnfinishedFolder::create(path)?;
        fs::create_dir(folder.path().join("pages"))?;
        let index = BufWriter::new(File::create_new(folder.path().join("index.jsonl"))?);
        Ok(Folder { folder, index, counts: HashMap::new() })
    }

    /// Creates a file for a page. A repeated address gets a number.
    fn new_file(&mut self, page: &CleanPage) -> io::Result<(String, File)> {
        let site = plain_name(&page.site);
        let folder = format!("pages/{}", if site.is_empty() { "site" } else { &site });
        // Do not create parents: when an interrupted program has removed them, they must not reappear.
        match fs::create_dir(self.folder.path().join(&folder)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
        let hash = xxh3_64(page.url.as_bytes());
        let count = self.counts.entry(hash).or_default();
        *count += 1;
        let number = if *count == 1 { String::new() } else { format!("-{count}") };
        let name = format!("{folder}/{}-{hash:016x}{number}.html", file_name(&page.url));
        // No page may overwrite another.
        let file = File::create_new(self.folder.path().join(&name))?;
        Ok((name, file))
    }
}

impl PageWriter for Folder {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        let (name, mut file) = self.new_file(page)?;
        match &page.body {
            Body::SimpleHtml(html) => file.write_all(whole_page(page.title.as_deref(), html).as_bytes())?,
            body => file.write_all(&body.bytes())?,
        }
        let charset = match &page.body {
            Body::Html { charset, .. } => charset.name(),
            Body::Text(_) | Body::Markdown(_) | Body::SimpleHtml(_) | Body::Chunks(_) => "UTF-8",
        };
        let line = json::line(&IndexLine {
            file: &name,
            url: &page.url,
            site: &page.site,
            date: page.date.map(|date| date.to_string()),
            title: page.title.as_deref(),
            charset,
            evidence: page.evidence.name(),
            volume: page.volume.into(),
        })?;
        self.index.write_all(&line)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.index.flush()?;
        self.folder.finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        Some(self.folder.path())
    }
}

#[derive(Serialize)]
struct IndexLine<'a> {
    file: &'a str,
    url: &'a str,
    site: &'a str,
    date: Option<String>,
    title: Option<&'a str>,
    charset: &'a str,
    evidence: &'static str,
    volume: VolumeLine,
}

/// A page with that content.
fn whole_page(title: Option<&str>, content: &str) -> String {
    let title = title.unwrap_or_default().replace('&', "&amp;").replace('<', "&lt;");
    format!("<!DOCTYPE html>\n<meta charset=\"UTF-8\">\n<title>{title}</title>\n{content}\n")
}

/// Shorter than the limit of any file system, including the hash and a number.
const NAME_BYTES_MAX: usize = 100;

/// The part of an address after its host, as part of a file's name.
fn file_name(url: &str) -> String {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = after_scheme.split_once('/').map_or("", |(_, path)| path);
    match plain_name(path) {
        name if name.is_empty() => "index".to_owned(),
        name => name,
    }
}

/// Makes a text part of a file's name. The result is empty, or begins and ends with a letter, digit or underscore.
fn plain_name(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || "._".contains(c) => name.push(c),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
        if name.len() >= NAME_BYTES_MAX {
            break;
        }
    }
    name.trim_matches(['.', '-']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_a_head() {
        assert_eq!(
            whole_page(Some("Tea & <b>"), "<p>Hot</p>"),
            "<!DOCTYPE html>\n<meta charset=\"UTF-8\">\n<title>Tea &amp; &lt;b></title>\n<p>Hot</p>\n"
        );
    }

    #[test]
    fn names_are_plain() {
        let name = file_name;
        assert_eq!(name("https://example.com/wiki/Tea_(drink)?a=b#c"), "wiki-Tea_-drink-a-b-c");
        assert_eq!(name("https://example.com/"), "index");
        assert_eq!(name("https://example.com"), "index");
        assert_eq!(name("https://example.com/../../etc/passwd"), "etc-passwd");
        assert_eq!(name("https://example.com/a\0b\\c\r\nd:e"), "a-b-c-d-e");
        assert_eq!(name("file:///home/.ssh"), "home-.ssh");
        assert_eq!(name(&format!("https://example.com/{}", "é/".repeat(500))), "index");
        assert_eq!(name(&format!("https://example.com/{}", "a".repeat(500))).len(), 100);
        assert_eq!(plain_name(".."), "");
    }
}
