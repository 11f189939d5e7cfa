//! Groups pages into sites.

use std::fmt;
use std::str::FromStr;

use url::{ParseError, Url};
use xxhash_rust::xxh3::xxh3_64;

use crate::limits::INVALID_HOST_MAX;

/// How pages are grouped into sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SiteBy {
    /// The same host, ignoring a leading `www.`.
    #[default]
    Host,
    /// The same registered domain, according to the public suffix list.
    Domain,
    /// The same host and the same first folder of the path.
    Prefix,
    /// All pages are one site.
    All,
}

impl SiteBy {
    /// All variants, in the order in which help texts list them.
    pub const ALL: &[SiteBy] = &[SiteBy::Host, SiteBy::Domain, SiteBy::Prefix, SiteBy::All];

    /// The key of the site that the page at `url` belongs to. Pages with equal keys are one site.
    ///
    /// - The host is normalised as browsers do: lower case, international names in their ASCII form (`xn--…`), without user and password.
    ///   The scheme does not matter: a site that moves from `http` to `https` stays the same.
    /// - A leading `www.` and a trailing dot are removed, but `www.com` is unchanged.
    /// - [`Host`](SiteBy::Host) and [`Prefix`](SiteBy::Prefix) keep a port that is not the default of its scheme, because another port is
    ///   another server. [`Domain`](SiteBy::Domain) removes it.
    /// - [`Prefix`](SiteBy::Prefix) is the host and the first *folder*: `a.org/en/x` and `a.org/en/` are `a.org/en`, but `a.org/x` is
    ///   `a.org`. Otherwise each top-level page would be a site of its own.
    /// - A host without a registered domain (an IP address, `localhost`, a public suffix such as `co.uk`) is its own domain.
    /// - An address without a scheme is parsed as `http://` if its host ends in a known public suffix: `example.com/a`.
    /// - Addresses without a host form one site per scheme, such as `file:`. Text that is not an address belongs to `(none)`.
    /// - An invalid host or port (`http://a b/`, `http://a.org:99999/`) is a site of its own, named as written, in parentheses and
    ///   percent-encoded. Two invalid addresses are therefore not the same site. So is a host of nothing but dots (`http://../`).
    /// - A host without a registered domain includes one with an empty label (`a..example`). A host that is too long for a name
    ///   ([`INVALID_HOST_MAX`]) is cut off there, and a hash of the whole is added.
    ///
    /// ```
    /// use unframe::SiteBy;
    ///
    /// let url = "https://www.news.example.co.uk:8443/sport/today.html";
    /// assert_eq!(SiteBy::Host.key(url), "news.example.co.uk:8443");
    /// assert_eq!(SiteBy::Domain.key(url), "example.co.uk");
    /// assert_eq!(SiteBy::Prefix.key(url), "news.example.co.uk:8443/sport");
    /// ```
    pub fn key(&self, url: &str) -> String {
        if *self == SiteBy::All {
            return "all".to_owned();
        }
        let Some(url) = parse(url) else {
            return invalid_host(url).unwrap_or_else(|| "(none)".to_owned());
        };
        let Some(written) = url.host_str().filter(|host| !host.is_empty()) else {
            return format!("{}:", url.scheme());
        };
        let host = plain_host(written);
        if host.is_empty() {
            return in_parentheses(written);
        }
        match self {
            SiteBy::Host => with_port(&host, &url),
            SiteBy::Domain => bounded(registered_domain(&host, &url).to_owned()),
            SiteBy::Prefix => match first_folder(&url) {
                Some(folder) => format!("{}/{folder}", with_port(&host, &url)),
                None => with_port(&host, &url),
            },
            SiteBy::All => "all".to_owned(),
        }
    }

    /// The name that [`FromStr`] reads: `host`, `domain`, `prefix` or `all`.
    pub fn name(self) -> &'static str {
        match self {
            SiteBy::Host => "host",
            SiteBy::Domain => "domain",
            SiteBy::Prefix => "prefix",
            SiteBy::All => "all",
        }
    }
}

