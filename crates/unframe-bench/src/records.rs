//! Prints the records that unframe reads, in the same format as the peers (`peers/records.py`).

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use sha1::{Digest, Sha1};
use unframe::Page;
use unframe_crawl::{Event, ReadOptions};

/// Prints a line for each page: file, address, hash and length of the payload.
pub(crate) fn run(inputs: &[PathBuf]) -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    for input in inputs {
        let options = ReadOptions { unique: false, ..ReadOptions::default() };
        let line = || {
            |page: Page| {
                let mut hash = String::new();
                Sha1::digest(&page.payload).iter().for_each(|byte| {
                    let _ = write!(hash, "{byte:02x}");
                });
                format!("{}\t{}\t{hash}\t{}", input.display(), page.url, page.payload.len())
            }
        };
        unframe_crawl::read(std::slice::from_ref(input), &options, line, |event| {
            if let Event::Page(line) = event {
                let _ = writeln!(output, "{line}");
            }
            ControlFlow::Continue(())
        })?;
    }
    Ok(())
}
