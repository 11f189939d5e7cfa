//! Who is let in, without a socket: the app is a function.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::response::Response;
use http_body_util::BodyExt;
use tempfile::TempDir;
use tower::ServiceExt;
use unframe_serve::{Options, Peer, Service, app};

use crate::client::options;

const KEY: &str = "0123456789abcdef0123";

/// A service with a key.
fn service(change: impl FnOnce(&mut Options)) -> (Arc<Service>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.txt");
    std::fs::write(&keys, format!("tester {KEY}\n")).unwrap();
    let state = folder.path().join("state");
    let mut options = Options { keys: Some(keys), state, ..options(&folder) };
    change(&mut options);
    (Service::open(options).unwrap(), folder)
}

async fn ask(service: &Arc<Service>, from: &str, request: axum::http::request::Builder) -> Response {
    let peer: SocketAddr = format!("{from}:1234").parse().unwrap();
    app(Arc::clone(service))
        .oneshot(request.extension(Peer(peer)).body(Body::empty()).unwrap())
        .await
        .unwrap()
}

async fn code(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let value: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    (status, value["error"]["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn others_need_a_key() {
    let (service, _folder) = service(|_| {});
    let sites = || Request::get("/api/v1/sites").header("host", "a.example");
    assert_eq!(code(ask(&service, "192.0.2.1", sites()).await).await, (401, "no-key".into()));
    let with = |key: &str| sites().header("authorization", format!("Bearer {key}"));
    assert_eq!(ask(&service, "192.0.2.1", with(KEY)).await.status(), StatusCode::OK);
    assert_eq!(
        code(ask(&service, "192.0.2.1", with("0123456789abcdef0124")).await).await,
        (401, "no-key".into())
    );
    // This machine needs none, under its own name.
    let local = || Request::get("/api/v1/sites").header("host", "localhost:8765");
    assert_eq!(ask(&service, "127.0.0.1", local()).await.status(), StatusCode::OK);
    assert_eq!(
        ask(&service, "::ffff:127.0.0.1".replace("::ffff:127.0.0.1", "[::1]").as_str(), local())
            .await
            .status(),
        StatusCode::OK
    );
    assert_eq!(code(ask(&service, "127.0.0.1", sites()).await).await, (403, "wrong-host".into()));
    // A request of which nobody says where it is from is from elsewhere.
    let unknown = Request::get("/api/v1/sites").body(Body::empty()).unwrap();
    assert_eq!(app(Arc::clone(&service)).oneshot(unknown).await.unwrap().status(), StatusCode::UNAUTHORIZED);
    // What says nothing of the state is open.
    for path in ["/", "/explorer/main.js", "/healthz", "/openapi.json"] {
        assert_eq!(
            ask(&service, "192.0.2.1", Request::get(path).header("host", "a.example")).await.status(),
            200,
            "{path}"
        );
    }
    assert_eq!(ask(&service, "192.0.2.1", Request::get("/metrics")).await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_proxy_on_this_machine_can_ask_for_keys() {
    let (service, _folder) = service(|options| options.require_keys = true);
    let local = || Request::get("/api/v1/sites").header("host", "localhost:8765");
    assert_eq!(code(ask(&service, "127.0.0.1", local()).await).await, (401, "no-key".into()));
    assert_eq!(ask(&service, "127.0.0.1", local().header("x-api-key", KEY)).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_explorer_gets_a_cookie_for_a_key() {
    let (service, _folder) = service(|_| {});
    let begin = || Request::post("/api/v1/session").header("host", "a.example");
    assert_eq!(code(ask(&service, "192.0.2.1", begin()).await).await, (401, "no-key".into()));
    let begun = ask(&service, "192.0.2.1", begin().header("authorization", format!("Bearer {KEY}"))).await;
    assert_eq!(begun.status(), StatusCode::NO_CONTENT);
    let cookie = begun.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let value = cookie.split(';').next().unwrap().to_owned();
    let sites = || Request::get("/api/v1/sites").header("host", "a.example").header("cookie", &value);
    assert_eq!(ask(&service, "192.0.2.1", sites()).await.status(), StatusCode::OK);
    let end = Request::delete("/api/v1/session").header("host", "a.example").header("cookie", &value);
    assert_eq!(ask(&service, "192.0.2.1", end).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(ask(&service, "192.0.2.1", sites()).await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_key_has_a_rate() {
    let (service, _folder) = service(|options| options.rate = 1);
    let sites = || Request::get("/api/v1/sites").header("x-api-key", KEY);
    let mut last = None;
    for _ in 0..4 {
        last = Some(ask(&service, "192.0.2.1", sites()).await);
    }
    let last = last.unwrap();
    assert_eq!(last.headers()["retry-after"], "1");
    assert_eq!(code(last).await, (429, "rate-limited".into()));
}

#[tokio::test]
async fn pages_of_other_sites_change_nothing() {
    let (service, _folder) = service(|_| {});
    let post = |origin: &str| {
        Request::post("/api/v1/index").header("host", "localhost:8765").header("origin", origin)
    };
    for origin in
        ["http://evil.example", "null", "http://localhost:8766", "http://localhost:8765.evil.example"]
    {
        assert_eq!(
            code(ask(&service, "127.0.0.1", post(origin)).await).await,
            (403, "cross-origin".into()),
            "{origin}"
        );
    }
    assert_eq!(
        ask(&service, "127.0.0.1", post("http://localhost:8765")).await.status(),
        StatusCode::ACCEPTED
    );
}

#[tokio::test]
async fn every_answer_has_a_policy() {
    let (service, _folder) = service(|_| {});
    let paths = [
        "/",
        "/explorer/main.js",
        "/explorer/none",
        "/healthz",
        "/readyz",
        "/metrics",
        "/openapi.json",
        "/api/v1/sites",
        "/none",
        "/api/v1/pages/x",
        "/%ff",
    ];
    for path in paths {
        for method in ["GET", "PATCH"] {
            let request = Request::builder().method(method).uri(path).header("host", "localhost");
            let response = ask(&service, "127.0.0.1", request).await;
            let policy = response.headers()["content-security-policy"].to_str().unwrap();
            assert!(
                policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
                "{method} {path}: {policy}"
            );
            assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        }
    }
    let missing = ask(&service, "127.0.0.1", Request::get("/none").header("host", "localhost")).await;
    assert_eq!(code(missing).await, (404, "not-found".into()));
    let wrong = ask(&service, "127.0.0.1", Request::patch("/api/v1/sites").header("host", "localhost")).await;
    assert!(wrong.headers().contains_key("allow"));
    assert_eq!(code(wrong).await, (405, "method-not-allowed".into()));
}

#[tokio::test]
async fn the_world_is_not_listened_to_without_keys() {
    let folder = tempfile::tempdir().unwrap();
    let open = |change: fn(&mut Options)| {
        let mut options = options(&folder);
        change(&mut options);
        Service::open(options).map(drop).unwrap_err().message
    };
    assert!(open(|options| options.listen = "0.0.0.0:80".parse().unwrap()).contains("--keys"));
    assert!(open(|options| options.require_keys = true).contains("--keys"));
    assert!(open(|options| options.keys = Some("/none/such".into())).contains("/none/such"));
}