/// Removes the angle brackets that some WARC writers put around addresses, as an early draft of the format did.
fn bare(url: &str) -> &str {
    url.trim_matches(|c: char| c.is_whitespace() || c == '<' || c == '>')
}

fn parse(url: &str) -> Option<Url> {
    let url = bare(url);
    Url::parse(url).ok().filter(|url| !is_host_and_port(url)).or_else(|| {
        let url = Url::parse(&format!("http://{url}")).ok()?;
        unframe_suffix::has_known_suffix(url.host_str()?).then_some(url)
    })
}

/// The site of an address with an invalid host or port.
fn invalid_host(url: &str) -> Option<String> {
    let url = bare(url);
    match Url::parse(url) {
        Ok(_) | Err(ParseError::RelativeUrlWithoutBase | ParseError::EmptyHost) => return None,
        Err(_) => {}
    }
    let (_, rest) = url.split_once(':')?;
    let authority = rest.trim_start_matches(['/', '\\']).split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit('@').next().map(plain_host).filter(|host| !host.is_empty())?;
    Some(in_parentheses(&host))
}

/// The name of the site of an invalid host.
fn in_parentheses(host: &str) -> String {
    let name: String = url::form_urlencoded::byte_serialize(host.as_bytes()).collect();
    format!("({})", bounded(name))
}

/// Cuts a long host off. A hash of the whole distinguishes hosts with a common prefix.
fn bounded(mut host: String) -> String {
    if host.len() > INVALID_HOST_MAX {
        let hash = xxh3_64(host.as_bytes());
        let end = (0..=INVALID_HOST_MAX).rev().find(|end| host.is_char_boundary(*end)).unwrap_or(0);
        host.truncate(end);
        host += &format!("-{hash:016x}");
    }
    host
}

/// Whether this is `example.com:8080/…`, which formally is an address with the scheme `example.com`.
fn is_host_and_port(url: &Url) -> bool {
    url.scheme().contains('.') && url.cannot_be_a_base()
}

fn plain_host(host: &str) -> String {
    without_www(&host.trim_end_matches('.').to_lowercase()).to_owned()
}

/// The name of a site without the leading `www.`. In `www.example`, `www.` is part of the name.
pub fn without_www(name: &str) -> &str {
    name.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(name)
}

fn with_port(host: &str, url: &Url) -> String {
    let host = bounded(host.to_owned());
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

fn registered_domain<'a>(host: &'a str, url: &Url) -> &'a str {
    match url.host() {
        // In `a..example`, the label before the suffix is empty.
        Some(url::Host::Domain(_)) if host.split('.').all(|label| !label.is_empty()) => {
            unframe_suffix::domain(host).unwrap_or(host)
        }
        _ => host,
    }
}

fn first_folder(url: &Url) -> Option<&str> {
    let mut segments = url.path().split('/').skip(1);
    let first = segments.next().filter(|segment| !segment.is_empty())?;
    segments.next().map(|_| first)
}

impl fmt::Display for SiteBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a text that names no [`SiteBy`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSiteBy(String);

impl fmt::Display for UnknownSiteBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a way to group pages: choose host, domain, prefix or all", self.0)
    }
}

impl std::error::Error for UnknownSiteBy {}

impl FromStr for SiteBy {
    type Err = UnknownSiteBy;

