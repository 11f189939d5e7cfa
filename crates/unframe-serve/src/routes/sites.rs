//! Sites and their pages.

use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, OFFSET_MAX, no_such_site, short, study, window};
use crate::api::{Json, Params, PathParam, Route, choice, number, text};
use crate::background::default_method;
use crate::error::{Answer, ApiError};
use crate::jobs::Task;
use crate::limits::{NAME_CHARS_MAX, ROWS_MAX};
use crate::page_store::{SiteRow, date_text};
use crate::service::Service;
use crate::study::StudyPage;

/// The names of all methods.
pub(crate) fn methods() -> Vec<&'static str> {
    unframe::detect::METHODS.iter().map(|(name, _)| *name).collect()
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/api/v1/sites", "listSites", "Sites, sorted by name.", list)
            .query("after", "Only sites after this one.", text(NAME_CHARS_MAX))
            .query("q", "Only sites whose names contain this.", text(NAME_CHARS_MAX))
            .query("limit", "How many.", number(1, ROWS_MAX as u64))
            .answers(200, "The sites.", "Sites"),
        Route::new(Method::GET, "/api/v1/sites/{site}", "getSite", "What is known of a site.", get)
            .answers(200, "The site.", "Site"),
        Route::new(Method::DELETE, "/api/v1/sites/{site}", "deleteSite", "Deletes the pages of a site, its model and its entries in the search index. What was learned page by page stays.", delete)
            .answers(202, "A job was started.", "Job"),
        Route::new(Method::POST, "/api/v1/sites/{site}/learn", "learnSite", "Learns a site from its kept pages: its model, templates, selectors, schemas, picture and history.", learn)
            .query("method", "How to find templates.", choice(&methods()))
            .answers(202, "A job was started.", "Job"),
        Route::new(Method::GET, "/api/v1/sites/{site}/pages", "listPages", "The pages of a site.", pages)
            .query("sort", "The order; `new` is by the time of arrival, the newest first.", choice(&["length", "share", "url", "new"]))
            .query("q", "Only pages whose address or title contains this.", text(NAME_CHARS_MAX))
            .query("schema", "Only pages with this schema.", number(0, u32::MAX.into()))
            .query("limit", "How many.", number(1, ROWS_MAX as u64))
            .query("offset", "How many to skip.", number(0, OFFSET_MAX as u64))
            .answers(200, "The pages.", "Pages"),
    ]
}

#[derive(Deserialize)]
struct ListParams {
    after: Option<String>,
    q: Option<String>,
    limit: Option<usize>,
}

async fn list(service: App, Params(params): Params<ListParams>) -> Answer<Json<Value>> {
    let (limit, _) = window(params.limit, None, ROWS_MAX)?;
    let after = short("after", params.after, NAME_CHARS_MAX)?;
    let holding = short("q", params.q, NAME_CHARS_MAX)?;
    service
        .work(move |at| {
            let (rows, total) = at.page_store.sites(&after, limit, &holding)?;
            let sites: Answer<Vec<Value>> = rows.iter().map(|(name, row)| to_json(at, name, row)).collect();
            let next = rows.last().filter(|_| rows.len() == limit).map(|(name, _)| name);
            Ok(Json(json!({"sites": sites?, "total": total, "next": next})))
        })
        .await
}

/// A site as JSON.
fn to_json(service: &Service, name: &str, row: &SiteRow) -> Answer<Value> {
    let summary = service.summary(name)?;
    let followed = row.template_bytes as f64 / row.bytes.max(1) as f64;
    let learned = summary.as_ref().map(|summary| {
        json!({
            "pages": summary.pages, "templates": summary.templates, "is_stale": summary.last != row.last,
            "html": summary.volume.html, "text": summary.volume.text, "links": summary.volume.links,
            "snapshots": summary.snapshots,
        })
    });
    Ok(json!({
        "site": name,
        "pages": row.pages,
        "bytes": row.bytes,
        "share": summary.as_ref().map_or(followed, |summary| summary.volume.html),
        "shares": summary.as_ref().map_or(&row.recent, |summary| &summary.shares),
        "oldest": row.oldest.and_then(date_text),
        "newest": row.newest.and_then(date_text),
        "learned": learned,
    }))
}

async fn get(service: App, PathParam(site): PathParam<String>) -> Answer<Json<Value>> {
    service
        .work(move |at| {
            let row = at.page_store.site(&site)?.ok_or_else(|| no_such_site(&site))?;
            to_json(at, &site, &row).map(Json)
        })
        .await
}

async fn delete(service: App, PathParam(site): PathParam<String>) -> Answer<Response> {
    begin(service, site, |site| Task::Delete { site }).await
}

#[derive(Deserialize)]
struct LearnParams {
    method: Option<String>,
}

async fn learn(
    service: App,
    PathParam(site): PathParam<String>,
    Params(params): Params<LearnParams>,
) -> Answer<Response> {
    let method = params.method.unwrap_or_else(|| default_method().to_owned());
    if !methods().contains(&method.as_str()) {
        return Err(ApiError::parameter(format!(
            "there is no method `{method}`: choose one of {}",
            methods().join(", ")
        )));
    }
    begin(service, site, |site| Task::Learn { site, method }).await
}

