//! Names of sites: as users write them, and as messages show them.

/// The name of a site as pages have it: without `www.`.
pub(crate) fn plain(typed: &str) -> &str {
    typed.strip_prefix("www.").unwrap_or(typed)
}

/// The name of a site in messages. Files without an address form one site, `file:`, which is shown as \"the files\".
pub(crate) fn display_name(site: &str) -> &str {
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
        assert_eq!(["file:", "a.example"].map(display_name), ["the files", "a.example"]);
    }
}
