//! Tests the service with schemathesis, which reads the OpenAPI document and sends valid and invalid requests.

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
    // schemathesis saves its findings in the current folder.
    run.current_dir(project::target()).arg(config).arg("run");
    run.arg(format!("{}openapi.json", service.address));
    // One worker and a fixed seed make the requests reproducible.
    run.args(["--max-examples", "8", "--seed", "1", "--no-color"]);
    run.args(["--phases", "coverage,fuzzing,stateful", "--generation-database", "none", "--warnings", "off"]);
    let status = run.status().map_err(|error| format!("schemathesis cannot be started: {error}"))?;
    drop(service);
    let _ = std::fs::remove_dir_all(&state);
    if status.success() { Ok(Outcome::Passed) } else { Err("schemathesis found something".to_owned()) }
}

/// A running service, which is ended when the value is dropped.
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
        // The service already has an owner, so it is also ended if it did not start properly.
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
