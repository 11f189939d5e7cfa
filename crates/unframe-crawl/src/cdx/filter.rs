//! Filters for the lines of an index.

use std::str::FromStr;

use super::line::Entry;
use super::surt;

/// A condition on a record, such as `host=example.com`.
///
/// ```
/// use unframe_crawl::cdx::Filter;
///
/// assert!("status=200".parse::<Filter>().is_ok());
/// assert!("colour=red".parse::<Filter>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    key: Key,
    value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Url,
    Host,
    From,
    To,
    Status,
    Mime,
    Language,
}

const KEYS: [(&str, Key); 7] = [
    ("url", Key::Url),
    ("host", Key::Host),
    ("from", Key::From),
    ("to", Key::To),
    ("status", Key::Status),
    ("mime", Key::Mime),
    ("language", Key::Language),
];

/// The error for a text that is not a filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a filter: write KEY=VALUE; the keys are url (a prefix), host (with its subdomains), from and to (dates such as 2024 or 20240131), status, mime and language"
)]
pub struct BadFilter(String);

impl FromStr for Filter {
    type Err = BadFilter;

    fn from_str(text: &str) -> Result<Filter, BadFilter> {
        let bad = || BadFilter(text.to_owned());
        let (name, value) = text.split_once('=').ok_or_else(bad)?;
        let key = KEYS.iter().find(|(known, _)| *known == name).ok_or_else(bad)?.1;
        let value = match key {
            // Users write dates with dashes and colons, but an index has only digits.
            Key::From | Key::To => value.chars().filter(char::is_ascii_digit).collect(),
            Key::Host | Key::Mime => value.to_ascii_lowercase(),
            _ => value.to_owned(),
        };
        if value.is_empty() { Err(bad()) } else { Ok(Filter { key, value }) }
    }
}

impl Filter {
    fn accepts(&self, entry: &Entry<'_>) -> bool {
        let value = self.value.as_str();
        match self.key {
            Key::Url => entry.url.starts_with(value),
            Key::Host => is_of_host(&entry.url, value),
            Key::From => *entry.date >= *value,
            Key::To => entry.date.get(..value.len()).unwrap_or(&entry.date) <= value,
            Key::Status => entry.status == value,
            Key::Mime => entry.mime.eq_ignore_ascii_case(value),
            Key::Language => entry.languages.split(',').any(|language| language == value),
        }
    }
}

/// Whether a record passes the filters. Filters with the same key are alternatives.
pub(super) fn accept(filters: &[Filter], entry: &Entry<'_>) -> bool {
    KEYS.iter().all(|(_, key)| {
        let mut of_key = filters.iter().filter(|filter| filter.key == *key).peekable();
        of_key.peek().is_none() || of_key.any(|filter| filter.accepts(entry))
    })
}

/// The prefixes of the sort keys of all matching records; `None` if any key is possible.
pub(super) fn prefixes(filters: &[Filter]) -> Option<Vec<String>> {
    let values = |key: Key| {
        let of_key: Vec<&str> =
            filters.iter().filter(|filter| filter.key == key).map(|filter| filter.value.as_str()).collect();
        (!of_key.is_empty()).then_some(of_key)
    };
    let of_urls = || values(Key::Url)?.into_iter().map(surt::of_url).collect::<Option<Vec<_>>>();
    let of_hosts = || Some(values(Key::Host)?.into_iter().map(surt::of_host).collect());
    of_urls().or_else(of_hosts).map(|all| all.concat())
}

/// Whether an address is on a host or one of its subdomains.
fn is_of_host(url: &str, host: &str) -> bool {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = after_scheme.split(['/', '?', '#']).next().unwrap_or_default();
    let without_user = authority.rsplit_once('@').map_or(authority, |(_, rest)| rest);
    let name = without_user.split(':').next().unwrap_or_default().to_ascii_lowercase();
    name.strip_suffix(host).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(filters: &[&str]) -> bool {
        let entry = Entry {
            url: "https://News.example.com:443/a?b".into(),
            date: "20240131120000".into(),
            status: "200".into(),
            mime: "text/html".into(),
            languages: "eng,deu".into(),
            ..Entry::default()
        };
        let filters: Vec<Filter> = filters.iter().map(|filter| filter.parse().unwrap()).collect();
        accept(&filters, &entry)
    }

    #[test]
    fn records_are_filtered() {
        for good in [
            "url=https://News",
            "host=example.com",
            "host=NEWS.example.com",
            "from=2024",
            "from=2024-01-31",
            "to=2024",
            "to=20240131",
            "status=200",
            "mime=text/HTML",
            "language=deu",
        ] {
            assert!(accepted(&[good]), "{good}");
        }
        for bad in ["url=http:", "host=ample.com", "from=20240201", "to=2023", "status=404", "language=en"] {
            assert!(!accepted(&[bad]), "{bad}");
        }
        assert!(accepted(&[]));
        assert!(accepted(&["status=404", "status=200", "language=eng"]));
        assert!(!accepted(&["status=404", "status=200", "language=fra"]));
    }

    #[test]
    fn filters_say_where_to_look() {
        let prefixes = |filters: &[&str]| {
            prefixes(&filters.iter().map(|filter| filter.parse().unwrap()).collect::<Vec<_>>())
        };
        assert_eq!(prefixes(&["status=200"]), None);
        assert_eq!(prefixes(&["host=a.org", "host=b.org"]).unwrap().len(), 6);
        assert_eq!(prefixes(&["host=a.org", "url=http://a.org/"]).unwrap(), ["org,a)/"]);
        // A prefix of a host matches many hosts.
        assert_eq!(prefixes(&["url=http://a.o"]), None);
        assert_eq!(prefixes(&["host=a.org", "url=http://a.o"]).unwrap().len(), 3);
    }

    #[test]
    fn filters_that_make_no_sense() {
        for text in ["status", "status=", "colour=red", "from=yesterday"] {
            let error = text.parse::<Filter>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is not a filter: write KEY=VALUE")), "{error}");
        }
    }
}
