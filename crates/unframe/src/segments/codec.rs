//! Encodes a table as bytes, for model files and for stores. `docs/store-format.md` describes the format.
//!
//! Keys are hashes, so the differences of sorted keys are similar in size. A difference takes the bits of the average difference, and about
//! one bit more. The other data of a segment is usually small, and takes one bit or a few.

use super::ageing::Ageing;
use super::bits::{BitReader, BitWriter};
use super::expiring_map::{KEY_BITS, ONCE_BITS, once_key};
use super::table::{Entry, Known, Table};
use crate::limits::{KNOWN_PAGES_MAX, TABLE_SEGMENTS_MAX};
use crate::model::bytes::{Reader, Writer};

/// Bits of the hash of a page's address, and of the hash of its bytes.
const PAGE_BITS: u32 = u32::BITS;

/// The error for bytes that are not a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the table of a site is damaged")]
pub struct TableError;

impl Table {
    /// Encodes the table. Equal tables have equal bytes, whichever expired segments are still held.
    pub fn encode(&self, ageing: &Ageing) -> Vec<u8> {
        let (once, often, known) =
            (self.sorted_once(ageing), self.sorted_often(ageing), self.sorted_known(ageing));
        let mut head = Writer::default();
        let numbers = [self.page as usize, once.len(), often.len(), known.len()];
        numbers.iter().for_each(|number| head.number(*number as u64));
        let mut bits = BitWriter::after(head.out);
        let step = step_bits(once_range(self.page, ageing), once.len());
        steps(once.into_iter()).for_each(|(length, _)| bits.about(length, step));
        let step = step_bits(1 << KEY_BITS, often.len());
        for (length, entry) in steps(often.into_iter()) {
            bits.about(length, step);
            bits.small(u64::from(entry.df - 2));
            bits.small(u64::from(self.page - entry.last));
        }
        let mut newer = self.page;
        for (url, known) in known {
            bits.small(u64::from(newer - known.last));
            bits.bits(u64::from(url), PAGE_BITS);
            bits.bits(u64::from(known.content), PAGE_BITS);
            newer = known.last;
        }
        bits.finish()
    }

    /// The segments that were on one page, sorted by a number that combines the age in pages and the key.
    fn sorted_once(&self, ageing: &Ageing) -> Vec<(u64, ())> {
        let alive = self.once.entries.iter().filter(|(_, last)| self.is_alive_once(**last, ageing));
        let number = |(key, last): (&u32, &u32)| u64::from(self.page - last) << ONCE_BITS | u64::from(*key);
        sorted(alive.map(|segment| (number(segment), ())))
    }

    fn sorted_often(&self, ageing: &Ageing) -> Vec<(u64, Entry)> {
        let alive = self.often.entries.iter().filter(|(_, entry)| self.is_alive(entry, ageing));
        sorted(alive.map(|(key, entry)| (*key, *entry)))
    }

    /// The recognised pages, newest first.
    fn sorted_known(&self, ageing: &Ageing) -> Vec<(u32, Known)> {
        let known = self.known.iter().filter(|(_, known)| self.is_known(known, ageing));
        let mut known: Vec<(u32, Known)> = known.map(|(url, known)| (*url, *known)).collect();
        known.sort_unstable_by_key(|(url, known)| (self.page - known.last, *url));
        known
    }

    /// Decodes a table.
    pub fn decode(bytes: &[u8], ageing: &Ageing) -> Result<Table, TableError> {
        Table::read(bytes, ageing).ok_or(TableError)
    }

    fn read(bytes: &[u8], ageing: &Ageing) -> Option<Table> {
        let mut head = Reader { rest: bytes };
        let page = u32::try_from(head.number().ok()?).ok()?;
        let mut len = |most| head.number().ok().map(|len| len as usize).filter(|len| *len <= most);
        let (once_len, often_len, known_len) =
            (len(TABLE_SEGMENTS_MAX)?, len(TABLE_SEGMENTS_MAX)?, len(KNOWN_PAGES_MAX)?);
        let mut bits = BitReader::new(head.rest);
        let (mut once, mut often, mut known) = (Vec::new(), Vec::new(), Vec::new());
        let mut numbers = Numbers::below(once_range(page, ageing), once_len);
        for _ in 0..once_len {
            let number = numbers.next(&mut bits)?;
            once.push((once_key(number), before(page, number >> ONCE_BITS)?));
        }
        let mut keys = Numbers::below(1 << KEY_BITS, often_len);
        for _ in 0..often_len {
            let key = keys.next(&mut bits)?;
            let df = u32::try_from(bits.small()?).ok()?.checked_add(2)?;
            often.push((key, Entry { df, last: before(page, bits.small()?)? }));
        }
        let mut last = page;
        for _ in 0..known_len {
            last = before(last, bits.small()?)?;
            let (url, content) = (bits.bits(PAGE_BITS)? as u32, bits.bits(PAGE_BITS)? as u32);
            known.push((url, Known { content, last }));
        }
        let table = Table::from_parts(page, once, often, known, ageing);
        // A duplicate page would make the lengths differ.
        (bits.is_empty() && table.known.len() == known_len).then_some(table)
    }
}

/// An upper bound of the numbers of segments that were on one page.
fn once_range(page: u32, ageing: &Ageing) -> u64 {
    u64::from(ageing.life(1).min(page)) << ONCE_BITS
}

fn sorted<T>(segments: impl Iterator<Item = (u64, T)>) -> Vec<(u64, T)> {
    let mut segments: Vec<(u64, T)> = segments.collect();
    segments.sort_unstable_by_key(|(number, _)| *number);
    segments
}

/// The difference of each number from the smallest value that could follow the previous number.
fn steps<T>(numbers: impl Iterator<Item = (u64, T)>) -> impl Iterator<Item = (u64, T)> {
    let mut next = 0;
    numbers.map(move |(number, with)| (number - std::mem::replace(&mut next, number + 1), with))
}

/// The bits of the average difference when this many numbers are below `range`.
fn step_bits(range: u64, numbers: usize) -> u32 {
    (range / (numbers as u64).max(1)).max(1).ilog2()
}

/// Decodes such numbers.
struct Numbers {
    next: u64,
    range: u64,
    step_bits: u32,
}

impl Numbers {
    fn below(range: u64, numbers: usize) -> Numbers {
        Numbers { next: 0, range, step_bits: step_bits(range, numbers) }
    }

    fn next(&mut self, bits: &mut BitReader<'_>) -> Option<u64> {
        let number = self.next.checked_add(bits.about(self.step_bits)?)?;
        self.next = number + 1;
        Some(number).filter(|number| *number < self.range)
    }
}

/// The index of the page that is this many pages before `page`.
pub(super) fn before(page: u32, age: u64) -> Option<u32> {
    u32::try_from(age).ok().and_then(|age| page.checked_sub(age)).filter(|page| *page > 0)
}
