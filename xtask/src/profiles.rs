//! Checks that what users install is optimised, whatever the quick release profile leaves out: for speed, except for the crates that the profile of packages names as small.

use crate::project;

/// Lists the packages that the release profile optimises less and the profile of packages does not restore.
pub(crate) fn check() -> Result<Vec<String>, String> {
    Ok(faults(&project::read("Cargo.toml")?))
}

fn faults(manifest: &str) -> Vec<String> {
    let in_full = |(_, settings): &(&str, &str)| settings.contains("opt-level = 3");
    let restored: Vec<&str> =
        packages(manifest, "[profile.dist.package]").filter(in_full).map(|(name, _)| name).collect();
    packages(manifest, "[profile.release.package]")
        .filter(|package| package.1.contains("opt-level") && !in_full(package))
        .filter(|(name, _)| !restored.contains(name))
        .map(|(name, _)| format!("Cargo.toml: [profile.dist.package] needs `{name} = {{ opt-level = 3 }}`"))
        .collect()
}

/// The packages of a section, a line each, with their settings.
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
            [profile.dist.package]\nb = { opt-level = 3 }\n";
        assert_eq!(faults(manifest), ["Cargo.toml: [profile.dist.package] needs `a = { opt-level = 3 }`"]);
        assert!(faults(&manifest.replace("b =", "a =")).is_empty());
    }
}
