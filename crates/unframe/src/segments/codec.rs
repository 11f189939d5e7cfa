//! A table as bytes, for model files and for stores. `docs/store-format.md` describes them.

use super::ageing::Ageing;
use super::table::{Entry, Known, Table};
use crate::limits::{KNOWN_PAGES_MAX, TABLE_SEGMENTS_MAX};
use crate::model::bytes::{Reader, Writer};

/// The bytes are not those of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the table of a site is damaged")]
pub struct TableError;

impl Table {
    /// The table as bytes. Equal tables have equal bytes, whatever is still due to be forgotten.
    pub fn encode(&self, ageing: &Ageing) -> Vec<u8> {
        let mut segments: Vec<(u64, Entry)> = self
            .segments
            .iter()
            .filter(|(_, entry)| self.is_alive(entry, ageing))
            .map(|(key, entry)| (*key, *entry))
            .collect();
        segments.sort_unstable_by_key(|(key, _)| *key);
        let mut known: Vec<(u64, Known)> = self.known.iter().map(|(url, known)| (*url, *known)).collect();
        known.retain(|(_, known)| self.is_known(known, ageing));
        known.sort_unstable_by_key(|(url, _)| *url);
        let mut writer = Writer::default();
        writer.out.reserve(16 + segments.len() * 11 + known.len() * 14);
        writer.number(u64::from(self.page));
        writer.number(segments.len() as u64);
        for (key, entry) in segments {
            writer.fixed(&key.to_le_bytes());
            writer.number(u64::from(entry.df));
            writer.number(u64::from(self.page - entry.last));
        }
        writer.number(known.len() as u64);
        for (url, known) in known {
            writer.fixed(&url.to_le_bytes());
            writer.fixed(&known.content.to_le_bytes());
            writer.number(u64::from(self.page - known.last));
        }
        writer.out
    }

    /// The table that was encoded as these bytes.
    pub fn decode(bytes: &[u8], ageing: &Ageing) -> Result<Table, TableError> {
        let mut reader = Reader { rest: bytes };
        let table = Table::read(&mut reader, ageing)?;
        if reader.rest.is_empty() { Ok(table) } else { Err(TableError) }
    }

    fn read(reader: &mut Reader<'_>, ageing: &Ageing) -> Result<Table, TableError> {
        let page = u32::try_from(number(reader)?).map_err(|_| TableError)?;
        let mut segments = Vec::new();
        let mut last_key = None;
        for _ in 0..len(reader, 10, TABLE_SEGMENTS_MAX)? {
            let key = u64::from_le_bytes(reader.fixed().map_err(|_| TableError)?);
            let df = u32::try_from(number(reader)?).ok().filter(|df| *df > 0).ok_or(TableError)?;
            let last = before(page, number(reader)?)?;
            if last_key.is_some_and(|last_key| last_key >= key) {
                return Err(TableError);
            }
            last_key = Some(key);
            segments.push((key, Entry { df, last }));
        }
        let mut known: Vec<(u64, Known)> = Vec::new();
        for _ in 0..len(reader, 13, KNOWN_PAGES_MAX)? {
            let url = u64::from_le_bytes(reader.fixed().map_err(|_| TableError)?);
            let content = u32::from_le_bytes(reader.fixed().map_err(|_| TableError)?);
            let last = before(page, number(reader)?)?;
            if known.last().is_some_and(|(before, _)| *before >= url) {
                return Err(TableError);
            }
            known.push((url, Known { content, last }));
        }
        Ok(Table::from_parts(page, segments, known, ageing))
    }
}

fn number(reader: &mut Reader<'_>) -> Result<u64, TableError> {
    reader.number().map_err(|_| TableError)
}

fn len(reader: &mut Reader<'_>, item_len: usize, most: usize) -> Result<usize, TableError> {
    reader.len(item_len).ok().filter(|len| *len <= most).ok_or(TableError)
}

/// The number of a page that is so many pages back.
fn before(page: u32, age: u64) -> Result<u32, TableError> {
    u32::try_from(age).ok().and_then(|age| page.checked_sub(age)).filter(|page| *page > 0).ok_or(TableError)
}
