//! Verbs that this build lacks, because their cargo feature is disabled.

use anyhow::bail;

use crate::exit::Outcome;

/// Fails, and names the cargo feature of the verb.
pub(crate) fn run(verb: &str, feature: &str) -> anyhow::Result<Outcome> {
    bail!(
        "`{verb}` is not in this build, which was made without the cargo feature `{feature}`: \
         build it with `cargo build --release` (everything) or with `--no-default-features --features {feature}` (the core and this)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_is_named() {
        let error = run("index", "search").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("`index`") && error.contains("--features search"), "{error}");
    }
}
