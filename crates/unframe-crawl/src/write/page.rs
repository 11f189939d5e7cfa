//! A page without its templates, ready to be written.

use std::borrow::Cow;

use jiff::Timestamp;
use unframe::detect::places::{PageKind, reported_kind};
use unframe::html::Span;
use unframe::language;
use unframe::learn::Evidence;
use unframe::metadata::Metadata;
use unframe::render::{Chunk, RenderOptions};
use unframe::text::content::{self, Volume};
use unframe::{Charset, Origin, Page, PageBytes, ParsedPage, Region, RegionKind, Sort, TemplateHash, render};

/// A borrowed page, such as a row of a table.
#[derive(Debug, Clone, Copy)]
pub struct PageView<'p> {
    /// The URL that it was fetched from.
    pub url: &'p str,
    /// The key of its site.
    pub site: &'p str,
    /// The time of the fetch.
    pub date: Option<Timestamp>,
    /// The identifier of the WARC record that it was read from.
    pub record_id: Option<&'p str>,
    /// The file and the position that it was read from, if any.
    pub origin: Option<&'p Origin>,
    /// The bytes, to which all positions refer.
    pub payload: &'p [u8],
    /// The charset of the payload.
    pub charset: Charset,
}

impl<'p> From<PageView<'p>> for PageBytes<'p> {
    fn from(page: PageView<'p>) -> PageBytes<'p> {
        PageBytes { payload: page.payload, encoding: page.charset.encoding }
    }
}

impl<'p> From<&'p Page> for PageView<'p> {
    fn from(page: &'p Page) -> PageView<'p> {
        PageView {
            url: &page.url,
            site: &page.site,
            date: page.date,
            record_id: page.record_id.as_deref(),
            origin: Some(&page.origin),
            payload: &page.payload,
            charset: page.charset,
        }
    }
}

/// Reads one number of a [`Volume`].
pub type Measure = fn(&Volume) -> u64;

/// The columns with a page's share of template.
pub const VOLUME_COLUMNS: [(&str, Measure); 6] = [
    ("html_template", |volume| volume.html.template),
    ("html_total", |volume| volume.html.total),
    ("text_template", |volume| volume.text.template),
    ("text_total", |volume| volume.text.total),
    ("links_template", |volume| volume.links.template),
    ("links_total", |volume| volume.links.total),
];

/// The columns with a page's metadata and its readers' comments. The title of the content is called `headline`, because `title` is the
/// `<title>` of the page.
pub const METADATA_COLUMNS: [&str; 14] = [
    "headline",
    "author",
    "published",
    "modified",
    "description",
    "site_name",
    "language",
    "canonical",
    "page_type",
    "license",
    "language_declared",
    "language_detected",
    "comments",
    "page_kind",
];

/// The column with the confidence of the page kind, from 0 to 1.
pub const KIND_CONFIDENCE_COLUMN: &str = "page_kind_confidence";

/// The content of a page, and where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanPage {
    /// The URL that it was fetched from.
    pub url: String,
    /// The key of its site.
    pub site: String,
    /// The time of the fetch.
    pub date: Option<Timestamp>,
    /// The identifier of the WARC record that it was read from.
    pub record_id: Option<String>,
    /// The file and the position that it was read from, if any.
    pub origin: Option<Origin>,
    /// The title.
    pub title: Option<String>,
    /// The metadata, if requested.
    pub metadata: Option<Metadata>,
    /// The language of the content, if requested and known.
    pub detected_language: Option<&'static str>,
    /// The page kind, if requested, and its confidence in percent.
    pub kind: Option<(PageKind, u8)>,
    /// The comments of readers, if requested and not part of the content.
    pub comments: Option<String>,
    /// The content.
    pub body: Body,
    /// The evidence that was used to find its templates.
    pub evidence: Evidence,
    /// How much of the page is template.
    pub volume: Volume,
}

