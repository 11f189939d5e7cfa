//! The only thread that writes to the states of `follow` and to the page store. It makes many pages durable with one commit.
//!
//! A page is answered when it is durable in both. The page store is committed first. A crash between the two commits leaves a page that
//! is stored but was not answered; it is followed when the client posts it again.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use redb::WriteTransaction;
use tokio::sync::oneshot;
use unframe::detect::{FollowMethod, PreparedPage};
use unframe::{Page, PageId, PageParser, Region};
use unframe_store::{PageRecord, Status, Store, Visited};

use crate::error::{Answer, ApiError};
use crate::limits::{GROUP_PAGES, GROUP_TIME, WRITER_QUEUE};
use crate::page_store::{self, KeepLimits, NewPage, PageRow, PageStore};

/// A prepared page, with the data to be stored.
pub(crate) struct IncomingPage {
    pub(crate) row: PageRow,
    pub(crate) id: PageId,
    pub(crate) page: Arc<Page>,
    pub(crate) prepared: PreparedPage,
    /// Its compressed bytes; `None` if they are not to be stored.
    pub(crate) body: Option<Vec<u8>>,
}

/// The result of following a page, which is sent when the page is durable.
#[derive(Debug)]
pub(crate) struct FollowedPage {
    /// Its number in the page store, if it was stored.
    pub(crate) page: Option<u64>,
    pub(crate) regions: Vec<Region>,
    pub(crate) visited: Visited,
}

type Edit = Box<dyn FnOnce(&WriteTransaction) -> Answer<()> + Send>;

enum Command {
    Page(Box<IncomingPage>, oneshot::Sender<Answer<FollowedPage>>),
    Edit(Edit, oneshot::Sender<Answer<()>>),
    Status(oneshot::Sender<Answer<Status>>),
    Stop,
}

/// The handle of the writer thread.
pub(crate) struct StateWriter {
    commands: SyncSender<Command>,
    thread: Mutex<Option<JoinHandle<Answer<()>>>>,
}

impl StateWriter {
    pub(crate) fn start(
        store: Store,
        method: FollowMethod,
        page_store: Arc<PageStore>,
        limits: KeepLimits,
    ) -> Answer<StateWriter> {
        let (commands, receiver) = sync_channel(WRITER_QUEUE);
        let writing = Writing { store, method, parser: PageParser::new(), page_store, limits };
        let thread = std::thread::Builder::new()
            .name("state-writer".to_owned())
            .spawn(move || writing.run(&receiver))?;
        Ok(StateWriter { commands, thread: Mutex::new(Some(thread)) })
    }

    /// Sends a page; it is durable when the receiver gets the answer.
    pub(crate) fn page(
        &self,
        incoming: Box<IncomingPage>,
    ) -> Answer<oneshot::Receiver<Answer<FollowedPage>>> {
        let (sender, receiver) = oneshot::channel();
        self.send(Command::Page(incoming, sender))?;
        Ok(receiver)
    }

    /// Sends a page of an upload. Waits until there is room in the queue.
    pub(crate) fn page_when_there_is_room(
        &self,
        incoming: Box<IncomingPage>,
    ) -> Answer<oneshot::Receiver<Answer<FollowedPage>>> {
        let (sender, receiver) = oneshot::channel();
        self.commands.send(Command::Page(incoming, sender)).map_err(|_| stopped())?;
        Ok(receiver)
    }

    /// Runs a change in a transaction, and waits until it is durable. Blocks the thread.
    pub(crate) fn edit(
        &self,
        edit: impl FnOnce(&WriteTransaction) -> Answer<()> + Send + 'static,
    ) -> Answer<()> {
        let (sender, receiver) = oneshot::channel();
        self.commands.send(Command::Edit(Box::new(edit), sender)).map_err(|_| stopped())?;
        receiver.blocking_recv().unwrap_or_else(|_| Err(stopped()))
    }

    /// The status of the states, or an error if no write transaction can begin. Blocks the thread.
    pub(crate) fn status(&self) -> Answer<Status> {
        let (sender, receiver) = oneshot::channel();
        self.commands.send(Command::Status(sender)).map_err(|_| stopped())?;
        receiver.blocking_recv().unwrap_or_else(|_| Err(stopped()))
    }

