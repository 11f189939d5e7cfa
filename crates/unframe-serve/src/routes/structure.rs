//! The structure of pages: fingerprints, clusters, classifiers.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use unframe::fingerprint::{
    Classifier, Clusters, Fingerprint, Method as Comparison, Settings, Signature, SignatureMaker,
};

use super::pages::{HTML, read_page};
use super::{App, no_such_site, window};
use crate::api::{Json, Params, PathParam, Route, number};
use crate::error::{Answer, ApiError};
use crate::limits::{EXAMPLES_MAX, NAME_CHARS_MAX, ROWS_MAX};
use crate::page_store::CLASSIFIERS;
use crate::request_body::RequestBody;
use crate::service::{Service, lock};

/// Number of example pages that are listed for a cluster.
const EXAMPLES: usize = 5;

pub(super) fn routes() -> Vec<Route> {
    let label = || json!({"type": "string", "minLength": 1, "maxLength": NAME_CHARS_MAX});
    vec![
        Route::new(
            Method::POST,
            "/api/v1/fingerprint",
            "fingerprintPage",
            "The fingerprint of a page's structure. Nothing is kept.",
            fingerprint,
        )
        .body("The page.", &HTML)
        .answers(200, "The fingerprint.", "Fingerprint")
        .refuses(422, "The body is not an HTML page."),
        Route::new(
            Method::GET,
            "/api/v1/sites/{site}/clusters",
            "clusterSite",
            "The kept pages of a site, grouped by the template that they were made from.",
            clusters,
        )
        .query("limit", "How many clusters.", number(1, ROWS_MAX as u64))
        .answers(200, "The clusters, the largest first.", "Clusters"),
        Route::new(
            Method::GET,
            "/api/v1/classifiers",
            "listClassifiers",
            "Classifiers by their names.",
            list,
        )
        .answers(200, "The classifiers.", "Classifiers"),
        Route::new(
            Method::POST,
            "/api/v1/classifiers/{classifier}/examples",
            "addExample",
            "Adds a page as an example of a template. Creates the classifier if it does not exist.",
            example,
        )
        .needs("template", "The name of the template.", label())
        .body("The page.", &HTML)
        .answers(200, "The templates of the classifier, with the number of their examples.", "Classifier")
        .refuses(422, "The body is not an HTML page.")
        .refuses(507, "The limit of classifiers, or of examples of this one, is reached."),
        Route::new(
            Method::POST,
            "/api/v1/classifiers/{classifier}/classify",
            "classifyPage",
            "Finds the known template that a page was made from.",
            classify,
        )
        .body("The page.", &HTML)
        .answers(200, "The template, or null.", "Classified")
        .refuses(422, "The body is not an HTML page."),
        Route::new(
            Method::DELETE,
            "/api/v1/classifiers/{classifier}",
            "deleteClassifier",
            "Forgets a classifier.",
            delete,
        )
        .answers_nothing(204, "It is gone."),
    ]
}

fn settings() -> Settings {
    Settings::new(Comparison::Fingerprint)
}

async fn signature(service: &Arc<Service>, request_body: RequestBody) -> Answer<Signature> {
    let (page, reserved) = read_page(service, "posted:", None, request_body).await?;
    service
        .work(move |_| {
            let _reserved = reserved;
            Ok(SignatureMaker::new(&settings()).make(&page.payload, page.charset.encoding))
        })
        .await
}

async fn fingerprint(service: App, request_body: RequestBody) -> Answer<Json<Value>> {
    let signature = signature(&service.0, request_body).await?;
    Ok(Json(json!({"fingerprint": signature.to_string()})))
}

#[derive(Deserialize)]
struct ClustersParams {
    limit: Option<usize>,
}

async fn clusters(
    service: App,
    PathParam(site): PathParam<String>,
    Params(params): Params<ClustersParams>,
) -> Answer<Json<Value>> {
    let (limit, _) = window(params.limit, None, ROWS_MAX)?;
    service.work(move |at| found_clusters(at, &site, limit).map(Json)).await
}

