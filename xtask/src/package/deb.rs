//! A Debian package: the program, manual pages, completions and the systemd service.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::succeed;
use crate::project;

const CONTROL: &str = "\
Package: unframe
Version: VERSION
Section: web
Priority: optional
Architecture: amd64
Maintainer: The unframe project <unframe@localhost>
Installed-Size: SIZE
Description: finds the template of every page of a crawl
 It compares the pages of each site with each other to find what they repeat:
 menus, headers, footers, banners. What is left is the content, for search
 engines, text collections, archives and change monitors.
";

/// Makes the package of a program.
pub(super) fn make(program: &Path) -> Result<PathBuf, String> {
    let version = env!("CARGO_PKG_VERSION");
    let folder = project::target().join("package/deb");
    let _ = fs::remove_dir_all(&folder);
    let place = |path: &str| -> Result<PathBuf, String> {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        Ok(path)
    };
    let copy = |from: &Path, to: PathBuf| {
        fs::copy(from, &to).map(drop).map_err(|error| format!("{}: {error}", to.display()))
    };
    copy(program, place("usr/bin/unframe")?)?;
    let manual = place("usr/share/man/man1/unframe.1")?;
    let man1 = manual.parent().unwrap_or(&folder);
    succeed(Command::new(program).args(["manual", "man", "-o"]).arg(man1))?;
    let pages = fs::read_dir(man1).map_err(|error| error.to_string())?.flatten().map(|entry| entry.path());
    succeed(Command::new("gzip").args(["-9", "-n"]).args(pages))?;
    for (shell, file) in [
        ("bash", "usr/share/bash-completion/completions/unframe"),
        ("zsh", "usr/share/zsh/vendor-completions/_unframe"),
        ("fish", "usr/share/fish/vendor_completions.d/unframe.fish"),
    ] {
        succeed(Command::new(program).args(["manual", "completions", shell, "-o"]).arg(place(file)?))?;
    }
    // Packages install programs in /usr/bin; /usr/local/bin is for administrators.
    let service = project::read("packaging/unframe.service")?.replace("/usr/local/bin/", "/usr/bin/");
    write(&place("usr/lib/systemd/system/unframe.service")?, &service)?;
    copy(&project::root().join("README.md"), place("usr/share/doc/unframe/README.md")?)?;
    let licences = project::read("LICENSE-MIT")? + "\n" + &project::read("LICENSE-APACHE")?;
    write(&place("usr/share/doc/unframe/copyright")?, &licences)?;
    let kilobytes = fs::metadata(program).map_or(0, |program| program.len() >> 10);
    let control = CONTROL.replace("VERSION", version).replace("SIZE", &kilobytes.to_string());
    write(&place("DEBIAN/control")?, &control)?;
    let package = project::target().join(format!("package/unframe_{version}_amd64.deb"));
    let mut build = Command::new("dpkg-deb");
    succeed(build.args(["--root-owner-group", "--build"]).arg(&folder).arg(&package))?;
    Ok(package)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