    /// Writes all pending pages and ends the thread. Later commands are refused.
    pub(crate) fn stop(&self) -> Answer<()> {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return Ok(()) };
        let _ = self.commands.send(Command::Stop);
        thread.join().unwrap_or_else(|_| {
            Err(ApiError::internal("the thread that writes the state has failed: restart the service"))
        })
    }

    fn send(&self, command: Command) -> Answer<()> {
        self.commands.try_send(command).map_err(|error| match error {
            TrySendError::Full(_) => {
                ApiError::busy("too many pages are waiting for the disk: retry in a moment")
            }
            TrySendError::Disconnected(_) => stopped(),
        })
    }
}

pub(crate) fn stopped() -> ApiError {
    ApiError::busy("the service stops")
}

struct Writing {
    store: Store,
    method: FollowMethod,
    parser: PageParser,
    page_store: Arc<PageStore>,
    limits: KeepLimits,
}

/// An answer that is sent after the commit.
enum PendingAnswer {
    Page(oneshot::Sender<Answer<FollowedPage>>, Answer<FollowedPage>),
    Edit(oneshot::Sender<Answer<()>>, Answer<()>),
}

impl Writing {
    fn run(mut self, commands: &Receiver<Command>) -> Answer<()> {
        while let Ok(first) = commands.recv() {
            if self.group(first, commands) {
                break;
            }
        }
        Ok(self.store.close()?)
    }

    /// Runs the queued commands in one transaction, commits it, and answers. Returns whether to stop.
    fn group(&mut self, first: Command, commands: &Receiver<Command>) -> bool {
        let begin = Instant::now();
        let write = self.page_store.begin();
        let mut waiting = Vec::new();
        let (mut next, mut is_end) = (Some(first), false);
        while let Some(command) = next.take() {
            match (command, &write) {
                (Command::Stop, _) => is_end = true,
                (Command::Status(sender), Ok(_)) => {
                    let _ = sender.send(self.store.status().map_err(ApiError::from));
                }
                (Command::Page(incoming, sender), Ok(write)) => {
                    let followed = self.take(write, &incoming);
                    waiting.push(PendingAnswer::Page(sender, followed));
                }
                (Command::Edit(edit, sender), Ok(write)) => {
                    let done = edit(write);
                    waiting.push(PendingAnswer::Edit(sender, done));
                }
                (Command::Status(sender), Err(error)) => {
                    let _ = sender.send(Err(ApiError::internal(error)));
                }
                (Command::Page(_, sender), Err(error)) => {
                    let _ = sender.send(Err(ApiError::internal(error)));
                }
                (Command::Edit(_, sender), Err(error)) => {
                    let _ = sender.send(Err(ApiError::internal(error)));
                }
            }
            if !is_end && waiting.len() < GROUP_PAGES && begin.elapsed() < GROUP_TIME {
                next = commands.try_recv().ok();
            }
        }
        let written = if waiting.is_empty() {
            Ok(())
        } else {
            write.map_err(ApiError::from).and_then(|write| self.commit(write))
        };
        for waiting in waiting {
            waiting.answer(&written);
        }
        if written.is_ok() {
            // If it fails, the store only remembers pages of which nobody asks whether they were acknowledged.
            let _ = self.store.acknowledge();
        }
        is_end
    }

    fn take(&mut self, write: &WriteTransaction, incoming: &IncomingPage) -> Answer<FollowedPage> {
        // A page that is refused by the page store is not followed either, because its client sends it again.
        let place = match &incoming.body {
            Some(body) => Some(page_store::place(write, &incoming.row, body.len(), self.limits)?),
            None => None,
        };
        let record = PageRecord {
            site: &incoming.row.site,
            id: incoming.id,
            date: incoming.row.date,
            pieces: &incoming.prepared.pieces,
        };
        let visited = self.store.visit(&record)?;
        let parsed = self.parser.open(&*incoming.page);
        let regions = self.method.label(&visited.model, &parsed, &incoming.prepared).regions;
        let page = match (place, &incoming.body) {
            (Some(place), Some(body)) => {
                let mut row = incoming.row.clone();
                let templates = regions.iter().filter(|region| region.kind.is_template());
                row.template_bytes = templates.map(|region| region.span.len() as u32).sum();
                Some(page_store::insert(write, place, NewPage { row, body, regions: &regions })?)
            }
            _ => None,
        };
        Ok(FollowedPage { page, regions, visited })
    }

