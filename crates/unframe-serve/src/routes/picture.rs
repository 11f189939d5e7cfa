//! The picture of a site, as data for the explorer and as a drawing.

use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use unframe::text::content::{Share, Volume};
use unframe::{PageParser, RegionKind, Sort, TemplateHash};
use unframe_picture::drawing::{Drawing, Format, UnknownName};
use unframe_picture::palette::ColorBy;
use unframe_picture::{self as picture, Mark, PageView, PieceView, SiteView};

use super::sites::{page_row, with_study};
use super::{App, OFFSET_MAX, study};
use crate::api::{Json, Params, PathParam, Route, choice, number, yes_or_no};
use crate::error::{Answer, ApiError};
use crate::limits::PICTURE_PAGES_MAX;
use crate::service::Service;
use crate::study::Study;

/// Maximum number of pages in an HTML explorer file. More would exceed the time limit of a request.
const FILE_PAGES_MAX: usize = 1000;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/api/v1/sites/{site}/picture", "getPicture", "The pages of a site with their regions, the shortest first: all of them, or an even sample.", data)
            .query("from", "The index of the first page.", number(0, OFFSET_MAX as u64))
            .query("to", "The index after the last page.", number(0, OFFSET_MAX as u64))
            .query("rows", "The number of pages in an even sample of these.", number(1, PICTURE_PAGES_MAX as u64))
            .answers(200, "The picture.", "Picture"),
        Route::new(Method::GET, "/api/v1/sites/{site}/schemas", "listSchemas", "Groups of pages with the same templates, outliers first.", schemas)
            .answers(200, "The schemas.", "Schemas"),
        Route::new(Method::GET, "/api/v1/sites/{site}/timeline", "getTimeline", "How the templates of a site change over time, if its pages have several dates.", timeline)
            .answers(200, "The timeline.", "Timeline"),
        Route::new(Method::GET, "/api/v1/sites/{site}/draw", "drawSite", "The picture of a site as SVG, as PNG, or as one HTML file to explore; or its pages as lines of JSON, those rich in content first.", draw)
            .query("format", "What to draw.", choice(&["svg", "png", "html", "jsonl"]))
            .query("palette", "The colours.", choice(&["rainbow", "safe"]))
            .query("color_by", "What colours mean: the share of the site's pages that have a template, or how often it occurs.", choice(&["share", "times"]))
            .query("dark", "Whether the background is dark.", yes_or_no())
            .answers_as(200, "The picture.", &["image/svg+xml", "image/png", "text/html", "application/x-ndjson"], json!({"type": "string", "format": "binary"})),
    ]
}

#[derive(Deserialize)]
struct DataParams {
    from: Option<usize>,
    to: Option<usize>,
    rows: Option<usize>,
}

async fn data(
    service: App,
    PathParam(site): PathParam<String>,
    Params(params): Params<DataParams>,
) -> Answer<Json<Value>> {
    let rows = params.rows.unwrap_or(400);
    if !(1..=PICTURE_PAGES_MAX).contains(&rows) {
        return Err(ApiError::parameter(format!("`rows` must be a number from 1 to {PICTURE_PAGES_MAX}")));
    }
    let places = [params.from, params.to].into_iter().flatten();
    if places.clone().any(|place| place > OFFSET_MAX) {
        return Err(ApiError::parameter(format!("`from` and `to` must be numbers up to {OFFSET_MAX}")));
    }
    with_study(service, site, move |_, study| {
        let total = study.pages.len();
        let to = params.to.unwrap_or(total).min(total);
        let from = params.from.unwrap_or(0).min(to);
        let shown = SiteView::spread(to - from, rows);
        let pages = shown.iter().map(|at| {
            let page = &study.pages[from + at];
            let mut row = page_row(page);
            row["at"] = json!(from + at);
            row["marks"] = page
                .regions()
                .map(|((start, end, piece), kind)| mark(study, start, end, piece, kind))
                .collect();
            row
        });
        Ok(Json(json!({
            "site": study.site, "method": study.method, "total": total, "from": from, "to": to,
            "bytes_max": study.pages.last().map_or(0, |page| page.bytes),
            "volume": study.volume, "classes": ColorBy::Share.names(),
            "pages": pages.collect::<Vec<Value>>(),
        })))
    })
    .await
}

/// A region as JSON: its start and end, the colour and the identity of its template, and its kind.
fn mark(study: &Study, start: u32, end: u32, piece: u32, kind: RegionKind) -> Value {
    let piece = &study.pieces[piece as usize];
    let class = ColorBy::Share.class(piece.occurrences, piece.pages, study.pages.len());
    json!([start, end, class, format!("{:016x}", piece.hash), kind.name()])
}

