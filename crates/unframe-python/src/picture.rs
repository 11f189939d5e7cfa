//! The picture of a site.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use unframe::html::Parser;
use unframe_picture::palette::{DARK, LIGHT, Palette};
use unframe_picture::{SiteView, explorer, look_at, png, scene, svg};

use crate::errors;
use crate::model::{Model, source::sources};
use crate::threads::map_rows;

/// The picture of one site, as the bytes of an SVG, PNG or HTML file; see `unframe.draw`.
#[pyfunction]
#[pyo3(signature = (model, pages, *, format="svg", site=None, palette="rainbow", dark=false, threads=0))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn draw<'py>(
    py: Python<'py>,
    model: &Model,
    pages: &Bound<'py, PyAny>,
    format: &str,
    site: Option<&str>,
    palette: &str,
    dark: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let drawing = Drawing { format: format_by_name(format)?, palette: palette_by_name(palette)?, dark };
    let models = py.detach(|| model.models());
    let method = models.detector().name();
    let mut views: BTreeMap<String, SiteView> = BTreeMap::new();
    let mut pages = sources(pages, model.site_by())?;
    while let Some(batch) = pages.next_batch()? {
        let seen = py.detach(|| {
            let new_worker = || {
                let mut parser = Parser::new();
                let (models, batch) = (&models, &batch);
                move |row: usize| {
                    let page = batch[row].view();
                    if site.is_some_and(|site| site != page.site) {
                        return None;
                    }
                    let regions = models.label(page.site, page.bytes(), &mut parser);
                    let is_explored = drawing.format == Format::Html;
                    let seen = look_at(page.url, page.bytes(), regions, is_explored, &mut parser);
                    Some((page.site.to_owned(), seen))
                }
            };
            map_rows(batch.len(), threads, new_worker)
        });
        for (name, seen) in seen.into_iter().flatten() {
            views.entry(name).or_insert_with_key(|name| SiteView::new(name, method)).add(seen);
        }
    }
    let view = the_one(views, site)?;
    let bytes = py.detach(|| drawing.draw(view))?;
    Ok(PyBytes::new(py, &bytes))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
    Html,
}

#[derive(Clone, Copy)]
struct Drawing {
    format: Format,
    palette: Palette,
    dark: bool,
}

impl Drawing {
    fn draw(self, mut view: SiteView) -> PyResult<Vec<u8>> {
        view.sort();
        let theme = if self.dark { DARK } else { LIGHT };
        match self.format {
            Format::Svg => Ok(svg::write(&scene::of_site(&view, self.palette, theme)).into_bytes()),
            Format::Png => png::write(&scene::of_site(&view, self.palette, theme)).map_err(errors::input),
            Format::Html => {
                explorer::write(view, self.palette).map(String::into_bytes).map_err(errors::input)
            }
        }
    }
}

/// The site to draw: the one that was named, or the only one.
fn the_one(mut views: BTreeMap<String, SiteView>, site: Option<&str>) -> PyResult<SiteView> {
    match (views.len(), site) {
        (1, _) => Ok(views.pop_first().map(|(_, view)| view).unwrap_or_else(|| SiteView::new("", ""))),
        (0, Some(site)) => Err(errors::input(format!("no page is of the site `{site}`"))),
        (0, None) => Err(errors::input("there is no page to draw")),
        (sites, _) => {
            let names: Vec<&str> = views.keys().take(8).map(String::as_str).collect();
            Err(errors::input(format!(
                "the pages are of {sites} sites: name one as `site`, such as {}",
                names.join(", ")
            )))
        }
    }
}

fn format_by_name(name: &str) -> PyResult<Format> {
    match name {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        "html" => Ok(Format::Html),
        _ => Err(errors::setting(format!("there is no picture format `{name}`: choose svg, png or html"))),
    }
}

fn palette_by_name(name: &str) -> PyResult<Palette> {
    match name {
        "rainbow" => Ok(Palette::Rainbow),
        "safe" => Ok(Palette::Safe),
        _ => Err(errors::setting(format!("there is no palette `{name}`: choose rainbow or safe"))),
    }
}
