//! How pages are cleaned: the format of their content, and what is kept.

use std::num::NonZero;

use pyo3::PyResult;
use unframe::PageParser;
use unframe::learn::Models;
use unframe::regions::Keep;
use unframe::render::RenderOptions;
use unframe_crawl::write::{BodyFormat, CHUNK_TOKENS, CleanPage, PageView};

use crate::errors;

/// The options of cleaning.
pub(crate) struct Cleaning {
    format: BodyFormat,
    keep: Keep,
    /// Whether to add metadata: what the pages say of themselves.
    metadata: bool,
}

impl Cleaning {
    pub(crate) fn new(
        format: &str,
        links: Option<&str>,
        images: Option<&str>,
        chunk_tokens: Option<NonZero<usize>>,
        keep: &[String],
        metadata: bool,
    ) -> PyResult<Cleaning> {
        let format = body_format(format, links, images, chunk_tokens)?;
        Ok(Cleaning { format, keep: kept(keep)?, metadata })
    }

    /// Cleans a page.
    pub(crate) fn clean(&self, models: &Models, page: PageView<'_>, parser: &mut PageParser) -> CleanPage {
        let parsed = parser.open(page);
        let mut regions = models.label(page.site, &parsed);
        self.keep.apply(&mut regions);
        let clean = CleanPage::new(page, &parsed, &regions, self.format);
        let clean = if self.metadata { clean.with_metadata(&parsed, &regions) } else { clean };
        clean.with_evidence(models.evidence(page.site))
    }
}

/// Parses the names in `keep`.
fn kept(names: &[String]) -> PyResult<Keep> {
    Keep::of(names.iter().map(String::as_str)).map_err(|name| {
        let sorts: Vec<&str> = unframe::Sort::NAMED.iter().filter_map(|sort| sort.name()).collect();
        errors::setting(format!(
            "`{name}` is not a kind that keep knows: choose clutter, or any of {}",
            sorts.join(", ")
        ))
    })
}

/// Parses the name of an output format, with the options that only some formats have.
fn body_format(
    name: &str,
    links: Option<&str>,
    images: Option<&str>,
    chunk_tokens: Option<NonZero<usize>>,
) -> PyResult<BodyFormat> {
    let mut options = RenderOptions::default();
    if let Some(links) = links {
        options.links = links.parse().map_err(errors::setting)?;
    }
    if let Some(images) = images {
        options.images = images.parse().map_err(errors::setting)?;
    }
    let tokens = chunk_tokens.map_or(CHUNK_TOKENS, NonZero::get);
    let format = match name {
        "text" => BodyFormat::Text,
        "markdown" => BodyFormat::Markdown(options),
        "html" => BodyFormat::Html,
        "simple-html" => BodyFormat::SimpleHtml(options),
        "chunks" => BodyFormat::Chunks { tokens },
        other => {
            return Err(errors::setting(format!(
                "`{other}` is not a format: choose text, markdown, html, simple-html or chunks"
            )));
        }
    };
    let is_marked = matches!(format, BodyFormat::Markdown(_) | BodyFormat::SimpleHtml(_));
    if (links.is_some() || images.is_some()) && !is_marked {
        return Err(errors::setting(format!(
            "links and images need the format markdown or simple-html, not {name}"
        )));
    }
    if chunk_tokens.is_some() && name != "chunks" {
        return Err(errors::setting(format!("chunk_tokens needs the format chunks, not {name}")));
    }
    Ok(format)
}
