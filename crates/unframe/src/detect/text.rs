//! `text`: repeated windows of characters.
//!
//! # What it does
//! A window of `window` characters slides over the text of each sampled page, one character at a time. A window that was counted at least
//! `count` times is frequent. On a page, frequent windows that overlap or touch are joined, and the joined text is the template. It is
//! split where the number of pages that have its windows changes.
//!
//! With a `density` of N above 1, a window is counted if one of its hashes is among 1 in N of all hashes, so the same window is counted on
//! all pages or on none. This selecting hash is cheaper than the hash that is counted, which only the selected windows get. Most windows of
//! a template are not selected then. So frequent windows are extended to either side by up to `reach` characters while `count` pages agree,
//! and joined if the text between them is frequent as well. Selected windows are shorter than `window`, so that short templates have one;
//! the extended text must still have `window` characters.
//!
//! A `reach` of 0 turns extension off, as in the paper. Then two frequent windows are also joined if no counted but infrequent window lies
//! between them and the gap is no longer than `window` + `density` characters.
//!
//! # Assumes
//! A tag and a run of white space each count as one space. If fewer than half of `sample` pages are available, `count` shrinks in
//! proportion, but not below 2, as the paper requires; `shrink=no` turns this off. With `hidden=yes`, the text of titles, styles and frames
//! is read as well, as in the paper, which leaves out scripts only.
//!
//! # Example
//! `32.10.0.200` in the paper's notation is `window` 32, `count` 10, `density` 0, `sample` 200; the fast setting is
//! `32.10.40.200`.
//!
//! # Cost
//! A few operations per character, whatever the size of the window, because the hash is a rolling hash. No tree is built.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 3.2.

mod extend;
mod join;
mod line;
mod roll;
mod seeds;
mod windows;

use std::ops::Range;

use super::Detector;
use super::settings::{Setting, SettingError, is_yes, number, sample_size, yes_or_no};
use crate::html::Span;
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::{Region, tidy};
use crate::sample::{Count, Sample};
use crate::text::{Piece, Pieces};
use extend::{Extender, Recorder};
use join::{Joined, Joiner};
use seeds::REACH_MAX;
pub use windows::{Windows, Words};

/// Maximum number of characters in a window.
const WINDOW_MAX: usize = 4096;

/// Repeated windows of characters; see the [module](self).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Characters in a window (the paper's W).
    pub window: usize,
    /// Occurrences that make a window frequent (F).
    pub count: u32,
    /// One in this many windows is counted; 0 and 1 mean all (D).
    pub density: u64,
    /// The number of pages of a site that are compared (P).
    pub sample: usize,
    /// With a density above 1: the number of characters by which a selected window is extended on either side while other pages agree. 0
    /// turns extension off, as in the paper.
    pub reach: usize,
    /// Whether invisible text counts: titles, styles and frames, as in the paper. Scripts never count.
    pub hidden: bool,
    /// Whether `count` shrinks on a site with fewer than half of `sample` pages.
    pub shrink: bool,
}

impl Default for Text {
    fn default() -> Text {
        Text { window: 32, count: 10, density: 0, sample: 200, reach: REACH_MAX, hidden: false, shrink: true }
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
            Setting::new("reach", self.reach),
            Setting::new("hidden", yes_or_no(self.hidden)),
            Setting::new("shrink", yes_or_no(self.shrink)),
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
            "sample" => self.sample = sample_size(value)?,
            "hidden" => self.hidden = is_yes("hidden", value)?,
            "shrink" => self.shrink = is_yes("shrink", value)?,
            "reach" => self.reach = number("reach", value, 0..=REACH_MAX, "0 to 64 characters are possible")?,
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
        let (source, hidden) = (*page.source(), self.hidden_pieces(page));
        let parts = hidden.as_deref().unwrap_or_else(|| page.pieces());
        if self.extends() {
            let mut recorder = Recorder { pieces, last: None };
            Windows::read_seeds(source, parts, self, |seed| recorder.push(seed));
        } else {
            Windows::read(source, parts, self, |_, hash| pieces.push(hash));
            pieces.sort_unstable();
        }
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

    fn model(&self, sample: &Sample) -> Model {
        let pages = sample.pages_sampled();
        let templates = match pages {
            // A single page cannot be compared with anything.
            0 | 1 => Default::default(),
            _ if self.extends() => extend::learn(sample, self.count_for(pages), self.reach),
            _ => sample.count(|count| self.is_template(count, pages)),
        };
        Model::new(sample.pages_observed(), pages, templates)
    }

    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region> {
        if model.is_empty() {
            return Vec::new();
        }
        let (windows, all) = self.find(model, page);
        let parts: Vec<_> = all.iter().map(|joined| joined.start..joined.end).collect();
        let words = windows.words(&parts).into_iter();
        let mut regions: Vec<Region> = Vec::with_capacity(all.len());
        for (joined, words) in all.iter().zip(words) {
            let Some(region) = joined.region(words) else { continue };
            // The tags between two parts of a joined text are also template.
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

impl Text {
    /// The template parts of a page, as character ranges of its line. Callers usually need the pieces of the page next, so these are kept.
    fn find<'p>(&self, model: &Model, page: &ParsedPage<'p>) -> (Windows<'p>, Vec<Joined>) {
        let (source, hidden) = (*page.source(), self.hidden_pieces(page));
        let pieces = hidden.as_deref().unwrap_or_else(|| page.pieces());
        if self.extends() {
            let mut extender = Extender::new(self, model);
            let windows = Windows::read_seeds(source, pieces, self, |seed| extender.push(seed));
            (windows, extender.joined)
        } else {
            let mut joiner = Joiner::new(self, model);
            let windows = Windows::read(source, pieces, self, |at, hash| joiner.push(at, hash));
            (windows, joiner.joined)
        }
    }

    /// The pieces of a page including invisible text, if invisible text counts.
    fn hidden_pieces(&self, page: &ParsedPage<'_>) -> Option<Vec<Piece>> {
        self.hidden.then(|| Pieces::all_but_scripts(page.source()).collect())
    }

    /// Cuts a line into pieces, as [`Detector::pieces`] does for the line of a page.
    pub fn line_pieces(&self, characters: &[char], pieces: &mut Vec<u64>) {
        if self.extends() {
            let mut recorder = Recorder { pieces, last: None };
            self.for_each_seed(characters, |seed| recorder.push(seed));
        } else {
            self.for_each_window(characters, |_, hash| pieces.push(hash));
            pieces.sort_unstable();
        }
    }

    /// The template parts of a line, in order and without overlaps.
    pub fn line_templates(&self, model: &Model, characters: &[char]) -> Vec<Range<usize>> {
        let joined = if self.extends() {
            let mut extender = Extender::new(self, model);
            self.for_each_seed(characters, |seed| extender.push(seed));
            extender.joined
        } else {
            let mut joiner = Joiner::new(self, model);
            self.for_each_window(characters, |at, hash| joiner.push(at, hash));
            joiner.joined
        };
        joined.into_iter().map(|joined| joined.start..joined.end).collect()
    }

    /// The number of occurrences that makes a window frequent in this many pages. From half of the sample size on, it is `count`.
    fn count_for(&self, pages_sampled: usize) -> u32 {
        if !self.shrink {
            return self.count;
        }
        let scaled = (2 * self.count as usize * pages_sampled).div_ceil(self.sample);
        (scaled as u32).clamp(2, self.count)
    }
}
