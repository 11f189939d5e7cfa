//! The templates of a site: text, selectors, pages.

use std::collections::HashMap;

use axum::http::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::sites::{page_row, with_study};
use super::{App, OFFSET_MAX, short, window};
use crate::api::{Json, Params, PathParam, Route, number, text};
use crate::error::{Answer, ApiError};
use crate::limits::{NAME_CHARS_MAX, ROWS_MAX};
use crate::study::{Study, Template};

/// Maximum length of a text in a list, in characters.
const LISTED_CHARS: usize = 300;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/api/v1/sites/{site}/templates", "listTemplates", "The templates of a site, the most widely used first. Templates inside of another follow it.", list)
            .query("q", "Only templates whose text contains this.", text(NAME_CHARS_MAX))
            .query("limit", "How many.", number(1, ROWS_MAX as u64))
            .query("offset", "How many to skip.", number(0, OFFSET_MAX as u64))
            .answers(200, "The templates.", "Templates"),
        Route::new(Method::GET, "/api/v1/sites/{site}/templates/{template}", "getTemplate", "Everything about a template: the texts of its pieces, how to select them, and its pages. Its name is the hash of its first piece; any of its pieces finds it.", get)
            .query("limit", "How many pages.", number(1, ROWS_MAX as u64))
            .query("offset", "How many pages to skip.", number(0, OFFSET_MAX as u64))
            .answers(200, "The template.", "Template"),
    ]
}

#[derive(Deserialize)]
struct ListParams {
    q: Option<String>,
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn list(
    service: App,
    PathParam(site): PathParam<String>,
    Params(params): Params<ListParams>,
) -> Answer<Json<Value>> {
    let (limit, offset) = window(params.limit, params.offset, ROWS_MAX)?;
    let holding = short("q", params.q, NAME_CHARS_MAX)?.to_lowercase();
    with_study(service, site, move |_, study| {
        let found: Vec<(&Template, usize)> = match holding.is_empty() {
            true => nested(study),
            false => {
                let holds = |template: &&Template| study.text(template).to_lowercase().contains(&holding);
                study.templates.iter().filter(holds).map(|template| (template, 0)).collect()
            }
        };
        let rows = found.iter().skip(offset).take(limit).map(|(template, depth)| {
            let mut row = row(study, template);
            row["depth"] = json!(depth);
            row
        });
        Ok(Json(json!({"templates": rows.collect::<Vec<Value>>(), "total": found.len()})))
    })
    .await
}

/// The templates in preorder, each with its nesting depth: a nested template follows the one that contains it.
fn nested(study: &Study) -> Vec<(&Template, usize)> {
    let piece = |at: usize| study.templates[at].pieces.first().map(|piece| &study.pieces[*piece as usize]);
    let all = 0..study.templates.len();
    let numbers: HashMap<u64, usize> =
        all.clone().filter_map(|at| piece(at).map(|piece| (piece.hash, at))).collect();
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); study.templates.len()];
    let mut open = Vec::new();
    for at in all {
        match piece(at).and_then(|piece| numbers.get(&piece.within?)) {
            Some(around) => inside[*around].push(at),
            None => open.push((at, 0)),
        }
    }
    open.reverse();
    let mut ordered = Vec::with_capacity(study.templates.len());
    while let Some((at, depth)) = open.pop() {
        ordered.push((&study.templates[at], depth));
        open.extend(inside[at].iter().rev().map(|at| (*at, depth + 1)));
    }
    ordered
}

fn row(study: &Study, template: &Template) -> Value {
    let text: String = study.text(template).trim_start().chars().take(LISTED_CHARS).collect();
    let occurrences = template.pieces.iter().map(|piece| study.pieces[*piece as usize].occurrences).max();
    let first = template.pieces.first().map(|piece| &study.pieces[*piece as usize]);
    json!({
        "template": study.name(template), "sort": first.and_then(|piece| piece.sort.as_deref()),
        "within": first.and_then(|piece| piece.within).map(|within| format!("{within:016x}")),
        "share": template.pages.len() as f64 / study.pages.len().max(1) as f64, "links": template.links, "pieces": template.pieces.len(), "pages": template.pages.len(),
        "occurrences": occurrences.unwrap_or(0), "bytes": template.bytes, "text": text,
    })
}

#[derive(Deserialize)]
struct PagesParams {
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn get(
    service: App,
    PathParam((site, name)): PathParam<(String, String)>,
    Params(params): Params<PagesParams>,
) -> Answer<Json<Value>> {
    let (limit, offset) = window(params.limit, params.offset, ROWS_MAX)?;
    with_study(service, site, move |_, study| {
        let (number, template) = study
            .template(&name)
            .ok_or_else(|| ApiError::missing("no-such-template", format!("there is no template `{name}`")))?;
        let pieces = template.pieces.iter().map(|piece| piece_json(study, *piece));
        let pages = template.pages.iter().skip(offset).take(limit);
        let pages = pages.filter_map(|page| study.pages.get(*page as usize)).map(page_row);
        let mut answer = row(study, template);
        answer["text"] = json!(study.text(template));
        answer["number"] = json!(number);
        answer["selector_pages"] = json!(study.selector_pages);
        answer["piece_list"] = pieces.collect();
        answer["page_list"] = pages.collect();
        Ok(Json(answer))
    })
    .await
}

fn piece_json(study: &Study, piece: u32) -> Value {
    let piece = &study.pieces[piece as usize];
    json!({
        "hash": format!("{:016x}", piece.hash), "occurrences": piece.occurrences, "pages": piece.pages, "text": piece.text,
        "selectors": piece.selectors, "elements": piece.selected.0, "selected": piece.selected.1,
    })
}
