//! The list of addresses of which a page was deleted and the search index may not know it yet. It is written together with the
//! deletion, so that neither a stop nor a crash leaves a page in the index for good.

use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{BY_ADDRESS, Kept};
use crate::error::Answer;

/// Site and address, numbered in the order in which they were deleted.
pub(super) const FORGOTTEN: TableDefinition<u64, (&str, &str)> = TableDefinition::new("forgotten");

impl Kept {
    /// The number of the last address on the list, if there is one.
    pub(crate) fn last_forgotten(&self) -> Answer<Option<u64>> {
        let table = self.read()?.open_table(FORGOTTEN).map_err(redb::Error::from)?;
        let last = table.last().map_err(redb::Error::from)?;
        Ok(last.map(|(number, _)| number.value()))
    }

    /// Addresses on the list with their numbers and sites, from one number to another, at most `limit`.
    pub(crate) fn forgotten(&self, from: u64, to: u64, limit: usize) -> Answer<Vec<(u64, String, String)>> {
        let table = self.read()?.open_table(FORGOTTEN).map_err(redb::Error::from)?;
        let mut found = Vec::new();
        for entry in table.range(from..=to).map_err(redb::Error::from)?.take(limit) {
            let (number, address) = entry.map_err(redb::Error::from)?;
            let (site, url) = address.value();
            found.push((number.value(), site.to_owned(), url.to_owned()));
        }
        Ok(found)
    }

    /// The number of the page that came last of those with this address, whatever their dates.
    pub(crate) fn newest(&self, site: &str, url: &str) -> Answer<Option<u64>> {
        let table = self.read()?.open_table(BY_ADDRESS).map_err(redb::Error::from)?;
        let range = table.range((site, url, i64::MIN)..=(site, url, i64::MAX));
        let mut newest = None;
        for entry in range.map_err(redb::Error::from)? {
            newest = newest.max(Some(entry.map_err(redb::Error::from)?.1.value()));
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

/// Takes addresses off the list, up to this number. Those that were deleted meanwhile have larger ones.
pub(crate) fn settle(write: &WriteTransaction, last: u64) -> Answer<()> {
    let mut table = write.open_table(FORGOTTEN).map_err(redb::Error::from)?;
    table.retain_in(..=last, |_, _| false).map_err(redb::Error::from)?;
    Ok(())
}
