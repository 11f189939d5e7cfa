//! `cargo xtask fit`: fits the default method on gold data, and writes the weights into its source.

use std::path::PathBuf;
use std::process::Command;

use crate::project;

/// Folders of the real data, with the option that says what is known of their pages.
const FOLDERS: [(&str, &str); 3] = [("--human", "human"), ("--silver", "sites"), ("--values", "swde")];

/// Fits on the folders of the real data. Options are those of the program, such as `--single FOLDER` for single pages.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let data = std::env::var_os("UNFRAME_DATA")
        .map_or_else(|| project::root().join("../shared/data"), PathBuf::from);
    let weights = project::root().join("crates/unframe/src/detect/places/weights.bin");
    let mut command = Command::new(project::cargo());
    command.current_dir(project::root()).args(["run", "--release", "-p", "unframe-fit", "--"]);
    for (option, folder) in FOLDERS {
        let folder = data.join(folder);
        if !folder.is_dir() {
            return Err(format!(
                "{} is not there: UNFRAME_DATA names the folder of real data",
                folder.display()
            ));
        }
        command.arg(option).arg(folder);
    }
    command.arg("--write").arg(weights).args(options);
    let status = command.status().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}
