//! `unframe follow`: every page labelled the moment it is crawled, with state on disk.
//!
//! One thread reads and prepares pages (`page_reader.rs`); this one updates the store, labels, writes, and makes pages durable: at once
//! when no other page waits, else many together. A line is written when its page is durable.

mod append;
mod backlog;
mod page_reader;
mod reindex;
mod state;

use std::io::{self, Write};
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use unframe::detect::FollowMethod;
use unframe::text::content;
use unframe::{Change, PageId, PageParser};
use unframe_crawl::write::{BodyFormat, CleanPage, clean_line, label_line};
use unframe_picture::figures::plural;
use unframe_store::{Options, PageRecord, Store};

use crate::args::FollowArgs;
use crate::exit::Outcome;
use crate::problems::Problems;
use append::append;
use page_reader::{ReadPage, ReaderEvent};
use reindex::Reindex;
use state::Part;

/// Maximum number of pages in one commit.
const GROUP_PAGES: usize = 256;
/// Bytes of lines after which pages are committed, however few they are.
const GROUP_BYTES: usize = 16 << 20;
/// Maximum time that the first of them waits.
const GROUP_TIME: Duration = Duration::from_millis(20);

/// Runs the verb.
pub(crate) fn run(args: &FollowArgs) -> anyhow::Result<Outcome> {
    let part = args.part.as_deref().map(Part::parse).transpose()?;
    crate::output::check_folder(&args.state)?;
    let folder = part.map_or_else(|| args.state.clone(), |part| part.folder(&args.state));
    if args.check || args.repair {
        return state::check(&folder, args.repair);
    }
    if (args.status || args.export.is_some()) && unframe_store::saved_method(&folder)?.is_none() {
        bail!("{}: there is no state here: run `unframe follow` with inputs first", folder.display());
    }
    let method = state::method(&folder, args.method.as_deref())?;
    let options = Options { memory: args.memory.states(), ..Options::default() };
    let store = Store::open(&folder, &method, options);
    if args.status {
        return state::print(&folder, store);
    }
    let mut store = store?;
    if let Some(path) = &args.export {
        return state::export(store, &method, path, args.quiet);
    }
    if let Some(path) = &args.begin_with {
        state::begin_with(&mut store, &method, path, args.quiet)?;
    }
    let mut following = Following::new(args, store, method.clone(), part)?;
    let events = page_reader::start(args, &method);
    loop {
        let event = match events.try_recv() {
            Ok(event) => event,
            Err(TryRecvError::Disconnected) => break,
            Err(TryRecvError::Empty) => {
                following.commit()?;
                match events.recv() {
                    Ok(event) => event,
                    Err(_) => break,
                }
            }
        };
        following.take(event)?;
    }
    following.finish(args.quiet)
}

/// A run.
struct Following<'a> {
    args: &'a FollowArgs,
    store: Store,
    method: FollowMethod,
    part: Option<Part>,
    parser: PageParser,
    output: Box<dyn Write>,
    /// Lines of pages that are not durable yet.
    lines: Vec<u8>,
    /// The number of those pages, and when the first arrived.
    waiting: usize,
    since: Instant,
    reindex: Option<Reindex>,
    problems: Problems,
    pages: u64,
    known: u64,
    /// Pages of sites that are in other parts.
    in_other_parts: u64,
}

impl<'a> Following<'a> {
    fn new(
        args: &'a FollowArgs,
        store: Store,
        method: FollowMethod,
        part: Option<Part>,
    ) -> anyhow::Result<Following<'a>> {
        let output: Box<dyn Write> = match args.output.as_deref().filter(|path| path.as_os_str() != "-") {
            Some(path) => Box::new(append(path, args.quiet)?),
            None => Box::new(io::stdout()),
        };
        let reindex = match &args.reindex_log {
            Some(path) => Some(Reindex::new(append(path, args.quiet)?, args.reindex_memory.bytes)),
            None => None,
        };
        Ok(Following {
            args,
            store,
            method,
            part,
            parser: PageParser::new(),
            output,
            lines: Vec::new(),
            waiting: 0,
            since: Instant::now(),
            reindex,
            problems: Problems::new(args.problems.as_deref())?,
            pages: 0,
            known: 0,
            in_other_parts: 0,
        })
    }

    fn take(&mut self, event: ReaderEvent) -> anyhow::Result<()> {
        match event {
            ReaderEvent::Failure(error) => Err(error),
            ReaderEvent::Problem { origin, problem } => self.problems.add(&origin, None, &problem),
            ReaderEvent::Page(read_page) => match self.part {
                Some(part) if !part.contains(&read_page.page.site) => {
                    self.in_other_parts += 1;
                    Ok(())
                }
                _ => self.page(*read_page),
            },
        }
    }

    fn page(&mut self, read_page: ReadPage) -> anyhow::Result<()> {
        let ReadPage { page, prepared, pieces, .. } = read_page;
        for problem in &page.problems {
            self.problems.add(&page.origin, Some(&page.url), problem)?;
        }
        let visited = self.store.visit(&PageRecord {
            site: &page.site,
            id: PageId::of(&page.url, &page.payload),
            date: page.date.map(|date| date.as_second()),
            pieces: &prepared.pieces,
        })?;
        self.pages += 1;
        self.known += u64::from(visited.change == Change::Unchanged);
        let is_written = visited.is_unacknowledged || !self.args.skip_known;
        if is_written || self.reindex.is_some() {
            let parsed = match pieces {
                Some(pieces) => self.parser.open_with_pieces(&page, pieces),
                None => self.parser.open(&page),
            };
            let labels = self.method.label(&visited.model, &parsed, &prepared);
            let (regions, evidence) = (&labels.regions, visited.evidence());
            if is_written && self.args.clean {
                let clean = CleanPage::new(&page, &parsed, regions, BodyFormat::Text);
                self.lines.extend(clean_line(&clean.with_evidence(evidence))?);
            } else if is_written {
                let volume = content::extract(&parsed, regions).volume;
                self.lines.extend(label_line(&page, regions, evidence, volume)?);
            }
            if let Some(reindex) = &mut self.reindex {
                reindex.page(&page, &visited, labels, prepared.pieces)?;
            }
        }
        if self.waiting == 0 {
            self.since = Instant::now();
        }
        self.waiting += 1;
        let is_full = self.waiting >= GROUP_PAGES || self.lines.len() >= GROUP_BYTES;
        if is_full || self.since.elapsed() >= GROUP_TIME { self.commit() } else { Ok(()) }
    }

    /// Makes the pages durable, writes their lines, and acknowledges them.
    fn commit(&mut self) -> anyhow::Result<()> {
        if self.waiting == 0 {
            return Ok(());
        }
        self.store.commit()?;
        self.waiting = 0;
        self.output
            .write_all(&self.lines)
            .and_then(|()| self.output.flush())
            .context("cannot write the pages")?;
        self.lines.clear();
        self.reindex.as_mut().map_or(Ok(()), Reindex::flush)?;
        Ok(self.store.acknowledge()?)
    }

    fn finish(mut self, quiet: bool) -> anyhow::Result<Outcome> {
        self.commit()?;
        self.store.close()?;
        let outcome = match (self.problems.count(), self.pages + self.in_other_parts) {
            (0, _) => Outcome::Clean,
            (_, 0) => Outcome::NothingDone,
            _ => Outcome::SomeBad,
        };
        self.problems.finish(quiet)?;
        if !quiet {
            message!("unframe: {}, {} of them unchanged", plural(self.pages, "page"), self.known);
        }
        Ok(outcome)
    }
}
