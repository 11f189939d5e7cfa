//! `cargo xtask package`: makes a static Linux program, a Debian package, a container image, or a Python wheel.

mod container;
mod deb;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::{project, python};

/// Makes the named package in `target/package`.
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

/// Builds the program without dynamic dependencies. It is linked with the static glibc, which resolves host names without shared
/// libraries since version 2.34.
fn binary() -> Result<PathBuf, String> {
    let mut build = project::cargo();
    build.current_dir(project::root());
    build.args(["rustc", "--profile", "dist", "-p", "unframe-cli", "--bin", "unframe", "--"]);
    // These options apply only to the last crate, so that the dependencies of the measured build are reused. All crates are optimised as
    // one, which takes minutes and saves 5 % of the size. The linker merges identical functions, and packs relative relocations.
    build.args(["-C", "target-feature=+crt-static", "-C", "strip=symbols", "-C", "lto=fat"]);
    build.args(["-C", "link-arg=-Wl,--icf=all", "-C", "link-arg=-Wl,-z,pack-relative-relocs"]);
    succeed(&mut build)?;
    let program = project::target().join("dist/unframe");
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

/// Whether a 64-bit ELF file has a program header for a dynamic loader, and so needs shared libraries. `None` for other files.
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
