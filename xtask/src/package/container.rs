//! A container image of the service, which contains only the static program and an empty folder for its state.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::succeed;
use crate::project;

/// Makes an image of a program with the installed builder.
pub(super) fn make(program: &Path) -> Result<PathBuf, String> {
    let builder = ["buildah", "podman"]
        .into_iter()
        .find(|builder| Command::new(builder).arg("--version").output().is_ok())
        .ok_or("an image needs buildah or podman, and neither is installed")?;
    let version = env!("CARGO_PKG_VERSION");
    let context = project::target().join("package/container");
    let _ = fs::remove_dir_all(&context);
    for folder in ["state", "tmp"] {
        let folder = context.join(folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let copy = context.join("unframe");
    fs::copy(program, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    let name = format!("unframe:{version}");
    let file = project::root().join("packaging/Containerfile");
    succeed(Command::new(builder).args(["build", "-t", &name, "-f"]).arg(file).arg(&context))?;
    let image = project::target().join(format!("package/unframe-{version}-image.tar"));
    // The builder would add to an existing archive instead of replacing it.
    let _ = fs::remove_file(&image);
    succeed(
        Command::new(builder).args(["push", &name]).arg(format!("oci-archive:{}:{name}", image.display())),
    )?;
    Ok(image)
}
