//! The text of `unframe --version`: the version and the build, for bug reports.

use std::sync::LazyLock;

/// The optional features, and whether they are built in.
const FEATURES: [(&str, bool); 5] = [
    ("parquet", cfg!(feature = "parquet")),
    ("png", cfg!(feature = "png")),
    ("remote", cfg!(feature = "remote")),
    ("search", cfg!(feature = "search")),
    ("serve", cfg!(feature = "serve")),
];

/// The version, then the build on lines of its own. `-V` prints only the version.
pub(super) fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let features: Vec<&str> =
            FEATURES.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name).collect();
        let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
        format!(
            "{}\nfeatures: {features}\nprofile: {}\ntarget: {}\nrustc: {}",
            env!("CARGO_PKG_VERSION"),
            env!("UNFRAME_PROFILE"),
            env!("UNFRAME_TARGET"),
            env!("UNFRAME_RUSTC"),
        )
    });
    &TEXT
}
