//! Checks the profile of packages: it must optimise every crate for speed that the release profile optimises, and must leave no crate
//! unoptimised.

use crate::project;

/// Lists the crates that the profile of packages does not optimise as required.
pub(crate) fn check() -> Result<Vec<String>, String> {
    Ok(faults(&project::read("Cargo.toml")?))
}

fn faults(manifest: &str) -> Vec<String> {
    let release: Vec<_> = packages(manifest, "[profile.release.package]").collect();
    let dist: Vec<_> = packages(manifest, "[profile.dist.package]").collect();
    let of_dist = |name: &str| dist.iter().find(|(other, _)| *other == name).map(|(_, settings)| *settings);
    let has = |settings: &str, level: &str| settings.contains(&format!("opt-level = {level}"));
    release
        .iter()
        .filter_map(|(name, settings)| {
            let restored = of_dist(name).unwrap_or(settings);
            match () {
                () if has(settings, "0") && (has(restored, "\"s\"") || has(restored, "3")) => None,
                () if has(settings, "0") => Some((name, "\"s\"` or `3")),
                () if has(settings, "1") && !has(restored, "3") => Some((name, "3")),
                () => None,
            }
        })
        .map(|(name, level)| {
            format!("Cargo.toml: [profile.dist.package] needs `{name}` with opt-level `{level}`")
        })
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
            [profile.dist.package]\na = { opt-level = \"s\" }\nb = { opt-level = \"s\" }\n";
        assert_eq!(faults(manifest), ["Cargo.toml: [profile.dist.package] needs `b` with opt-level `3`"]);
        let nothing = manifest
            .replace("a = { opt-level = \"s\" }\n", "")
            .replace("b = { opt-level = \"s\" }", "b = { opt-level = 3 }");
        assert_eq!(
            faults(&nothing),
            ["Cargo.toml: [profile.dist.package] needs `a` with opt-level `\"s\"` or `3`"]
        );
        assert!(faults(&manifest.replace("b = { opt-level = \"s\" }", "b = { opt-level = 3 }")).is_empty());
    }
}