/// Begins a job for an existing site.
async fn begin(
    service: App,
    site: String,
    task: impl FnOnce(String) -> Task + Send + 'static,
) -> Answer<Response> {
    service
        .work(move |at| {
            at.page_store.site(&site)?.ok_or_else(|| no_such_site(&site))?;
            let job = at.jobs.add(task(site))?;
            at.save_job(&job)?;
            Ok((StatusCode::ACCEPTED, Json(super::jobs::to_json(&job))).into_response())
        })
        .await
}

#[derive(Deserialize)]
struct PagesParams {
    sort: Option<String>,
    q: Option<String>,
    schema: Option<u32>,
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn pages(
    service: App,
    PathParam(site): PathParam<String>,
    Params(params): Params<PagesParams>,
) -> Answer<Json<Value>> {
    let (limit, offset) = window(params.limit, params.offset, ROWS_MAX)?;
    let holding = short("q", params.q, NAME_CHARS_MAX)?.to_lowercase();
    let sort = params.sort.unwrap_or_else(|| "length".to_owned());
    if !["length", "share", "url", "new"].contains(&sort.as_str()) {
        return Err(ApiError::parameter(format!(
            "`{sort}` is not an order: choose length, share, url or new"
        )));
    }
    service
        .work(move |at| {
            let Some(study) = at.study(&site)? else {
                let mut ids = unlearned(at, &site, &holding, &sort)?;
                if params.schema.is_some() {
                    // Schemas are only known after learning.
                    ids.clear();
                }
                let rows: Answer<Vec<Value>> =
                    ids.iter().skip(offset).take(limit).filter_map(|id| unlearned_row(at, *id)).collect();
                return Ok(Json(json!({"pages": rows?, "total": ids.len(), "learned": false})));
            };
            let is_found = |page: &&StudyPage| {
                params.schema.is_none_or(|schema| page.schema == schema)
                    && is_holding(&holding, &page.url, &page.title)
            };
            let mut found: Vec<&StudyPage> = study.pages.iter().filter(is_found).collect();
            match sort.as_str() {
                "share" => found.sort_by_key(|page| (std::cmp::Reverse(page.share), page.id)),
                "url" => found.sort_by(|a, b| a.url.cmp(&b.url)),
                "new" => found.sort_by_key(|page| std::cmp::Reverse(page.id)),
                _ => {}
            }
            let total = found.len();
            let rows: Vec<Value> = found.into_iter().skip(offset).take(limit).map(page_row).collect();
            Ok(Json(json!({"pages": rows, "total": total, "learned": true})))
        })
        .await
}

/// A row of a list of pages.
pub(crate) fn page_row(page: &StudyPage) -> Value {
    json!({
        "page": page.id, "url": page.url, "title": page.title, "date": page.date.and_then(date_text), "bytes": page.bytes,
        "share": f64::from(page.share) / 1000.0, "schema": page.schema,
    })
}

fn is_holding(holding: &str, url: &str, title: &str) -> bool {
    holding.is_empty() || url.to_lowercase().contains(holding) || title.to_lowercase().contains(holding)
}

/// The sorted numbers of the pages that match `holding`, for a site that was not learned yet. Only numbers are held in memory, because a
/// site may have very many pages.
fn unlearned(service: &Service, site: &str, holding: &str, sort: &str) -> Answer<Vec<u64>> {
    service.page_store.site(site)?.ok_or_else(|| no_such_site(site))?;
    // The rows come in the order of their addresses. The sort below is stable, so addresses break ties.
    let mut found: Vec<(u64, u64)> = Vec::new();
    service.page_store.rows_by_address(site, |id, row| {
        let key = match sort {
            "share" => u64::MAX - 1000 * u64::from(row.template_bytes) / u64::from(row.bytes.max(1)),
            "url" => 0,
            "new" => u64::MAX - id,
            _ => row.bytes.into(),
        };
        if is_holding(holding, &row.url, &row.title) {
            found.push((key, id));
        }
    })?;
    found.sort_by_key(|(key, _)| *key);
    Ok(found.into_iter().map(|(_, id)| id).collect())
}

/// A row of a list of pages, if the page still exists.
fn unlearned_row(service: &Service, id: u64) -> Option<Answer<Value>> {
    let answer = service.page_store.row(id).map(|row| {
        row.map(|row| {
            json!({
                "page": id, "url": row.url, "title": row.title, "date": row.date_text(), "bytes": row.bytes,
                "share": f64::from(row.template_bytes) / f64::from(row.bytes.max(1)), "schema": null,
            })
        })
    });
    answer.transpose()
}

/// Runs a handler that needs the study of a site.
pub(crate) async fn with_study<T: Send + 'static>(
    service: App,
    site: String,
    answer: impl FnOnce(&Service, &crate::study::Study) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    service.work(move |at| answer(at, &*study(at, &site)?)).await
}
