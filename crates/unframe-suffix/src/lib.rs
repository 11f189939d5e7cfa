//! The public suffix and the domain of a host, from the [Public Suffix List](https://publicsuffix.org).
//!
//! A crate of its own for the compiler's sake: the list is code, a megabyte of it, that every crate compiles anew which calls it. Here it is
//! compiled once, behind functions that are never inlined.
//!
//! ```
//! assert_eq!(unframe_suffix::domain("news.tea.co.uk"), Some("tea.co.uk"));
//! assert_eq!(unframe_suffix::domain("co.uk"), None);
//! assert!(unframe_suffix::has_known_suffix("tea.co.uk"));
//! assert!(!unframe_suffix::has_known_suffix("tea.intranet"));
//! ```

/// The part of a host name that somebody registered, if it has one.
#[inline(never)]
pub fn domain(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// Whether a host name ends in a suffix that is on the list.
#[inline(never)]
pub fn has_known_suffix(host: &str) -> bool {
    psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known())
}

/// Examples in the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
