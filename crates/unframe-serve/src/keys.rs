//! Who may ask, and how often.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::time::Instant;

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, StatusCode};

use crate::Options;
use crate::error::{Answer, ApiError};
use crate::limits::SESSIONS_MAX;
use crate::service::lock;

/// The name of the cookie of the explorer.
pub(crate) const COOKIE_NAME: &str = "unframe-session";
/// Shorter keys can be guessed.
const KEY_BYTES_MIN: usize = 16;

/// The keys with what they have left of their rates.
#[derive(Debug)]
pub(crate) struct Keys {
    keys: Vec<Key>,
    rate: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
    /// Tokens of explorers and the names of the keys that they came with, the oldest first.
    sessions: Mutex<VecDeque<(String, String)>>,
}

#[derive(Debug)]
struct Key {
    name: String,
    secret: String,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Keys {
    /// Reads the file of keys, and refuses to listen to the world without any.
    pub(crate) fn read(options: &Options) -> Answer<Keys> {
        let keys = match &options.keys {
            None if !options.listen.ip().is_loopback() => {
                let message = format!(
                    "anyone could use the service at {}: name a file of keys with --keys, or listen on 127.0.0.1",
                    options.listen
                );
                return Err(ApiError::internal(message));
            }
            None if options.require_keys => {
                return Err(ApiError::internal(
                    "keys are required, and there are none: name a file with --keys",
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
        Ok(Keys { keys, rate, buckets: Mutex::default(), sessions: Mutex::default() })
    }

    /// The name of the key that a request came with.
    pub(crate) fn name_of(&self, headers: &HeaderMap) -> Answer<Option<String>> {
        if let Some(secret) = secret(headers) {
            return match self.find(secret) {
                Some(key) => Ok(Some(key.name.clone())),
                None => Err(refused("this key is not known here")),
            };
        }
        let Some(token) = cookie(headers) else { return Ok(None) };
        let sessions = lock(&self.sessions);
        let found = sessions.iter().find(|(known, _)| is_equal(known.as_bytes(), token.as_bytes()));
        Ok(found.map(|(_, name)| name.clone()))
    }

    /// All keys are compared, to their ends, so that time tells nothing.
    fn find(&self, secret: &str) -> Option<&Key> {
        let mut found = None;
        for key in &self.keys {
            if is_equal(key.secret.as_bytes(), secret.as_bytes()) {
                found = Some(key);
            }
        }
        found
    }

    /// Takes one request from what a key may ask.
    pub(crate) fn count(&self, name: &str) -> Answer<()> {
        let now = Instant::now();
        let burst = 2.0 * self.rate;
        let mut buckets = lock(&self.buckets);
        let bucket = buckets.entry(name.to_owned()).or_insert(Bucket { left: burst, at: now });
        bucket.left = (bucket.left + (now - bucket.at).as_secs_f64() * self.rate).min(burst);
        bucket.at = now;
        if bucket.left < 1.0 {
            let message = format!("this key may ask {} times a second", self.rate);
            let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "rate-limited", message);
            return Err(ApiError { retry_after: Some(1), ..error });
        }
        bucket.left -= 1.0;
        Ok(())
    }

    /// Begins a session of an explorer; the value of its cookie.
    pub(crate) fn begin_session(&self, name: &str) -> Answer<String> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(ApiError::internal)?;
        let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut sessions = lock(&self.sessions);
        sessions.push_back((token.clone(), name.to_owned()));
        if sessions.len() > SESSIONS_MAX {
            sessions.pop_front();
        }
        Ok(token)
    }

    /// Ends the session that a request belongs to.
    pub(crate) fn end_session(&self, headers: &HeaderMap) {
        if let Some(token) = cookie(headers) {
            lock(&self.sessions).retain(|(known, _)| known != token);
        }
    }
}

/// What is said to one without a key.
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
            return Err(format!("line {number} is no `NAME KEY`"));
        };
        let secret = secret.trim();
        if secret.len() < KEY_BYTES_MIN {
            return Err(format!("the key on line {number} is shorter than {KEY_BYTES_MIN} characters"));
        }
        keys.push(Key { name: name.to_owned(), secret: secret.to_owned() });
    }
    if keys.is_empty() { Err("there is no key in it".to_owned()) } else { Ok(keys) }
}

fn secret(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.map(|value| value.strip_prefix("Bearer ").unwrap_or(value).trim());
    bearer.or_else(|| headers.get("x-api-key").map(|value| value.to_str().unwrap_or_default()))
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value)
}

/// Compares without stopping at the first difference. Only the lengths may be told by the time.
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
        Keys { keys, rate: 2.0, buckets: Mutex::default(), sessions: Mutex::default() }
    }

    fn with(name: &str, value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(axum::http::HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        headers
    }

    #[test]
    fn keys_have_names() {
        let keys = keys();
        let name = |headers: HeaderMap| keys.name_of(&headers).map_err(|error| error.code);
        assert_eq!(name(with("authorization", "Bearer 0123456789abcdef")), Ok(Some("crawler".into())));
        assert_eq!(name(with("x-api-key", "fedcba9876543210")), Ok(Some("people".into())));
        for wrong in ["0123456789abcdeg", "0123456789abcde", "0123456789abcdef0", ""] {
            assert_eq!(name(with("x-api-key", wrong)), Err("no-key"), "{wrong}");
        }
        assert_eq!(name(HeaderMap::new()), Ok(None));
    }

    #[test]
    fn sessions_stand_for_keys_until_they_end() {
        let keys = keys();
        let token = keys.begin_session("people").unwrap();
        let headers = with("cookie", &format!("a=b; {COOKIE_NAME}={token}"));
        assert_eq!(keys.name_of(&headers).unwrap().as_deref(), Some("people"));
        keys.end_session(&headers);
        assert_eq!(keys.name_of(&headers).unwrap(), None);
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
