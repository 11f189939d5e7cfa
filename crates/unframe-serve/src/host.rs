//! The host of a request, parsed strictly: if two parsers understood a host differently, pages of other sites could call the service.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode, Uri};

use crate::error::{Answer, ApiError};

/// The host of a request, as it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Host<'a> {
    /// The whole text, including the port.
    pub(crate) text: &'a str,
    /// The text without the port and without the brackets of an IPv6 address.
    name: &'a str,
}

impl<'a> Host<'a> {
    /// The host of a request, if it names one. Refuses a second host, and a host that cannot be parsed.
    pub(crate) fn of(headers: &'a HeaderMap, uri: &'a Uri) -> Answer<Option<Host<'a>>> {
        let mut values = headers.get_all(HOST).iter();
        let (first, second) = (values.next(), values.next());
        if second.is_some() {
            return Err(bad("there are two `Host` headers: send one"));
        }
        let header = match first.map(|value| value.to_str()) {
            None => None,
            Some(value) => Some(value.ok().and_then(Host::parse).ok_or_else(unreadable)?),
        };
        // A request target in absolute form takes precedence over the header (RFC 9112, 3.2.2).
        match uri.authority() {
            Some(authority) => Host::parse(authority.as_str()).ok_or_else(unreadable).map(Some),
            None => Ok(header),
        }
    }

    /// Parses `name`, `name:port`, `[address]` and `[address]:port`. Nothing else is accepted, such as user information.
    fn parse(text: &str) -> Option<Host<'_>> {
        let (name, port) = match text.strip_prefix('[') {
            Some(inner) => {
                let (address, port) = inner.split_once(']')?;
                address.parse::<Ipv6Addr>().ok()?;
                (address, port)
            }
            None => {
                let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
                name.bytes().all(is_name_byte).then_some((name, port))?
            }
        };
        let is_port = |port: &str| port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
        (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(Host { text, name })
    }

    /// Whether it is a loopback address or `localhost`.
    pub(crate) fn is_loopback(&self) -> bool {
        let is_address = self.name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        is_address || self.name.eq_ignore_ascii_case("localhost")
    }

    /// The name, for messages.
    pub(crate) fn name(&self) -> &'a str {
        self.name
    }
}

/// Whether a byte may be in a name (RFC 3986).
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&byte)
}

fn unreadable() -> ApiError {
    bad("the `Host` header is not a name and port, such as localhost:8765")
}

fn bad(message: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "bad-host", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_and_ports_and_nothing_else() {
        for (text, name) in [
            ("localhost", "localhost"),
            ("localhost:8765", "localhost"),
            ("127.0.0.1:", "127.0.0.1"),
            ("[::1]:80", "::1"),
            ("a-b.example", "a-b.example"),
            ("", ""),
        ] {
            assert_eq!(Host::parse(text), Some(Host { text, name }), "{text}");
        }
        for wrong in [
            "127.0.0.1:1@evil.com",
            "localhost@evil.com",
            "localhost:80:80",
            "localhost:http",
            "localhost:123456",
            "::1",
            "[::1",
            "[::1]evil.com",
            "[localhost]",
            "localhost/evil",
            "local host",
            "localhost,evil.com:1@",
        ] {
            assert_eq!(Host::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_first_line_counts_before_the_header() {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, "localhost".parse().unwrap());
        let named = |uri: &'static str| {
            Host::of(&headers, &Uri::from_static(uri)).map(|host| host.unwrap().name.to_owned())
        };
        assert_eq!(named("/").unwrap(), "localhost");
        assert_eq!(named("http://evil.example/").unwrap(), "evil.example");
        assert_eq!(named("http://localhost:1@evil.example/").unwrap_err().code, "bad-host");
    }
}
