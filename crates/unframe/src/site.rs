//! Which pages are compared with each other.

/// What makes two pages belong to the same site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SiteBy {
    /// The same host, a leading `www.` aside.
    #[default]
    Host,
    /// The same registered domain, by the public suffix list.
    Domain,
    /// The same host and the same first segment of the path.
    Prefix,
    /// All pages are one site.
    All,
}
