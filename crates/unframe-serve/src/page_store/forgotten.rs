//! The list of addresses whose deleted pages may still be in the search index. It is written in the same transaction as the deletion, so
//! that a stop or a crash never leaves a deleted page in the index permanently.

use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{BY_ADDRESS, PageStore};
use crate::error::Answer;

/// Site and address, numbered in the order in which they were deleted.
pub(super) const FORGOTTEN: TableDefinition<u64, (&str, &str)> = TableDefinition::new("forgotten");

impl PageStore {
    /// The number of the last address on the list, if there is one.
    pub(crate) fn last_forgotten(&self) -> Answer<Option<u64>> {
        let table = self.read()?.open_table(FORGOTTEN)?;
        let last = table.last()?;
        Ok(last.map(|(number, _)| number.value()))
    }

    /// The entries of the list from number `from` to number `to`, at most `limit`, as (number, site, address).
    pub(crate) fn forgotten(&self, from: u64, to: u64, limit: usize) -> Answer<Vec<(u64, String, String)>> {
        let table = self.read()?.open_table(FORGOTTEN)?;
        let mut found = Vec::new();
        for entry in table.range(from..=to)?.take(limit) {
            let (number, address) = entry?;
            let (site, url) = address.value();
            found.push((number.value(), site.to_owned(), url.to_owned()));
        }
        Ok(found)
    }

    /// The number of the page with this address that was posted last, regardless of its date.
    pub(crate) fn newest(&self, site: &str, url: &str) -> Answer<Option<u64>> {
        let table = self.read()?.open_table(BY_ADDRESS)?;
        let range = table.range((site, url, i64::MIN)..=(site, url, i64::MAX));
        let mut newest = None;
        for entry in range? {
            newest = newest.max(Some(entry?.1.value()));
        }
        Ok(newest)
    }
}

/// Puts an address on the list.
pub(super) fn note(write: &WriteTransaction, site: &str, url: &str) -> Result<(), redb::Error> {
    let mut table = write.open_table(FORGOTTEN)?;
    let last = table.last()?.map_or(0, |(number, _)| number.value());
    table.insert(last + 1, (site, url))?;
    Ok(())
}

/// Removes the entries up to this number from the list. Entries that were added meanwhile have larger numbers.
pub(crate) fn settle(write: &WriteTransaction, last: u64) -> Answer<()> {
    let mut table = write.open_table(FORGOTTEN)?;
    table.retain_in(..=last, |_, _| false)?;
    Ok(())
}
