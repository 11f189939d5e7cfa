//! The phases of the greedy algorithm.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::{Occurrence, Template};
use crate::regions::TemplateHash;

/// Extracts one template after the other, until no occurrences are left.
pub(super) fn templates(
    hashes: Vec<TemplateHash>,
    pages: Vec<Vec<Occurrence>>,
    pages_min: usize,
) -> Vec<Template> {
    let mut site = Site::new(hashes, pages, pages_min);
    let mut templates = Vec::new();
    while let Some(first) = site.first.pop_most(&site.hashes, 1) {
        let sequence = site.sequence(first);
        templates.push(site.remove(&sequence));
        site.first.put_back(first, &site.hashes);
    }
    templates
}

struct Site {
    hashes: Vec<TemplateHash>,
    /// The remaining occurrences of each page.
    pages: Vec<Vec<Occurrence>>,
    /// For each hash, the pages that may still have it, ascending.
    pages_of: Vec<Vec<u32>>,
    /// Counts of all remaining occurrences.
    first: Counts,
    /// Counts of the remaining occurrences behind the cursors of a phase; empty between phases.
    behind: Counts,
    /// The number of pages on which two or more hashes must occur together.
    pages_min: usize,
}

impl Site {
    fn new(hashes: Vec<TemplateHash>, pages: Vec<Vec<Occurrence>>, pages_min: usize) -> Site {
        let mut pages_of = vec![Vec::new(); hashes.len()];
        let mut first = Counts::new(hashes.len());
        for (page, occurrences) in pages.iter().enumerate() {
            for occurrence in occurrences {
                let pages_of: &mut Vec<u32> = &mut pages_of[occurrence.hash as usize];
                if pages_of.last() != Some(&(page as u32)) {
                    pages_of.push(page as u32);
                }
                first.add(*occurrence);
            }
        }
        first.order(&hashes, 1);
        let behind = Counts::new(hashes.len());
        Site { hashes, pages, pages_of, first, behind, pages_min }
    }

    /// The best sequence that begins with `first`.
    fn sequence(&mut self, first: u32) -> Sequence {
        let (pages, mut cursors) = (&self.pages, Vec::new());
        self.pages_of[first as usize].retain(|page| {
            let found = find(&pages[*page as usize], 0, first);
            cursors.extend(found.map(|at| Cursor { page: *page, at: at as u32 + 1 }));
            found.is_some()
        });
        let len_max = 1 + cursors.iter().map(|cursor| cursor.rest(pages).len()).max().unwrap_or(0);
        let mut hashes = vec![first];
        let mut best = Best { len: 1, product: cursors.len(), len_max, pages_min: self.pages_min };
        self.count_behind(&cursors, best.count_needed());
        while let Some(next) = self.behind.pop_most(&self.hashes, best.count_needed()) {
            cursors = self.advance(&cursors, next, best.count_needed());
            hashes.push(next);
            best.consider(hashes.len(), cursors.len());
        }
        self.behind.clear();
        hashes.truncate(best.len);
        Sequence { hashes }
    }

    fn count_behind(&mut self, cursors: &[Cursor], count_min: usize) {
        for cursor in cursors {
            cursor.rest(&self.pages).iter().for_each(|occurrence| self.behind.add(*occurrence));
        }
        self.behind.order(&self.hashes, count_min);
    }

    /// Moves the cursors behind `next`, and drops the cursors of pages that lack it.
    fn advance(&mut self, cursors: &[Cursor], next: u32, count_min: usize) -> Vec<Cursor> {
        let found = |cursor: &Cursor| {
            let at = find(&self.pages[cursor.page as usize], cursor.at as usize, next)?;
            Some(Cursor { page: cursor.page, at: at as u32 + 1 })
        };
        let moved: Vec<Option<Cursor>> = cursors.iter().map(found).collect();
        let kept: Vec<Cursor> = moved.iter().flatten().copied().collect();
        if kept.len() < cursors.len() / 2 {
            // Few pages are left, so counting them is less work than subtracting the others.
            self.behind.clear();
            self.count_behind(&kept, count_min);
            return kept;
        }
        for (old, new) in cursors.iter().zip(moved) {
            let rest = old.rest(&self.pages);
            let passed = new.map_or(rest.len(), |new| (new.at - old.at) as usize);
            rest[..passed].iter().for_each(|occurrence| self.behind.subtract(*occurrence));
        }
        self.behind.put_back(next, &self.hashes);
        kept
    }

    /// Removes all occurrences of a sequence from all pages.
    fn remove(&mut self, sequence: &Sequence) -> Template {
        let hashes = sequence.hashes.iter().map(|hash| self.hashes[*hash as usize]).collect();
        let mut template = Template {
            hashes,
            pages: Vec::new(),
            occurrences: 0,
            bytes: 0,
            first: Vec::new(),
            last: Vec::new(),
        };
        // Only pages with the first hash can have the sequence.
        for page in &self.pages_of[sequence.hashes[0] as usize] {
            let occurrences = &mut self.pages[*page as usize];
            let places = sequence.places(occurrences);
            if places.is_empty() {
                continue;
            }
            template.pages.push(*page);
            template.occurrences += (places.len() / sequence.hashes.len()) as u64;
            let spans = |places: &[usize]| places.iter().map(|at| occurrences[*at].span).collect();
            let len = sequence.hashes.len();
            if template.first.is_empty() {
                template.first = spans(&places[..len]);
            }
            template.last = spans(&places[places.len() - len..]);
            for at in places {
                template.bytes += occurrences[at].span.len() as u64;
                self.first.subtract(occurrences[at]);
                occurrences[at].hash = REMOVED;
            }
            occurrences.retain(|occurrence| occurrence.hash != REMOVED);
        }
        template
    }
}

