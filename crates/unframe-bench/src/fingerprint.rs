//! Fingerprints: their cost compared with reading, and whether clustering takes linear time.

mod linear;
mod plot;

use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use encoding_rs::UTF_8;
use libdeflater::{CompressionLvl, Compressor, Decompressor};
use memchr::memchr2_iter;
use unframe::fingerprint::signature::LENGTH;
use unframe::fingerprint::vocabulary::VocabularyMaker;
use unframe::fingerprint::{Fingerprinter, Method, Settings, SignatureMaker};

use crate::corpus::Corpus;
use crate::rounds::{Engine, Work, compare};

pub(crate) fn run(inputs: &[PathBuf], rounds: usize, pages: usize, out: &Path) -> anyhow::Result<()> {
    let corpus = Corpus::load(inputs)?;
    let needed = needed_bytes(&corpus);
    let bytes: usize = needed.iter().sum();
    println!(
        "{}: {} pages, {:.1} MB; fingerprints need {:.1} MB of them, {:.0} bytes a page; {rounds} rounds, one thread\n",
        corpus.name,
        corpus.pages.len(),
        corpus.bytes() as f64 / 1e6,
        bytes as f64 / 1e6,
        bytes as f64 / corpus.pages.len() as f64,
    );
    let parts: Vec<&[u8]> =
        corpus.pages.iter().zip(&needed).map(|(page, needed)| &page.as_bytes()[..*needed]).collect();
    println!("Fingerprints; MB are those of the bytes that they need, `found` is pages:\n");
    let (mut engines, _file) = plain(&corpus, &parts)?;
    compare(&mut engines, rounds.max(1), bytes, "fingerprint")?;
    println!("\nWhole pages; MB are all bytes:\n");
    compare(&mut whole(&corpus), rounds.max(1), corpus.bytes(), "fingerprint")?;
    println!();
    linear::run(&corpus, pages, out)
}

/// The number of bytes of each page that its fingerprint reads.
fn needed_bytes(corpus: &Corpus) -> Vec<usize> {
    let mut maker = Fingerprinter::new(LENGTH);
    corpus.pages.iter().map(|page| maker.fingerprint_and_bytes(page.as_bytes(), UTF_8).1).collect()
}

/// Compares fingerprints with four ways of merely reading the bytes that they need.
fn plain<'a>(
    corpus: &'a Corpus,
    parts: &'a [&'a [u8]],
) -> anyhow::Result<(Vec<Engine<'a>>, tempfile::NamedTempFile)> {
    let mut file = tempfile::NamedTempFile::new()?;
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.flush()?;
    let reader = File::open(file.path()).context("a temporary file")?;
    let mut buffer = vec![0; parts.iter().map(|part| part.len()).max().unwrap_or(0)];
    let mut maker = Fingerprinter::new(LENGTH);
    let pages = corpus.pages.len();
    let members: Vec<Vec<u8>> = parts.iter().map(|part| gzip(part)).collect::<Result<_, _>>()?;
    let mut inflated = buffer.clone();
    let mut decompressor = Decompressor::new();
    let engines = vec![
        Engine {
            name: "fingerprint",
            work: Box::new(move || {
                for page in &corpus.pages {
                    black_box(maker.fingerprint(page.as_bytes(), UTF_8));
                }
                Ok(Work::found(pages))
            }),
        },
        Engine {
            name: "reading the bytes from a file in memory",
            work: Box::new(move || {
                let mut offset = 0;
                for part in parts {
                    reader.read_exact_at(&mut buffer[..part.len()], offset)?;
                    offset += part.len() as u64;
                }
                black_box(&buffer);
                Ok(Work::found(pages))
            }),
        },
        Engine {
            name: "decompressing the bytes, a gzip member a page",
            work: Box::new(move || {
                for member in &members {
                    black_box(decompressor.gzip_decompress(member, &mut inflated)?);
                }
                Ok(Work::found(pages))
            }),
        },
        Engine {
            name: "memchr for < and > over the bytes",
            work: Box::new(move || {
                for part in parts {
                    black_box(memchr2_iter(b'<', b'>', part).count());
                }
                Ok(Work::found(pages))
            }),
        },
        Engine {
            name: "adding up the bytes one by one",
            work: Box::new(move || {
                for part in parts {
                    black_box(part.iter().fold(0u8, |sum, byte| black_box(sum.wrapping_add(*byte))));
                }
                Ok(Work::found(pages))
            }),
        },
    ];
    Ok((engines, file))
}

fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut compressor = Compressor::new(CompressionLvl::default());
    let mut member = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let len = compressor.gzip_compress(bytes, &mut member)?;
    member.truncate(len);
    Ok(member)
}

/// The cost of methods that read whole pages.
fn whole(corpus: &Corpus) -> Vec<Engine<'_>> {
    let mut maker = Fingerprinter::new(LENGTH);
    let mut vocabularies = VocabularyMaker::default();
    let mut engines = vec![
        Engine {
            name: "fingerprint",
            work: Box::new(move || {
                for page in &corpus.pages {
                    black_box(maker.fingerprint(page.as_bytes(), UTF_8));
                }
                Ok(Work::found(corpus.pages.len()))
            }),
        },
        Engine {
            name: "fingerprint+",
            work: Box::new(move || {
                for page in &corpus.pages {
                    black_box(vocabularies.vocabulary(page.as_bytes(), UTF_8));
                }
                Ok(Work::found(corpus.pages.len()))
            }),
        },
    ];
    for (name, method) in
        [("mdh5", Method::Mdh5), ("md5", Method::Md5), ("ctss", Method::Ctss), ("cp", Method::Cp)]
    {
        let mut maker = SignatureMaker::new(&Settings::new(method));
        engines.push(Engine {
            name,
            work: Box::new(move || {
                for page in &corpus.pages {
                    black_box(maker.make(page.as_bytes(), UTF_8));
                }
                Ok(Work::found(corpus.pages.len()))
            }),
        });
    }
    engines
}
