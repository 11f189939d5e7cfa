//! Runs the fuzz targets of `fuzz/` one after the other.

use std::path::Path;
use std::process::Command;

use crate::project;

/// Runs every target for so many seconds; stops at the first that finds something.
pub(crate) fn run(seconds: u64) -> Result<(), String> {
    let folder = project::root().join("fuzz");
    if !folder.join("Cargo.toml").exists() {
        return Err("there is no fuzz/Cargo.toml, so there is nothing to run".to_owned());
    }
    install_if_missing()?;
    let targets = targets(&folder)?;
    println!("{} targets, {seconds} s each", targets.len());
    for target in &targets {
        println!("\n== {target}");
        if !cargo_fuzz(&run_arguments(&folder, target, seconds))?.success() {
            return Err(format!(
                "\nFAILED: {target} found something (above; the input is in fuzz/artifacts/{target})\n\
                 Repeat it with: RUSTC_BOOTSTRAP=1 cargo fuzz run {target} fuzz/artifacts/{target}/FILE"
            ));
        }
    }
    println!("\nNothing found in {} targets.", targets.len());
    Ok(())
}

/// New inputs are kept in `fuzz/corpus`, which is not committed; those in `fuzz/seeds` are, and are only read.
fn run_arguments(folder: &Path, target: &str, seconds: u64) -> Vec<String> {
    let mut arguments = vec!["run".to_owned(), target.to_owned(), format!("fuzz/corpus/{target}")];
    if folder.join("seeds").join(target).exists() {
        arguments.push(format!("fuzz/seeds/{target}"));
    }
    arguments.extend(["--".to_owned(), format!("-max_total_time={seconds}")]);
    arguments
}

fn targets(folder: &Path) -> Result<Vec<String>, String> {
    let output = command(&["list".to_owned()])
        .output()
        .map_err(|error| format!("cargo fuzz cannot be started: {error}"))?;
    let targets: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    if targets.is_empty() {
        return Err(format!(
            "no targets in {}\n{}",
            folder.display(),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    for target in &targets {
        // cargo-fuzz makes only the folder that it chooses itself.
        let corpus = folder.join("corpus").join(target);
        std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    }
    Ok(targets)
}

fn install_if_missing() -> Result<(), String> {
    let version = command(&["--version".to_owned()]).output();
    if version.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    println!("cargo-fuzz is not installed: installing it");
    let status = Command::new(project::cargo())
        .args(["install", "--locked", "cargo-fuzz"])
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err("cargo-fuzz could not be installed".to_owned()) }
}

fn cargo_fuzz(arguments: &[String]) -> Result<std::process::ExitStatus, String> {
    command(arguments).status().map_err(|error| format!("cargo fuzz cannot be started: {error}"))
}

fn command(arguments: &[String]) -> Command {
    let mut command = Command::new(project::cargo());
    command.current_dir(project::root()).arg("fuzz").args(arguments);
    // The sanitizers are unstable options; this makes the stable compiler take them.
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}
