//! Baselines that run in a separate process: only decompressing, and only building trees.

use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use html5ever::tendril::{StrTendril, TendrilSink};
use libdeflater::Decompressor;
use markup5ever_rcdom::RcDom;
use unframe::Page;
use unframe::html::Parser;
use unframe_crawl::{Event, ReadOptions};

use super::crawl::ends_file;

/// The work of a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Baseline {
    /// Only decompress all gzip members.
    Decompress,
    /// Also build the tree of our parser for each page.
    Trees,
    /// Also build the tree of html5ever for each page.
    Html5ever,
}

/// Runs a baseline on all pages of a crawl.
pub(crate) fn run(baseline: Baseline, crawl: &Path) -> anyhow::Result<()> {
    match baseline {
        Baseline::Decompress => decompress(crawl),
        Baseline::Trees => {
            let mut parser = Parser::new();
            each_page(crawl, |page| {
                black_box(parser.parse(&page.payload, page.charset.encoding).node_count());
            })
        }
        Baseline::Html5ever => each_page(crawl, |page| {
            let text = page.charset.encoding.decode(&page.payload).0;
            let tree = html5ever::parse_document(RcDom::default(), Default::default());
            black_box(tree.one(StrTendril::from_slice(&text)));
        }),
    }
}

fn each_page(crawl: &Path, mut each: impl FnMut(Page)) -> anyhow::Result<()> {
    let options = ReadOptions { threads: 1, ..ReadOptions::default() };
    let sink = |event| {
        if let Event::Page(page) = event {
            each(page);
        }
        ControlFlow::Continue(())
    };
    unframe_crawl::read(&[PathBuf::from(crawl)], &options, || |page: Page| page, sink)?;
    Ok(())
}

/// Uses the fastest decompressor, which is given the ends of the members: a lower bound for any reader of crawls.
fn decompress(crawl: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(crawl).with_context(|| crawl.display().to_string())?;
    let ends = fs::read_to_string(ends_file(crawl)).context("the ends of the gzip members")?;
    let mut decompressor = Decompressor::new();
    let mut buffer = Vec::new();
    let mut start = 0;
    for end in ends.lines() {
        let member = bytes.get(start..end.parse()?).context("a member lies outside of the file")?;
        let length = member.last_chunk().map_or(0, |length| u32::from_le_bytes(*length) as usize);
        buffer.resize(length.max(buffer.len()), 0);
        decompressor.gzip_decompress(member, &mut buffer[..length])?;
        black_box(&buffer);
        start += member.len();
    }
    Ok(())
}
