//! An overview page with thumbnails of many sites, sorted by their share of template.

use std::fmt::{self, Write};

use unframe::RegionKind;
use unframe::text::content::Volume;

use super::SiteView;
use super::palette::{CLASSES, ColorBy, Palette};
use super::svg::number;
use crate::figures::{bytes_short, percent, plural};
use crate::markup::Escaped;
use crate::report_page::{self, ReportPage};

const STYLE: &str = include_str!("index.css");

/// The size of a thumbnail in pixels.
const WIDTH: f32 = 260.0;
const HEIGHT: usize = 120;
/// Maximum number of bars of a thumbnail; each bar is two pixels high.
const BARS_MAX: usize = HEIGHT / 2;

/// A site in the overview.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The file name of its picture, in the folder of the overview.
    pub file: String,
    /// The number of its pages.
    pub pages: usize,
    /// The share of template in it.
    pub volume: Volume,
    /// Its thumbnail, as SVG.
    pub thumbnail: String,
}

/// The entry of a site. Its pages must be sorted.
pub fn entry(site: &SiteView, palette: Palette, file: String) -> Entry {
    let mut thumbnail = String::new();
    // Writing to a string cannot fail.
    let _ = write_thumbnail(&mut thumbnail, site, palette);
    Entry { name: site.name.clone(), file, pages: site.pages.len(), volume: site.volume, thumbnail }
}

/// A file name for a site. Characters other than letters, digits, dots, hyphens and underscores are replaced.
pub fn file_stem(site: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let stem: String = site.chars().take(100).map(plain).collect();
    let stem = stem.trim_start_matches('.');
    if stem.is_empty() { "site".to_owned() } else { stem.to_owned() }
}

/// Writes the overview. Sites with the largest share of template in their HTML come first.
pub fn write(mut entries: Vec<Entry>) -> String {
    entries.sort_by(|a, b| {
        let shares = b.volume.html.fraction().total_cmp(&a.volume.html.fraction());
        shares.then_with(|| a.name.cmp(&b.name))
    });
    let mut body = String::new();
    let _ = write_body(&mut body, &entries);
    let title = format!("Templates of {}", plural(entries.len() as u64, "site"));
    report_page::write(&ReportPage { title: &title, style: STYLE, body: &body, data: None, script: None })
}

fn write_body(out: &mut String, entries: &[Entry]) -> fmt::Result {
    let pages: usize = entries.iter().map(|entry| entry.pages).sum();
    let bytes: u64 = entries.iter().map(|entry| entry.volume.html.total).sum();
    let sites = plural(entries.len() as u64, "site");
    writeln!(out, "<h1>Templates of {sites}</h1>")?;
    let figures = format!("{}, {}", plural(pages as u64, "page"), bytes_short(bytes));
    writeln!(
        out,
        "<p>{figures}; the sites with the largest share of template in their HTML first</p>\n<ol>"
    )?;
    for entry in entries {
        let (file, name) = (Escaped(&entry.file), Escaped(&entry.name));
        writeln!(out, "<li><a href=\"./{file}\"><h2>{name}</h2>{}", entry.thumbnail)?;
        let Volume { html, text, links } = entry.volume;
        let [html, text, links] = [html, text, links].map(|share| percent(share.fraction()));
        let pages = plural(entry.pages as u64, "page");
        writeln!(out, "<p><b>{html}</b> of HTML, {text} of text, {links} of links<br>{pages}</p></a></li>")?;
    }
    writeln!(out, "</ol>")
}

fn write_thumbnail(out: &mut String, site: &SiteView, palette: Palette) -> fmt::Result {
    let drawn = SiteView::spread(site.pages.len(), BARS_MAX);
    let pitch = (HEIGHT / drawn.len().max(1)).clamp(2, 8);
    let scale = WIDTH / site.bytes_shown().max(1) as f32;
    let mut grey = String::new();
    let mut colored: [String; CLASSES] = Default::default();
    for (row, page) in drawn.into_iter().enumerate() {
        let page = &site.pages[page];
        let y = number((row * pitch) as f32 + pitch as f32 / 2.0);
        write!(grey, "M0 {y}h{}", number(page.bytes as f32 * scale))?;
        let mut end = -1.0;
        // Markup and clutter are omitted, because a thumbnail is too small for more colours.
        let kinds = [RegionKind::Repeated, RegionKind::Changing];
        for mark in page.marks.iter().filter(|mark| kinds.contains(&mark.kind)) {
            let (x, right) = (mark.start as f32 * scale, mark.end as f32 * scale);
            // Marks narrower than half a pixel are invisible.
            if right - x.max(end) < 0.5 {
                continue;
            }
            let piece = &site.pieces[mark.piece as usize];
            let color = ColorBy::Share.class(piece.occurrences, piece.pages, site.pages.len());
            write!(colored[color], "M{} {y}h{}", number(x.max(end)), number(right - x.max(end)))?;
            end = right;
        }
    }
    write!(
        out,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"picture\" stroke-width=\"{pitch}\">"
    )?;
    write!(out, "<path class=\"page\" d=\"{grey}\"/>")?;
    for (path, color) in colored.iter().zip(palette.colors()).filter(|(path, _)| !path.is_empty()) {
        write!(out, "<path stroke=\"{color}\" d=\"{path}\"/>")?;
    }
    write!(out, "</svg>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        let sites = ["a.example:8080/en", "../../etc", "", "ümlaut.example", "file:"];
        assert_eq!(sites.map(file_stem), ["a.example_8080_en", "_.._etc", "site", "_mlaut.example", "file_"]);
    }
}
