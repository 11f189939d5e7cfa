//! The interface of the store.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use unframe::detect::{FollowMethod, Own, Visit};
use unframe::learn::Evidence;
use unframe::{Change, Model};

use crate::folder::Folder;
use crate::hot::{Hot, Site};
use crate::journal::{self, Journal};
use crate::pending::Pending;
use crate::record::SavedRecord;
use crate::status::Status;
use crate::totals::Totals;
use crate::values::{Value, Values};
use crate::writer::{Writer, Written};
use crate::{PageRecord, StoreError};

#[cfg(test)]
mod tests;

/// A commit blocks when the journal exceeds its intended length by this factor while the database still lacks pages of older journals.
const JOURNAL_EXCESS: u64 = 4;
/// Approximate memory of the states that are copied for one batch of the writer. Copying that much takes a few milliseconds.
const COPY_BYTES: usize = 4 << 20;
/// When the uncommitted pages exceed this many bytes, they are committed without waiting for the caller.
const WAITING_BYTES: usize = 32 << 20;

/// Options of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Memory for states, in bytes. When it is exceeded, the least recently used sites are evicted.
    pub memory: usize,
    /// Length of a journal, in bytes, after which a new one is begun and the database catches up with the old one.
    pub journal_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { memory: 1 << 30, journal_bytes: 64 << 20 }
    }
}

/// The states of any number of sites; see the [crate](crate).
#[derive(Debug)]
pub struct Store {
    // Fields are dropped in this order: the writer thread ends first, then the database is closed, then the lock is released.
    writer: Writer,
    values: Arc<Values>,
    folder: Folder,
    method: FollowMethod,
    options: Options,
    hot: Hot,
    journal: Journal,
    /// Earlier journals with pages that the database may lack.
    old_journals: Vec<u64>,
    /// Sites whose states must be written before `old_journals` can be deleted.
    to_write: VecDeque<String>,
    /// Evicted sites whose states the writer has not confirmed yet.
    leaving: HashSet<String>,
    /// The number of the next page.
    next: u64,
    /// The number of the first page of the current journal.
    journal_first: u64,
    /// Pages that are not acknowledged.
    pending: Pending,
    totals: Totals,
    /// The error of the first failed write. Nothing is written after it, because the states in memory may be ahead of the disk, and
    /// journals with pages that the database lacks must stay. The next start replays them.
    stopped: Option<String>,
}

/// The effect of a page on the state of its site.
#[derive(Debug, Clone, PartialEq)]
pub struct Visited {
    /// How the page relates to those before it.
    pub change: Change,
    /// Whether the page still has to be acknowledged, which may also be true of a known page; see [`Store::acknowledge`].
    pub is_unacknowledged: bool,
    /// Pieces that became template with this page, if the method labels single pieces.
    pub became: Vec<u64>,
    /// Pieces that were template until now.
    pub ended: Vec<u64>,
    /// The part of the site's model that is needed to label this page. It includes the page itself.
    pub model: Model,
}

impl Visited {
    /// The evidence for the labels of the page, by the number of known pages of its site.
    pub fn evidence(&self) -> Evidence {
        Evidence::among(self.model.pages_sampled())
    }
}

impl Store {
    /// Opens the store in a folder. Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If another process uses the store, if it was created with another method or other parameters, or if it is damaged.
    pub fn open(path: &Path, method: &FollowMethod, options: Options) -> Result<Store, StoreError> {
        let folder = Folder::lock(path)?;
        folder.check_method(method)?;
        let values = Arc::new(Values::open(&folder.tables())?);
        let summaries = values.summaries()?;
        let saved = summaries.iter().map(|(_, summary)| summary.last).max().unwrap_or(0);
        let pending = Pending::read(&folder)?;
        let old_journals = folder.journals()?;
        let journal = Journal::create(&folder, old_journals.last().map_or(1, |last| last + 1))?;
        let to_write = Arc::clone(&values);
        let mut store = Store {
            writer: Writer::start(method.clone(), move |batch| to_write.write(batch)),
            values,
            folder,
            method: method.clone(),
            options,
            hot: Hot::default(),
            journal,
            old_journals: Vec::new(),
            to_write: VecDeque::new(),
            leaving: HashSet::new(),
            next: saved + 1,
            journal_first: 0,
            pending,
            totals: Totals::of(summaries.iter().map(|(_, summary)| summary)),
            stopped: None,
        };
        if let Err(error) = store.recover(old_journals) {
            // A store that cannot be opened must not change with every attempt.
            let _ = fs::remove_file(store.folder.journal(store.journal.number));
            return Err(error);
        }
        Ok(store)
    }

