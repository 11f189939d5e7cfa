//! Names of sites: as users type them, and as messages show them.

/// The name of a site as pages have it: without `www.`.
pub(crate) fn plain(typed: &str) -> &str {
    typed.strip_prefix("www.").unwrap_or(typed)
}

/// What a site is called in messages: files without an address of their own are one site, and `file:` says little.
pub(crate) fn called(site: &str) -> &str {
    if site == "file:" { "the files" } else { site }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_named_as_people_name_them() {
        assert_eq!(
            ["www.a.example", "a.example", "www2.example"].map(plain),
            ["a.example", "a.example", "www2.example"]
        );
        assert_eq!(["file:", "a.example"].map(called), ["the files", "a.example"]);
    }
}
