//! Dates of pages. A page that was saved without a date gets it from the name of a folder.

use jiff::Timestamp;
use unframe::Page;
use unframe_crawl::parse_date;

/// The date of a page, and the address that all its versions share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    /// When it was fetched.
    pub date: Timestamp,
    /// Its address without the folder of the date.
    pub url: String,
    /// The address that all its versions share; see [`address`].
    pub address: String,
}

impl Dated {
    /// A page that was fetched at this time.
    pub fn new(date: Timestamp, url: String) -> Dated {
        Dated { date, address: address(&url), url }
    }
}

/// The date of a page: its own, or that of a folder in the path of its file, such as `2004`, `2004-06`, `2004-06-30` or `20040630120000`.
/// Returns `None` if there is neither.
pub fn of_page(page: &Page) -> Option<Dated> {
    let by_folder = page.url.strip_prefix("file://").and_then(without_date);
    match (page.date, by_folder) {
        (Some(date), _) => Some(Dated::new(date, page.url.clone())),
        (None, Some((date, url))) => Some(Dated::new(date, url)),
        (None, None) => {
            let date = page.origin.file.split(['/', '\\']).rev().skip(1).find_map(folder_date)?;
            Some(Dated::new(date, page.url.clone()))
        }
    }
}

/// The address that all versions of a page share: without scheme, `www.` and fragment, which may change while the page stays the same.
pub fn address(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.strip_prefix("www.").unwrap_or(rest).to_owned()
}

/// Removes the last folder that is a date from a path. If the next folder is named like a host, the rest of the path becomes an address there.
fn without_date(path: &str) -> Option<(Timestamp, String)> {
    let parts: Vec<&str> = path.split('/').collect();
    let folders = parts.len().checked_sub(1)?;
    let at = (0..folders).rev().find(|at| folder_date(parts[*at]).is_some())?;
    let date = folder_date(parts[at])?;
    let rest = &parts[at + 1..];
    let url = match rest {
        [host, _, ..] if host.contains('.') => format!("http://{}", rest.join("/")),
        _ => format!("file://{}", [&parts[..at], rest].concat().join("/")),
    };
    Some((date, url))
}

/// Parses the name of a folder as a date: a year from 1990 on, optionally with month, day and time.
fn folder_date(name: &str) -> Option<Timestamp> {
    let digits = name.chars().filter(char::is_ascii_digit).count();
    let is_plain = name.chars().all(|c| c.is_ascii_digit() || "-_T:Z.".contains(c));
    let year: u32 = name.get(..4)?.parse().ok()?;
    let is_date = is_plain && (1990..2100).contains(&year) && matches!(digits, 4 | 6 | 8 | 12 | 14);
    is_date.then(|| parse_date(&name.replace('_', "-")))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::bucket::day;

    #[test]
    fn folders_can_be_dates() {
        let cases = [
            ("2004", Some("2004-01-01")),
            ("2004-06", Some("2004-06-01")),
            ("2004-06-30", Some("2004-06-30")),
            ("20040630", Some("2004-06-30")),
            ("20040630120000", Some("2004-06-30")),
            ("1234", None),
            ("2004-crawl", None),
            ("posts", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(folder_date(name).map(day).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn versions_have_one_address() {
        let found = |path| without_date(path).map(|(date, url)| (day(date), url));
        let at = |day: &str, url: &str| Some((day.to_owned(), url.to_owned()));
        assert_eq!(found("/crawls/2004/a.example/x.html"), at("2004-01-01", "http://a.example/x.html"));
        assert_eq!(found("/crawls/2004-06/x/y.html"), at("2004-06-01", "file:///crawls/x/y.html"));
        assert_eq!(found("/crawls/2004-06/index.html"), at("2004-06-01", "file:///crawls/index.html"));
        assert_eq!(found("/posts/x.html"), None);
        let addresses = ["http://www.a.example/x", "https://a.example/x#top"].map(address);
        assert_eq!(addresses, ["a.example/x", "a.example/x"]);
    }
}
