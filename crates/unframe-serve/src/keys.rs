//! API keys, sessions and rate limits.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, StatusCode};

use crate::Options;
use crate::error::{Answer, ApiError};
use crate::key_throttle::KeyThrottle;
use crate::limits::SESSIONS_MAX;
use crate::service::lock;

/// The name of the explorer's session cookie.
pub(crate) const COOKIE_NAME: &str = "unframe-session";
/// Minimum length of a key. Shorter keys could be guessed.
const KEY_BYTES_MIN: usize = 16;

/// The keys, with their rate limits.
#[derive(Debug)]
pub(crate) struct Keys {
    keys: Vec<Key>,
    rate: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
    key_throttle: KeyThrottle,
    /// The sessions of explorers, the oldest first.
    sessions: Mutex<VecDeque<Session>>,
    session_time: Duration,
}

#[derive(Debug)]
struct Key {
    name: String,
    secret: String,
}

#[derive(Debug)]
struct Session {
    token: String,
    /// The name of the key with which it was started.
    name: String,
    end: Instant,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Keys {
    /// Reads the file of keys. Without keys, only loopback addresses are allowed.
    pub(crate) fn read(options: &Options) -> Answer<Keys> {
        let keys = match &options.keys {
            None if !options.listen.ip().is_loopback() => {
                let message = format!(
                    "anyone could use the service at {}: give a file of keys with --keys, or listen on 127.0.0.1",
                    options.listen
                );
                return Err(ApiError::internal(message));
            }
            None if options.require_keys || !options.proxies.is_empty() => {
                return Err(ApiError::internal(
                    "keys are required, and there are none: give a file of keys with --keys",
                ));
            }
            None => Vec::new(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| ApiError::internal(format!("{}: {error}", path.display())))?;
                parse(&text)
                    .map_err(|message| ApiError::internal(format!("{}: {message}", path.display())))?
            }
        };
        let rate = f64::from(options.rate.max(1));
        Ok(Keys::new(keys, rate, options.session_time))
    }

    fn new(keys: Vec<Key>, rate: f64, session_time: Duration) -> Keys {
        let (buckets, sessions) = (Mutex::default(), Mutex::default());
        Keys { keys, rate, buckets, key_throttle: KeyThrottle::default(), sessions, session_time }
    }

    /// The name of the key that a request contains, or of the key of its session. `None` if it has neither.
    pub(crate) fn name_of(
        &self,
        headers: &HeaderMap,
        address: Option<IpAddr>,
        now: Instant,
    ) -> Answer<Option<String>> {
        if let Some(secret) = secret(headers) {
            self.key_throttle.check(address, now)?;
            let Some(key) = self.find(secret) else {
                self.key_throttle.wrong(address, now);
                return Err(refused("this key is not known: check that it is in the file of --keys"));
            };
            return Ok(Some(key.name.clone()));
        }
        let Some(token) = cookie(headers) else { return Ok(None) };
        let sessions = lock(&self.sessions);
        let found = sessions.iter().find(|known| is_equal(known.token.as_bytes(), token.as_bytes()));
        Ok(found.filter(|session| now < session.end).map(|session| session.name.clone()))
    }

    /// Finds the key with this secret. Compares the secret with all keys, so that the time does not reveal a match.
    fn find(&self, secret: &str) -> Option<&Key> {
        let mut found = None;
        for key in &self.keys {
            if is_equal(key.secret.as_bytes(), secret.as_bytes()) {
                found = Some(key);
            }
        }
        found
    }

    /// Counts a request against the rate limit of its key.
    pub(crate) fn count(&self, name: &str) -> Answer<()> {
        let now = Instant::now();
        let burst = 2.0 * self.rate;
        let mut buckets = lock(&self.buckets);
        let bucket = buckets.entry(name.to_owned()).or_insert(Bucket { left: burst, at: now });
        bucket.left = (bucket.left + (now - bucket.at).as_secs_f64() * self.rate).min(burst);
        bucket.at = now;
        if bucket.left < 1.0 {
            let message = format!("more than {} requests per second with this key", self.rate);
            let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "rate-limited", message);
            return Err(ApiError { retry_after: Some(1), ..error });
        }
        bucket.left -= 1.0;
        Ok(())
    }

    /// Begins a session of an explorer. Returns the value of its cookie.
    pub(crate) fn begin_session(&self, name: &str, now: Instant) -> Answer<String> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(ApiError::internal)?;
        let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut sessions = lock(&self.sessions);
        // All sessions have the same duration, so the oldest ends first.
        while sessions.front().is_some_and(|oldest| oldest.end <= now || sessions.len() >= SESSIONS_MAX) {
            sessions.pop_front();
        }
        let end = now + self.session_time;
        sessions.push_back(Session { token: token.clone(), name: name.to_owned(), end });
        Ok(token)
    }

    /// Ends the session that a request belongs to.
    pub(crate) fn end_session(&self, headers: &HeaderMap) {
        if let Some(token) = cookie(headers) {
            lock(&self.sessions).retain(|known| known.token != token);
        }
    }
}

/// The error for a missing or wrong key.
pub(crate) fn refused(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "no-key", message)
}

