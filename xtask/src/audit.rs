//! Looks up the dependencies in the RustSec list of security advisories, with `cargo audit`.

use crate::project;

/// Checks `Cargo.lock` against the current list, or against a copy of it in the folder `list`, for use without a network.
pub(crate) fn run(list: Option<&str>) -> Result<(), String> {
    project::install_if_missing("audit")?;
    let mut audit = project::cargo();
    audit.current_dir(project::root()).arg("audit");
    if let Some(folder) = list {
        audit.args(["--no-fetch", "--stale", "--db", folder]);
    }
    match audit.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("FAILED: there are advisories, or they cannot be read".to_owned()),
        Err(error) => Err(format!("cargo audit cannot be started: {error}")),
    }
}
