//! The content of the response to a page: its regions, or its content in a format.

use std::num::NonZero;

use axum::http::StatusCode;
use serde::Deserialize;
use unframe::render::{RenderOptions, UnknownMode};
use unframe_crawl::write::{BodyFormat, CHUNK_TOKENS};

use crate::api::{Route, choice, number};
use crate::error::{Answer, ApiError};

/// The values of the parameter `as`.
pub(crate) const FORMATS: [&str; 6] = ["labels", "text", "markdown", "html", "simple-html", "chunks"];

/// The content of the response to a posted page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageFormat {
    /// Its regions.
    Labels,
    /// Its content.
    Clean(BodyFormat),
    /// Nothing, for pages that are only stored.
    Nothing,
}

/// The parameters that choose the content of a response, as they were sent.
#[derive(Debug, Deserialize)]
pub(crate) struct FormatParams {
    #[serde(rename = "as")]
    format: Option<String>,
    links: Option<String>,
    images: Option<String>,
    chunk_tokens: Option<NonZero<usize>>,
}

impl Route {
    /// Adds the parameters of [`FormatParams`], with these values of `as`.
    pub(crate) fn format(self, formats: &[&str]) -> Route {
        const LINKS: &str =
            "With `as=markdown` and `as=simple-html`: links with their addresses, or only their text.";
        const IMAGES: &str = "With `as=markdown` and `as=simple-html`: images with their addresses, only their alternative text, or nothing.";
        self.query("as", "What to answer.", choice(formats))
            .query("links", LINKS, choice(&["keep", "text"]))
            .query("images", IMAGES, choice(&["keep", "alt", "drop"]))
            .query(
                "chunk_tokens",
                "With `as=chunks`: the maximum number of tokens of a chunk.",
                number(1, 1_000_000),
            )
    }
}

impl FormatParams {
    /// The format, which is `default` unless it was sent. Parameters that have no effect on it are refused.
    pub(crate) fn format_or(&self, default: PageFormat) -> Answer<PageFormat> {
        let mut options = RenderOptions::default();
        let unknown = |mode: UnknownMode| ApiError::parameter(mode.to_string());
        if let Some(links) = &self.links {
            options.links = links.parse().map_err(unknown)?;
        }
        if let Some(images) = &self.images {
            options.images = images.parse().map_err(unknown)?;
        }
        let tokens = self.chunk_tokens.map_or(CHUNK_TOKENS, NonZero::get);
        let format = match self.format.as_deref() {
            None => default,
            Some("labels") => PageFormat::Labels,
            Some("text") => PageFormat::Clean(BodyFormat::Text),
            Some("markdown") => PageFormat::Clean(BodyFormat::Markdown(options)),
            Some("html") => PageFormat::Clean(BodyFormat::Html),
            Some("simple-html") => PageFormat::Clean(BodyFormat::SimpleHtml(options)),
            Some("chunks") => PageFormat::Clean(BodyFormat::Chunks { tokens }),
            Some(other) => {
                return Err(ApiError::parameter(format!(
                    "`{other}` is not a kind of answer: choose labels, text, markdown, html, simple-html or chunks"
                )));
            }
        };
        let is_marked =
            matches!(format, PageFormat::Clean(BodyFormat::Markdown(_) | BodyFormat::SimpleHtml(_)));
        let is_chunked = matches!(format, PageFormat::Clean(BodyFormat::Chunks { .. }));
        if (self.links.is_some() || self.images.is_some()) && !is_marked {
            return Err(conflict("`links` and `images` need `as=markdown` or `as=simple-html`"));
        }
        if self.chunk_tokens.is_some() && !is_chunked {
            return Err(conflict("`chunk_tokens` needs `as=chunks`"));
        }
        Ok(format)
    }
}

fn conflict(message: &str) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, "conflicting-parameters", message)
}