    fn from_str(name: &str) -> Result<SiteBy, UnknownSiteBy> {
        SiteBy::ALL.iter().copied().find(|by| by.name() == name).ok_or_else(|| UnknownSiteBy(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Checks the keys by host, by domain and by prefix.
    #[track_caller]
    fn check(url: &str, host: &str, domain: &str, prefix: &str) {
        let found = [SiteBy::Host, SiteBy::Domain, SiteBy::Prefix].map(|by| by.key(url));
        assert_eq!(found, [host, domain, prefix], "{url}");
    }

    #[test]
    fn names_are_typed_with_www() {
        let names = ["www.a.example", "a.example", "www2.a.example", "www.example", "file:"].map(without_www);
        assert_eq!(names, ["a.example", "a.example", "www2.a.example", "www.example", "file:"]);
    }

    #[test]
    fn host_domain_and_prefix() {
        check("http://example.com/", "example.com", "example.com", "example.com");
        check("http://WWW.Example.COM./A/b", "example.com", "example.com", "example.com/A");
        check("https://a.b.example.co.uk/x", "a.b.example.co.uk", "example.co.uk", "a.b.example.co.uk");
        check("http://user:secret@example.com/x/y/z?q#f", "example.com", "example.com", "example.com/x");
        check("http://ann.github.io/x/", "ann.github.io", "ann.github.io", "ann.github.io/x");
        check("http://example.com?a/b/c", "example.com", "example.com", "example.com");
        check("http://example.com//a/b", "example.com", "example.com", "example.com");
        check("http://example.com/a b/c", "example.com", "example.com", "example.com/a%20b");
        check("<http://example.com/>", "example.com", "example.com", "example.com");
        check(" http://example.com/\n", "example.com", "example.com", "example.com");
    }

    #[test]
    fn only_ports_that_are_not_the_default_count() {
        check("http://example.com:80/", "example.com", "example.com", "example.com");
        check("https://example.com:443/", "example.com", "example.com", "example.com");
        check("http://example.com:443/a/", "example.com:443", "example.com", "example.com:443/a");
        check("http://example.com:/", "example.com", "example.com", "example.com");
    }

    #[test]
    fn www_is_left_out_unless_nothing_else_remains() {
        check("http://www.com/", "www.com", "www.com", "www.com");
        check("http://www.www.com/", "www.com", "www.com", "www.com");
        check("http://www/", "www", "www", "www");
        check("http://www2.example.com/", "www2.example.com", "example.com", "www2.example.com");
    }

    #[test]
    fn international_names_are_written_in_ascii() {
        let key = "xn--bcher-kva.example";
        check("http://bücher.example/", key, key, key);
        check("http://BÜCHER.example/", key, key, key);
        check("http://xn--bcher-kva.example/", key, key, key);
        check(
            "http://www.пример.рф/",
            "xn--e1afmkfd.xn--p1ai",
            "xn--e1afmkfd.xn--p1ai",
            "xn--e1afmkfd.xn--p1ai",
        );
        check(
            "http://a.食狮.公司.cn/",
            "a.xn--85x722f.xn--55qx5d.cn",
            "xn--85x722f.xn--55qx5d.cn",
            "a.xn--85x722f.xn--55qx5d.cn",
        );
    }

    #[test]
    fn hosts_without_a_registered_domain_stand_for_themselves() {
        check("http://192.168.0.1:8080/a/", "192.168.0.1:8080", "192.168.0.1", "192.168.0.1:8080/a");
        check("http://[2001:DB8::1]:8080/a/", "[2001:db8::1]:8080", "[2001:db8::1]", "[2001:db8::1]:8080/a");
        check("http://localhost:3000/", "localhost:3000", "localhost", "localhost:3000");
        check("http://co.uk/", "co.uk", "co.uk", "co.uk");
        check("http://a.b.unknownsuffix/", "a.b.unknownsuffix", "b.unknownsuffix", "a.b.unknownsuffix");
    }

    #[test]
    fn addresses_without_a_host_and_text_that_is_none() {
        check("file:///srv/crawl/a.html", "file:", "file:", "file:");
        check("file://server/share/a.html", "server", "server", "server/share");
        check("urn:uuid:1234", "urn:", "urn:", "urn:");
        check("data:text/html,x", "data:", "data:", "data:");
        check("example.com/a/b", "example.com", "example.com", "example.com/a");
        check("www.example.com:8080/a", "example.com:8080", "example.com", "example.com:8080");
        check("page1.html", "(none)", "(none)", "(none)");
        check("folder/page1.html", "(none)", "(none)", "(none)");
        check("not an address", "(none)", "(none)", "(none)");
        check("", "(none)", "(none)", "(none)");
        check("http://", "(none)", "(none)", "(none)");
        assert_eq!(SiteBy::All.key("http://example.com/"), SiteBy::All.key("\0"));
    }

    #[test]
    fn hosts_that_cannot_be_are_sites_of_their_own() {
        let check_all = |url: &str, key: &str| check(url, key, key, key);
        check_all("http://a b/x/y", "(a+b)");
        check_all("https://www.A|b.example/x/y", "(a%7Cb.example)");
        check_all("http://user:secret@a^b?q@c", "(a%5Eb)");
        check_all("http://[::1/", "(%5B%3A%3A1)");
        check_all("http://1.2.3.4.999/", "(1.2.3.4.999)");
        check_all("<http://a.example:99999/>", "(a.example%3A99999)");
        check_all("http://./", "(.)");
        check_all("http://../", "(..)");
        check_all("http://%2e%2e/", "(..)");
        check_all("http://.../", "(...)");
        check("http://a..example/", "a..example", "a..example", "a..example");
        check("http://.a.example/", ".a.example", ".a.example", ".a.example");
        check_all("http:///", "(none)");
        check_all("http://user@/", "(none)");
    }

    #[test]
    fn names_of_hosts_that_cannot_be_have_so_many_bytes_and_no_more() {
        let key = |len: usize, end: &str| SiteBy::Host.key(&format!("http://|{}{end}/", "a".repeat(len)));
        // `|` is percent-encoded as three bytes.
        assert_eq!(key(INVALID_HOST_MAX - 3, ""), format!("(%7C{})", "a".repeat(INVALID_HOST_MAX - 3)));
        let (one, other) = (key(INVALID_HOST_MAX - 3, "b"), key(INVALID_HOST_MAX * 1000, "c"));
        assert_eq!((one.len(), other.len()), (INVALID_HOST_MAX + 19, INVALID_HOST_MAX + 19));
        assert_ne!(one, other);
    }

    #[test]
    fn names_of_long_hosts_are_cut_off() {
        let key = |len: usize, end: &str| SiteBy::Host.key(&format!("http://{}{end}:8080/", "a".repeat(len)));
        assert_eq!(key(INVALID_HOST_MAX, ""), format!("{}:8080", "a".repeat(INVALID_HOST_MAX)));
        let (one, other) = (key(INVALID_HOST_MAX, "b"), key(INVALID_HOST_MAX * 400, "c"));
        assert_eq!((one.len(), other.len()), (INVALID_HOST_MAX + 22, INVALID_HOST_MAX + 22));
        assert_ne!(one, other);
        let long = format!("http://{}.{}.example/b/c", "a".repeat(100_000), "d".repeat(300));
        for by in [SiteBy::Host, SiteBy::Domain, SiteBy::Prefix] {
            assert!(by.key(&long).len() < 300, "{by}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for by in SiteBy::ALL.iter().copied() {
            assert_eq!(by.to_string().parse(), Ok(by));
        }
        let error = "hosts".parse::<SiteBy>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`hosts` is not a way to group pages: choose host, domain, prefix or all"
        );
    }

    proptest! {
        #[test]
        fn any_text_has_a_key(url: String, soup in "(http:|file:|//|/|www\\.|\\.|:|@|\\[|\\]|[a-zé0-9%]){0,12}") {
            for by in SiteBy::ALL {
                prop_assert!(!by.key(&url).is_empty());
                prop_assert!(!by.key(&soup).is_empty());
            }
        }

        #[test]
        fn case_of_the_host_and_scheme_do_not_matter(host in "[a-z]{1,8}\\.[a-z]{2,3}", path in "[a-z/]{0,9}") {
            for by in SiteBy::ALL {
                let key = by.key(&format!("http://{host}/{path}"));
                prop_assert_eq!(&key, &by.key(&format!("https://WWW.{}/{path}", host.to_uppercase())));
            }
        }
    }
}