    fn commit(&mut self, write: WriteTransaction) -> Answer<()> {
        write.commit()?;
        Ok(self.store.commit()?)
    }
}

impl PendingAnswer {
    /// Sends the answer, or the error if the commit failed.
    fn answer(self, written: &Answer<()>) {
        match self {
            PendingAnswer::Page(sender, followed) => {
                let _ = sender.send(written.clone().and(followed));
            }
            PendingAnswer::Edit(sender, done) => {
                let _ = sender.send(written.clone().and(done));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use redb::backends::InMemoryBackend;
    use redb::{Database, StorageBackend};

    use crate::incoming::Preparer;

    /// A disk that fails on request.
    #[derive(Debug)]
    struct Disk {
        memory: InMemoryBackend,
        is_broken: Arc<AtomicBool>,
    }

    impl Disk {
        fn check(&self) -> io::Result<()> {
            match self.is_broken.load(Ordering::Relaxed) {
                true => Err(io::Error::other("broken on purpose")),
                false => Ok(()),
            }
        }
    }

    impl StorageBackend for Disk {
        fn len(&self) -> io::Result<u64> {
            self.memory.len()
        }

        fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
            self.memory.read(offset, out)
        }

        fn set_len(&self, len: u64) -> io::Result<()> {
            self.check()?;
            self.memory.set_len(len)
        }

        fn sync_data(&self) -> io::Result<()> {
            self.check()
        }

        fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
            self.check()?;
            self.memory.write(offset, data)
        }
    }

    /// A writer with a new state that keeps at most this many pages per site.
    fn started(folder: &tempfile::TempDir, pages_of_site: u64) -> StateWriter {
        let database = Database::builder().create_with_backend(InMemoryBackend::new()).unwrap();
        let page_store = Arc::new(PageStore::with(database).unwrap());
        let method = FollowMethod::default();
        let store = Store::open(folder.path(), &method, unframe_store::Options::default()).unwrap();
        let limits = KeepLimits { bytes: u64::MAX, pages_of_site };
        StateWriter::start(store, method, page_store, limits).unwrap()
    }

    /// Posts a page of a site, by its number.
    fn post(state_writer: &StateWriter, number: usize) -> Answer<FollowedPage> {
        let page = Page::new(format!("http://a.example/{number}"), format!("<p>Nothing but {number}"));
        let incoming = Preparer::new(&FollowMethod::default()).prepare(&Arc::new(page), true).unwrap();
        state_writer.page(incoming).unwrap().blocking_recv().unwrap()
    }

    #[test]
    fn a_page_for_which_there_is_no_room_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let state_writer = started(&folder, 2);
        assert_eq!([1, 2].map(|number| post(&state_writer, number).unwrap().page), [Some(1), Some(2)]);
        assert_eq!(post(&state_writer, 3).unwrap_err().code, "site-full");
        assert_eq!(state_writer.status().unwrap().pages, 2);
        // A page that is stored already needs no room.
        assert_eq!(post(&state_writer, 2).unwrap().page, Some(2));
    }

    #[test]
    fn a_state_that_cannot_be_written_to_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let is_broken = Arc::new(AtomicBool::new(false));
        let disk = Disk { memory: InMemoryBackend::new(), is_broken: Arc::clone(&is_broken) };
        let database = Database::builder().create_with_backend(disk).unwrap();
        let page_store = Arc::new(PageStore::with(database).unwrap());
        let method = FollowMethod::default();
        let store = Store::open(folder.path(), &method, unframe_store::Options::default()).unwrap();
        let state_writer =
            StateWriter::start(store, method, page_store, KeepLimits { bytes: 0, pages_of_site: 0 }).unwrap();
        let write =
            |value: u64| state_writer.edit(move |write| page_store::set_counter(write, "test", value));
        assert!(write(1).is_ok() && state_writer.status().is_ok());
        is_broken.store(true, Ordering::Relaxed);
        assert_eq!(write(2).unwrap_err().code, "internal");
        assert_eq!(state_writer.status().unwrap_err().code, "internal");
    }
}
