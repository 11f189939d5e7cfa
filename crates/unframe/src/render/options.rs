//! The options of Markdown and simple HTML.

use std::str::FromStr;

/// What becomes of the links and images of a page in [`markdown`](super::markdown) and [`simple_html`](super::simple_html).
///
/// ```
/// use unframe::render::{ImageMode, LinkMode, RenderOptions};
///
/// let mut options = RenderOptions::default();
/// assert_eq!((options.links, options.images), (LinkMode::Keep, ImageMode::Keep));
/// options.images = "alt".parse().unwrap();
/// assert_eq!(options.images, ImageMode::Alt);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct RenderOptions {
    /// What is written for a link.
    pub links: LinkMode,
    /// What is written for an image.
    pub images: ImageMode,
}

/// What is written for a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum LinkMode {
    /// The link with its address.
    #[default]
    Keep,
    /// Its text.
    Text,
}

/// What is written for an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ImageMode {
    /// The image with its address and its alternative text.
    #[default]
    Keep,
    /// Its alternative text, as text.
    Alt,
    /// Nothing.
    Drop,
}

/// The error for a name that is not a mode for links or images.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a choice for {what}: choose {choices}")]
pub struct UnknownMode {
    name: String,
    what: &'static str,
    choices: &'static str,
}

impl FromStr for LinkMode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<LinkMode, UnknownMode> {
        match name {
            "keep" => Ok(LinkMode::Keep),
            "text" => Ok(LinkMode::Text),
            _ => Err(UnknownMode { name: name.to_owned(), what: "links", choices: "keep or text" }),
        }
    }
}

impl FromStr for ImageMode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<ImageMode, UnknownMode> {
        match name {
            "keep" => Ok(ImageMode::Keep),
            "alt" => Ok(ImageMode::Alt),
            "drop" => Ok(ImageMode::Drop),
            _ => Err(UnknownMode { name: name.to_owned(), what: "images", choices: "keep, alt or drop" }),
        }
    }
}
