//! The options of a picture, with the same names in the program, in Python and in the HTTP API.

use std::io;
use std::str::FromStr;

use super::palette::{ColorBy, DARK, LIGHT, Palette};
use super::{SiteView, explorer, page_list, scene, svg};

/// The file format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// A vector image, for documents.
    #[default]
    Svg,
    /// A raster image, for programs that cannot show SVG.
    Png,
    /// One interactive HTML file, which works offline.
    Html,
    /// A line for each page instead of a picture; see [`page_list`].
    Jsonl,
}

/// The options of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drawing {
    /// The file format.
    pub format: Format,
    /// The colours of templates.
    pub palette: Palette,
    /// The meaning of the colours.
    pub color_by: ColorBy,
    /// Whether the background is dark. An HTML file ignores this and follows the browser.
    pub is_dark: bool,
}

impl Drawing {
    /// Draws the site and returns the bytes of the file. This sorts the pages of the site.
    pub fn write(self, site: SiteView) -> Result<Vec<u8>, DrawError> {
        let theme = if self.is_dark { DARK } else { LIGHT };
        let scene = |site| scene::of_site(site, self.palette, self.color_by, theme);
        match self.format {
            Format::Svg => Ok(svg::write(&scene(&site)).into_bytes()),
            #[cfg(feature = "png")]
            Format::Png => Ok(super::png::write(&scene(&site))?),
            #[cfg(not(feature = "png"))]
            Format::Png => Err(DrawError::LeftOut),
            Format::Html => Ok(explorer::write(site, self.palette, self.color_by)?.into_bytes()),
            Format::Jsonl => Ok(page_list::write(&site).into_bytes()),
        }
    }
}

/// Why a picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The PNG file cannot be drawn.
    #[cfg(feature = "png")]
    #[error(transparent)]
    Png(#[from] super::png::PngError),
    /// The format is PNG, but this build lacks the cargo feature `png`.
    #[cfg(not(feature = "png"))]
    #[error("this build cannot draw PNG: build it with the cargo feature `png`, or draw SVG or HTML")]
    LeftOut,
    /// The HTML file cannot be written.
    #[error(transparent)]
    Html(#[from] io::Error),
}

/// A name that is not among the choices of an option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`: choose {choices}")]
pub struct UnknownName {
    what: &'static str,
    name: String,
    choices: &'static str,
}

impl Format {
    /// Returns the format if this build can write it.
    ///
    /// # Errors
    /// If the format needs the feature `png`, and this build lacks it.
    pub fn built(self) -> Result<Format, DrawError> {
        match self {
            #[cfg(not(feature = "png"))]
            Format::Png => Err(DrawError::LeftOut),
            format => Ok(format),
        }
    }

    /// Its name, which is also the file extension.
    pub fn name(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Png => "png",
            Format::Html => "html",
            Format::Jsonl => "jsonl",
        }
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Format, UnknownName> {
        let formats = [Format::Svg, Format::Png, Format::Html, Format::Jsonl];
        formats.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownName {
            what: "picture format",
            name: name.to_owned(),
            choices: "svg, png, html or jsonl",
        })
    }
}

impl FromStr for ColorBy {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<ColorBy, UnknownName> {
        match name {
            "share" => Ok(ColorBy::Share),
            "times" => Ok(ColorBy::Times),
            _ => Err(UnknownName {
                what: "meaning of colours",
                name: name.to_owned(),
                choices: "share or times",
            }),
        }
    }
}

impl FromStr for Palette {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Palette, UnknownName> {
        match name {
            "rainbow" => Ok(Palette::Rainbow),
            "safe" => Ok(Palette::Safe),
            _ => Err(UnknownName { what: "palette", name: name.to_owned(), choices: "rainbow or safe" }),
        }
    }
}
