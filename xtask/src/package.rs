//! `cargo xtask package`: a program that runs on any Linux, a Debian package, a container image, and a wheel for Python.

mod container;
mod deb;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{project, python};

const MUSL: &str = "x86_64-unknown-linux-musl";

/// Makes one of them in `target/package`.
pub(crate) fn run(what: &str) -> Result<(), String> {
    let made = match what {
        "binary" => binary()?,
        "deb" => deb::make(&binary()?)?,
        "container" => container::make(&binary()?)?,
        "wheel" => python::wheel()?,
        _ => return Err(format!("`{what}` is none of binary, deb, container, wheel")),
    };
    let bytes = fs::metadata(&made).map_err(|error| format!("{}: {error}", made.display()))?.len();
    println!("{}: {:.1} MB", made.display(), bytes as f64 / 1e6);
    Ok(())
}

/// The program without any library that it would have to find: with musl where that target is installed, else with the static
/// library of glibc. Since its version 2.34, that one looks up hosts by itself.
fn binary() -> Result<PathBuf, String> {
    let has_musl = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", MUSL])
        .output()
        .is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir());
    let mut build = Command::new(project::cargo());
    build.current_dir(project::root()).args([
        "rustc",
        "--profile",
        "dist",
        "-p",
        "unframe-cli",
        "--bin",
        "unframe",
    ]);
    let folder = match has_musl {
        true => {
            build.args(["--target", MUSL]);
            project::target().join(MUSL).join("dist")
        }
        false => project::target().join("dist"),
    };
    // Only the last step differs from what is measured, so that little is built anew.
    succeed(build.args(["--", "-C", "target-feature=+crt-static", "-C", "strip=symbols"]))?;
    let program = folder.join("unframe");
    let bytes = fs::read(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    if asks_for_a_loader(&bytes).ok_or_else(|| format!("{} is no program of 64 bits", program.display()))? {
        return Err(format!("{} is not static", program.display()));
    }
    let folder = project::target().join("package");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let copy = folder.join(format!("unframe-{}-x86_64-linux", env!("CARGO_PKG_VERSION")));
    fs::copy(&program, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    succeed(Command::new(&copy).arg("--version"))?;
    Ok(copy)
}

/// Whether an ELF file of 64 bits has a program header that names a loader: then it needs libraries of the system.
fn asks_for_a_loader(elf: &[u8]) -> Option<bool> {
    const INTERPRETER: u32 = 3;
    let number = |at: usize, len: usize| -> Option<usize> {
        Some(elf.get(at..at + len)?.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    if elf.get(..5)? != b"\x7fELF\x02" {
        return None;
    }
    let (start, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let kinds: Option<Vec<usize>> = (0..count).map(|header| number(start + header * size, 4)).collect();
    Some(kinds?.contains(&(INTERPRETER as usize)))
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}