async fn schemas(service: App, PathParam(site): PathParam<String>) -> Answer<Json<Value>> {
    with_study(service, site, |_, study| {
        let schemas = study.schemas.iter().enumerate().map(|(number, schema)| {
            let templates = schema.templates.iter().map(|at| &study.templates[*at as usize]);
            let templates = templates.map(|template| {
                let text: String = study.text(template).chars().take(80).collect();
                json!({"template": study.name(template), "text": text})
            });
            let examples = schema.pages.iter().take(5).filter_map(|page| study.pages.get(*page as usize));
            json!({
                "schema": number, "pages": schema.pages.len(), "is_outlier": schema.outlier,
                "templates": templates.collect::<Vec<Value>>(), "examples": examples.map(page_row).collect::<Vec<Value>>(),
            })
        });
        Ok(Json(json!({"schemas": schemas.collect::<Vec<Value>>()})))
    })
    .await
}

async fn timeline(service: App, PathParam(site): PathParam<String>) -> Answer<Json<Value>> {
    with_study(service, site, |_, study| {
        let snapshots = study.timeline.snapshots.iter().map(|one| {
            json!({
                "bucket": one.bucket, "year": one.year, "pages": one.pages, "html": one.volume.html, "text": one.volume.text,
                "links": one.volume.links,
                "changed": {"template": one.changed[0], "content": one.changed[1], "both": one.changed[2]},
            })
        });
        Ok(Json(json!({"bucket": study.timeline.bucket, "snapshots": snapshots.collect::<Vec<Value>>()})))
    })
    .await
}

#[derive(Deserialize)]
struct DrawParams {
    format: Option<String>,
    palette: Option<String>,
    color_by: Option<String>,
    dark: Option<bool>,
}

async fn draw(
    service: App,
    PathParam(site): PathParam<String>,
    Params(params): Params<DrawParams>,
) -> Answer<Response> {
    let drawing = Drawing {
        format: params.format.as_deref().unwrap_or("svg").parse().map_err(parameter)?,
        palette: params.palette.as_deref().unwrap_or("rainbow").parse().map_err(parameter)?,
        color_by: params.color_by.as_deref().unwrap_or("share").parse().map_err(parameter)?,
        is_dark: params.dark.unwrap_or(false),
    };
    service
        .work(move |at| {
            let study = study(at, &site)?;
            let (kind, view) = match drawing.format {
                Format::Svg => ("image/svg+xml", view(&study)),
                Format::Png => ("image/png", view(&study)),
                Format::Html => ("text/html; charset=utf-8", explorer_view(at, &study)?),
                Format::Jsonl => ("application/x-ndjson", view(&study)),
            };
            let bytes = drawing.write(view).map_err(ApiError::internal)?;
            let mut response = ([(CONTENT_TYPE, kind)], bytes).into_response();
            if drawing.format == Format::Html {
                // The HTML file is meant to be saved and opened locally, with the security policy that it contains. The browser must not
                // show it under the origin of the service.
                let name = axum::http::HeaderValue::from_static("attachment; filename=\"site.html\"");
                response.headers_mut().insert(axum::http::header::CONTENT_DISPOSITION, name);
            }
            Ok(response)
        })
        .await
}

fn parameter(unknown: UnknownName) -> ApiError {
    ApiError::parameter(unknown.to_string())
}

/// Converts a study for drawing.
fn view(study: &Study) -> SiteView {
    let mut view = SiteView::new(study.site.clone(), study.method.clone());
    let share = |share: f64, total: u64| Share { template: (share * total as f64).round() as u64, total };
    view.volume.html = share(study.volume.html, study.volume.bytes);
    view.volume.text = share(study.volume.text, 1_000_000);
    view.volume.links = share(study.volume.links, 1_000_000);
    view.pieces = study
        .pieces
        .iter()
        .map(|piece| PieceView {
            hash: TemplateHash(piece.hash),
            sort: piece.sort.as_deref().and_then(Sort::named).unwrap_or_default(),
            within: piece.within.map(TemplateHash),
            occurrences: piece.occurrences,
            pages: piece.pages,
            links: 0,
            text: None,
        })
        .collect();
    view.pages = study
        .pages
        .iter()
        .map(|page| PageView {
            url: page.url.clone(),
            title: page.title.clone(),
            bytes: page.bytes,
            marks: page
                .regions()
                .map(|((start, end, piece), kind)| Mark { start, end, piece, kind })
                .collect(),
            volume: Volume {
                html: share(f64::from(page.share) / 1000.0, page.bytes.into()),
                ..Volume::default()
            },
            text: Vec::new(),
            links: Vec::new(),
        })
        .collect();
    view
}

/// The site with the texts and links of its pages, for an HTML explorer file. A large site is sampled evenly.
fn explorer_view(service: &Service, study: &Study) -> Answer<SiteView> {
    let models = service.models(&study.site)?;
    let mut view = SiteView::new(study.site.clone(), study.method.clone());
    let mut parser = PageParser::new();
    for at in SiteView::spread(study.pages.len(), FILE_PAGES_MAX) {
        if let Some((_, page)) = service.page_store.page(study.pages[at].id)? {
            let parsed = parser.open(&page);
            let regions = models.label(&study.site, &parsed);
            view.add(picture::look(&page.url, &parsed, regions, true));
        }
    }
    view.sort();
    Ok(view)
}
