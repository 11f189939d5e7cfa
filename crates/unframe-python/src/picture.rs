//! Draws the picture of a site.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use unframe_picture::drawing::{Drawing, Format};
use unframe_picture::{SiteView, look};

use crate::errors;
use crate::model::{Model, source::sources};
use crate::parsers::PooledParser;
use crate::threads::map_rows;

/// The picture of one site, as the bytes of an SVG, PNG or HTML file; see `unframe.draw`.
#[pyfunction]
#[pyo3(signature = (model, pages, *, format="svg", site=None, palette="rainbow", color_by="share", dark=false, threads=0))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn draw<'py>(
    py: Python<'py>,
    model: &Model,
    pages: &Bound<'py, PyAny>,
    format: &str,
    site: Option<&str>,
    palette: &str,
    color_by: &str,
    dark: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let drawing = Drawing {
        format: format.parse().map_err(errors::setting)?,
        palette: palette.parse().map_err(errors::setting)?,
        color_by: color_by.parse().map_err(errors::setting)?,
        is_dark: dark,
    };
    let models = py.detach(|| model.models());
    let method = models.detector().name();
    let mut views: BTreeMap<String, SiteView> = BTreeMap::new();
    let mut pages = sources(pages, model.site_by())?;
    while let Some(batch) = pages.next_batch()? {
        let seen = py.detach(|| {
            let new_worker = || {
                let mut parser = PooledParser::take();
                let (models, batch) = (&models, &batch);
                move |row: usize| {
                    let page = batch[row].view();
                    if site.is_some_and(|site| site != page.site) {
                        return None;
                    }
                    let parsed = parser.open(page);
                    let regions = models.label(page.site, &parsed);
                    let is_explored = drawing.format == Format::Html;
                    let seen = look(page.url, &parsed, regions, is_explored);
                    Some((page.site.to_owned(), seen))
                }
            };
            map_rows(batch.len(), threads, new_worker)
        });
        for (name, seen) in seen.into_iter().flatten() {
            views.entry(name).or_insert_with_key(|name| SiteView::new(name, method)).add(seen);
        }
    }
    let mut view = select_site(views, site)?;
    view.sort();
    let bytes = py.detach(|| drawing.write(view)).map_err(errors::input)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The site to draw: the named one, or the only one.
fn select_site(mut views: BTreeMap<String, SiteView>, site: Option<&str>) -> PyResult<SiteView> {
    match (views.len(), site) {
        (1, _) => Ok(views.pop_first().map(|(_, view)| view).unwrap_or_else(|| SiteView::new("", ""))),
        (0, Some(site)) => Err(errors::input(format!("no page belongs to the site `{site}`"))),
        (0, None) => Err(errors::input("there is no page to draw")),
        (sites, _) => {
            let names: Vec<&str> = views.keys().take(8).map(String::as_str).collect();
            Err(errors::input(format!(
                "the pages belong to {sites} sites: choose one with `site`, such as {}",
                names.join(", ")
            )))
        }
    }
}
