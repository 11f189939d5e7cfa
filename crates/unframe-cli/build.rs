//! Passes what only cargo knows about a build to the compiler, for `unframe --version`.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    set("UNFRAME_PROFILE", profile());
    set("UNFRAME_TARGET", env::var("TARGET").ok());
    set("UNFRAME_RUSTC", compiler());
}

fn set(name: &str, value: Option<String>) {
    println!("cargo::rustc-env={name}={}", value.as_deref().unwrap_or("unknown"));
}

/// The name of the profile: cargo only names the built-in profile that it inherits from, but builds into a folder of its name,
/// `PROFILE/build/PACKAGE/out`.
fn profile() -> Option<String> {
    let folder = env::var_os("OUT_DIR")?;
    let name = Path::new(&folder).ancestors().nth(3)?.file_name()?.to_str()?;
    Some(if name == "debug" { "dev" } else { name }.to_owned())
}

/// `1.95.0 (59807616e 2026-04-14)`
fn compiler() -> Option<String> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().trim_start_matches("rustc ").to_owned())
}
