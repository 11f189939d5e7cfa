//! Databases used as a counter, next to tables in memory with a journal: the same updates, committed as often.

use std::path::Path;
use std::time::{Duration, Instant};

use unframe::detect::FollowMethod;
use unframe::segments::PageId;
use unframe_store::{Options, PageRecord, Store};

use crate::follow::{Random, size_of_folder};

/// Pages of so many segments each.
const SEGMENTS: usize = 200;
/// Pages that are committed together.
const GROUP: usize = 256;
/// The most that LMDB may ever hold.
const LMDB_BYTES: usize = 4 << 30;

/// How long one may take; what it did until then tells its speed.
const TIME_MAX: Duration = Duration::from_secs(120);

/// Does all updates of a work in a folder of its own.
type Counter = fn(&Path, &mut Updates) -> anyhow::Result<()>;

const COUNTERS: [(&str, Counter); 4] = [
    ("redb, a key for each segment", redb_counters),
    ("fjall, the same", fjall_counters),
    ("LMDB (heed), the same", lmdb_counters),
    ("tables in memory, journal, redb in the background", store_counters),
];

/// Runs `updates` updates through each.
pub(crate) fn run(folder: &Path, updates: usize) -> anyhow::Result<()> {
    println!(
        "\n{updates} updates of random keys, half of them new, {} in a durable commit:\n",
        GROUP * SEGMENTS
    );
    println!("| | million updates/s | million updates in {} s at most | MB on disk |", TIME_MAX.as_secs());
    println!("|---|---|---|---|");
    for (number, (name, count)) in COUNTERS.into_iter().enumerate() {
        let path = folder.join(format!("counters-{number}"));
        std::fs::create_dir(&path)?;
        let mut updates = Updates::new(updates);
        count(&path, &mut updates)?;
        let seconds = updates.start.elapsed().as_secs_f64();
        let done = (updates.pages_done * SEGMENTS) as f64 / 1e6;
        let megabytes = size_of_folder(&path)? as f64 / 1e6;
        println!("| {name} | {:.2} | {done:.1} | {megabytes:.0} |", done / seconds);
    }
    Ok(())
}

/// The updates, page by page.
struct Updates {
    start: Instant,
    random: Random,
    pages: usize,
    pages_done: usize,
    /// As many keys as half of the updates.
    keys: u64,
}

impl Updates {
    fn new(updates: usize) -> Updates {
        Updates {
            start: Instant::now(),
            random: Random(1),
            pages: updates / SEGMENTS,
            pages_done: 0,
            keys: updates as u64 / 2,
        }
    }

    /// The keys of a page, spread over all numbers.
    fn page(&mut self) -> Option<Vec<u64>> {
        // Between two commits, so that all that was done is committed.
        let is_late = self.pages_done.is_multiple_of(GROUP) && self.start.elapsed() > TIME_MAX;
        if self.pages_done == self.pages || is_late {
            return None;
        }
        self.pages_done += 1;
        let key = |random: &mut Random| (random.next() % self.keys).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Some((0..SEGMENTS).map(|_| key(&mut self.random)).collect())
    }

    /// What is committed together: keys, and how often each occurs. Sorted keys are what databases like best.
    fn group(&mut self) -> Option<Vec<(u64, u64)>> {
        let mut keys: Vec<u64> = (0..GROUP).map_while(|_| self.page()).flatten().collect();
        keys.sort_unstable();
        let counts: Vec<(u64, u64)> =
            keys.chunk_by(|one, other| one == other).map(|run| (run[0], run.len() as u64)).collect();
        (!counts.is_empty()).then_some(counts)
    }
}

fn store_counters(path: &Path, updates: &mut Updates) -> anyhow::Result<()> {
    let mut store = Store::open(path, &FollowMethod::parse("segments")?, Options::default())?;
    let mut page = 0;
    while let Some(mut keys) = updates.page() {
        keys.sort_unstable();
        keys.dedup();
        let id = PageId { url: page as u64, content: 0 };
        let site = format!("{}.example", page % 100);
        store.visit(&PageRecord { site: &site, id, date: None, pieces: &keys })?;
        page += 1;
        if page % GROUP == 0 {
            store.commit()?;
        }
    }
    // Everything is durable now; the journal would go with the next 64 MB.
    Ok(store.commit()?)
}

fn redb_counters(path: &Path, updates: &mut Updates) -> anyhow::Result<()> {
    use redb::{Database, ReadableTable, TableDefinition};
    const COUNTS: TableDefinition<u64, u64> = TableDefinition::new("counts");
    let database = Database::create(path.join("counters.redb"))?;
    while let Some(group) = updates.group() {
        let transaction = database.begin_write()?;
        {
            let mut counts = transaction.open_table(COUNTS)?;
            for (key, more) in group {
                let count = counts.get(key)?.map_or(0, |count| count.value());
                counts.insert(key, count + more)?;
            }
        }
        transaction.commit()?;
    }
    Ok(())
}

fn fjall_counters(path: &Path, updates: &mut Updates) -> anyhow::Result<()> {
    use fjall::{Database, KeyspaceCreateOptions, PersistMode};
    let database = Database::builder(path).open()?;
    let counts = database.keyspace("counts", KeyspaceCreateOptions::default)?;
    while let Some(group) = updates.group() {
        let mut batch = database.batch().durability(Some(PersistMode::SyncData));
        for (key, more) in group {
            let key = key.to_be_bytes();
            let count =
                counts.get(key)?.and_then(|count| Some(u64::from_be_bytes(count[..].try_into().ok()?)));
            batch.insert(&counts, key, (count.unwrap_or(0) + more).to_be_bytes());
        }
        batch.commit()?;
    }
    Ok(())
}

fn lmdb_counters(path: &Path, updates: &mut Updates) -> anyhow::Result<()> {
    use heed::byteorder::BE;
    use heed::types::U64;
    use heed::{Database, EnvOpenOptions};
    let mut options = EnvOpenOptions::new();
    options.map_size(LMDB_BYTES);
    // SAFETY: the file is mapped into memory, and must not be changed by anybody else: it is in a folder made just now.
    #[expect(unsafe_code, reason = "mapping a file is unsafe in every library")]
    let environment = unsafe { options.open(path)? };
    let mut transaction = environment.write_txn()?;
    let counts: Database<U64<BE>, U64<BE>> = environment.create_database(&mut transaction, None)?;
    transaction.commit()?;
    while let Some(group) = updates.group() {
        let mut transaction = environment.write_txn()?;
        for (key, more) in group {
            let count = counts.get(&transaction, &key)?.unwrap_or(0);
            counts.put(&mut transaction, &key, &(count + more))?;
        }
        transaction.commit()?;
    }
    Ok(())
}