fn parse(text: &str) -> Result<Vec<Key>, String> {
    let mut keys = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((name, secret)) = line.split_once(char::is_whitespace) else {
            return Err(format!("line {number} is not `NAME KEY`"));
        };
        let secret = secret.trim();
        if secret.len() < KEY_BYTES_MIN {
            return Err(format!("the key on line {number} is shorter than {KEY_BYTES_MIN} characters"));
        }
        keys.push(Key { name: name.to_owned(), secret: secret.to_owned() });
    }
    if keys.is_empty() { Err("it contains no key: write `NAME KEY` on a line".to_owned()) } else { Ok(keys) }
}

fn secret(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    // Authentication schemes are case-insensitive (RFC 9110, 11.1).
    let bearer = bearer.map(|value| match value.split_once(' ') {
        Some((scheme, key)) if scheme.eq_ignore_ascii_case("bearer") => key.trim(),
        _ => value.trim(),
    });
    bearer.or_else(|| headers.get("x-api-key").map(|value| value.to_str().unwrap_or_default()))
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value)
}

/// Compares without stopping at the first difference, so that the time reveals at most the lengths.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |all, (a, b)| std::hint::black_box(all | (a ^ b)));
    one.len() == other.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        let keys =
            parse("# for the crawler\ncrawler 0123456789abcdef\n\npeople fedcba9876543210 \n").unwrap();
        Keys::new(keys, 2.0, Duration::from_secs(60))
    }

    fn with(name: &str, value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(axum::http::HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        headers
    }

    #[test]
    fn keys_have_names() {
        let (keys, now) = (keys(), Instant::now());
        let name = |headers: HeaderMap| keys.name_of(&headers, None, now).map_err(|error| error.code);
        for scheme in ["Bearer", "bearer", "BEARER", "Bearer  "] {
            let headers = with("authorization", &format!("{scheme} 0123456789abcdef"));
            assert_eq!(name(headers), Ok(Some("crawler".into())), "{scheme}");
        }
        assert_eq!(name(with("x-api-key", "fedcba9876543210")), Ok(Some("people".into())));
        for wrong in ["0123456789abcdeg", "0123456789abcde", "0123456789abcdef0", ""] {
            assert_eq!(name(with("x-api-key", wrong)), Err("no-key"), "{wrong}");
        }
        assert_eq!(name(HeaderMap::new()), Ok(None));
    }

    #[test]
    fn wrong_keys_make_their_address_wait() {
        let (keys, now) = (keys(), Instant::now());
        let (one, other) = ("192.0.2.1".parse().ok(), "192.0.2.2".parse().ok());
        let ask = |key: &str, address, now| {
            keys.name_of(&with("x-api-key", key), address, now)
                .map_err(|error| (error.code, error.retry_after))
        };
        let right = "0123456789abcdef";
        for _ in 0..5 {
            assert_eq!(ask("wrong", one, now), Err(("no-key", None)));
        }
        // The right key is refused, too: otherwise guessing could continue.
        assert_eq!(ask("wrong", one, now), Err(("wrong-keys", Some(1))));
        assert_eq!(ask(right, one, now), Err(("wrong-keys", Some(1))));
        assert_eq!(ask(right, other, now), Ok(Some("crawler".into())));
        // A request without a key does not count as a guess.
        assert!(keys.name_of(&HeaderMap::new(), one, now).is_ok());
        let later = now + Duration::from_secs(1);
        assert_eq!(ask(right, one, later), Ok(Some("crawler".into())));
        assert_eq!(ask("wrong", one, later), Err(("no-key", None)));
        assert_eq!(ask("wrong", one, later), Err(("wrong-keys", Some(2))));
    }

    #[test]
    fn sessions_stand_for_keys_until_they_end() {
        let (keys, now) = (keys(), Instant::now());
        let token = keys.begin_session("people", now).unwrap();
        let headers = with("cookie", &format!("a=b; {COOKIE_NAME}={token}"));
        let name = |now| keys.name_of(&headers, None, now).unwrap();
        assert_eq!(name(now + Duration::from_secs(59)).as_deref(), Some("people"));
        assert_eq!(name(now + Duration::from_secs(60)), None);
        keys.end_session(&headers);
        assert_eq!(name(now), None);
    }

    #[test]
    fn sessions_that_ended_are_forgotten() {
        let (keys, now) = (keys(), Instant::now());
        for _ in 0..SESSIONS_MAX + 1 {
            keys.begin_session("people", now).unwrap();
        }
        assert_eq!(lock(&keys.sessions).len(), SESSIONS_MAX);
        keys.begin_session("people", now + Duration::from_secs(60)).unwrap();
        assert_eq!(lock(&keys.sessions).len(), 1);
    }

    #[test]
    fn a_key_has_its_rate() {
        let keys = keys();
        let answers: Vec<bool> = (0..6).map(|_| keys.count("crawler").is_ok()).collect();
        assert_eq!(answers, [true, true, true, true, false, false]);
        assert!(keys.count("people").is_ok());
    }

    #[test]
    fn bad_files_are_refused() {
        for wrong in ["", "# nothing", "name-only", "name short"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
