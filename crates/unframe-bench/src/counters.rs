//! A database used as a counter, next to tables in memory with a journal: the same updates, committed as often.

use std::path::Path;
use std::time::Instant;

use redb::{Database, ReadableTable, TableDefinition};
use unframe::detect::Segments;
use unframe::segments::PageId;
use unframe_store::{Options, PageRecord, Store};

use crate::follow::{Random, size_of_folder};

/// Pages of so many segments each.
const SEGMENTS: usize = 200;
/// Pages that are committed together.
const GROUP: usize = 256;
const COUNTS: TableDefinition<u64, u64> = TableDefinition::new("counts");

/// Runs `updates` updates through both.
pub(crate) fn run(folder: &Path, updates: usize) -> anyhow::Result<()> {
    println!(
        "\n{updates} updates of random keys, half of them new, {} in a durable commit:\n",
        GROUP * SEGMENTS
    );
    println!("| | million updates/s | MB on disk |");
    println!("|---|---|---|");
    let pages = updates / SEGMENTS;
    let start = Instant::now();
    let path = folder.join("counters");
    std::fs::create_dir(&path)?;
    redb_counters(&path.join("counters.redb"), pages)?;
    let row = |name: &str, seconds: f64, bytes: u64| {
        println!("| {name} | {:.2} | {:.0} |", updates as f64 / 1e6 / seconds, bytes as f64 / 1e6);
    };
    row("redb, a key for each segment", start.elapsed().as_secs_f64(), size_of_folder(&path)?);
    let start = Instant::now();
    let path = folder.join("journal");
    let mut store = Store::open(&path, &Segments::default(), Options::default())?;
    let mut random = Random(1);
    for page in 0..pages {
        let mut keys = page_keys(&mut random, updates);
        keys.sort_unstable();
        keys.dedup();
        let id = PageId { url: page as u64, content: 0 };
        let site = format!("{}.example", page % 100);
        store.visit(&PageRecord { site: &site, id, date: None, keys: &keys }, |_, _| ())?;
        if page % GROUP == GROUP - 1 {
            store.commit()?;
        }
    }
    store.commit()?;
    row(
        "tables in memory, journal, redb in the background",
        start.elapsed().as_secs_f64(),
        size_of_folder(&path)?,
    );
    store.close()?;
    Ok(())
}

fn page_keys(random: &mut Random, updates: usize) -> Vec<u64> {
    // As many keys as half of the updates, spread over all numbers.
    let key =
        |random: &mut Random| (random.next() % (updates as u64 / 2)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (0..SEGMENTS).map(|_| key(random)).collect()
}

fn redb_counters(path: &Path, pages: usize) -> anyhow::Result<()> {
    let database = Database::create(path)?;
    let mut random = Random(1);
    let mut page = 0;
    while page < pages {
        let transaction = database.begin_write()?;
        {
            let mut counts = transaction.open_table(COUNTS)?;
            // Sorted updates are what such a database likes best.
            let group = GROUP.min(pages - page);
            let mut keys: Vec<u64> =
                (0..group).flat_map(|_| page_keys(&mut random, pages * SEGMENTS)).collect();
            keys.sort_unstable();
            for key in keys {
                let count = counts.get(key)?.map_or(0, |count| count.value());
                counts.insert(key, count + 1)?;
            }
            page += group;
        }
        transaction.commit()?;
    }
    Ok(())
}
