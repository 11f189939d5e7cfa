//! The service against a program that reads its OpenAPI document and tries whatever it allows and forbids.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::project;
use crate::python::Environment;
use crate::step::Outcome;

const SCHEMATHESIS: &str = "schemathesis>=4.32,<5";

/// Runs schemathesis against a service with an empty state.
pub(crate) fn test() -> Result<Outcome, String> {
    let environment = match Environment::new(&[SCHEMATHESIS]) {
        Ok(environment) => environment,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let state = project::target().join("serve-test");
    let _ = std::fs::remove_dir_all(&state);
    let service = Service::start(&state)?;
    let config = project::root().join("crates/unframe-serve/tests/schemathesis.toml");
    let mut run = environment.command(&["-m", "schemathesis.cli", "--config-file"]);
    // It keeps what it found where it is started.
    run.current_dir(project::target()).arg(config).arg("run");
    run.arg(format!("{}openapi.json", service.address));
    // One worker and one seed: the same requests in the same order every time.
    run.args(["--max-examples", "8", "--seed", "1", "--no-color"]);
    run.args(["--phases", "coverage,fuzzing,stateful", "--generation-database", "none", "--warnings", "off"]);
    let status = run.status().map_err(|error| format!("schemathesis cannot be started: {error}"))?;
    drop(service);
    let _ = std::fs::remove_dir_all(&state);
    if status.success() { Ok(Outcome::Passed) } else { Err("schemathesis found something".to_owned()) }
}

/// A service that ends with its value.
struct Service {
    process: Child,
    address: String,
}

impl Service {
    fn start(state: &std::path::Path) -> Result<Service, String> {
        let mut process = Command::new(project::program()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "none", "--state"])
            .arg(state)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("unframe cannot be started: {error}"))?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            let _ = BufReader::new(output).read_line(&mut line);
        }
        let address = line.trim().strip_prefix("listening on ").map(str::to_owned);
        let mut service = Service { process, address: String::new() };
        // The service is ended also when it did not start well.
        service.address = address.ok_or("unframe serve did not say where it listens")?;
        Ok(service)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
