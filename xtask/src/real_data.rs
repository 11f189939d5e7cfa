//! The tests that need real data, in Rust and in Python. They have `real_data` in their name and are ignored unless asked for.

use crate::step::Outcome;
use crate::{compile, project, python};

/// Runs the tests, if the real data are available.
pub(crate) fn test() -> Result<Outcome, String> {
    let Some(data) = project::real_data() else {
        let reason = "there are no real data: UNFRAME_DATA names their folder, else it is ../shared/data";
        return Ok(Outcome::Skipped(reason.to_owned()));
    };
    println!("      {}", data.display());
    // If the filter matched no test, the run would pass.
    if names(&run(&["--list", "--format", "terse"])?) == 0 {
        return Err("no test has real_data in its name".to_owned());
    }
    print!("{}", run(&[])?);
    python::test_real_data()
}

/// Runs the tests that are selected by their names, with these options. Returns their output.
fn run(options: &[&str]) -> Result<String, String> {
    // `--quiet` also applies to the test programs.
    let mut command = compile::cargo("test --quiet --workspace --lib --bins --tests --examples");
    command.args(["--", "--include-ignored", "real_data"]).args(options);
    let output = command.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => Err(format!("{text}{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The number of tests in a list.
fn names(list: &str) -> usize {
    list.lines().filter(|line| line.ends_with(": test")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_in_a_list_are_counted() {
        assert_eq!(
            names("html::real_data::pages: test\nreal_data_counts: test\n\n2 tests, 0 benchmarks\n"),
            2
        );
        assert_eq!(names(""), 0);
    }
}
