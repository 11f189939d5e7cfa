//! Names of sites as messages show them.

/// The name of a site in messages. Files without an address form one site, `file:`, which is shown as \"the files\".
pub(crate) fn display_name(site: &str) -> &str {
    if site == "file:" { "the files" } else { site }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_named_as_people_name_them() {
        assert_eq!(["file:", "a.example"].map(display_name), ["the files", "a.example"]);
    }
}
