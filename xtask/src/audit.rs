//! Looks up the dependencies in the list of security advisories of RustSec, which `cargo audit` knows how to read.

use std::process::Command;

use crate::project;

/// Checks `Cargo.lock`, with the list as it is now or, where that cannot be reached, with a copy of it in a folder.
pub(crate) fn run(list: Option<&str>) -> Result<(), String> {
    project::install_if_missing("audit")?;
    let mut audit = Command::new(project::cargo());
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
