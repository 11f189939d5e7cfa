//! Compiles everything that is tested exactly once, and uses the same build for lints and documentation.
//!
//! `cargo clippy` and `cargo doc` only check dependencies, and `cargo build` cannot reuse the result, so every dependency would be
//! compiled twice. Here Clippy compiles the workspace's crates, and the documentation is made from its artifacts.

use std::process::Command;

use crate::project;

/// Builds programs, libraries (including the Python module), tests and examples. Commands that select the same targets reuse the build.
/// `--all-targets` would also build the Python module as a benchmark, a program that would be mistaken for the module.
const BUILD: &str = "build --workspace --lib --bins --tests --examples";
/// Runs the tests among these targets. Examples in the documentation have a step of their own.
const TEST: &str = "test --workspace --lib --bins --tests --examples";

/// Compiles all targets. Warnings of the compiler and of Clippy are errors.
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

/// Makes the documentation of all libraries, with warnings as errors, and runs its examples.
pub(crate) fn document() -> Result<Vec<String>, String> {
    let rustdoc = project::root().join("xtask/src/compile/rustdoc");
    let mut cargo = cargo("test --workspace --doc");
    cargo
        .args(["--", "--quiet"])
        .env("RUSTDOC", rustdoc)
        .env("UNFRAME_DOC", project::target().join("rustdoc"));
    succeed(&mut cargo)
}

/// A cargo command that uses the shared build. `arguments` is the command line without the word `cargo`.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = project::cargo();
    command.current_dir(project::root()).args(arguments.split(' '));
    with_lints(&mut command);
    command
}

/// Sets the environment so that cargo, or a program that calls it, reuses what [`build`] has built.
pub(crate) fn with_lints(command: &mut Command) {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", "-Dwarnings");
}

fn succeed(command: &mut Command) -> Result<Vec<String>, String> {
    let status = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(Vec::new()) } else { Err(format!("cargo ended with {status}")) }
}
