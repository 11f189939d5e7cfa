//! Installs a fixed version of mdBook into the target folder of cargo, and runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::project;

/// The version of mdBook. The appearance and the links of a site depend on it.
const VERSION: &str = "0.5.4";

/// Builds the site from the folder `source` into the folder `output`.
pub(super) fn build(source: &Path, output: &Path) -> Result<(), String> {
    let program = program()?;
    let mut build = Command::new(&program);
    build.env("MDBOOK_LOG", "warn").arg("build").arg("--dest-dir").arg(output).arg(source);
    match build.status().map_err(|error| format!("{} cannot be started: {error}", program.display()))? {
        status if status.success() => Ok(()),
        status => Err(format!("mdbook ended with {status}")),
    }
}

/// An mdBook of this version: the one in the target folder, or else one that the user has installed. Installs it if there is neither.
fn program() -> Result<PathBuf, String> {
    let folder = project::target().join("mdbook");
    let ours = folder.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    let found = [ours.clone(), PathBuf::from("mdbook")].into_iter().find(|program| is_right(program));
    match found {
        Some(program) => Ok(program),
        None => install(&folder).map(|()| ours),
    }
}

fn is_right(program: &Path) -> bool {
    let output = Command::new(program).arg("--version").stderr(Stdio::null()).output();
    output.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).trim().trim_start_matches("mdbook v") == VERSION
    })
}

/// Installs mdBook, without optimisation, which would take longer than it saves, and without watching and serving.
fn install(folder: &Path) -> Result<(), String> {
    println!("mdbook {VERSION} is not installed: installing it into {}", folder.display());
    let mut install = project::cargo();
    install.args(["install", "--locked", "--force", "mdbook", "--version", VERSION]);
    install.args(["--profile", "dev", "--no-default-features", "--features", "search"]);
    // Without this variable, cargo builds it in a temporary folder, which is removed afterwards.
    install.env_remove("CARGO_TARGET_DIR");
    match install.arg("--root").arg(folder).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("installing mdbook ended with {status}")),
        Err(error) => Err(format!("cargo cannot be started: {error}")),
    }
}
