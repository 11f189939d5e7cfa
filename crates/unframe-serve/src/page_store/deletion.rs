//! Deletes pages, together with the studies and models that contain their text.

use std::collections::BTreeSet;

use redb::{ReadableTable, WriteTransaction};

use super::{
    BY_ADDRESS, BY_SITE, MODELS, NO_DATE, SITES, STUDIES, SUMMARIES, delete, forgotten, put, remove,
    written_row, written_site,
};
use crate::error::Answer;
use crate::limits::RECENT_SHARES;
use crate::study::StudyPage;

/// Deletes pages, and records that the search index must remove them. Also deletes the studies of their sites, which contain parts of the
/// pages, and the models of sites without other pages.
pub(crate) fn forget(write: &WriteTransaction, ids: &[u64]) -> Answer<()> {
    let mut sites = BTreeSet::new();
    for id in ids {
        if let Some(row) = remove(write, *id)? {
            forgotten::note(write, &row.site, &row.url)?;
            sites.insert(row.site);
        }
    }
    sites.iter().try_for_each(|site| update_site(write, site))
}

/// Updates the records of a site after pages were deleted.
fn update_site(write: &WriteTransaction, name: &str) -> Answer<()> {
    delete(write, STUDIES, name)?;
    delete(write, SUMMARIES, name)?;
    let mut site = written_site(write, name)?;
    if site.pages == 0 {
        return delete(write, MODELS, name).map(drop);
    }
    let mut last = Vec::new();
    for entry in write.open_table(BY_SITE)?.range((name, 0)..=(name, u64::MAX))?.rev().take(RECENT_SHARES) {
        last.push(entry?.0.value().1);
    }
    (site.last, site.recent) = (last.first().copied().unwrap_or_default(), Vec::new());
    for id in last.into_iter().rev() {
        site.recent.extend(written_row(write, id)?.map(|row| row.share()));
    }
    (site.oldest, site.newest) = (None, None);
    for entry in write.open_table(BY_ADDRESS)?.range((name, "", NO_DATE)..)? {
        let (address, _) = entry?;
        let (other, _, date) = address.value();
        if other != name {
            break;
        }
        site.add_date((date != NO_DATE).then_some(date));
    }
    put(write, SITES, name, &site)
}

/// Whether all these pages of a site are stored, or newer ones with the same addresses and dates.
pub(crate) fn check_kept(write: &WriteTransaction, site: &str, pages: &[StudyPage]) -> Answer<bool> {
    let addresses = write.open_table(BY_ADDRESS)?;
    for page in pages {
        if addresses.get((site, page.url.as_str(), page.date.unwrap_or(NO_DATE)))?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}
