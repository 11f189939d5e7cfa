//! Parsing on one thread.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::Context;
use encoding_rs::UTF_8;
use html5ever::tendril::{StrTendril, TendrilSink};
use markup5ever_rcdom::RcDom;
use unframe::html::tokenizer::{Token, Tokenizer};
use unframe::html::{NodeKind, Parser};

use crate::corpus::Corpus;
use crate::rounds::{Engine, Work, compare};

pub(crate) fn run(inputs: &[PathBuf], rounds: usize, python: Option<&Path>) -> anyhow::Result<()> {
    let corpus = Corpus::load(inputs)?;
    println!(
        "{}: {} pages, {:.1} MB, {rounds} rounds, one thread\n",
        corpus.name,
        corpus.pages.len(),
        corpus.bytes() as f64 / 1e6
    );
    let mut engines = own(&corpus);
    engines.extend(peers(&corpus));
    match python {
        Some(python) => engines.push(lexbor(&corpus, python)?),
        None => println!("lexbor is left out: no --python with selectolax"),
    }
    compare(&mut engines, rounds.max(1), corpus.bytes(), "html5ever, reference tree")?;
    Ok(())
}

fn own(corpus: &Corpus) -> Vec<Engine<'_>> {
    let tokens = |page: &String| {
        let mut tokenizer = Tokenizer::new(page.as_bytes());
        std::iter::from_fn(|| Some(tokenizer.next_by_name()).filter(|token| *token != Token::Eof)).count()
    };
    let mut parser = Parser::new();
    let mut decoding_parser = Parser::new();
    vec![
        Engine {
            name: "unframe, tokens only",
            work: Box::new(move || Ok(Work::found(corpus.pages.iter().map(tokens).sum()))),
        },
        Engine {
            name: "unframe, tree with spans",
            work: Box::new(move || {
                let nodes = corpus.pages.iter().map(|page| parser.parse(page.as_bytes(), UTF_8).node_count());
                Ok(Work::found(nodes.sum()))
            }),
        },
        Engine {
            name: "unframe, tree with spans, all text and attributes decoded",
            work: Box::new(move || {
                let nodes = corpus.pages.iter().map(|page| decoded(&mut decoding_parser, page));
                Ok(Work::found(nodes.sum()))
            }),
        },
    ]
}

/// Parses a page and decodes all of its text and attributes, because other parsers do so while they parse.
fn decoded(parser: &mut Parser, page: &str) -> usize {
    let document = parser.parse(page.as_bytes(), UTF_8);
    let mut len = 0;
    for node in document.descendants() {
        match node.kind() {
            NodeKind::Text | NodeKind::Comment => len += node.text().len(),
            NodeKind::Element => {
                len += node.attributes().map(|(name, value)| name.len() + value.len()).sum::<usize>()
            }
            NodeKind::Document | NodeKind::Doctype => {}
        }
    }
    std::hint::black_box(len);
    document.node_count()
}

fn peers(corpus: &Corpus) -> Vec<Engine<'_>> {
    vec![
        Engine {
            name: "html5ever, reference tree",
            work: Box::new(move || {
                for page in &corpus.pages {
                    let tree = html5ever::parse_document(RcDom::default(), Default::default());
                    std::hint::black_box(tree.one(StrTendril::from_slice(page)));
                }
                Ok(Work::found(corpus.pages.len()))
            }),
        },
        Engine {
            name: "tl (not conformant)",
            work: Box::new(move || {
                let nodes = corpus.pages.iter().map(|page| {
                    tl::parse(page, tl::ParserOptions::default()).map_or(0, |tree| tree.nodes().len())
                });
                Ok(Work::found(nodes.sum()))
            }),
        },
    ]
}

/// Lexbor through `selectolax`: a Python process that parses all pages on each request and returns the time it took.
fn lexbor<'a>(corpus: &Corpus, python: &Path) -> anyhow::Result<Engine<'a>> {
    let mut file = tempfile::NamedTempFile::new()?;
    for page in &corpus.pages {
        file.write_all(&(page.len() as u32).to_le_bytes())?;
        file.write_all(page.as_bytes())?;
    }
    file.flush()?;
    let mut peer = Peer::start(python, file.path())?;
    let work = move || {
        let _keep = &file;
        peer.run()
    };
    Ok(Engine { name: "lexbor (selectolax)", work: Box::new(work) })
}

const LEXBOR: &str = r#"
import struct, sys, time
from selectolax.lexbor import LexborHTMLParser
data, pages, at = open(sys.argv[1], "rb").read(), [], 0
while at < len(data):
    (length,) = struct.unpack_from("<I", data, at)
    pages.append(data[at + 4 : at + 4 + length])
    at += 4 + length
print("ready", flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    for page in pages:
        LexborHTMLParser(page)
    print(time.perf_counter() - start, len(pages), flush=True)
"#;

struct Peer {
    child: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl Peer {
    fn start(python: &Path, pages: &Path) -> anyhow::Result<Peer> {
        let mut child = Command::new(python)
            .args(["-c", LEXBOR])
            .arg(pages)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be started", python.display()))?;
        let ask = child.stdin.take().context("no standard input")?;
        let answer = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut peer = Peer { child, ask, answer };
        anyhow::ensure!(peer.line()?.trim() == "ready", "the Python has no selectolax");
        Ok(peer)
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        self.answer.read_line(&mut line)?;
        Ok(line)
    }

    fn run(&mut self) -> anyhow::Result<Work> {
        self.ask.write_all(b"\n")?;
        let line = self.line()?;
        let (seconds, found) = line.trim().split_once(' ').context("the peer stopped")?;
        Ok(Work { found: found.parse()?, time: Some(Duration::from_secs_f64(seconds.parse()?)) })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
