//! Sort keys of addresses (SURT), by which indexes are sorted: `com,example)/path` is the key of `http://www.example.com/path`.

/// The prefixes of the keys of a host and its subdomains.
pub(super) fn of_host(host: &str) -> Vec<String> {
    let mut prefixes = Vec::new();
    for name in with_and_without_www(host) {
        let key = reversed(name);
        // The host itself, its subdomains, and its ports.
        prefixes.extend([format!("{key})"), format!("{key},"), format!("{key}:")]);
    }
    prefixes
}

/// The prefixes of the keys of all addresses with the prefix `url`; `None` if `url` has no complete host.
pub(super) fn of_url(url: &str) -> Option<Vec<String>> {
    let (_, rest) = url.split_once("://")?;
    let (authority, path) = rest.split_once('/')?;
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let (host, port) = authority.split_once(':').unwrap_or((&authority, ""));
    let port = if matches!(port, "" | "80" | "443") { String::new() } else { format!(":{port}") };
    // Tools encode other characters than letters and digits differently, so the key ends before them.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '/';
    let plain = path.split(|c| !is_plain(c)).next().unwrap_or_default();
    let folder = plain.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = folder.split("//").next().unwrap_or_default();
    let mut prefixes = Vec::new();
    for name in with_and_without_www(host) {
        for folder in [folder.to_owned(), folder.to_ascii_lowercase()] {
            let prefix = format!("{}{port})/{folder}", reversed(name));
            if !prefixes.contains(&prefix) {
                prefixes.push(prefix);
            }
        }
    }
    Some(prefixes)
}

/// Most indexes omit `www.`.
fn with_and_without_www(host: &str) -> impl Iterator<Item = &str> {
    std::iter::once(host).chain(host.strip_prefix("www."))
}

fn reversed(host: &str) -> String {
    host.trim_end_matches('.').rsplit('.').collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_hosts() {
        assert_eq!(
            of_host("news.example.com"),
            ["com,example,news)", "com,example,news,", "com,example,news:"]
        );
        assert_eq!(of_host("www.a.org").iter().filter(|key| *key == "org,a)").count(), 1);
    }

    #[test]
    fn keys_of_addresses() {
        assert_eq!(
            of_url("https://Example.com/Docs/a/b").unwrap(),
            ["com,example)/Docs/a", "com,example)/docs/a"]
        );
        assert_eq!(of_url("http://example.com:8080/").unwrap(), ["com,example:8080)/"]);
        assert_eq!(of_url("http://www.a.org/x_y/z").unwrap(), ["org,a,www)/", "org,a)/"]);
        assert_eq!(of_url("https://exam"), None);
        assert_eq!(of_url("example.com/a"), None);
    }
}
