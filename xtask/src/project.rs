//! The location and files of the project.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use serde_json::Value;

use crate::compile;

/// The cargo that runs this program.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Installs a subcommand of cargo that is not there.
pub(crate) fn install_if_missing(subcommand: &str) -> Result<(), String> {
    let version = Command::new(cargo()).args([subcommand, "--version"]).output();
    if version.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    let package = format!("cargo-{subcommand}");
    println!("{package} is not installed: installing it");
    let status = Command::new(cargo()).args(["install", "--locked", &package]).status();
    match status.map_err(|error| format!("cargo cannot be started: {error}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("installing {package} ended with {status}")),
    }
}

/// What `cargo metadata` knows of the packages; `options` are further options of it.
pub(crate) fn metadata(options: &[&str]) -> Result<Value, String> {
    let output = Command::new(cargo())
        .current_dir(root())
        .args(["metadata", "--format-version", "1"])
        .args(options)
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// The folder with the workspace's manifest.
pub(crate) fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// The folder that cargo builds into.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Where the real data are, if they are there.
pub(crate) fn real_data() -> Option<PathBuf> {
    let data = std::env::var_os("UNFRAME_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    data.is_dir().then_some(data)
}

/// The program `unframe` as the tests use it.
pub(crate) fn program() -> Result<PathBuf, String> {
    compile::build()?;
    Ok(target().join("debug").join(format!("unframe{}", std::env::consts::EXE_SUFFIX)))
}

/// All files of the project, relative to its root with `/` between the parts, in alphabetical order.
pub(crate) fn files() -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    collect(root(), &mut files).map_err(|error| format!("the project cannot be listed: {error}"))?;
    let relative =
        |file: PathBuf| file.strip_prefix(root()).ok()?.to_str().map(|path| path.replace('\\', "/"));
    let mut files: Vec<String> = files.into_iter().filter_map(relative).collect();
    files.sort();
    Ok(files)
}

/// The text of a file of the project.
pub(crate) fn read(file: &str) -> Result<String, String> {
    fs::read_to_string(root().join(file)).map_err(|error| format!("{file}: {error}"))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            files.push(entry.path());
        } else if !is_foreign(&entry.file_name().to_string_lossy()) {
            collect(&entry.path(), files)?;
        }
    }
    Ok(())
}

/// Folders that tools make inside the project.
fn is_foreign(folder: &str) -> bool {
    const FOREIGN: [&str; 7] =
        [".git", "target", ".venv", "node_modules", "corpus", "artifacts", "__pycache__"];
    FOREIGN.contains(&folder)
}
