//! The routes, with one module for each topic.

pub(crate) mod crawls;
pub(crate) mod explorer;
pub(crate) mod health;
pub(crate) mod jobs;
pub(crate) mod models;
pub(crate) mod pages;
pub(crate) mod picture;
pub(crate) mod search;
pub(crate) mod sites;
pub(crate) mod structure;
pub(crate) mod templates;
pub(crate) mod view;

use std::sync::Arc;

use axum::extract::State;

use crate::api::Route;
use crate::error::{Answer, ApiError};
use crate::service::Service;
use crate::study::Study;

/// The state that every handler gets.
pub(crate) type App = State<Arc<Service>>;

/// All routes.
pub(crate) fn all() -> Vec<Route> {
    let topics = [
        pages::routes(),
        view::routes(),
        crawls::routes(),
        sites::routes(),
        templates::routes(),
        picture::routes(),
        structure::routes(),
        search::routes(),
        jobs::routes(),
        models::routes(),
        health::routes(),
        explorer::routes(),
    ];
    topics.into_iter().flatten().collect()
}

/// The study of a site. If there is none, the error says what to do.
pub(crate) fn study(service: &Service, site: &str) -> Answer<Arc<Study>> {
    if let Some(study) = service.study(site)? {
        return Ok(study);
    }
    match service.page_store.site(site)? {
        Some(_) => Err(ApiError::missing(
            "not-learned",
            format!("{site} is not learned yet: wait, or POST /api/v1/sites/{site}/learn"),
        )),
        None => Err(no_such_site(site)),
    }
}

pub(crate) fn no_such_site(site: &str) -> ApiError {
    ApiError::missing("no-such-site", format!("there is no site `{site}`"))
}

pub(crate) fn no_such_page(page: u64) -> ApiError {
    ApiError::missing("no-such-page", format!("there is no page {page}"))
}

/// The number of rows in the requested part of a list, and the number of rows before it.
pub(crate) fn window(limit: Option<usize>, offset: Option<usize>, rows_max: usize) -> Answer<(usize, usize)> {
    let limit = limit.unwrap_or(100.min(rows_max));
    if limit == 0 || limit > rows_max {
        return Err(ApiError::parameter(format!("`limit` must be a number from 1 to {rows_max}")));
    }
    let offset = offset.unwrap_or(0);
    if offset > OFFSET_MAX {
        return Err(ApiError::parameter(format!("`offset` must be a number from 0 to {OFFSET_MAX}")));
    }
    Ok((limit, offset))
}

/// Maximum offset of a row.
pub(crate) const OFFSET_MAX: usize = 1 << 40;

/// Checks the length of a text parameter.
pub(crate) fn short(name: &str, text: Option<String>, chars_max: usize) -> Answer<String> {
    let text = text.unwrap_or_default();
    match text.chars().count() > chars_max {
        true => Err(ApiError::parameter(format!("`{name}` is longer than {chars_max} characters"))),
        false => Ok(text),
    }
}
