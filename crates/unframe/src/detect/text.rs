//! `text`: repeated windows of characters.
//!
//! # What it does
//! A window of `window` characters slides over the text of each sampled page, one character at a time. A window is
//! counted when a hash of it is among 1 in `density` of all hashes (0 and 1: always); the same window is counted on all pages
//! or on none. The hash that decides is cheaper than the one that is counted, which only the chosen windows get. A window that was counted at least `count` times is frequent. On a page, frequent windows that overlap or
//! touch are joined, and the joined text is the template, cut where the number of pages changes that have its windows. With a `density` above 1 most windows are not looked at, so two
//! frequent ones are also joined when no counted window that is not frequent lies between them, and the gap is no longer
//! than `window` + `density` characters.
//!
//! # Assumes
//! A tag and a run of white space each count as one space. When fewer than half of `sample` pages are there, `count` shrinks
//! in proportion, but not below 2: the paper says that it must.
//!
//! # Example
//! `32.10.0.200` in the paper's notation is `window` 32, `count` 10, `density` 0, `sample` 200; the fast setting is
//! `32.10.40.200`.
//!
//! # Cost
//! A few operations a character, whatever the size of the window: the hash rolls. No tree is built.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 3.2.

mod line;
mod windows;

use std::cmp::Ordering;

use xxhash_rust::xxh3;

use super::Detector;
use super::settings::{Setting, SettingError, number};
use crate::html::Span;
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::{Region, TemplateHash, tidy};
use crate::sample::Count;
pub use windows::{Windows, Words};

/// Characters in a window, at most.
const WINDOW_MAX: usize = 4096;

/// Repeated windows of characters; see the [module](self).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Characters in a window (the paper's W).
    pub window: usize,
    /// Occurrences that make a window frequent (F).
    pub count: u32,
    /// One in so many windows is counted; 0 and 1 mean all (D).
    pub density: u64,
    /// How many pages of a site are compared (P).
    pub sample: usize,
}

impl Default for Text {
    fn default() -> Text {
        Text { window: 32, count: 10, density: 0, sample: 200 }
    }
}

impl Detector for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::new("window", self.window),
            Setting::new("count", self.count),
            Setting::new("density", self.density),
            Setting::new("sample", self.sample),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        match name {
            "window" => {
                self.window = number("window", value, 1..=WINDOW_MAX, "1 to 4096 characters are possible")?
            }
            "count" => {
                self.count =
                    number("count", value, 2..=u32::MAX, "a number of occurrences from 2 on is needed")?
            }
            "density" => {
                self.density =
                    number("density", value, 0..=1 << 32, "a number is needed; 0 counts every window")?
            }
            "sample" => {
                self.sample = number("sample", value, 2..=1_000_000, "a number of pages from 2 on is needed")?
            }
            _ => return Err(SettingError::Unknown { method: "text", name: name.to_owned() }),
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Detector> {
        Box::new(self.clone())
    }

    fn sample_size(&self) -> usize {
        self.sample
    }

    fn pieces(&self, page: &ParsedPage<'_>, pieces: &mut Vec<u64>) {
        Windows::new(*page.source(), self).read(page.pieces(), |_, hash| pieces.push(hash));
        pieces.sort_unstable();
    }

    fn is_template(&self, count: Count, pages_sampled: usize) -> bool {
        count.occurrences >= self.count_for(pages_sampled)
    }

    fn rule(&self, pages_sampled: usize) -> String {
        let looked_at = match self.density {
            0 | 1 => "all windows".to_owned(),
            density => format!("one window in {density}"),
        };
        format!(
            "{} characters are template when they occur at least {} times in {pages_sampled} compared pages \
             ({looked_at} looked at)",
            self.window,
            self.count_for(pages_sampled)
        )
    }

    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region> {
        if model.is_empty() {
            return Vec::new();
        }
        // Whoever labels a page writes it out next, and needs the pieces again.
        let (source, pieces) = (*page.source(), page.pieces());
        let mut windows = Windows::new(source, self);
        let mut all: Vec<Joined> = Vec::new();
        // Whether the last window that was counted is frequent.
        let mut was_frequent = false;
        windows.read(pieces, |at, hash| {
            let found = model.count(hash);
            if let Some(count) = found {
                let end = at + self.window;
                match all.last_mut() {
                    Some(last) if at <= last.end + self.gap(was_frequent) => {
                        match self.cut(last, at, count) {
                            Some(cut) => {
                                last.end = cut;
                                all.push(Joined { start: cut, end, pages: count.pages, is_next: true });
                            }
                            None => last.extend(end, count),
                        }
                    }
                    _ => all.push(Joined { start: at, end, pages: count.pages, is_next: false }),
                }
            }
            was_frequent = found.is_some();
        });
        let parts: Vec<_> = all.iter().map(|joined| joined.start..joined.end).collect();
        let words = windows.words(&parts).into_iter();
        let mut regions: Vec<Region> = Vec::with_capacity(all.len());
        for (joined, words) in all.iter().zip(words) {
            let Some(region) = joined.region(words) else { continue };
            // The tags between two parts of a joined text are template as well.
            if let Some(last) = regions.last_mut().filter(|_| joined.is_next) {
                let between = Span { start: last.span.end, end: region.span.start.max(last.span.end) };
                if between.slice(page.payload()).contains(&b'<') {
                    last.span.end = between.end;
                }
            }
            regions.push(region);
        }
        tidy(&mut regions);
        regions
    }
}

/// Frequent windows that were joined, in characters of the line.
struct Joined {
    start: usize,
    end: usize,
    pages: u32,
    /// Whether it goes on where the one before was cut.
    is_next: bool,
}

impl Joined {
    fn extend(&mut self, end: usize, count: Count) {
        self.end = end;
        self.pages = self.pages.min(count.pages);
    }

    /// The region without the spaces at its ends. A window of one space is no region.
    fn region(&self, words: Words) -> Option<Region> {
        let hash = TemplateHash(xxh3::xxh3_64(words.text.as_bytes()));
        Some(Region::new(words.span?, hash, self.pages))
    }
}

impl Text {
    /// Occurrences that make a window frequent in so many pages: all of `count` from half a sample on.
    fn count_for(&self, pages_sampled: usize) -> u32 {
        let scaled = (2 * self.count as usize * pages_sampled).div_ceil(self.sample);
        (scaled as u32).clamp(2, self.count)
    }

    /// Where joined text is cut before the window at `at`: where the number of pages changes that have it. What more or fewer pages have
    /// is a template of its own, so that two texts which differ at their edges have most of their templates in common.
    fn cut(&self, last: &Joined, at: usize, count: Count) -> Option<usize> {
        let cut = match count.pages.cmp(&last.pages) {
            _ if self.density > 1 => return None,
            Ordering::Equal => return None,
            // The last character of the window is the first that fewer pages have.
            Ordering::Less => at + self.window - 1,
            // The window is the first without a character that fewer pages have.
            Ordering::Greater => at,
        };
        Some(cut.clamp(last.start + 1, last.end))
    }

    /// Characters that may lie between two windows that are joined.
    fn gap(&self, was_frequent: bool) -> usize {
        if was_frequent && self.density > 1 { self.window + self.density as usize } else { 0 }
    }
}
