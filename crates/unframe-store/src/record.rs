//! Records of pages in the journal.

use unframe::PageId;

/// The data of a page that a store needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRecord<'a> {
    /// The key of its site.
    pub site: &'a str,
    /// The identity of the page.
    pub id: PageId,
    /// The time of the fetch, in seconds of Unix time.
    pub date: Option<i64>,
    /// The pieces of the page for the method; see [`PreparedPage::pieces`](unframe::detect::PreparedPage::pieces).
    pub pieces: &'a [u64],
}

/// Represents a missing date on disk.
pub(crate) const NO_DATE: i64 = i64::MIN;

impl PageRecord<'_> {
    /// Appends the record to a frame.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend((self.site.len() as u32).to_le_bytes());
        out.extend(self.site.as_bytes());
        out.extend(self.id.url.to_le_bytes());
        out.extend(self.id.content.to_le_bytes());
        out.extend(self.date.unwrap_or(NO_DATE).to_le_bytes());
        let largest = self.pieces.iter().fold(0, |all, piece| all | piece);
        let width = (u64::BITS - largest.leading_zeros()).div_ceil(8).max(1) as u8;
        out.push(width);
        out.extend((self.pieces.len() as u32).to_le_bytes());
        self.pieces.iter().for_each(|piece| out.extend(&piece.to_le_bytes()[..usize::from(width)]));
    }
}

/// A record that was read back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SavedRecord {
    pub(crate) site: String,
    pub(crate) id: PageId,
    pub(crate) date: Option<i64>,
    pub(crate) pieces: Vec<u64>,
}

impl SavedRecord {
    /// Reads the next record of a frame; `None` if it is invalid.
    pub(crate) fn read(rest: &mut &[u8]) -> Option<SavedRecord> {
        let site_len = u32::from_le_bytes(take(rest)?) as usize;
        let (site, after) = rest.split_at_checked(site_len)?;
        *rest = after;
        let site = std::str::from_utf8(site).ok()?.to_owned();
        let id = PageId { url: u64::from_le_bytes(take(rest)?), content: u32::from_le_bytes(take(rest)?) };
        let date = Some(i64::from_le_bytes(take(rest)?)).filter(|date| *date != NO_DATE);
        let width = usize::from(u8::from_le_bytes(take(rest)?));
        let count = u32::from_le_bytes(take(rest)?) as usize;
        let (bytes, after) =
            rest.split_at_checked(count.checked_mul(width)?).filter(|_| (1..=8).contains(&width))?;
        *rest = after;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let pieces = bytes.chunks_exact(width).map(number).collect();
        Some(SavedRecord { site, id, date, pieces })
    }

    pub(crate) fn borrowed(&self) -> PageRecord<'_> {
        PageRecord { site: &self.site, id: self.id, date: self.date, pieces: &self.pieces }
    }
}

pub(crate) fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*bytes)
}
