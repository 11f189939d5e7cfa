//! The pages that all programs process: one `.warc.gz` with all of them, and one with a sample for slow programs.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use jiff::Timestamp;
use unframe::Page;
use unframe::charset::CharsetSource;
use unframe_crawl::{Event, ReadOptions, WarcWriter};
use unframe_study::gold::{Gold, GoldFolder, GoldPage};

/// The maximum numbers of pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// Pages of each input.
    pub(crate) pages_of_input: usize,
    /// Pages of the sample; at least one page of each input is used.
    pub(crate) sample: usize,
}

/// The files, with the gold texts of their pages.
pub(crate) struct Crawl {
    pub(crate) all: CrawlFile,
    pub(crate) sample: CrawlFile,
    pub(crate) sites: usize,
    pub(crate) gold: GoldTexts,
}

/// A `.warc.gz`.
#[derive(Debug, Clone)]
pub(crate) struct CrawlFile {
    pub(crate) path: PathBuf,
    pub(crate) pages: usize,
    /// Bytes without compression.
    pub(crate) bytes: u64,
    pub(crate) compressed_bytes: u64,
}

/// The site and gold text of the pages in the sample, by address.
pub(crate) type GoldTexts = BTreeMap<String, (String, String)>;

impl Crawl {
    /// Writes the pages of the inputs into a folder. Other records and other headers are omitted, because only pages are measured.
    pub(crate) fn make(inputs: &[PathBuf], size: Size, folder: &Path) -> anyhow::Result<Crawl> {
        let of_input = size.sample.div_ceil(inputs.len().max(1));
        let (mut all, mut sample) = (Members::default(), Members::default());
        let mut gold = GoldTexts::new();
        for input in inputs {
            let mut sampled = 0;
            let pages = pages_of(input, size.pages_of_input)?;
            // If the input has gold texts, pages without one cannot be scored and are not sampled.
            let is_known = pages.iter().any(|page| page.gold.is_some());
            for GoldPage { page, gold: content, .. } in pages {
                all.add(&page)?;
                if sampled < of_input && (content.is_some() || !is_known) {
                    sampled += 1;
                    sample.add(&page)?;
                    if let Some(Gold::Text(text)) = content {
                        gold.insert(page.url, (input.display().to_string(), text));
                    }
                }
            }
        }
        ensure!(all.pages > 0, "no HTML page in the inputs");
        let all = all.write(&folder.join("all.warc.gz"))?;
        let sample = sample.write(&folder.join("sample.warc.gz"))?;
        Ok(Crawl { all, sample, sites: inputs.len(), gold })
    }
}

/// The first pages of an input, with their gold texts if there is a gold file for it.
fn pages_of(input: &Path, pages_max: usize) -> anyhow::Result<Vec<GoldPage>> {
    let site = input.file_name().and_then(|name| name.to_str()?.strip_suffix(".warc.gz"));
    let folder = input.parent().and_then(|folder| GoldFolder::open(folder).ok());
    if let (Some(site), Some(folder)) = (site, folder)
        && let Some(known) = folder.sites.iter().find(|known| known.name == site)
    {
        return Ok(known.read(pages_max)?.pages);
    }
    let mut pages = Vec::new();
    let take = |event| {
        if let Event::Page(page) = event {
            pages.push(GoldPage { page, gold: None, unsure: String::new(), page_type: None });
        }
        if pages.len() < pages_max { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    unframe_crawl::read(&[input.to_owned()], &ReadOptions::default(), || |page: Page| page, take)?;
    Ok(pages)
}

/// A `.warc.gz` under construction, with the ends of its gzip members.
struct Members {
    writer: WarcWriter<Vec<u8>>,
    ends: Vec<usize>,
    pages: usize,
}

impl Default for Members {
    fn default() -> Members {
        Members { writer: WarcWriter::gzip(Vec::new()), ends: Vec::new(), pages: 0 }
    }
}

impl Members {
    fn add(&mut self, page: &Page) -> anyhow::Result<()> {
        let content_type = match page.charset.source {
            CharsetSource::Http => format!("text/html; charset={}", page.charset.name()),
            _ => "text/html".to_owned(),
        };
        let date = page.date.unwrap_or(Timestamp::UNIX_EPOCH);
        self.writer.response(&page.url, date, 200, &[("Content-Type", &content_type)], &page.payload)?;
        self.ends.push(self.writer.get_ref().len());
        self.pages += 1;
        Ok(())
    }

    fn write(self, path: &Path) -> anyhow::Result<CrawlFile> {
        let bytes = self.writer.into_inner();
        // A gzip member ends with its uncompressed length.
        let length = |end: &usize| {
            bytes[..*end].last_chunk().map_or(0, |length| u64::from(u32::from_le_bytes(*length)))
        };
        let file = CrawlFile {
            path: path.to_owned(),
            pages: self.pages,
            bytes: self.ends.iter().map(length).sum(),
            compressed_bytes: bytes.len() as u64,
        };
        fs::write(path, &bytes).with_context(|| path.display().to_string())?;
        let ends: Vec<String> = self.ends.iter().map(usize::to_string).collect();
        fs::write(ends_file(path), ends.join("\n")).with_context(|| path.display().to_string())?;
        Ok(file)
    }
}

/// The file beside a crawl that lists the ends of its gzip members, one number per line.
pub(crate) fn ends_file(crawl: &Path) -> PathBuf {
    crawl.with_extension("ends")
}

#[cfg(test)]
mod tests {
    use super::super::baseline;
    use super::*;

    #[test]
    fn all_members_are_known_and_the_sample_is_what_is_scored() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("tea.warc.gz");
        let mut writer = WarcWriter::gzip(Vec::new());
        for number in 0..5 {
            let url = format!("https://tea.example/{number}");
            let headers = [("Content-Type", "text/html")];
            writer.response(&url, Timestamp::UNIX_EPOCH, 200, &headers, b"<p>Tea").unwrap();
        }
        fs::write(&input, writer.into_inner()).unwrap();
        let size = Size { pages_of_input: 3, sample: 2 };
        let crawl = Crawl::make(&[input], size, folder.path()).unwrap();
        assert_eq!((crawl.all.pages, crawl.sample.pages, crawl.gold.len()), (3, 2, 0));
        assert!(crawl.all.bytes > crawl.sample.bytes && crawl.sample.bytes > 2 * 6, "{:?}", crawl.all);
        baseline::run(baseline::Baseline::Decompress, &crawl.all.path).unwrap();
        // Decompression fails if a listed end is not the end of a member.
        fs::write(ends_file(&crawl.all.path), "20").unwrap();
        assert!(baseline::run(baseline::Baseline::Decompress, &crawl.all.path).is_err());
    }
}
