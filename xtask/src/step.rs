//! A check with a name: runs, is timed, and tells how to repeat it when it fails.

use std::process::Command;
use std::time::Instant;

use crate::project;

/// One step of a run.
pub(crate) struct Step {
    name: &'static str,
    action: Action,
}

enum Action {
    /// A check written here; returns what is wrong, a line each.
    Check(fn() -> Result<Vec<String>, String>),
    /// A cargo command with its environment.
    Cargo { arguments: &'static str, env: Option<(&'static str, &'static str)> },
    /// Something with needs that a machine may not meet.
    Optional(fn() -> Result<Outcome, String>),
}

/// How an optional step ended.
pub(crate) enum Outcome {
    Passed,
    /// It could not be done here, for this reason.
    Skipped(String),
}

impl Step {
    /// A check written here.
    pub(crate) fn check(name: &'static str, check: fn() -> Result<Vec<String>, String>) -> Step {
        Step { name, action: Action::Check(check) }
    }

    /// A cargo command, without the word `cargo`.
    pub(crate) fn cargo(name: &'static str, arguments: &'static str) -> Step {
        Step { name, action: Action::Cargo { arguments, env: None } }
    }

    /// A step that is skipped where it cannot be done, except on the server (where `CI` is set): there that is a failure.
    pub(crate) fn optional(name: &'static str, action: fn() -> Result<Outcome, String>) -> Step {
        Step { name, action: Action::Optional(action) }
    }

    /// The same with a variable in its environment.
    pub(crate) fn with_env(mut self, key: &'static str, value: &'static str) -> Step {
        if let Action::Cargo { env, .. } = &mut self.action {
            *env = Some((key, value));
        }
        self
    }

    fn run(&self) -> Result<(), String> {
        match self.action {
            Action::Check(check) => {
                let faults = check()?;
                if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
            }
            Action::Optional(action) => match action()? {
                Outcome::Passed => Ok(()),
                Outcome::Skipped(reason) if std::env::var_os("CI").is_some() => Err(reason),
                Outcome::Skipped(reason) => {
                    println!("      skipped: {reason}");
                    Ok(())
                }
            },
            Action::Cargo { arguments, env } => {
                let mut command = Command::new(project::cargo());
                command.current_dir(project::root()).args(arguments.split(' ')).envs(env);
                let status = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
                if status.success() { Ok(()) } else { Err(format!("cargo ended with {status}")) }
            }
        }
    }

    /// The command that repeats this step alone.
    fn command(&self) -> String {
        match self.action {
            Action::Check(_) | Action::Optional(_) => format!("cargo xtask test --only \"{}\"", self.name),
            Action::Cargo { arguments, env: None } => format!("cargo {arguments}"),
            Action::Cargo { arguments, env: Some((key, value)) } => {
                format!("{key}=\"{value}\" cargo {arguments}")
            }
        }
    }
}

/// Runs the step of this name alone.
pub(crate) fn run_only(mut steps: Vec<Step>, name: &str) -> Result<(), String> {
    let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
    let message = format!("there is no step `{name}`: choose one of\n  {}", names.join("\n  "));
    steps.retain(|step| step.name == name);
    if steps.is_empty() { Err(message) } else { run_all(&steps) }
}

/// Runs the steps in their order up to the first that fails.
pub(crate) fn run_all(steps: &[Step]) -> Result<(), String> {
    let start = Instant::now();
    for (number, step) in steps.iter().enumerate() {
        println!("[{}/{}] {}", number + 1, steps.len(), step.name);
        let step_start = Instant::now();
        step.run().map_err(|fault| {
            format!("{fault}\n\nFAILED: {}\nRepeat it with: {}", step.name, step.command())
        })?;
        println!("      ok, {:.1} s", step_start.elapsed().as_secs_f64());
    }
    println!("All {} checks passed in {:.0} s.", steps.len(), start.elapsed().as_secs_f64());
    Ok(())
}
