//! Addresses of files on other machines.

use std::io;

use object_store::path::Path;
use reqwest::Url;

/// A file on another machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    Web(Url),
    /// An object of a bucket, or the common prefix of several objects.
    Object {
        bucket: String,
        key: Path,
    },
}

impl Address {
    pub(super) fn parse(text: &str) -> io::Result<Address> {
        let bad = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
        let Some((bucket, key)) = after_s3(text) else {
            let url = Url::parse(text).map_err(|error| bad(format!("it is not a valid address: {error}")))?;
            return Ok(Address::Web(url));
        };
        if bucket.is_empty() {
            return Err(bad("the address names no bucket: write s3://BUCKET/KEY".to_owned()));
        }
        // Keys are taken literally, as in other programs: `%20` is not a space.
        let key = Path::parse(key).map_err(|error| bad(format!("its key cannot be used: {error}")))?;
        Ok(Address::Object { bucket: bucket.to_owned(), key })
    }
}

/// The bucket and the key of an S3 address; `None` for other schemes.
fn after_s3(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    scheme.eq_ignore_ascii_case("s3").then(|| rest.split_once('/').unwrap_or((rest, "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_both_kinds() {
        let object = |key| Address::Object { bucket: "crawls".to_owned(), key: Path::parse(key).unwrap() };
        assert_eq!(Address::parse("s3://crawls/2026/a%20b.warc.gz").unwrap(), object("2026/a%20b.warc.gz"));
        assert_eq!(Address::parse("S3://crawls/2026/").unwrap(), object("2026"));
        assert_eq!(Address::parse("s3://crawls").unwrap(), object(""));
        assert!(
            matches!(Address::parse("https://a.example/b?c").unwrap(), Address::Web(url) if url.as_str() == "https://a.example/b?c")
        );
        for bad in ["s3:///key", "http://", "https://a b/", "s3://bucket/a//b"] {
            assert_eq!(Address::parse(bad).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{bad}");
        }
    }
}
