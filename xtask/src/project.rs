//! The location and files of the project.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use serde_json::Value;

use crate::compile;

/// The path of the cargo that runs this program.
pub(crate) fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// A command that runs this cargo.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(cargo_path());
    forget_this_package(&mut command);
    command
}

/// Removes the environment variables with which cargo describes this program. They would make cargo compile some crates again.
pub(crate) fn forget_this_package(command: &mut Command) {
    let is_about_us = |key: &str| key.starts_with("CARGO_PKG_") || key.starts_with("CARGO_MANIFEST_");
    for (key, _) in std::env::vars_os().filter(|(key, _)| key.to_str().is_some_and(is_about_us)) {
        command.env_remove(key);
    }
}

/// Installs a subcommand of cargo, if it is missing.
pub(crate) fn install_if_missing(subcommand: &str) -> Result<(), String> {
    let version = cargo().args([subcommand, "--version"]).output();
    if version.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    let package = format!("cargo-{subcommand}");
    println!("{package} is not installed: installing it");
    let status = cargo().args(["install", "--locked", &package]).status();
    match status.map_err(|error| format!("cargo cannot be started: {error}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("installing {package} ended with {status}")),
    }
}

/// The output of `cargo metadata` with additional `options`.
pub(crate) fn metadata(options: &[&str]) -> Result<Value, String> {
    let output = cargo()
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

/// The target folder of cargo.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The folder of the real data, if it exists.
pub(crate) fn real_data() -> Option<PathBuf> {
    let data = std::env::var_os("UNFRAME_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    data.is_dir().then_some(data)
}

/// Builds the program `unframe` as for the tests, and returns its path.
pub(crate) fn program() -> Result<PathBuf, String> {
    compile::build()?;
    Ok(target().join("debug").join(format!("unframe{}", std::env::consts::EXE_SUFFIX)))
}

/// All files of the project in alphabetical order, as paths from its root, with `/` as the separator.
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

/// Whether a folder inside the project was made by a tool.
fn is_foreign(folder: &str) -> bool {
    const FOREIGN: [&str; 7] =
        [".git", "target", ".venv", "node_modules", "corpus", "artifacts", "__pycache__"];
    FOREIGN.contains(&folder)
}
