//! The client of a request: this machine, another address, or a client behind a proxy.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::Request;
use axum::http::header::{HeaderName, ORIGIN};
use axum::http::{Extensions, HeaderMap};

use crate::middleware::{KeyName, Peer};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The origin of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The address of the client, if it is known. All clients whose address is unknown count as one, which is not the proxy.
    pub(crate) address: Option<IpAddr>,
    /// Whether it is a program on this machine.
    pub(crate) is_local: bool,
    /// Whether the client uses TLS, to the proxy.
    pub(crate) is_secure: bool,
}

impl Caller {
    /// The caller of a request. Forwarding headers are trusted only if the peer is one of the proxies.
    pub(crate) fn of(request: &Request, proxies: &[IpAddr]) -> Caller {
        let headers = request.headers();
        let peer = request.extensions().get::<Peer>().map(|peer| peer.0.ip().to_canonical());
        let is_proxy = |address: IpAddr| proxies.contains(&address);
        let (address, is_local) = match peer {
            Some(peer) if is_proxy(peer) => (forwarded_for(headers, peer, is_proxy), false),
            Some(peer) => (Some(peer), peer.is_loopback()),
            None => (None, false),
        };
        let is_https =
            || last(headers, &FORWARDED_PROTO).is_some_and(|name| name.eq_ignore_ascii_case("https"));
        let is_forwarded = peer.is_some_and(is_proxy) && is_https();
        // `Origin` contains the scheme of the page. A client that forges it affects only its own cookie.
        let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok());
        let is_secure = is_forwarded || origin.is_some_and(|origin| origin.starts_with("https://"));
        Caller { address, is_local, is_secure }
    }
}

/// The address of the client, as reported by the first trusted proxy. The client itself may have written earlier entries. `None` if the
/// entry is unreadable; the last proxy itself if no entry is a client.
fn forwarded_for(headers: &HeaderMap, proxy: IpAddr, is_proxy: impl Fn(IpAddr) -> bool) -> Option<IpAddr> {
    let values = headers.get_all(FORWARDED_FOR).iter();
    let entries =
        values.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')).map(<[u8]>::trim_ascii);
    let entries: Vec<&[u8]> = entries.filter(|entry| !entry.is_empty()).collect();
    for entry in entries.into_iter().rev() {
        let address = address(entry)?;
        if !is_proxy(address) {
            return Some(address);
        }
    }
    Some(proxy)
}

/// The address in an entry: an address alone, in brackets, or with a port, which some proxies add.
fn address(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?;
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    let address = text.parse::<IpAddr>().ok();
    let address = address.or_else(|| text.parse::<SocketAddr>().ok().map(|with_port| with_port.ip()));
    address.or_else(|| in_brackets().map(IpAddr::V6)).map(|address| address.to_canonical())
}

/// The last value of a header, which the nearest proxy has added.
fn last<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let value = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    value.rsplit(',').next().map(str::trim)
}

/// The client for quotas: a key, or else an address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    Key(String),
    Address(Option<IpAddr>),
}

impl Client {
    /// The client of an authorized request.
    pub(crate) fn of(extensions: &Extensions) -> Client {
        match extensions.get::<KeyName>() {
            Some(KeyName(name)) => Client::Key(name.clone()),
            None => {
                Client::Address(extensions.get::<Caller>().and_then(|caller| caller.address).map(network))
            }
        }
    }
}

/// The network of an address. For IPv6 that is the /64 prefix, because one client may have all addresses in it.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn caller(peer: &str, headers: &[(&str, &str)]) -> Caller {
        let mut request = Request::builder().extension(Peer(format!("{peer}:1234").parse().unwrap()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Caller::of(
            &request.body(Body::empty()).unwrap(),
            &["127.0.0.1".parse().unwrap(), "192.0.2.9".parse().unwrap()],
        )
    }

    #[test]
    fn only_proxies_are_believed() {
        let of = |peer: &str, headers: &[(&str, &str)]| {
            let caller = caller(peer, headers);
            let address = caller.address.map_or("unknown".to_owned(), |address| address.to_string());
            (address, caller.is_local, caller.is_secure)
        };
        let forged = [("x-forwarded-for", "127.0.0.1"), ("x-forwarded-proto", "https")];
        assert_eq!(of("198.51.100.1", &forged), ("198.51.100.1".into(), false, false));
        assert_eq!(of("[::1]", &forged), ("::1".into(), true, false));
        // The client wrote the first address, our own proxies the others.
        let through = [("x-forwarded-for", "127.0.0.1, 198.51.100.7"), ("x-forwarded-for", "192.0.2.9")];
        assert_eq!(of("127.0.0.1", &through), ("198.51.100.7".into(), false, false));
        assert_eq!(of("127.0.0.1", &[("x-forwarded-proto", "https")]), ("127.0.0.1".into(), false, true));
        assert_eq!(
            of("127.0.0.1", &[("x-forwarded-proto", "https, http")]),
            ("127.0.0.1".into(), false, false)
        );
        assert_eq!(of("127.0.0.1", &[("x-forwarded-proto", "HTTPS")]), ("127.0.0.1".into(), false, true));
        assert_eq!(
            of("198.51.100.1", &[("origin", "https://a.example")]),
            ("198.51.100.1".into(), false, true)
        );
    }

    #[test]
    fn entries_of_proxies_are_addresses_with_and_without_ports() {
        let of = |entry: &str| {
            let address = caller("127.0.0.1", &[("x-forwarded-for", entry)]).address;
            address.map_or("unknown".to_owned(), |address| address.to_string())
        };
        for (entry, address) in [
            ("198.51.100.7:1000", "198.51.100.7"),
            ("[2001:db8::1]:99", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[::ffff:198.51.100.7]:99", "198.51.100.7"),
            ("198.51.100.7, 192.0.2.9:5", "198.51.100.7"),
            ("198.51.100.7, , ", "198.51.100.7"),
            // No client is named.
            ("", "127.0.0.1"),
            ("192.0.2.9", "127.0.0.1"),
            // What cannot be read is neither the proxy nor the entry before it.
            ("unknown", "unknown"),
            ("198.51.100.7, 1.2.3.4.5", "unknown"),
            ("198.51.100.7, 1.2.3.4:x", "unknown"),
            ("198.51.100.7, [::1", "unknown"),
            ("\u{e9}", "unknown"),
            ("\u{e9}, 198.51.100.7", "198.51.100.7"),
        ] {
            assert_eq!(of(entry), address, "{entry}");
        }
    }

    #[test]
    fn a_client_has_one_network() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
