//! The table of model files before version 3: 64 bits of every key, and bytes for everything.

use super::ageing::Ageing;
use super::codec::{TableError, before};
use super::shelf::{once_key, short};
use super::table::{Entry, Known, Table};
use crate::limits::{KNOWN_PAGES_MAX, TABLE_SEGMENTS_MAX};
use crate::model::ModelError;
use crate::model::bytes::Reader;

impl Table {
    /// The table that was encoded as these bytes, long ago.
    pub(crate) fn decode_old(bytes: &[u8], ageing: &Ageing) -> Result<Table, TableError> {
        let mut reader = Reader { rest: bytes };
        let table = read(&mut reader, ageing).ok().flatten();
        table.filter(|_| reader.rest.is_empty()).ok_or(TableError)
    }
}

fn read(reader: &mut Reader<'_>, ageing: &Ageing) -> Result<Option<Table>, ModelError> {
    let page = u32::try_from(reader.number()?).unwrap_or(u32::MAX);
    let (mut once, mut often, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..reader.len(10)?.min(TABLE_SEGMENTS_MAX) {
        let key = u64::from_le_bytes(reader.fixed()?);
        let df = u32::try_from(reader.number()?).unwrap_or(u32::MAX);
        let Some(last) = before(page, reader.number()?) else { return Ok(None) };
        match df {
            0 => return Ok(None),
            1 => once.push((once_key(key), last)),
            _ => often.push((short(key), Entry { df, last })),
        }
    }
    for _ in 0..reader.len(13)?.min(KNOWN_PAGES_MAX) {
        let url = u64::from_le_bytes(reader.fixed()?) as u32;
        let content = u32::from_le_bytes(reader.fixed()?);
        let Some(last) = before(page, reader.number()?) else { return Ok(None) };
        known.push((url, Known { content, last }));
    }
    Ok(Some(Table::from_parts(page, once, often, known, ageing)))
}
