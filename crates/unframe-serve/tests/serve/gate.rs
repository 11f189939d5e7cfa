//! Who is let in, without a socket: the app is a function.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

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
async fn a_session_ends_on_the_server() {
    // Over as soon as it has begun: what a browser does with its cookie is its own affair.
    let (service, _folder) = service(|options| options.session_time = Duration::ZERO);
    let begin = Request::post("/api/v1/session").header("x-api-key", KEY);
    let begun = ask(&service, "192.0.2.1", begin).await;
    assert_eq!(begun.status(), StatusCode::NO_CONTENT);
    let cookie = begun.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let sites = Request::get("/api/v1/sites").header("cookie", cookie);
    assert_eq!(code(ask(&service, "192.0.2.1", sites).await).await, (401, "no-key".into()));
}

#[tokio::test]
async fn cookies_are_secure_under_tls() {
    let proxy = "127.0.0.1".parse().unwrap();
    let (service, _folder) = service(|options| options.proxies = vec![proxy]);
    let begin = || Request::post("/api/v1/session").header("host", "a.example").header("x-api-key", KEY);
    let is_secure = async |from: &str, request| {
        let begun = ask(&service, from, request).await;
        assert_eq!(begun.status(), StatusCode::NO_CONTENT);
        begun.headers()["set-cookie"].to_str().unwrap().ends_with("; Secure")
    };
    assert!(!is_secure("127.0.0.1", begin()).await);
    assert!(is_secure("127.0.0.1", begin().header("x-forwarded-proto", "https")).await);
    assert!(is_secure("127.0.0.1", begin().header("x-forwarded-proto", "HTTPS")).await);
    assert!(!is_secure("127.0.0.1", begin().header("x-forwarded-proto", "http")).await);
    assert!(!is_secure("192.0.2.1", begin().header("x-forwarded-proto", "https")).await);
    // A browser tells it by itself.
    assert!(is_secure("192.0.2.1", begin().header("origin", "https://a.example")).await);
    assert!(!is_secure("192.0.2.1", begin().header("origin", "http://a.example")).await);
}

#[tokio::test]
async fn what_comes_through_a_proxy_is_not_local() {
    let proxy = "127.0.0.1".parse().unwrap();
    let (service, _folder) = service(|options| options.proxies = vec![proxy]);
    let sites =
        || Request::get("/api/v1/sites").header("host", "localhost").header("x-forwarded-for", "127.0.0.1");
    assert_eq!(code(ask(&service, "127.0.0.1", sites()).await).await, (401, "no-key".into()));
    assert_eq!(ask(&service, "127.0.0.1", sites().header("x-api-key", KEY)).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn wrong_keys_have_to_wait() {
    let proxy = "127.0.0.1".parse().unwrap();
    let (service, _folder) = service(|options| options.proxies = vec![proxy]);
    let with = |key: &str, client: &str| {
        Request::get("/api/v1/sites").header("x-api-key", key).header("x-forwarded-for", client)
    };
    let mut last = (0, String::new());
    let mut tries = 0;
    while last.0 != 429 {
        let answer = ask(&service, "127.0.0.1", with("0123456789abcdef0124", "192.0.2.1")).await;
        let seconds = answer.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        last = code(answer).await;
        assert_eq!(seconds.is_some(), last.0 == 429);
        tries += 1;
        // Pauses double: also a slow machine cannot try often without being stopped by one.
        assert!(tries < 30, "{last:?}");
    }
    assert_eq!(last.1, "wrong-keys");
    assert!(tries > 5, "{tries}");
    assert_eq!(ask(&service, "127.0.0.1", with(KEY, "192.0.2.2")).await.status(), StatusCode::OK);
    // Without a key, what is open stays open.
    let health = Request::get("/healthz").header("x-forwarded-for", "192.0.2.1");
    assert_eq!(ask(&service, "127.0.0.1", health).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn clients_whose_address_is_unreadable_wait_alone() {
    let proxy = "127.0.0.1".parse().unwrap();
    let (service, _folder) = service(|options| options.proxies = vec![proxy]);
    let wrong = |client: &str| {
        Request::get("/api/v1/sites")
            .header("x-api-key", "0123456789abcdef0124")
            .header("x-forwarded-for", client)
    };
    let mut status = StatusCode::OK;
    for client in ["unknown", "1.2.3.4.5", "_hidden"].into_iter().cycle().take(30) {
        status = ask(&service, "127.0.0.1", wrong(client)).await.status();
    }
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    // The proxy and all readable addresses are free.
    let right = || Request::get("/api/v1/sites").header("x-api-key", KEY);
    assert_eq!(ask(&service, "127.0.0.1", right()).await.status(), StatusCode::OK);
    let with_port = right().header("x-forwarded-for", "192.0.2.1:1000");
    assert_eq!(ask(&service, "127.0.0.1", with_port).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn hosts_are_read_strictly() {
    let (service, _folder) = service(|_| {});
    let sites = |host: &str| Request::get("/api/v1/sites").header("host", host);
    assert_eq!(ask(&service, "127.0.0.1", sites("[::1]:8765")).await.status(), StatusCode::OK);
    for host in ["127.0.0.1:1@evil.com", "localhost@evil.com", "localhost:80:80", "[::1]evil.com"] {
        assert_eq!(
            code(ask(&service, "127.0.0.1", sites(host)).await).await,
            (400, "bad-host".into()),
            "{host}"
        );
    }
    let two = sites("localhost").header("host", "evil.com");
    assert_eq!(code(ask(&service, "127.0.0.1", two).await).await, (400, "bad-host".into()));
    let with_key = sites("a.example").header("host", "a.example").header("x-api-key", KEY);
    assert_eq!(code(ask(&service, "192.0.2.1", with_key).await).await, (400, "bad-host".into()));
}

#[tokio::test]
async fn the_case_of_a_scheme_means_nothing() {
    let (service, _folder) = service(|_| {});
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let sites = Request::get("/api/v1/sites").header("authorization", format!("{scheme} {KEY}"));
        assert_eq!(ask(&service, "192.0.2.1", sites).await.status(), StatusCode::OK, "{scheme}");
    }
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
    let two = post("http://localhost:8765").header("origin", "http://evil.example");
    assert_eq!(code(ask(&service, "127.0.0.1", two).await).await, (403, "cross-origin".into()));
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
    assert!(open(|options| options.proxies = vec!["127.0.0.1".parse().unwrap()]).contains("--keys"));
    assert!(open(|options| options.keys = Some("/none/such".into())).contains("/none/such"));
}
