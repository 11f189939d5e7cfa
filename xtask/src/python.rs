//! Builds, installs and tests the Python package in a virtual environment, on its own and on Spark.

use std::path::PathBuf;
use std::process::Command;

use crate::step::Outcome;
use crate::{compile, project};

/// Tools that the package is built and tested with.
const TOOLS: [&str; 8] =
    ["maturin>=1.9.4,<2", "pytest", "mypy", "pyarrow", "pandas<3", "polars", "duckdb", "scrapy"];
/// datatrove and modules that it imports without declaring them as dependencies.
const DATATROVE: [&str; 3] = ["datatrove", "regex", "orjson"];
/// Large programs for which there is an adapter. They need other versions of dependencies than the rest, and take minutes to install.
const INTEGRATIONS: [&str; 6] =
    ["maturin>=1.9.4,<2", "pytest", "pyarrow", "ray[data]", "nemo-curator", "archivebox<0.8"];
/// The package that reads the written WARC files.
const WARC_READER: [&str; 1] = ["warcio"];

/// Downloads all packages for the tests.
pub(crate) fn fetch() -> Result<(), String> {
    Environment::new(&[&TOOLS[..], &DATATROVE[..], &WARC_READER[..], &["pyspark"]].concat()).map(|_| ())
}

/// Tests the package without Spark.
pub(crate) fn test() -> Result<Outcome, String> {
    let environment = match Environment::new(&[&TOOLS[..], &DATATROVE[..], &WARC_READER[..]].concat()) {
        Ok(environment) => environment,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    environment.install_package(&Build::Tested)?;
    environment.pytest(&["-m", "not spark and not integrations"])
}

/// Tests the adapters for large programs with the programs themselves.
pub(crate) fn test_integrations() -> Result<Outcome, String> {
    let environment = match Environment::in_folder("integrations-env", &INTEGRATIONS) {
        Ok(environment) => environment,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    environment.install_package(&Build::Tested)?;
    environment.pytest(&["-m", "integrations"])
}

/// Tests a job on Spark, in one process and on a master with two workers, one of which is killed.
pub(crate) fn test_spark() -> Result<Outcome, String> {
    with_spark(&["-m", "spark"])
}

/// Runs the tests on real data, with and without Spark.
pub(crate) fn test_real_data() -> Result<Outcome, String> {
    with_spark(&["-m", "real_data"])
}

fn with_spark(which: &[&str]) -> Result<Outcome, String> {
    let java = Command::new("java").arg("-version").output();
    if !java.is_ok_and(|output| output.status.success()) {
        return Ok(Outcome::Skipped("there is no `java`: install Java 17".to_owned()));
    }
    let environment = match Environment::new(&[&TOOLS[..], &["pyspark"]].concat()) {
        Ok(environment) => environment,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    environment.install_package(&Build::Tested)?;
    environment.pytest(which)
}

/// Installs the package as users get it, for benchmarks. Returns the Python interpreter.
pub(crate) fn install_dist() -> Result<PathBuf, String> {
    let environment = Environment::new(&[&TOOLS[..], &["pyspark"]].concat())?;
    environment.install_package(&Build::Dist)?;
    Ok(environment.python)
}

/// Builds the wheel as users get it.
pub(crate) fn wheel() -> Result<PathBuf, String> {
    let environment = Environment::new(&TOOLS[..1])?;
    environment.build_package(&Build::Dist)
}

/// Installs other readers of crawls. Returns the Python interpreter.
pub(crate) fn with_readers() -> Result<PathBuf, String> {
    Environment::new(&["warcio", "fastwarc"]).map(|environment| environment.python)
}

/// The build profile of the package.
enum Build {
    /// The build of the tests, which is reused.
    Tested,
    /// The build that users get.
    Dist,
}

/// A virtual environment in the target folder of cargo.
pub(crate) struct Environment {
    python: PathBuf,
}

impl Environment {
    /// Makes the environment and installs packages into it. The error says why that is impossible on this machine.
    pub(crate) fn new(packages: &[&str]) -> Result<Environment, String> {
        Environment::in_folder("python-env", packages)
    }

    fn in_folder(name: &str, packages: &[&str]) -> Result<Environment, String> {
        let folder = project::target().join(name);
        let environment = Environment { python: folder.join("bin/python") };
        if !environment.python.exists() {
            succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        }
        // If all packages are installed already, this takes about a second.
        succeed(
            environment
                .command(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
                .args(packages),
        )?;
        Ok(environment)
    }

    fn install_package(&self, build: &Build) -> Result<(), String> {
        let wheel = self.build_package(build)?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        succeed(self.command(&install).args(["--force-reinstall", "--no-deps"]).arg(wheel))
    }

    fn build_package(&self, build: &Build) -> Result<PathBuf, String> {
        let wheels = project::target().join("wheels");
        let _ = std::fs::remove_dir_all(&wheels);
        let mut maturin = self.command(&["-m", "maturin", "build", "--profile"]);
        project::forget_this_package(&mut maturin);
        match build {
            Build::Dist => maturin.arg("dist"),
            Build::Tested => {
                let cargo = project::root().join("xtask/src/python/workspace-cargo");
                compile::with_lints(&mut maturin);
                maturin.arg("dev").env("CARGO", cargo).env("UNFRAME_CARGO", project::cargo_path())
            }
        };
        succeed(maturin.arg("--out").arg(&wheels))?;
        std::fs::read_dir(&wheels)
            .ok()
            .and_then(|entries| entries.flatten().next())
            .map(|wheel| wheel.path())
            .ok_or_else(|| format!("maturin left no wheel in {}", wheels.display()))
    }

    fn pytest(&self, which: &[&str]) -> Result<Outcome, String> {
        // The tests compare results with those of the program.
        let program = project::program()?;
        let mut command = self.command(&["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
        succeed(command.args(which).env("UNFRAME_PROGRAM", program)).map(|()| Outcome::Passed)
    }

    /// A command that runs Python with these arguments in the folder of the project.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.current_dir(project::root()).args(arguments);
        command
    }
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}
