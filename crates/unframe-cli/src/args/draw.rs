//! What was typed after `draw`.

use std::path::PathBuf;

use clap::ValueEnum;
use unframe_picture::drawing::Format;
use unframe_picture::palette::{ColorBy, Palette};

use super::{MethodArgs, ModelArgs, ReadingArgs};

/// Draw the picture of a site: every page a bar, every template where it lies
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: a site as one HTML file to explore, which needs no network
  unframe draw crawl.warc.gz --site example.org -o example.html
Example: all sites of a crawl, with an index of thumbnails
  unframe draw crawl.warc.gz --all -o pictures/

Each bar is a page, as long as the page has bytes, shortest first. Grey is what only this page has; colours are templates, by how often they \
occur on the site: red under 10 times, orange under 100, then yellow, green, blue and purple. In the HTML file, click a bar to \
read its page, and a template to see its pages. The crawl is read twice, with --model once.")]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The site to draw, if the input has more than one
    #[arg(long, value_name = "SITE", conflicts_with = "all")]
    pub(crate) site: Option<String>,
    /// Draw all sites into a folder, with an index page
    #[arg(long, requires = "output")]
    pub(crate) all: bool,
    /// What to write [default: what the name of the output says; html with --all, svg otherwise]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<PictureFormat>,
    /// The colours of templates
    #[arg(long, value_enum, value_name = "NAME", default_value = "rainbow")]
    pub(crate) palette: PaletteName,
    /// What the colours of templates say
    #[arg(long, value_enum, value_name = "NAME", default_value = "share")]
    pub(crate) color_by: ColorByName,
    /// Light words on a dark ground, in SVG and PNG; an HTML file follows the browser
    #[arg(long)]
    pub(crate) dark: bool,
    /// Write here instead of to standard output; with --all a folder
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How a picture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// For documents
    Svg,
    /// For everything else
    Png,
    /// One file to explore, which opens offline
    Html,
}

impl From<PictureFormat> for Format {
    fn from(format: PictureFormat) -> Format {
        match format {
            PictureFormat::Svg => Format::Svg,
            PictureFormat::Png => Format::Png,
            PictureFormat::Html => Format::Html,
        }
    }
}

/// What the colours of templates say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorByName {
    /// The share of the site's pages that have it
    Share,
    /// How often it occurs on the site, by powers of ten
    Times,
}

impl From<ColorByName> for ColorBy {
    fn from(name: ColorByName) -> ColorBy {
        match name {
            ColorByName::Share => ColorBy::Share,
            ColorByName::Times => ColorBy::Times,
        }
    }
}

/// The colours of templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PaletteName {
    /// Red, orange, yellow, green, blue, purple
    Rainbow,
    /// From light to dark, for all who cannot tell red from green
    Safe,
}

impl From<PaletteName> for Palette {
    fn from(name: PaletteName) -> Palette {
        match name {
            PaletteName::Rainbow => Palette::Rainbow,
            PaletteName::Safe => Palette::Safe,
        }
    }
}
