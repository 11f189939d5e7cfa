//! The public suffix and the domain of a host, from the [Public Suffix List](https://publicsuffix.org).
//!
//! This is a separate crate to save compile time. The list is a megabyte of code, which the compiler would generate anew in every crate that calls
//! it. Here it is compiled once, behind functions that are never inlined.
//!
//! ```
//! assert_eq!(unframe_suffix::domain("news.tea.co.uk"), Some("tea.co.uk"));
//! assert_eq!(unframe_suffix::domain("co.uk"), None);
//! assert!(unframe_suffix::has_known_suffix("tea.co.uk"));
//! assert!(!unframe_suffix::has_known_suffix("tea.intranet"));
//! ```

/// The registrable domain of a host name; `None` if it has none.
#[inline(never)]
pub fn domain(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// Whether a host name ends in a suffix of the list.
#[inline(never)]
pub fn has_known_suffix(host: &str) -> bool {
    psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known())
}

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
