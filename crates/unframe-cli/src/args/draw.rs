//! Arguments of `draw`.

use std::path::PathBuf;

use clap::ValueEnum;
use unframe_picture::drawing::Format;
use unframe_picture::palette::{ColorBy, Palette};

use super::{MethodArgs, ModelArgs, ReadingArgs};

/// Draw a picture of a site: each page is a bar, and its templates are coloured where they are on the page
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: a site as one HTML file to explore, which needs no network
  unframe draw crawl.warc.gz --site example.org -o example.html
Example: all sites of a crawl, with an index of thumbnails
  unframe draw crawl.warc.gz --all -o pictures/
Example: the pages of a site that are rich in content, by the templates that they share
  unframe draw crawl.warc.gz --site example.org --format jsonl -o pages.jsonl

Each bar is a page, and its length is the size of the page in bytes; the shortest is at the top. Grey is content that only this page has. Colours are templates, by the \
share of the site's pages that have them: red under 10 %, then orange, yellow, green, blue, and purple from 90 % on. In the HTML file, click a bar to \
read its page, and a template to see its pages. The crawl is read in two passes, with --model in one.")]
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
    /// Output format [default: by the extension of the output file; html with --all, svg otherwise]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<PictureFormat>,
    /// Colours of the templates
    #[arg(long, value_enum, value_name = "NAME", default_value = "rainbow")]
    pub(crate) palette: PaletteName,
    /// What the colour of a template means
    #[arg(long, value_enum, value_name = "NAME", default_value = "share")]
    pub(crate) color_by: ColorByName,
    /// Dark background in SVG and PNG; an HTML file follows the setting of the browser
    #[arg(long)]
    pub(crate) dark: bool,
    /// Write to this file instead of standard output; with --all, to this folder
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How a picture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// Vector graphics, for documents
    Svg,
    /// Pixels, for everything else
    Png,
    /// One HTML file to explore, which works offline
    Html,
    /// No picture but a line for each page: pages with the same templates are a group, and those with the most content come first
    Jsonl,
}

impl From<PictureFormat> for Format {
    fn from(format: PictureFormat) -> Format {
        match format {
            PictureFormat::Svg => Format::Svg,
            PictureFormat::Png => Format::Png,
            PictureFormat::Html => Format::Html,
            PictureFormat::Jsonl => Format::Jsonl,
        }
    }
}

/// What the colours of templates stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorByName {
    /// Share of the site's pages that have the template
    Share,
    /// Number of occurrences on the site, by powers of ten
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
    /// From light to dark, for colour-blind readers
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
