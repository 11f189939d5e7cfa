//! Checks that every library crate is ready to be published.

use std::path::Path;

use serde_json::Value;

use crate::project;

/// Files that a package must contain in addition to its source.
const FILES: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// Fields of the manifest that a registry requires.
const FIELDS: [&str; 3] = ["description", "license", "readme"];
/// Maximum number of keywords and of categories that registries accept.
const WORDS_MAX: usize = 5;

/// Lists the problems.
pub(crate) fn check() -> Result<Vec<String>, String> {
    let metadata = project::metadata(&["--no-deps"])?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
    let published: Vec<&Value> = packages.iter().filter(|package| is_published(package)).collect();
    let names: Vec<&str> = published.iter().map(|package| name(package)).collect();
    let mut faults = Vec::new();
    for package in published {
        let lacking = faults_of(package, &names).into_iter().chain(missing_files(package));
        faults.extend(lacking.map(|fault| format!("{}: {fault}", name(package))));
    }
    if faults.is_empty() {
        list_files(&names)?;
    }
    Ok(faults)
}

/// Whether a package is published. Cargo reports `publish = false` as an empty list of registries.
fn is_published(package: &Value) -> bool {
    package["publish"].as_array().is_none_or(|registries| !registries.is_empty())
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap_or_default()
}

fn faults_of(package: &Value, published: &[&str]) -> Vec<String> {
    let missing = FIELDS.iter().filter(|field| package[**field].as_str().is_none_or(str::is_empty));
    let mut faults: Vec<String> = missing.map(|field| format!("no `{field}` in its Cargo.toml")).collect();
    for field in ["keywords", "categories"] {
        let count = package[field].as_array().map_or(0, Vec::len);
        if !(1..=WORDS_MAX).contains(&count) {
            faults.push(format!("{count} `{field}` in its Cargo.toml, and not 1 to {WORDS_MAX}"));
        }
    }
    // Cargo removes dev-dependencies without a version from packages.
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    for dependency in dependencies.filter(|one| one["path"].is_string() && one["kind"] != "dev") {
        if !published.contains(&name(dependency)) {
            faults.push(format!("it needs {}, which is not published", name(dependency)));
        } else if dependency["req"] == "*" {
            faults.push(format!("no version beside the path of {}", name(dependency)));
        }
    }
    faults
}

fn missing_files(package: &Value) -> Vec<String> {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
    let folder = manifest.parent().unwrap_or(manifest);
    let missing = FILES.iter().filter(|file| !folder.join(file).is_file());
    missing.map(|file| format!("no {file} in its folder")).collect()
}

/// Lets cargo list the files that it would package. This fails if a package cannot be made.
fn list_files(names: &[&str]) -> Result<(), String> {
    let mut list = project::cargo();
    list.current_dir(project::root()).args(["package", "--list", "--allow-dirty", "--quiet"]);
    list.args(names.iter().flat_map(|name| ["-p", name]));
    let output = list.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn packages_lack_nothing() {
        let mut package = json!({
            "name": "a", "description": "An a", "license": "MIT", "readme": "README.md",
            "keywords": ["a"], "categories": ["science"],
            "dependencies": [{"name": "b", "path": "/b", "req": "^1", "kind": null}],
        });
        assert!(faults_of(&package, &["a", "b"]).is_empty());
        assert_eq!(faults_of(&package, &["a"]), ["it needs b, which is not published"]);
        package["dependencies"][0]["req"] = json!("*");
        package["readme"] = json!(null);
        package["keywords"] = json!([]);
        let expected = [
            "no `readme` in its Cargo.toml",
            "0 `keywords` in its Cargo.toml, and not 1 to 5",
            "no version beside the path of b",
        ];
        assert_eq!(faults_of(&package, &["a", "b"]), expected);
    }

    #[test]
    fn crates_of_our_own_are_not_published() {
        assert!(is_published(&json!({"publish": null})));
        assert!(!is_published(&json!({"publish": []})));
    }
}
