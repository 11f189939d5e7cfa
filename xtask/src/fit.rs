//! `cargo xtask fit`: fits the default method on gold data, and writes its weights.

use std::path::PathBuf;

use crate::project;

/// Folders of the real data, each with the option for its kind of labels.
const FOLDERS: [(&str, &str); 3] = [("--human", "human"), ("--silver", "sites"), ("--values", "swde")];

/// Fits on the folders of the real data. `options` are passed to `unframe-fit`, such as `--single FOLDER` for single pages.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let data = std::env::var_os("UNFRAME_DATA")
        .map_or_else(|| project::root().join("../shared/data"), PathBuf::from);
    let weights = project::root().join("crates/unframe/src/detect/places/weights.bin");
    let mut command = project::cargo();
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