impl CleanPage {
    /// Removes the regions, which must be sorted and must not overlap, from a page.
    pub fn new<'p>(
        page: impl Into<PageView<'p>>,
        parsed: &ParsedPage<'_>,
        regions: &[Region],
        format: BodyFormat,
    ) -> CleanPage {
        let page = page.into();
        let content = content::extract(parsed, regions);
        let body = match format {
            BodyFormat::Text => Body::Text(content.text),
            BodyFormat::Markdown(options) => {
                Body::Markdown(render::markdown(parsed, regions, page.url, options))
            }
            BodyFormat::SimpleHtml(options) => {
                Body::SimpleHtml(render::simple_html(parsed, regions, page.url, options))
            }
            BodyFormat::Chunks { tokens } => Body::Chunks(render::chunks(parsed, regions, tokens)),
            BodyFormat::Html => Body::Html { bytes: render::html(parsed, regions), charset: page.charset },
        };
        CleanPage {
            url: page.url.to_owned(),
            site: page.site.to_owned(),
            date: page.date,
            record_id: page.record_id.map(str::to_owned),
            origin: page.origin.cloned(),
            title: content.title,
            metadata: None,
            detected_language: None,
            kind: None,
            comments: None,
            body,
            evidence: Evidence::Site,
            volume: content.volume,
        }
    }

    /// Adds the metadata, the page kind, the language of the content, and the readers' comments if they are in a region. This needs the
    /// tree of the page, and takes nearly as long as cleaning.
    pub fn with_metadata(self, parsed: &ParsedPage<'_>, regions: &[Region]) -> CleanPage {
        let metadata = Metadata::of(parsed, &self.url, regions);
        CleanPage {
            kind: reported_kind(parsed, metadata.declared_kind),
            metadata: Some(metadata),
            detected_language: match &self.body {
                // The names of elements are no words of the page.
                Body::Html { .. } | Body::SimpleHtml(_) => {
                    language::detect(&content::extract(parsed, regions).text)
                }
                body => language::detect(&body.text()),
            },
            comments: comments(parsed, regions),
            ..self
        }
    }

    /// The metadata, in the order of [`METADATA_COLUMNS`].
    pub fn metadata_values(&self) -> [Option<&str>; METADATA_COLUMNS.len()] {
        let Some(metadata) = &self.metadata else { return [None; METADATA_COLUMNS.len()] };
        let (declared, detected) = (metadata.language.as_deref(), self.detected_language);
        [
            metadata.title.as_deref(),
            metadata.author.as_deref(),
            metadata.published.as_deref(),
            metadata.modified.as_deref(),
            metadata.description.as_deref(),
            metadata.site_name.as_deref(),
            language::choose(declared, detected),
            metadata.canonical.as_deref(),
            metadata.page_type.as_deref(),
            metadata.license.as_deref(),
            declared,
            detected,
            self.comments.as_deref(),
            self.kind.map(|(kind, _)| kind.name()),
        ]
    }

    /// The confidence of the page kind, from 0 to 1.
    pub fn kind_confidence(&self) -> Option<f64> {
        self.kind.map(|(_, percent)| f64::from(percent) / 100.0)
    }

    /// The metadata value of a column, by the column's name.
    pub fn metadata_value(&self, column: &str) -> Option<&str> {
        let at = METADATA_COLUMNS.iter().position(|name| *name == column)?;
        self.metadata_values()[at]
    }

    /// The page's identifier: that of its WARC record, else its file and position (`FILE:OFFSET`), else its URL.
    pub fn id(&self) -> Cow<'_, str> {
        match (&self.record_id, &self.origin) {
            (Some(id), _) => Cow::Borrowed(id),
            (None, Some(origin)) => Cow::Owned(format!("{}:{}", origin.file, origin.offset)),
            (None, None) => Cow::Borrowed(&self.url),
        }
    }

    /// Sets the evidence that was used to find the templates.
    pub fn with_evidence(self, evidence: Evidence) -> CleanPage {
        CleanPage { evidence, ..self }
    }
}

/// The readers' comments: the text of the regions of that sort, without what other pages have too, such as headings and forms. `None` if no line
/// is longer than a label.
fn comments(parsed: &ParsedPage<'_>, regions: &[Region]) -> Option<String> {
    let of_readers =
        regions.iter().filter(|region| region.sort == Sort::Comments && region.kind == RegionKind::Clutter);
    let mut start = 0;
    let mut others: Vec<Region> = Vec::new();
    for span in of_readers.map(|region| region.span) {
        others.push(Region::new(Span { start, end: span.start }, TemplateHash(0), 0));
        start = span.end;
    }
    if others.is_empty() {
        return None;
    }
    others.push(Region::new(Span { start, end: u32::MAX }, TemplateHash(0), 0));
    others.retain(|region| !region.span.is_empty());
    Some(content::extract(parsed, &others).text).filter(|text| text.lines().any(is_sentence))
}

/// Whether a line is more than a label such as "3 comments": it ends like a sentence, or has several words. Han characters count as half a word.
fn is_sentence(line: &str) -> bool {
    const WORDS_MIN: usize = 6;
    let line = line.trim_end();
    let han = line.chars().filter(|c| matches!(c, '\u{3040}'..='\u{9fff}')).count();
    let words = line.split_whitespace().count() + han / 2;
    words >= WORDS_MIN || words > 1 && line.ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// The format of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BodyFormat {
    /// Plain text: each block in a line of its own.
    #[default]
    Text,
    /// Markdown.
    Markdown(RenderOptions),
    /// The bytes of the page without its templates.
    Html,
    /// HTML with only those elements and attributes that mean something to readers.
    SimpleHtml(RenderOptions),
    /// Chunks for retrieval.
    Chunks {
        /// Maximum number of tokens of a chunk.
        tokens: usize,
    },
}

/// The content of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Plain text.
    Text(String),
    /// Markdown.
    Markdown(String),
    /// HTML in the charset of the page.
    Html {
        /// The bytes.
        bytes: Vec<u8>,
        /// Their charset.
        charset: Charset,
    },
    /// HTML with only those elements and attributes that mean something to readers, without `html` and `body`.
    SimpleHtml(String),
    /// Chunks for retrieval.
    Chunks(Vec<Chunk>),
}

impl Body {
    /// The bytes; for chunks, those of their texts.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Body::Text(text) | Body::Markdown(text) | Body::SimpleHtml(text) => {
                Cow::Borrowed(text.as_bytes())
            }
            Body::Html { bytes, .. } => Cow::Borrowed(bytes),
            Body::Chunks(_) => Cow::Owned(self.text().into_owned().into_bytes()),
        }
    }

    /// The text.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Body::Text(text) | Body::Markdown(text) | Body::SimpleHtml(text) => Cow::Borrowed(text),
            Body::Html { bytes, charset } => charset.encoding.decode(bytes).0,
            Body::Chunks(chunks) => {
                let texts: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
                Cow::Owned(texts.join("\n"))
            }
        }
    }

    /// The media type with the charset, such as `text/plain; charset=UTF-8`.
    pub fn content_type(&self) -> String {
        match self {
            Body::Text(_) | Body::Chunks(_) => "text/plain; charset=UTF-8".to_owned(),
            Body::Markdown(_) => "text/markdown; charset=UTF-8".to_owned(),
            Body::Html { charset, .. } => format!("text/html; charset={}", charset.name()),
            Body::SimpleHtml(_) => "text/html; charset=UTF-8".to_owned(),
        }
    }
}
