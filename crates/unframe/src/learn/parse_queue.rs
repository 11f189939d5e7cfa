//! A queue of sampled pages to be parsed.
//!
//! The sample of a site is final only after the last page. Parsing each page immediately would often be wasted, because pages with smaller
//! ranks displace it from the sample later. So the bytes of sampled pages wait here, and the oldest ones are parsed when the queue is full.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use encoding_rs::Encoding;

use super::memory::MemoryUse;
use super::{Learned, lock};
use crate::detect::Detector;
use crate::limits::UNREAD_BYTES_MAX;
use crate::parsed::{PageBytes, PageParser};
use crate::sample::Rank;

/// The pages, oldest first.
#[derive(Default)]
pub(super) struct ParseQueue {
    waiting: Mutex<Queue>,
    /// Idle parsers with their memory.
    parsers: Mutex<Vec<PageParser>>,
}

#[derive(Default)]
struct Queue {
    pages: VecDeque<QueuedPage>,
    bytes: usize,
}

/// A page that is in its site's sample by its rank, but whose pieces are not computed yet.
pub(super) struct QueuedPage {
    site: Arc<Mutex<Learned>>,
    rank: Rank,
    payload: Box<[u8]>,
    encoding: &'static Encoding,
}

impl QueuedPage {
    pub(super) fn new(site: Arc<Mutex<Learned>>, rank: Rank, page: PageBytes<'_>) -> QueuedPage {
        QueuedPage { site, rank, payload: page.payload.into(), encoding: page.encoding }
    }

    /// Bytes of memory, including the overhead, which even an empty page has.
    fn cost(&self) -> usize {
        size_of::<QueuedPage>() + self.payload.len()
    }

    fn is_sampled(&self) -> bool {
        matches!(&*lock(&self.site), Learned::Sample(sample) if sample.has(self.rank))
    }

    fn read(self, detector: &dyn Detector, memory: &MemoryUse, parser: &mut PageParser) {
        if !self.is_sampled() {
            return;
        }
        let mut pieces = Vec::new();
        let bytes = PageBytes { payload: &self.payload, encoding: self.encoding };
        detector.pieces(&parser.open(bytes), &mut pieces);
        memory.change(&self.site, detector, |learned| {
            if let Learned::Sample(sample) = learned {
                sample.fill(self.rank, pieces);
            }
        });
    }
}

impl ParseQueue {
    /// Adds a page, and parses the oldest pages until there is room.
    pub(super) fn add(&self, page: QueuedPage, detector: &dyn Detector, memory: &MemoryUse) {
        let mut queue = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        queue.bytes += page.cost();
        queue.pages.push_back(page);
        if queue.bytes <= UNREAD_BYTES_MAX {
            return;
        }
        drop(queue);
        self.read_until(UNREAD_BYTES_MAX, detector, memory);
    }

    /// Parses all pages. Several threads can call it at once.
    pub(super) fn read_all(&self, detector: &dyn Detector, memory: &MemoryUse) {
        self.read_until(0, detector, memory);
    }

    fn read_until(&self, bytes_max: usize, detector: &dyn Detector, memory: &MemoryUse) {
        let idle = self.parsers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut parser = idle.unwrap_or_default();
        while let Some(page) = self.oldest(bytes_max) {
            page.read(detector, memory, &mut parser);
        }
        self.parsers.lock().unwrap_or_else(PoisonError::into_inner).push(parser);
    }

    /// Removes the oldest page, if the queue holds more bytes than `bytes_max`.
    fn oldest(&self, bytes_max: usize) -> Option<QueuedPage> {
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
        let (parse_queue, detector, memory) = (ParseQueue::default(), Dom::default(), MemoryUse::default());
        let page = format!("<p>tea</p><!--{}-->", " ".repeat(1 << 20));
        let site = Arc::new(Mutex::new(Learned::Sample(Sample::new(100))));
        for rank in 0..40 {
            if let Learned::Sample(sample) = &mut *lock(&site) {
                sample.reserve(Rank(rank));
            }
            let page = QueuedPage::new(Arc::clone(&site), Rank(rank), PageBytes::utf8(page.as_bytes()));
            parse_queue.add(page, &detector, &memory);
            assert!(parse_queue.waiting.lock().unwrap().bytes <= UNREAD_BYTES_MAX);
        }
        let read = || match &*lock(&site) {
            Learned::Sample(sample) => sample.pages().filter(|(_, pieces)| !pieces.is_empty()).count(),
            _ => 0,
        };
        // Each page has slightly more than a mebibyte, so 7 of them fit.
        assert_eq!(read(), 40 - 7);
        parse_queue.read_all(&detector, &memory);
        assert_eq!(read(), 40);
    }
}
