//! A named step, which is run and timed, and reports how to repeat it when it fails.

use std::time::{Duration, Instant};

use crate::project;

/// A step of a run.
pub(crate) struct Step {
    name: &'static str,
    action: Action,
}

enum Action {
    /// A check in this program. It returns the problems, one per line.
    Check(fn() -> Result<Vec<String>, String>),
    /// A cargo command.
    Cargo(&'static str),
    /// A step with requirements that the machine may not meet.
    Optional(fn() -> Result<Outcome, String>),
    /// Downloads for later steps, which run in the background. The steps that need them report what is missing.
    Ahead(fn()),
}

/// The outcome of a step that did not fail.
pub(crate) enum Outcome {
    Passed,
    /// The step cannot be run on this machine, for this reason.
    Skipped(String),
}

impl Step {
    /// A check in this program.
    pub(crate) fn check(name: &'static str, check: fn() -> Result<Vec<String>, String>) -> Step {
        Step { name, action: Action::Check(check) }
    }

    /// A cargo command, without the word `cargo`.
    pub(crate) fn cargo(name: &'static str, arguments: &'static str) -> Step {
        Step { name, action: Action::Cargo(arguments) }
    }

    /// A step that is skipped if the machine does not meet its requirements.
    pub(crate) fn optional(name: &'static str, action: fn() -> Result<Outcome, String>) -> Step {
        Step { name, action: Action::Optional(action) }
    }

    /// A background step, which ends before the first optional step begins.
    pub(crate) fn ahead(name: &'static str, action: fn()) -> Step {
        Step { name, action: Action::Ahead(action) }
    }

    fn run(&self) -> Result<Outcome, String> {
        match self.action {
            Action::Check(check) => {
                let faults = check()?;
                if faults.is_empty() { Ok(Outcome::Passed) } else { Err(faults.join("\n")) }
            }
            Action::Optional(action) => action(),
            Action::Ahead(action) => {
                action();
                Ok(Outcome::Passed)
            }
            Action::Cargo(arguments) => {
                let mut command = project::cargo();
                command.current_dir(project::root()).args(arguments.split(' '));
                let status = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
                if status.success() { Ok(Outcome::Passed) } else { Err(format!("cargo ended with {status}")) }
            }
        }
    }

    /// The command that repeats only this step.
    fn command(&self) -> String {
        match self.action {
            Action::Check(_) | Action::Optional(_) | Action::Ahead(_) => {
                format!("cargo xtask test --only \"{}\"", self.name)
            }
            Action::Cargo(arguments) => format!("cargo {arguments}"),
        }
    }
}

/// Runs only the step with this name.
pub(crate) fn run_only(mut steps: Vec<Step>, name: &str) -> Result<(), String> {
    let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
    let message = format!("there is no step `{name}`: choose one of\n  {}", names.join("\n  "));
    steps.retain(|step| step.name == name);
    if steps.is_empty() { Err(message) } else { run_all(&steps) }
}

/// Runs the steps in order, up to the first that fails. Skipped steps are listed at the end. If `CI` is set, a skipped step is a failure.
pub(crate) fn run_all(steps: &[Step]) -> Result<(), String> {
    let start = Instant::now();
    let mut skipped = Vec::new();
    let mut ahead = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        println!("[{}/{}] {}", number + 1, steps.len(), step.name);
        match step.action {
            Action::Ahead(action) => {
                println!("      begun");
                ahead.push(std::thread::spawn(action));
                continue;
            }
            // A panic was printed already, and the step that needs the download reports what is missing.
            Action::Optional(_) => ahead.drain(..).for_each(|running| drop(running.join())),
            Action::Check(_) | Action::Cargo(_) => {}
        }
        let step_start = Instant::now();
        let outcome = step.run().map_err(|fault| {
            let time = clock(step_start.elapsed());
            format!("{fault}\n\nFAILED after {time}: {}\nRepeat it with: {}", step.name, step.command())
        })?;
        let time = clock(step_start.elapsed());
        match outcome {
            Outcome::Passed => println!("      ok, {time} ({} so far)", clock(start.elapsed())),
            Outcome::Skipped(reason) => {
                println!("      skipped: {reason}");
                skipped.push(format!("{} ({reason})", step.name));
            }
        }
    }
    println!("{} checks passed in {}.", steps.len() - skipped.len(), clock(start.elapsed()));
    finish(&skipped, std::env::var_os("CI").is_some())
}

fn finish(skipped: &[String], is_server: bool) -> Result<(), String> {
    if skipped.is_empty() {
        return Ok(());
    }
    let list = format!("skipped: {}", skipped.join("; "));
    if is_server {
        return Err(format!("{list}\n\nFAILED: with CI set, nothing may be skipped"));
    }
    println!("{list}");
    Ok(())
}

/// A duration for people, such as `4.2 s` or `3 min 05 s`.
fn clock(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!(clock(Duration::from_millis(4210)), "4.2 s");
        assert_eq!(clock(Duration::from_secs(185)), "3 min 05 s");
    }

    #[test]
    fn skipped_steps_fail_on_the_server_only() {
        let skipped = ["spark (no java)".to_owned(), "browser (no node)".to_owned()];
        assert_eq!(finish(&skipped, false), Ok(()));
        let fault = finish(&skipped, true).unwrap_err();
        assert!(fault.starts_with("skipped: spark (no java); browser (no node)\n"), "{fault}");
        assert_eq!(finish(&[], true), Ok(()));
    }

    #[test]
    fn a_failure_names_the_command_that_repeats_it() {
        let steps = [Step::check("paths", || Ok(vec!["a.md:1: there is no `b.rs`".to_owned()]))];
        let fault = run_all(&steps).unwrap_err();
        assert!(fault.starts_with("a.md:1: there is no `b.rs`\n"), "{fault}");
        assert!(fault.ends_with("Repeat it with: cargo xtask test --only \"paths\""), "{fault}");
    }
}
