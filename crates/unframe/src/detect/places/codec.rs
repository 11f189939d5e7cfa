//! The table of a site as bytes, for model files. Equal tables have equal bytes.

use super::record::{KEY_BYTES, key_bytes, key_of};
use super::table::{PlaceStats, SiteTable};
use crate::model::bytes::{Damaged, Reader, Writer};

/// The bytes of a table.
pub(super) fn encode(table: &SiteTable) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.number(u64::from(table.pages));
    table.kinds.iter().for_each(|sum| writer.signed(i64::from(*sum)));
    let mut counts: Vec<(u64, u32)> = table.counts.iter().map(|(key, pages)| (*key, *pages)).collect();
    counts.sort_unstable();
    writer.number(counts.len() as u64);
    for (key, pages) in counts {
        writer.fixed(&key_bytes(key));
        writer.number(u64::from(pages));
    }
    let mut places: Vec<(u64, PlaceStats)> = table.places.iter().map(|(key, stats)| (*key, *stats)).collect();
    places.sort_unstable_by_key(|(key, _)| *key);
    writer.number(places.len() as u64);
    for (key, stats) in places {
        writer.fixed(&key.to_le_bytes());
        stats.numbers().iter().for_each(|number| writer.number(u64::from(*number)));
    }
    writer.out
}

/// The inverse of [`encode`]; `None` if the bytes are damaged.
pub(super) fn decode(bytes: &[u8]) -> Option<SiteTable> {
    let mut reader = Reader { rest: bytes };
    read(&mut reader).ok().filter(|_| reader.rest.is_empty())
}

fn read(reader: &mut Reader<'_>) -> Result<SiteTable, Damaged> {
    let mut table = SiteTable { pages: reader.number()? as u32, ..SiteTable::default() };
    for sum in &mut table.kinds {
        *sum = reader.signed()? as i32;
    }
    for _ in 0..reader.len(KEY_BYTES + 1)? {
        table.counts.insert(key_of(reader.fixed()?), reader.number()? as u32);
    }
    for _ in 0..reader.len(8 + PlaceStats::NUMBERS)? {
        let key = u64::from_le_bytes(reader.fixed()?);
        let mut numbers = [0; PlaceStats::NUMBERS];
        for number in &mut numbers {
            *number = reader.number()? as u32;
        }
        table.places.insert(key, PlaceStats::of_numbers(numbers));
    }
    Ok(table)
}
