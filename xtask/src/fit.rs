//! `cargo xtask fit`: finds the weights of the default method on gold data and writes them into its source.

use std::path::PathBuf;
use std::process::Command;

use crate::project;

/// Fits on the folders of the real data. With `--folds N`, families of sites are left out in turns first; other options
/// are those of the program.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let data = std::env::var_os("UNFRAME_DATA")
        .map_or_else(|| project::root().join("../shared/data"), PathBuf::from);
    let folders = ["sites", "swde"].map(|folder| data.join(folder));
    if let Some(missing) = folders.iter().find(|folder| !folder.is_dir()) {
        return Err(format!(
            "{} is not there: UNFRAME_DATA names the folder of real data",
            missing.display()
        ));
    }
    let weights = project::root().join("crates/unframe/src/detect/places/weights.rs");
    let mut command = Command::new(project::cargo());
    command.current_dir(project::root()).args(["run", "--release", "-p", "unframe-fit", "--"]);
    command.args(folders).arg("--write").arg(weights).args(options);
    let status = command.status().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}
