//! One HTML file to explore a site with: no network, no framework, nothing of the pages but their text.
//!
//! What comes from pages is data: it is compressed and written in letters that mean nothing in HTML, and the script puts it
//! into text nodes only. The file's policy allows one script and one style sheet, known by their hashes, and forbids
//! everything else, so that even a mistake in the script loads nothing and runs nothing.

mod data;

use std::io;

use crate::report_page::{self, ReportPage};

use super::SiteView;
use super::palette::{ColorBy, Palette};

const BODY: &str = include_str!("body.html");
const STYLE: &str = include_str!("style.css");
/// In the order in which they use each other.
const SCRIPTS: [&str; 5] = [
    include_str!("model.js"),
    include_str!("canvas.js"),
    include_str!("lists.js"),
    include_str!("detail.js"),
    include_str!("main.js"),
];

/// Writes the file. The pages of the site are sorted.
pub fn write(site: SiteView, palette: Palette, color_by: ColorBy) -> io::Result<String> {
    let title = format!("Templates of {}", site.display_name());
    let data = data::of_site(site, palette, color_by)?;
    let script = SCRIPTS.concat();
    Ok(report_page::write(&ReportPage {
        title: &title,
        style: STYLE,
        body: BODY,
        data: Some(&data),
        script: Some(&script),
    }))
}
