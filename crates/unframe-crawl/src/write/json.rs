//! Lines of JSON. The format is public: fields may be added, but never renamed.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use unframe::Region;
use unframe::learn::Evidence;
use unframe::render::Chunk;
use unframe::text::content::{Share, Volume};

use super::target::Target;
use super::{Body, CleanPage, KIND_CONFIDENCE_COLUMN, METADATA_COLUMNS, PageView, PageWriter};

/// Writes one line per page or per chunk.
pub(super) struct Lines {
    target: Target,
}

impl Lines {
    pub(super) fn new(target: Target) -> Lines {
        Lines { target }
    }
}

impl PageWriter for Lines {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        let Body::Chunks(chunks) = &page.body else { return self.target.write_all(&clean_line(page)?) };
        for (number, chunk) in chunks.iter().enumerate() {
            self.target.write_all(&chunk_line(page, number, chunk)?)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.target.finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        self.target.unfinished()
    }
}

/// The line of a cleaned page, including its line break: `{"url","site","date","title","text","evidence","volume",…}`, with
/// [`METADATA_COLUMNS`] at the end if they were requested. Chunks are a list, `chunks`, in place of `text`.
pub fn clean_line(page: &CleanPage) -> serde_json::Result<Vec<u8>> {
    line(&CleanLine {
        url: &page.url,
        site: &page.site,
        date: page.date.map(|date| date.to_string()),
        title: page.title.as_deref(),
        content: match &page.body {
            Body::Chunks(chunks) => Content::Chunks(chunks.iter().map(ChunkFields::from).collect()),
            body => Content::Text(body.text()),
        },
        evidence: page.evidence.name(),
        volume: page.volume.into(),
        metadata: page.metadata.is_some().then_some(MetadataLine(page)),
    })
}

/// The line of a chunk: `{"url","site","title","chunk","headings","text","tokens","start","end",…}`, with [`METADATA_COLUMNS`] at the end if
/// they were requested.
pub(super) fn chunk_line(page: &CleanPage, number: usize, chunk: &Chunk) -> serde_json::Result<Vec<u8>> {
    line(&ChunkLine {
        url: &page.url,
        site: &page.site,
        title: page.title.as_deref(),
        chunk: number,
        fields: chunk.into(),
        metadata: page.metadata.is_some().then_some(MetadataLine(page)),
    })
}

/// The line of a labelled page, including its line break:
/// `{"url","site","date","bytes","evidence","regions","volume"}`.
pub fn label_line<'p>(
    page: impl Into<PageView<'p>>,
    regions: &[Region],
    evidence: Evidence,
    volume: Volume,
) -> serde_json::Result<Vec<u8>> {
    let page = page.into();
    let regions = regions.iter().map(|region| RegionLine {
        start: region.span.start,
        end: region.span.end,
        template: region.template.to_string(),
        pages: region.pages,
        kind: region.kind.name(),
        sort: region.sort.name(),
        confidence: (region.confidence > 0).then(|| f64::from(region.confidence) / 100.0),
        within: region.within.map(|template| template.to_string()),
    });
    line(&LabelLine {
        url: page.url,
        site: page.site,
        date: page.date.map(|date| date.to_string()),
        bytes: page.payload.len(),
        evidence: evidence.name(),
        regions: regions.collect(),
        volume: volume.into(),
    })
}

/// Serialises a value as a line.
pub(super) fn line(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

#[derive(Serialize)]
struct CleanLine<'a> {
    url: &'a str,
    site: &'a str,
    date: Option<String>,
    title: Option<&'a str>,
    #[serde(flatten)]
    content: Content<'a>,
    evidence: &'static str,
    volume: VolumeLine,
    #[serde(flatten)]
    metadata: Option<MetadataLine<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Content<'a> {
    Text(Cow<'a, str>),
    Chunks(Vec<ChunkFields<'a>>),
}

/// The metadata of a page, in the order of [`METADATA_COLUMNS`]; missing values are null.
struct MetadataLine<'a>(&'a CleanPage);

impl Serialize for MetadataLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(METADATA_COLUMNS.len() + 1))?;
        for (name, value) in METADATA_COLUMNS.iter().zip(self.0.metadata_values()) {
            map.serialize_entry(name, &value)?;
        }
        map.serialize_entry(KIND_CONFIDENCE_COLUMN, &self.0.kind_confidence())?;
        map.end()
    }
}

#[derive(Serialize)]
struct ChunkLine<'a> {
    url: &'a str,
    site: &'a str,
    title: Option<&'a str>,
    chunk: usize,
    #[serde(flatten)]
    fields: ChunkFields<'a>,
    #[serde(flatten)]
    metadata: Option<MetadataLine<'a>>,
}

#[derive(Serialize)]
struct ChunkFields<'a> {
    headings: &'a [String],
    text: &'a str,
    tokens: usize,
    start: u32,
    end: u32,
}

impl<'a> From<&'a Chunk> for ChunkFields<'a> {
    fn from(chunk: &'a Chunk) -> ChunkFields<'a> {
        let Chunk { headings, text, tokens, span } = chunk;
        ChunkFields { headings, text, tokens: *tokens, start: span.start, end: span.end }
    }
}

#[derive(Serialize)]
struct LabelLine<'a> {
    url: &'a str,
    site: &'a str,
    date: Option<String>,
    bytes: usize,
    evidence: &'static str,
    regions: Vec<RegionLine>,
    volume: VolumeLine,
}

#[derive(Serialize)]
struct RegionLine {
    start: u32,
    end: u32,
    template: String,
    pages: u32,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<String>,
}

/// How much of a page is template.
#[derive(Serialize)]
pub(super) struct VolumeLine {
    html: ShareLine,
    text: ShareLine,
    links: ShareLine,
}

#[derive(Serialize)]
struct ShareLine {
    template: u64,
    total: u64,
}

impl From<Volume> for VolumeLine {
    fn from(volume: Volume) -> VolumeLine {
        let line = |share: Share| ShareLine { template: share.template, total: share.total };
        VolumeLine { html: line(volume.html), text: line(volume.text), links: line(volume.links) }
    }
}
