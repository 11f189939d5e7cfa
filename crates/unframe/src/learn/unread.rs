//! Sampled pages that wait to be parsed.
//!
//! Which pages of a site are compared is known when all were seen. A page that is parsed at once is often parsed in vain, since pages with
//! smaller ranks drive it out of the sample later: of 120 pages, 94 are in a sample of 50 for some time. So their bytes
//! wait here, and the oldest are parsed when there is no more room.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use encoding_rs::Encoding;

use super::kept::Kept;
use super::{Learned, lock};
use crate::detect::Detector;
use crate::limits::UNREAD_BYTES_MAX;
use crate::parsed::{PageBytes, PageParser};
use crate::sample::Rank;

/// The pages, oldest first.
#[derive(Default)]
pub(super) struct Unread {
    waiting: Mutex<Queue>,
    /// Parsers that nobody uses just now, with their memory.
    parsers: Mutex<Vec<PageParser>>,
}

#[derive(Default)]
struct Queue {
    pages: VecDeque<UnreadPage>,
    bytes: usize,
}

/// A page that is in the sample of its site by its rank, and waits for its pieces.
pub(super) struct UnreadPage {
    site: Arc<Mutex<Learned>>,
    rank: Rank,
    payload: Box<[u8]>,
    encoding: &'static Encoding,
}

impl UnreadPage {
    pub(super) fn new(site: Arc<Mutex<Learned>>, rank: Rank, page: PageBytes<'_>) -> UnreadPage {
        UnreadPage { site, rank, payload: page.payload.into(), encoding: page.encoding }
    }

    /// Bytes of memory, of which pages without a byte take some as well.
    fn cost(&self) -> usize {
        size_of::<UnreadPage>() + self.payload.len()
    }

    fn is_sampled(&self) -> bool {
        matches!(&*lock(&self.site), Learned::Sample(sample) if sample.has(self.rank))
    }

    fn read(self, detector: &dyn Detector, kept: &Kept, parser: &mut PageParser) {
        if !self.is_sampled() {
            return;
        }
        let mut pieces = Vec::new();
        let bytes = PageBytes { payload: &self.payload, encoding: self.encoding };
        detector.pieces(&parser.open(bytes), &mut pieces);
        kept.change(&self.site, detector, |learned| {
            if let Learned::Sample(sample) = learned {
                sample.fill(self.rank, pieces);
            }
        });
    }
}

impl Unread {
    /// Adds a page, and parses the oldest ones until there is room for it.
    pub(super) fn add(&self, page: UnreadPage, detector: &dyn Detector, kept: &Kept) {
        let mut queue = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        queue.bytes += page.cost();
        queue.pages.push_back(page);
        if queue.bytes <= UNREAD_BYTES_MAX {
            return;
        }
        drop(queue);
        self.read_until(UNREAD_BYTES_MAX, detector, kept);
    }

    /// Parses all pages. Several threads may do so together.
    pub(super) fn read_all(&self, detector: &dyn Detector, kept: &Kept) {
        self.read_until(0, detector, kept);
    }

    fn read_until(&self, bytes_max: usize, detector: &dyn Detector, kept: &Kept) {
        let idle = self.parsers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut parser = idle.unwrap_or_default();
        while let Some(page) = self.oldest(bytes_max) {
            page.read(detector, kept, &mut parser);
        }
        self.parsers.lock().unwrap_or_else(PoisonError::into_inner).push(parser);
    }

    /// Takes out the oldest page, if there are more bytes than these.
    fn oldest(&self, bytes_max: usize) -> Option<UnreadPage> {
        let mut queue = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.bytes <= bytes_max {
            return None;
        }
        let page = queue.pages.pop_front()?;
        queue.bytes -= page.cost();
        Some(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Dom;
    use crate::sample::Sample;

    #[test]
    fn no_more_pages_wait_than_there_is_room_for() {
        let (unread, detector, kept) = (Unread::default(), Dom::default(), Kept::default());
        let page = format!("<p>tea</p><!--{}-->", " ".repeat(1 << 20));
        let site = Arc::new(Mutex::new(Learned::Sample(Sample::new(100))));
        for rank in 0..40 {
            if let Learned::Sample(sample) = &mut *lock(&site) {
                sample.reserve(Rank(rank));
            }
            let page = UnreadPage::new(Arc::clone(&site), Rank(rank), PageBytes::utf8(page.as_bytes()));
            unread.add(page, &detector, &kept);
            assert!(unread.waiting.lock().unwrap().bytes <= UNREAD_BYTES_MAX);
        }
        let read = || match &*lock(&site) {
            Learned::Sample(sample) => sample.pages().filter(|(_, pieces)| !pieces.is_empty()).count(),
            _ => 0,
        };
        // A page of a mebibyte and a little more: 23 of them fit.
        assert_eq!(read(), 40 - 23);
        unread.read_all(&detector, &kept);
        assert_eq!(read(), 40);
    }
}
