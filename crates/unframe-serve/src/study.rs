//! The study of a learned site: its templates with selectors, the schemas of its pages, its picture and its history. A job makes the
//! study. It is stored as one value and cached in memory.

mod history;
mod make;

use serde::{Deserialize, Serialize};
use unframe::RegionKind;
use unframe::text::content::Volume;

use crate::limits::RECENT_SHARES;

pub(crate) use history::Timeline;
pub(crate) use make::{LearnedSite, make};

/// The study of a site. Fields may be added, but never renamed, because existing states contain them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Study {
    pub(crate) site: String,
    /// The method that found the templates.
    pub(crate) method: String,
    /// The number of the last page of the site when the study was made.
    pub(crate) last: u64,
    /// When the study was made, in seconds of Unix time.
    pub(crate) made: i64,
    pub(crate) volume: TemplateShares,
    /// The pages, the shortest first.
    pub(crate) pages: Vec<StudyPage>,
    /// The distinct template hashes.
    pub(crate) pieces: Vec<Piece>,
    /// The templates, the most widely used first.
    pub(crate) templates: Vec<Template>,
    /// Pages with the same templates, outliers first.
    pub(crate) schemas: Vec<Schema>,
    /// Number of pages on which the selectors were tested.
    pub(crate) selector_pages: usize,
    #[serde(default)]
    pub(crate) timeline: Timeline,
}

/// Template shares of HTML, text and links, from 0 to 1, and the size of the HTML in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TemplateShares {
    pub(crate) html: f64,
    pub(crate) text: f64,
    pub(crate) links: f64,
    pub(crate) bytes: u64,
}

/// The figures of a study that are shown in lists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// The number of the last page of the site when the study was made.
    pub(crate) last: u64,
    pub(crate) pages: usize,
    pub(crate) templates: usize,
    pub(crate) volume: TemplateShares,
    pub(crate) snapshots: usize,
    /// Template shares of the pages in the order of their numbers, in percent. If there are many pages, neighbouring ones are averaged.
    pub(crate) shares: Vec<u8>,
}

/// A page of a study.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StudyPage {
    pub(crate) id: u64,
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) date: Option<i64>,
    pub(crate) bytes: u32,
    /// Share of template bytes, in thousandths.
    pub(crate) share: u16,
    /// Its index in [`Study::schemas`].
    pub(crate) schema: u32,
    /// Regions: start, end, index in [`Study::pieces`].
    pub(crate) marks: Vec<(u32, u32, u32)>,
    /// The kind of each region, as an index in [`KINDS`].
    #[serde(default)]
    pub(crate) kinds: Vec<u8>,
}

/// The kinds of regions. Their indices are stored.
pub(crate) const KINDS: [RegionKind; 4] =
    [RegionKind::Repeated, RegionKind::Changing, RegionKind::Markup, RegionKind::Clutter];

impl StudyPage {
    /// Its regions with their kinds.
    pub(crate) fn regions(&self) -> impl Iterator<Item = ((u32, u32, u32), RegionKind)> {
        let kinds = self.kinds.iter().map(|kind| KINDS.get(*kind as usize).copied().unwrap_or_default());
        self.marks.iter().copied().zip(kinds.chain(std::iter::repeat(RegionKind::Repeated)))
    }
}

/// A template hash.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Piece {
    pub(crate) hash: u64,
    pub(crate) occurrences: u64,
    pub(crate) pages: u32,
    /// Its sort, such as navigation.
    #[serde(default)]
    pub(crate) sort: Option<String>,
    /// The template that contains it.
    #[serde(default)]
    pub(crate) within: Option<u64>,
    /// Its index in [`Study::templates`].
    pub(crate) template: Option<u32>,
    /// The text of its first occurrence.
    pub(crate) text: String,
    /// Selectors that select it.
    #[serde(default)]
    pub(crate) selectors: Vec<Selector>,
    /// The number of elements in all occurrences, and the number of those that the selectors select.
    #[serde(default)]
    pub(crate) selected: (u64, u64),
}

/// A selector in CSS and in XPath.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Selector {
    pub(crate) css: String,
    pub(crate) xpath: String,
}

/// Pieces that occur together.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Template {
    /// Indices in [`Study::pieces`], in the order of the pieces on the pages.
    pub(crate) pieces: Vec<u32>,
    /// Indices in [`Study::pages`].
    pub(crate) pages: Vec<u32>,
    /// Total size of all occurrences, in bytes.
    pub(crate) bytes: u64,
    /// Average number of its links on a page.
    #[serde(default)]
    pub(crate) links: u32,
}

/// Pages with the same or nearly the same templates.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Schema {
    /// Indices in [`Study::templates`].
    pub(crate) templates: Vec<u32>,
    /// Indices in [`Study::pages`].
    pub(crate) pages: Vec<u32>,
    pub(crate) outlier: bool,
}

impl Study {
    /// Finds a template by its name, the hash of its first piece. If no template has the name, the hash of any of its pieces will do.
    pub(crate) fn template(&self, name: &str) -> Option<(usize, &Template)> {
        let hash = u64::from_str_radix(name, 16).ok().filter(|_| name.len() == 16)?;
        let with = |template: &Template, at: Option<usize>| {
            let pieces = &template.pieces[..at.unwrap_or(template.pieces.len())];
            pieces.iter().any(|piece| self.pieces[*piece as usize].hash == hash)
        };
        let mut all = self.templates.iter().enumerate();
        let named = all.clone().find(|(_, template)| with(template, Some(1.min(template.pieces.len()))));
        named.or_else(|| all.find(|(_, template)| with(template, None)))
    }

    /// The name of a template.
    pub(crate) fn name(&self, template: &Template) -> String {
        let first = template.pieces.first().map(|piece| self.pieces[*piece as usize].hash);
        format!("{:016x}", first.unwrap_or_default())
    }

    /// The text of a template.
    pub(crate) fn text(&self, template: &Template) -> String {
        let texts = template.pieces.iter().map(|piece| self.pieces[*piece as usize].text.as_str());
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | ")
    }

    /// The figures that are shown in lists.
    pub(crate) fn summary(&self) -> Summary {
        let mut shares: Vec<(u64, u32)> =
            self.pages.iter().map(|page| (page.id, page.share.into())).collect();
        shares.sort_unstable();
        let together = shares.len().div_ceil(RECENT_SHARES).max(1);
        let average = |pages: &[(u64, u32)]| {
            let sum: u32 = pages.iter().map(|(_, share)| share).sum();
            (f64::from(sum) / pages.len() as f64 / 10.0).round() as u8
        };
        Summary {
            last: self.last,
            pages: self.pages.len(),
            templates: self.templates.len(),
            volume: self.volume,
            snapshots: self.timeline.snapshots.len(),
            shares: shares.chunks(together).map(average).collect(),
        }
    }

    /// Approximate memory in bytes.
    pub(crate) fn memory(&self) -> usize {
        let pages =
            self.pages.iter().map(|page| 160 + page.url.len() + page.title.len() + 12 * page.marks.len());
        let pieces = self.pieces.iter().map(|piece| 200 + piece.text.len());
        let lists = self.templates.iter().map(|one| 64 + 4 * (one.pages.len() + one.pieces.len()));
        pages.sum::<usize>() + pieces.sum::<usize>() + lists.sum::<usize>()
    }
}

impl From<Volume> for TemplateShares {
    fn from(volume: Volume) -> TemplateShares {
        TemplateShares {
            html: volume.html.fraction(),
            text: volume.text.fraction(),
            links: volume.links.fraction(),
            bytes: volume.html.total,
        }
    }
}
