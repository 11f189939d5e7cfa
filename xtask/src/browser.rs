//! Tests reports and the explorer in a browser. Installs what the tests need, or reports why they are skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::project;
use crate::step::Outcome;

/// The npm package that drives the browser. It includes no browser.
const PLAYWRIGHT: &str = "playwright-core@1.65";

/// Names of programs that may be the installed browser.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Runs the tests.
pub(crate) fn test() -> Result<Outcome, String> {
    let tools = match tools() {
        Ok(tools) => tools,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let program = project::program()?;
    let mut tests = Command::new("node");
    let folder = "crates/unframe-cli/tests/browser";
    let files = ["reports", "serve"].map(|name| format!("{folder}/{name}.test.mjs"));
    // The tests run one after the other, because each of them uses all cores.
    tests.current_dir(project::root()).args(["--test", "--test-concurrency=1"]).args(files);
    tests.env("UNFRAME", program).env("CHROMIUM", tools.browser).env("PLAYWRIGHT", tools.playwright);
    run(&mut tests)?;
    Ok(Outcome::Passed)
}

/// Downloads what the tests need.
pub(crate) fn fetch() -> Result<(), String> {
    tools().map(|_| ())
}

struct Tools {
    browser: PathBuf,
    playwright: PathBuf,
}

fn tools() -> Result<Tools, String> {
    if find(&["node"]).is_none() || find(&["npm"]).is_none() {
        return Err("the browser tests need Node and npm".to_owned());
    }
    let folder = project::target().join("browser");
    let playwright = folder.join("node_modules/playwright-core");
    if !playwright.join("package.json").exists() {
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]);
        run(npm.arg(&folder).arg(PLAYWRIGHT))
            .map_err(|fault| format!("playwright-core cannot be installed: {fault}"))?;
    }
    Ok(Tools { browser: browser()?, playwright })
}

fn browser() -> Result<PathBuf, String> {
    if let Some(browser) = find(&BROWSERS) {
        return Ok(browser);
    }
    if find(&["apt-get"]).is_none() {
        return Err("the browser tests need Chromium, and there is no apt-get to install it with".to_owned());
    }
    let apt = |arguments: &[&str]| {
        run(Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null()))
        .map_err(|fault| format!("Chromium cannot be installed: {fault}"))
    };
    apt(&["-qq", "update"])?;
    apt(&["-qq", "-y", "--no-install-recommends", "install", "chromium", "fonts-dejavu-core"])?;
    find(&BROWSERS).ok_or_else(|| "Chromium was installed and is not there".to_owned())
}

/// The first of these programs that is in `PATH`.
fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let in_folders =
        |name: &&str| folders.iter().map(|folder| folder.join(name)).find(|file| is_program(file));
    names.iter().find_map(in_folders)
}

fn is_program(file: &Path) -> bool {
    file.is_file()
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name} cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} ended with {status}")) }
}