    /// Adds a page, and returns the state of its site after it. The page is durable after the next [`Store::commit`].
    ///
    /// # Errors
    /// If the state cannot be read, or something cannot be written: see [`Store::commit`].
    pub fn visit(&mut self, page: &PageRecord<'_>) -> Result<Visited, StoreError> {
        self.load(page.site)?;
        let (number, journal) = (self.next, self.journal.number);
        let (method, totals) = (&self.method, &mut self.totals);
        let applied = self.hot.touch(page.site, method, |site| {
            site.unsaved_from.get_or_insert(journal);
            let visit = site.apply(number, page, method);
            totals.update(site, method);
            (visit, method.model_for(&site.state, page.pieces))
        });
        let Some((Visit { change, became, ended }, model)) = applied else {
            unreachable!("the site was loaded just now")
        };
        let is_unacknowledged = self.pending.visit(page.id, number, change != Change::Unchanged);
        self.journal.add(number, page);
        self.next += 1;
        if self.journal.waiting() >= WAITING_BYTES {
            self.commit()?;
        }
        Ok(Visited { change, is_unacknowledged, became, ended, model })
    }

    /// Makes all visited pages durable, and then hands the next batch of states to the background writer.
    ///
    /// # Errors
    /// If this commit or an earlier background write fails. After that, the store accepts no pages and every call fails. When it is
    /// opened again, it holds all pages that were committed before.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.check_not_stopped()?;
        let committed = self.commit_now();
        self.stop_if_failed(committed)
    }

    fn commit_now(&mut self) -> Result<(), StoreError> {
        self.journal.commit(self.totals)?;
        if let Some(written) = self.writer.done() {
            self.settle(written)?;
        }
        self.write_more()?;
        if self.journal.bytes > self.options.journal_bytes && self.old_journals.is_empty() {
            self.begin_journal()?;
        }
        while self.journal.bytes > JOURNAL_EXCESS * self.options.journal_bytes
            && !self.old_journals.is_empty()
        {
            self.wait()?;
            self.write_more()?;
        }
        self.make_room()
    }

    /// Acknowledges all visited pages. Call it after [`Store::commit`], when their results were handed on. Pages that were not acknowledged
    /// when the process ends are reported as unacknowledged when they are visited again, by the next process or a later one. There is a
    /// [limit](crate::limits::PENDING_PAGES_MAX) to their number.
    ///
    /// # Errors
    /// If the acknowledgement cannot be written.
    pub fn acknowledge(&mut self) -> Result<(), StoreError> {
        self.folder.write_acknowledged(self.next - 1)?;
        self.pending.acknowledge(&self.folder)
    }

    /// Writes all states to the database, so that the next start is quick. Dropping the store without it loses no committed page.
    ///
    /// # Errors
    /// If something cannot be written, or could not be written before.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.check_not_stopped()?;
        self.journal.commit(self.totals)?;
        self.pending.save(&self.folder)?;
        self.begin_journal()?;
        self.write_all()
    }

    /// The current size of the store.
    pub fn status(&self) -> Result<Status, StoreError> {
        Status::new(self.folder.path(), self.next, self.totals)
    }

    /// Approximate memory of the cached states, in bytes.
    pub fn memory(&self) -> usize {
        self.hot.bytes()
    }

    /// The state of a site, if anything is known of it.
    pub fn state(&mut self, site: &str) -> Result<Option<&Own>, StoreError> {
        self.load(site)?;
        let method = &self.method;
        Ok(self.hot.get_mut(site).map(|site| &site.state).filter(|state| method.pages(state) > 0))
    }

    /// Calls `each` with every site and its model, in the order of their names.
    pub fn models<E: From<StoreError>>(
        &mut self,
        mut each: impl FnMut(&str, Model) -> Result<(), E>,
    ) -> Result<(), E> {
        self.check_not_stopped()?;
        self.wait()?;
        for site in self.sites()? {
            let model = match self.hot.get_mut(&site) {
                Some(hot) => Some(self.method.model(&hot.state)),
                None => {
                    let saved = self.values.get(&site, &self.method)?;
                    saved.map(|(state, _)| self.method.model(&state))
                }
            };
            model.map_or(Ok(()), |model| each(&site, model))?;
        }
        Ok(())
    }

    /// The names of all sites, sorted.
    pub fn sites(&self) -> Result<BTreeSet<String>, StoreError> {
        let saved = self.values.summaries()?.into_iter().map(|(site, _)| site);
        Ok(saved.chain(self.hot.names()).collect())
    }

    /// Adds sites that were learned elsewhere, by their models. Sites that the store already knows stay unchanged. Returns the number of
    /// added sites.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn begin_with<'m>(
        &mut self,
        models: impl Iterator<Item = (&'m str, &'m Model)>,
    ) -> Result<usize, StoreError> {
        let known = self.sites()?;
        let mut new = Vec::new();
        for (name, model) in models.filter(|(name, _)| !known.contains(*name)) {
            let Some(state) = self.method.begin_with(model) else { continue };
            let mut site = Site::new(state, None, &self.method);
            self.totals.update(&mut site, &self.method);
            new.push(Value::new(name.to_owned(), &site.state, site.summary(), &self.method));
        }
        self.values.write(&new)?;
        Ok(new.len())
    }

    fn check_not_stopped(&self) -> Result<(), StoreError> {
        match &self.stopped {
            Some(what) => {
                Err(StoreError::Stopped { folder: self.folder.path().to_owned(), what: what.clone() })
            }
            None => Ok(()),
        }
    }

    fn stop_if_failed(&mut self, written: Result<(), StoreError>) -> Result<(), StoreError> {
        if let Err(error) = &written {
            self.stopped.get_or_insert_with(|| error.to_string());
        }
        written
    }

    /// Loads the state of a site into memory, or creates an empty one.
    fn load(&mut self, name: &str) -> Result<(), StoreError> {
        self.check_not_stopped()?;
        if self.hot.contains(name) {
            return Ok(());
        }
        if self.leaving.contains(name) {
            self.wait()?;
        }
        let site = match self.values.get(name, &self.method)? {
            Some((state, summary)) => Site::new(state, Some(summary), &self.method),
            None => Site::new(self.method.begin(), None, &self.method),
        };
        self.hot.insert(name.to_owned(), site);
        Ok(())
    }

    /// Replays the pages of the journals that the database lacks.
    fn recover(&mut self, journals: Vec<u64>) -> Result<(), StoreError> {
        let mut expected = None;
        let acknowledged = self.folder.acknowledged()?;
        for number in journals {
            let path = self.folder.journal(number);
            let contents = journal::read(&path, number)?;
            if contents.is_damaged {
                return Err(StoreError::damaged(
                    &path,
                    format!("no page can be read at byte {}", contents.end),
                ));
            }
            self.old_journals.push(number);
            for frame in contents.frames {
                if expected.is_some_and(|expected| expected != frame.first) {
                    return Err(StoreError::damaged(
                        &path,
                        format!("page {} is missing", expected.unwrap_or(0)),
                    ));
                }
                expected = Some(frame.next());
                for (page, at) in frame.pages.iter().zip(frame.first..) {
                    self.pending.replay(page.id, at, acknowledged);
                    self.replay(page, at, number)?;
                }
                self.make_room()?;
            }
        }
        self.pending.finish_replay(&self.folder)?;
        self.to_write = self.hot.unsaved().into();
        if expected.is_some_and(|expected| expected < self.next) {
            // A repair truncated the journals, so that they end before pages that the database has. A new journal must not follow them,
            // because page numbers would be missing in between. Writing all states deletes them.
            self.write_all()?;
        }
        self.next = self.next.max(expected.unwrap_or(0));
        self.journal_first = self.next;
        if acknowledged >= self.next {
            // A repair removed the last pages. New pages get their numbers, and are not acknowledged.
            self.folder.write_acknowledged(self.next - 1)?;
        }
        self.journal.mark(self.next, self.totals)?;
        self.write_more()
    }

    fn replay(&mut self, page: &SavedRecord, number: u64, journal: u64) -> Result<(), StoreError> {
        self.load(&page.site)?;
        let (method, totals) = (&self.method, &mut self.totals);
        self.hot.touch(&page.site, method, |site| {
            if number > site.last {
                site.unsaved_from.get_or_insert(journal);
                site.apply(number, &page.borrowed(), method);
                totals.update(site, method);
            }
        });
        Ok(())
    }

    /// Begins a new journal, and schedules the states that only the old one covers for writing.
    fn begin_journal(&mut self) -> Result<(), StoreError> {
        let mut next = Journal::create(&self.folder, self.journal.number + 1)?;
        next.mark(self.next, self.totals)?;
        self.old_journals.push(self.journal.number);
        self.journal = next;
        self.journal_first = self.next;
        self.to_write = self.hot.unsaved().into();
        self.write_more()
    }

    /// Hands the next batch of states to the writer if it is idle. Deletes the old journals when no state is left to write.
    fn write_more(&mut self) -> Result<(), StoreError> {
        if self.writer.is_busy() || self.old_journals.is_empty() {
            return Ok(());
        }
        let journal = self.journal.number;
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while bytes < COPY_BYTES
            && let Some(name) = self.to_write.pop_front()
        {
            let Some(site) = self.hot.get_mut(&name) else { continue };
            if site.unsaved_from.is_some_and(|from| from < journal) {
                // Later pages of the site are in the current journal.
                site.unsaved_from = Some(journal);
                bytes += self.method.memory(&site.state);
                let summary = site.summary();
                batch.push((name, site.state.clone(), summary));
            }
        }
        if !batch.is_empty() {
            self.writer.write(batch);
            return Ok(());
        }
        if self.pending.has_visited_before(self.journal_first) {
            self.pending.save(&self.folder)?;
        }
        for number in self.old_journals.drain(..) {
            let path = self.folder.journal(number);
            fs::remove_file(&path).map_err(StoreError::io(&path))?;
        }
        Ok(())
    }

    /// Waits until the database has all pages of the old journals.
    fn write_all(&mut self) -> Result<(), StoreError> {
        while !self.old_journals.is_empty() {
            self.wait()?;
            self.write_more()?;
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<(), StoreError> {
        let settled = self.writer.wait().map_or(Ok(()), |written| self.settle(written));
        self.stop_if_failed(settled)
    }

    /// Records which states the writer has written.
    fn settle(&mut self, written: Written) -> Result<(), StoreError> {
        for (name, last) in written? {
            self.leaving.remove(&name);
            if let Some(site) = self.hot.get_mut(&name)
                && site.last == last
            {
                site.unsaved_from = None;
            }
        }
        Ok(())
    }

    /// Evicts sites until the rest fits into memory. All pages must be durable when this is called.
    fn make_room(&mut self) -> Result<(), StoreError> {
        if self.hot.bytes() <= self.options.memory {
            return Ok(());
        }
        self.wait()?;
        let wanted = self.hot.bytes() - self.options.memory + self.options.memory / 16;
        let unsaved = self.hot.evict(wanted);
        if !unsaved.is_empty() {
            self.leaving.extend(unsaved.iter().map(|(name, ..)| name.clone()));
            self.writer.write(unsaved);
        }
        Ok(())
    }
}
