//! One HTML file for exploring a site: no network, no framework, and nothing from the pages but their text.
//!
//! Everything that comes from pages is data: it is compressed, encoded in characters without a meaning in HTML, and inserted by the script only
//! as text nodes. The content security policy of the file allows one script and one style sheet, identified by their hashes, and forbids
//! everything else, so that even a bug in the script cannot load or run anything.

mod data;

use std::io;

use crate::report_page::{self, ReportPage};

use super::SiteView;
use super::palette::{ColorBy, Palette};

const BODY: &str = include_str!("body.html");
const STYLE: &str = include_str!("style.css");
/// The scripts, each after the ones that it uses.
const SCRIPTS: [&str; 5] = [
    include_str!("model.js"),
    include_str!("canvas.js"),
    include_str!("lists.js"),
    include_str!("detail.js"),
    include_str!("main.js"),
];

/// Writes the file. This sorts the pages of the site.
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
