//! Pages that are durable but not acknowledged. They are reported as such when they are visited again, however many runs later.
//!
//! The number of the last acknowledged page does not say which pages of an interrupted run were acknowledged: the next run acknowledges
//! pages with higher numbers, and deletes the journals of the interrupted one. Therefore such pages are listed in the file `pending`
//! before either happens. The file never lacks one of them. After a crash, it may list some that were acknowledged meanwhile.

use std::collections::{HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use unframe::PageId;
use xxhash_rust::xxh3::xxh3_64;

use crate::StoreError;
use crate::folder::{FORMAT, Folder};
use crate::limits::PENDING_PAGES_MAX;
use crate::record::take;

/// The first bytes of the file. The version of the format and the checksum of the pages follow.
const MAGIC: &[u8; 8] = b"unframeP";
const FILE_HEADER: usize = 8 + 4 + 8;
/// A page is its number, the hash of its address, and that of its bytes.
const PAGE: usize = 8 + 8 + 4;
/// The file is rewritten when more than one in this many of its pages were acknowledged. A short file is therefore always up to date,
/// and a long one is not rewritten with every acknowledgement.
const STALE_SHARE: usize = 64;

/// The pages that are not acknowledged.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// Pages of earlier runs that were not visited again, with their numbers.
    earlier: HashMap<PageId, u64>,
    /// Pages of this run that were visited since the last acknowledgement, in the order of their numbers.
    visited: VecDeque<(PageId, u64)>,
    /// Number of pages in the file.
    saved: usize,
    /// Whether `earlier` has changed since the file was read.
    is_recovered: bool,
}

impl Pending {
    /// Reads the file of a folder, if there is one.
    pub(crate) fn read(folder: &Folder) -> Result<Pending, StoreError> {
        let path = folder.pending();
        let mut bytes = Vec::new();
        let longest = FILE_HEADER + PENDING_PAGES_MAX * PAGE;
        match File::open(&path) {
            Ok(file) => {
                file.take(longest as u64 + 1).read_to_end(&mut bytes).map_err(StoreError::io(&path))?
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Pending::default()),
            Err(error) => return Err(StoreError::io(&path)(error)),
        };
        let damaged = || StoreError::damaged(&path, "it is not an intact list of pages");
        let earlier = decode(&bytes).filter(|_| bytes.len() <= longest).ok_or_else(damaged)?;
        Ok(Pending { saved: earlier.len(), earlier, ..Pending::default() })
    }

    /// Takes a page from a journal of an earlier run.
    pub(crate) fn replay(&mut self, id: PageId, number: u64, acknowledged: u64) {
        if number > acknowledged {
            self.is_recovered |= self.earlier.insert(id, number) != Some(number);
        } else if self.earlier.get(&id).is_some_and(|listed| *listed < number) {
            // It was visited again after it was listed, and that visit was acknowledged.
            self.earlier.remove(&id);
            self.is_recovered = true;
        }
    }

    /// Makes the pages of earlier runs durable in the file. Before that, nothing may be acknowledged and no journal may be deleted.
    pub(crate) fn finish_replay(&mut self, folder: &Folder) -> Result<(), StoreError> {
        if self.is_recovered { self.save(folder) } else { Ok(()) }
    }

    /// Records a visit, and returns whether the page has to be acknowledged.
    pub(crate) fn visit(&mut self, id: PageId, number: u64, is_changed: bool) -> bool {
        let is_pending = self.earlier.remove(&id).is_some() || is_changed;
        if is_pending {
            if self.visited.len() == PENDING_PAGES_MAX {
                self.visited.pop_front();
            }
            self.visited.push_back((id, number));
        }
        is_pending
    }

    /// Whether a page of this run with a lower number is not acknowledged.
    pub(crate) fn has_visited_before(&self, number: u64) -> bool {
        self.visited.front().is_some_and(|(_, first)| *first < number)
    }

    /// Forgets the visited pages, which are acknowledged now.
    pub(crate) fn acknowledge(&mut self, folder: &Folder) -> Result<(), StoreError> {
        self.visited.clear();
        let stale = self.saved.saturating_sub(self.earlier.len());
        if stale > self.saved / STALE_SHARE { self.save(folder) } else { Ok(()) }
    }

    /// Writes the file, or deletes it if all pages are acknowledged.
    pub(crate) fn save(&mut self, folder: &Folder) -> Result<(), StoreError> {
        let earlier = self.earlier.iter().map(|(id, number)| (*number, *id));
        let visited = self.visited.iter().map(|(id, number)| (*number, *id));
        let mut pages: Vec<(u64, PageId)> = earlier.chain(visited).collect();
        pages.sort_unstable_by_key(|(number, id)| (*number, id.url, id.content));
        let dropped = pages.len().saturating_sub(PENDING_PAGES_MAX);
        for (_, id) in pages.drain(..dropped) {
            self.earlier.remove(&id);
        }
        if !pages.is_empty() {
            folder.replace(&folder.pending(), &encode(&pages))?;
        } else if self.saved > 0 {
            delete(&folder.pending())?;
        }
        self.saved = pages.len();
        Ok(())
    }
}

/// Deletes the file. That need not be durable: if it is lost, pages are only reported as unacknowledged once more.
pub(crate) fn delete(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(StoreError::io(path)(error)),
        _ => Ok(()),
    }
}

fn encode(pages: &[(u64, PageId)]) -> Vec<u8> {
    let mut list = Vec::with_capacity(pages.len() * PAGE);
    for (number, id) in pages {
        list.extend(number.to_le_bytes());
        list.extend(id.url.to_le_bytes());
        list.extend(id.content.to_le_bytes());
    }
    [MAGIC.as_slice(), &FORMAT.to_le_bytes(), &xxh3_64(&list).to_le_bytes(), &list].concat()
}

