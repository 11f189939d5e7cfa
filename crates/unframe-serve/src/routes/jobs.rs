//! Jobs: progress and cancellation.

use axum::http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, window};
use crate::api::{Json, Params, PathParam, Route, number};
use crate::error::{Answer, ApiError};
use crate::jobs::{Job, State, Task};
use crate::limits::ROWS_MAX;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/api/v1/jobs", "listJobs", "Jobs, the newest first.", list)
            .query("limit", "How many.", number(1, ROWS_MAX as u64))
            .answers(200, "The jobs.", "Jobs"),
        Route::new(Method::GET, "/api/v1/jobs/{job}", "getJob", "A job.", get)
            .answers(200, "The job.", "Job"),
        Route::new(
            Method::DELETE,
            "/api/v1/jobs/{job}",
            "cancelJob",
            "Cancels a job. Pages that it has written stay.",
            cancel,
        )
        .answers(200, "The job.", "Job"),
    ]
}

/// A job as JSON.
pub(crate) fn to_json(job: &Job) -> Value {
    let row = job.row();
    let name = match &row.task {
        Task::Crawl { name, .. } => Some(name),
        _ => None,
    };
    let error = row.error.map(|(code, message)| json!({"code": code, "message": message}));
    json!({
        "job": row.id, "kind": row.task.kind(), "site": row.task.site(), "name": name, "state": row.state,
        "done": row.done.min(row.total.max(row.done)), "total": row.total, "created": row.created, "ended": row.ended,
        "error": error, "result": row.result,
    })
}

#[derive(Deserialize)]
struct ListParams {
    limit: Option<usize>,
}

async fn list(service: App, Params(params): Params<ListParams>) -> Answer<Json<Value>> {
    let (limit, _) = window(params.limit, None, ROWS_MAX)?;
    let jobs: Vec<Value> = service.jobs.list().iter().take(limit).map(|job| to_json(job)).collect();
    Ok(Json(json!({"jobs": jobs})))
}

async fn get(service: App, PathParam(id): PathParam<u64>) -> Answer<Json<Value>> {
    Ok(Json(to_json(&*service.jobs.get(id).ok_or_else(|| no_such_job(id))?)))
}

async fn cancel(service: App, PathParam(id): PathParam<u64>) -> Answer<Json<Value>> {
    let service = service.0;
    let job = service.jobs.get(id).ok_or_else(|| no_such_job(id))?;
    if !job.is_open() {
        return Err(ApiError::new(StatusCode::CONFLICT, "job-ended", "the job has ended already"));
    }
    service.jobs.cancel(&job);
    let at = std::sync::Arc::clone(&service);
    service
        .pool
        .run(move || {
            at.save_job(&job)?;
            if let (Task::Crawl { file, .. }, State::Cancelled) = (&job.task, job.state()) {
                let _ = std::fs::remove_file(at.uploads().join(file));
            }
            Ok(Json(to_json(&job)))
        })
        .await
}

fn no_such_job(id: u64) -> ApiError {
    ApiError::missing("no-such-job", format!("there is no job {id}"))
}
