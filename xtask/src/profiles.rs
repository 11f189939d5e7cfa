//! Checks the profile of packages: it must leave no crate unoptimised, or with the little optimisation of the release profile.

use crate::project;

/// Lists the crates that the profile of packages does not optimise as required.
pub(crate) fn check() -> Result<Vec<String>, String> {
    Ok(faults(&project::read("Cargo.toml")?))
}

fn faults(manifest: &str) -> Vec<String> {
    let release: Vec<_> = packages(manifest, "[profile.release.package]").collect();
    let dist: Vec<_> = packages(manifest, "[profile.dist.package]").collect();
    let of_dist = |name: &str| dist.iter().find(|(other, _)| *other == name).map(|(_, settings)| *settings);
    let is_little =
        |settings: &str| ["0", "1"].iter().any(|level| settings.contains(&format!("opt-level = {level}")));
    release
        .iter()
        .filter_map(|(name, settings)| {
            let restored = of_dist(name).unwrap_or(settings);
            (is_little(settings) && is_little(restored)).then_some(name)
        })
        .map(|name| format!("Cargo.toml: [profile.dist.package] needs `{name}` with a higher opt-level"))
        .collect()
}

/// The packages in a section, with one line each, and their settings.
fn packages<'m>(manifest: &'m str, section: &'static str) -> impl Iterator<Item = (&'m str, &'m str)> {
    let lines = manifest.lines().skip_while(move |line| *line != section).skip(1);
    lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_are_not_restored_are_faults() {
        let manifest = "[profile.release.package]\n# Slow.\na = { opt-level = 0 }\nb = { opt-level = 1 }\nc = { opt-level = 3 }\n\n\
            [profile.dist.package]\na = { opt-level = \"s\" }\nb = { opt-level = 3 }\n";
        assert!(faults(manifest).is_empty());
        for name in ["a", "b"] {
            let without: Vec<_> = manifest.split_inclusive('\n').collect();
            let last = without.iter().rposition(|line| line.starts_with(name)).unwrap();
            let fault = format!("Cargo.toml: [profile.dist.package] needs `{name}` with a higher opt-level");
            assert_eq!(faults(&[&without[..last], &without[last + 1..]].concat().concat()), [fault]);
        }
    }
}