/// A position on a page; occurrences before it are done.
#[derive(Clone, Copy)]
struct Cursor {
    page: u32,
    at: u32,
}

impl Cursor {
    fn rest(self, pages: &[Vec<Occurrence>]) -> &[Occurrence] {
        &pages[self.page as usize][self.at as usize..]
    }
}

/// The hashes of a template, by index.
struct Sequence {
    hashes: Vec<u32>,
}

impl Sequence {
    /// The positions of the non-overlapping occurrences of the sequence on a page, from left to right; a multiple of its length.
    fn places(&self, occurrences: &[Occurrence]) -> Vec<usize> {
        let mut places = Vec::new();
        let mut from = 0;
        loop {
            let whole = places.len();
            for hash in &self.hashes {
                let Some(at) = find(occurrences, from, *hash) else {
                    places.truncate(whole);
                    return places;
                };
                places.push(at);
                from = at + 1;
            }
        }
    }
}

/// The prefix of a sequence that explains the most occurrences.
struct Best {
    len: usize,
    product: usize,
    /// The length that no sequence can exceed.
    len_max: usize,
    pages_min: usize,
}

impl Best {
    fn consider(&mut self, len: usize, pages: usize) {
        if pages >= self.pages_min && len * pages > self.product {
            *self = Best { len, product: len * pages, ..*self };
        }
    }

    /// The minimum count of the next hash for any longer sequence to be better: all hashes after it occur less often.
    fn count_needed(&self) -> usize {
        (self.product / self.len_max + 1).max(self.pages_min)
    }
}

fn find(occurrences: &[Occurrence], from: usize, hash: u32) -> Option<usize> {
    let found = occurrences[from..].iter().position(|occurrence| occurrence.hash == hash);
    found.map(|at| from + at)
}

/// Marks occurrences that are about to be removed. No hash has this index: so many hashes would not fit into memory.
const REMOVED: u32 = u32::MAX;

/// Counts the occurrences of each hash, and finds the most frequent one.
///
/// Counts only decrease while a queue exists, so an entry of the queue is either current or too high. When an entry that is too high comes
/// up, it is put back with its current count. A current entry that comes up is the largest. If the count is unchanged, so are the
/// occurrences and their average offset.
struct Counts {
    counts: Vec<Count>,
    /// Hashes that were counted since the last reset.
    counted: Vec<u32>,
    queue: BinaryHeap<Entry>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    occurrences: u32,
    offsets: u64,
}

impl Counts {
    fn new(hashes: usize) -> Counts {
        Counts { counts: vec![Count::default(); hashes], counted: Vec::new(), queue: BinaryHeap::new() }
    }

    fn add(&mut self, occurrence: Occurrence) {
        let count = &mut self.counts[occurrence.hash as usize];
        if count.occurrences == 0 {
            self.counted.push(occurrence.hash);
        }
        count.occurrences += 1;
        count.offsets += u64::from(occurrence.span.start);
    }

    fn subtract(&mut self, occurrence: Occurrence) {
        let count = &mut self.counts[occurrence.hash as usize];
        count.occurrences -= 1;
        count.offsets -= u64::from(occurrence.span.start);
    }

    /// Builds the queue of all hashes that were counted at least `count_min` times.
    fn order(&mut self, hashes: &[TemplateHash], count_min: usize) {
        let counts = &self.counts;
        let often = |number: &&u32| counts[**number as usize].occurrences as usize >= count_min;
        let entries = self.counted.iter().filter(often).map(|number| Entry::new(*number, counts, hashes));
        self.queue = entries.collect();
    }

    /// Removes the hash with the most occurrences from the queue, if it has at least `count_min`.
    fn pop_most(&mut self, hashes: &[TemplateHash], count_min: usize) -> Option<u32> {
        loop {
            let entry = self.queue.pop().filter(|entry| entry.count.occurrences as usize >= count_min)?;
            if self.counts[entry.number as usize].occurrences == entry.count.occurrences {
                return Some(entry.number);
            }
            self.put_back(entry.number, hashes);
        }
    }

    /// Sets all counts to 0.
    fn clear(&mut self) {
        for number in self.counted.drain(..) {
            self.counts[number as usize] = Count::default();
        }
    }

    /// Puts a hash back into the queue, if it still has occurrences.
    fn put_back(&mut self, number: u32, hashes: &[TemplateHash]) {
        if self.counts[number as usize].occurrences > 0 {
            self.queue.push(Entry::new(number, &self.counts, hashes));
        }
    }
}

/// A hash in the queue; the greatest comes up first.
struct Entry {
    number: u32,
    count: Count,
    template: TemplateHash,
}

impl Entry {
    fn new(number: u32, counts: &[Count], hashes: &[TemplateHash]) -> Entry {
        Entry { number, count: counts[number as usize], template: hashes[number as usize] }
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        let (one, two) = (self.count, other.count);
        // Averages are compared by cross-multiplication, because a division would round.
        let offset = |this: Count, that: Count| u128::from(this.offsets) * u128::from(that.occurrences);
        (one.occurrences.cmp(&two.occurrences))
            .then_with(|| Reverse(offset(one, two)).cmp(&Reverse(offset(two, one))))
            .then_with(|| Reverse(self.template).cmp(&Reverse(other.template)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}