fn found_clusters(service: &Service, site: &str, limit: usize) -> Answer<Value> {
    let known = service.page_store.site(site)?.ok_or_else(|| no_such_site(site))?;
    let mut clusters = Clusters::new(settings());
    let mut entries = Vec::new();
    for id in service.page_store.ids(site, 0, usize::MAX)? {
        let Some(row) = service.page_store.row(id)? else { continue };
        if let Ok(fingerprint) = row.fingerprint.parse::<Fingerprint>() {
            let entry = clusters.add(0, &Signature::Fingerprint(fingerprint)).map_err(ApiError::internal)?;
            entries.push((entry, id, row.url));
        }
    }
    let names = clusters.names();
    let mut groups: BTreeMap<String, (usize, Vec<Value>)> = BTreeMap::new();
    for (entry, id, url) in entries {
        let Some(name) = names.of(entry) else { continue };
        let (pages, examples) = groups.entry(name.to_string()).or_default();
        *pages += 1;
        if examples.len() < EXAMPLES {
            examples.push(json!({"page": id, "url": url}));
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, (pages, _))| std::cmp::Reverse(*pages));
    let total = groups.len();
    let answer = groups
        .into_iter()
        .take(limit)
        .map(|(name, (pages, examples))| json!({"cluster": name, "pages": pages, "examples": examples}));
    Ok(json!({"clusters": answer.collect::<Vec<Value>>(), "total": total, "pages": known.pages}))
}

async fn list(service: App) -> Answer<Json<Value>> {
    let names = service.work(move |at| at.page_store.names(CLASSIFIERS)).await?;
    let answer: Vec<Value> =
        names.iter().map(|(name, bytes)| json!({"classifier": name, "bytes": bytes})).collect();
    Ok(Json(json!({"classifiers": answer})))
}

#[derive(Deserialize)]
struct ExampleParams {
    template: String,
}

async fn example(
    service: App,
    PathParam(name): PathParam<String>,
    Params(params): Params<ExampleParams>,
    request_body: RequestBody,
) -> Answer<Json<Value>> {
    let service = service.0;
    if params.template.is_empty() || params.template.chars().count() > NAME_CHARS_MAX {
        return Err(ApiError::parameter(format!(
            "`template` must have from 1 to {NAME_CHARS_MAX} characters"
        )));
    }
    super::models::check_name(&name)?;
    let signature = signature(&service, request_body).await?;
    service
        .work(move |at| {
            let _one_at_a_time = lock(&at.classifying);
            let mut classifier = match at.page_store.bytes(CLASSIFIERS, &name)? {
                Some(bytes) => Classifier::decode(&bytes).map_err(ApiError::internal)?,
                None => Classifier::new(settings()),
            };
            let examples = add_example(&mut classifier, &params.template, &signature)?;
            at.put_classifier(&name, Some(classifier.encode().map_err(ApiError::internal)?))?;
            Ok(Json(json!({"classifier": name, "examples": examples, "templates": classifier.templates()})))
        })
        .await
}

/// Adds an example, if there is room for it. Returns the number of examples.
fn add_example(classifier: &mut Classifier, template: &str, signature: &Signature) -> Answer<u64> {
    let examples: u64 = classifier.save().iter().map(|(_, _, pages)| pages).sum();
    if examples >= EXAMPLES_MAX {
        let message = "the limit of examples of this classifier is reached";
        return Err(ApiError::new(StatusCode::INSUFFICIENT_STORAGE, "store-full", message));
    }
    classifier.add(template, signature).map_err(ApiError::internal)?;
    Ok(examples + 1)
}

async fn classify(
    service: App,
    PathParam(name): PathParam<String>,
    request_body: RequestBody,
) -> Answer<Json<Value>> {
    let service = service.0;
    let signature = signature(&service, request_body).await?;
    service
        .work(move |at| {
            let classifier = at.classifier(&name)?.ok_or_else(|| no_such_classifier(&name))?;
            let matches = classifier.matches(&signature);
            let matches = matches.iter().map(|one| {
                json!({"template": classifier.templates().get(one.template as usize), "similarity": one.similarity, "examples": one.examples})
            });
            Ok(Json(json!({"template": classifier.answer(&signature), "matches": matches.collect::<Vec<Value>>()})))
        })
        .await
}

async fn delete(service: App, PathParam(name): PathParam<String>) -> Answer<StatusCode> {
    service
        .work(move |at| {
            let _one_at_a_time = lock(&at.classifying);
            at.page_store.bytes(CLASSIFIERS, &name)?.ok_or_else(|| no_such_classifier(&name))?;
            at.put_classifier(&name, None)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

fn no_such_classifier(name: &str) -> ApiError {
    ApiError::missing("no-such-classifier", format!("there is no classifier `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_examples_are_taken_and_no_more() {
        let mut classifier = Classifier::new(settings());
        let page = Signature::Fingerprint(Fingerprint::new(&[1, 2]).unwrap());
        classifier.add_pages("a", &page, 9_999).unwrap();
        assert_eq!(add_example(&mut classifier, "b", &page).unwrap(), 10_000);
        assert_eq!(add_example(&mut classifier, "c", &page).unwrap_err().code, "store-full");
        assert_eq!(classifier.templates(), ["a", "b"]);
    }
}
