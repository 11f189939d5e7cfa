//! Compiles everything that is tested once, with lints and documentation in the same build.
//!
//! `cargo clippy` and `cargo doc` only check the crates that ours depend on, and `cargo build` cannot use the result, so that
//! each of them would be compiled twice. Here Clippy compiles our own crates, and documentation is made from its artifacts.

use std::process::Command;

use crate::project;

/// Programs, libraries (also the Python module), tests and examples. Commands that select the same targets find them built. `--all-targets` would make a
/// benchmark of the Python module as well, which is a program and would be taken for the module.
const BUILD: &str = "build --workspace --lib --bins --tests --examples";
/// Those of the targets that are tests; examples in the documentation have a step of their own.
const TEST: &str = "test --workspace --lib --bins --tests --examples";

/// Compiles all, and warnings of the compiler and of Clippy are errors.
pub(crate) fn build() -> Result<Vec<String>, String> {
    let driver = Command::new("clippy-driver").arg("--version").output();
    if !driver.is_ok_and(|output| output.status.success()) {
        return Err("there is no Clippy: install it with `rustup component add clippy`".to_owned());
    }
    succeed(&mut cargo(BUILD))
}

/// Runs all tests.
pub(crate) fn test() -> Result<Vec<String>, String> {
    succeed(cargo(TEST).args(["--", "--quiet"]))
}

/// Makes the documentation of all libraries, without warnings, and runs its examples.
pub(crate) fn document() -> Result<Vec<String>, String> {
    let rustdoc = project::root().join("xtask/src/compile/rustdoc");
    let mut cargo = cargo("test --workspace --doc");
    cargo
        .args(["--", "--quiet"])
        .env("RUSTDOC", rustdoc)
        .env("UNFRAME_DOC", project::target().join("rustdoc"));
    succeed(&mut cargo)
}

/// A cargo command on what is tested, without the word `cargo`.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = Command::new(project::cargo());
    command.current_dir(project::root()).args(arguments.split(' '));
    with_lints(&mut command);
    command
}

/// Lets cargo, or a program that calls it, find what [`build`] has built.
pub(crate) fn with_lints(command: &mut Command) {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", "-Dwarnings");
    // What cargo says about the program that it runs, which is this one, would make some crates compile again.
    let is_about_us = |key: &str| key.starts_with("CARGO_PKG_") || key.starts_with("CARGO_MANIFEST_");
    for (key, _) in std::env::vars_os().filter(|(key, _)| key.to_str().is_some_and(is_about_us)) {
        command.env_remove(key);
    }
}

fn succeed(command: &mut Command) -> Result<Vec<String>, String> {
    let status = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(Vec::new()) } else { Err(format!("cargo ended with {status}")) }
}