/// The pages of a file; `None` if it is damaged.
fn decode(bytes: &[u8]) -> Option<HashMap<PageId, u64>> {
    let mut rest = bytes.strip_prefix(MAGIC)?.strip_prefix(&FORMAT.to_le_bytes())?;
    let checksum = u64::from_le_bytes(take(&mut rest)?);
    if checksum != xxh3_64(rest) {
        return None;
    }
    let mut pages = HashMap::with_capacity(rest.len() / PAGE);
    while !rest.is_empty() {
        let number = u64::from_le_bytes(take(&mut rest)?);
        let id = PageId {
            url: u64::from_le_bytes(take(&mut rest)?),
            content: u32::from_le_bytes(take(&mut rest)?),
        };
        pages.insert(id, number);
    }
    Some(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u64) -> PageId {
        PageId { url: number, content: 1 }
    }

    /// The listed pages and their numbers, as the next process reads them.
    fn listed(folder: &Folder) -> Vec<(u64, u64)> {
        let pages = Pending::read(folder).unwrap().earlier;
        let mut pages: Vec<_> = pages.into_iter().map(|(id, number)| (number, id.url)).collect();
        pages.sort_unstable();
        pages
    }

    fn recovered(folder: &Folder, numbers: std::ops::RangeInclusive<u64>, acknowledged: u64) -> Pending {
        let mut pending = Pending::read(folder).unwrap();
        numbers.for_each(|number| pending.replay(page(number), number, acknowledged));
        pending.finish_replay(folder).unwrap();
        pending
    }

    #[test]
    fn what_is_acknowledged_leaves_the_file() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::lock(place.path()).unwrap();
        let mut pending = recovered(&folder, 1..=4, 2);
        assert_eq!(listed(&folder), [(3, 3), (4, 4)]);
        assert!(pending.visit(page(3), 5, false));
        assert!(!pending.visit(page(3), 6, false) && !pending.visit(page(1), 7, false));
        // Until it is acknowledged, it stays in the file.
        assert_eq!(listed(&folder), [(3, 3), (4, 4)]);
        pending.save(&folder).unwrap();
        assert_eq!(listed(&folder), [(4, 4), (5, 3)]);
        pending.acknowledge(&folder).unwrap();
        assert_eq!(listed(&folder), [(4, 4)]);
        assert!(pending.visit(page(4), 8, false) && pending.visit(page(9), 9, true));
        pending.acknowledge(&folder).unwrap();
        assert!(!folder.pending().exists());
    }

    #[test]
    fn a_listed_page_whose_later_visit_was_acknowledged_is_not_pending() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::lock(place.path()).unwrap();
        recovered(&folder, 1..=2, 0);
        let mut pending = Pending::read(&folder).unwrap();
        // The journal still has the first visits, and a second one of the first page.
        pending.replay(page(1), 1, 3);
        pending.replay(page(2), 2, 3);
        pending.replay(page(1), 3, 3);
        pending.finish_replay(&folder).unwrap();
        assert_eq!(listed(&folder), [(2, 2)]);
    }

    #[test]
    fn a_page_that_is_pending_again_is_listed_with_its_last_number() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::lock(place.path()).unwrap();
        recovered(&folder, 1..=1, 0);
        // Visited again as page 2 by a process that died, and replayed by one that acknowledges page 3.
        let mut pending = Pending::read(&folder).unwrap();
        pending.replay(page(1), 1, 0);
        pending.replay(page(1), 2, 0);
        pending.finish_replay(&folder).unwrap();
        let mut pending = Pending::read(&folder).unwrap();
        pending.replay(page(1), 1, 3);
        pending.replay(page(1), 2, 3);
        assert_eq!(listed(&folder), [(2, 1)]);
        assert!(pending.visit(page(1), 4, false));
    }

    #[test]
    fn a_long_file_is_not_rewritten_with_every_acknowledgement() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::lock(place.path()).unwrap();
        let mut pending = recovered(&folder, 1..=128, 0);
        for number in 1..=3 {
            pending.visit(page(number), 128 + number, false);
            pending.acknowledge(&folder).unwrap();
            assert_eq!(listed(&folder).len(), if number < 3 { 128 } else { 125 });
        }
    }

    #[test]
    fn so_many_pages_are_pending_and_no_more() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::lock(place.path()).unwrap();
        let most = PENDING_PAGES_MAX as u64;
        let mut pending = recovered(&folder, 1..=most, 0);
        assert_eq!(listed(&folder).len() as u64, most);
        pending = {
            drop(pending);
            recovered(&folder, most + 1..=most + 2, 0)
        };
        let listed = listed(&folder);
        assert_eq!((listed.len() as u64, listed[0]), (most, (3, 3)));
        assert!(!pending.visit(page(2), most + 3, false) && pending.visit(page(3), most + 4, false));
        for number in 0..=most {
            pending.visit(page(most + 10 + number), most + 10 + number, true);
        }
        assert_eq!(pending.visited.len() as u64, most);
        // One page too many is damage.
        let pages: Vec<_> = (0..=most).map(|number| (number, page(number))).collect();
        folder.replace(&folder.pending(), &encode(&pages)).unwrap();
        assert!(matches!(Pending::read(&folder), Err(StoreError::Damaged { .. })));
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let pages = [(1, page(7)), (2, page(8))];
        let bytes = encode(&pages);
        assert_eq!(decode(&bytes), Some(pages.iter().map(|(number, id)| (*id, *number)).collect()));
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            assert_eq!(decode(&wrong), None, "byte {at}");
            assert_eq!(decode(&bytes[..at]), None, "{at} bytes");
        }
    }
}
