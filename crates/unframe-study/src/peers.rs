//! Other programs that extract the content of a page: trafilatura and resiliparse, if they are installed.
//!
//! They process one page at a time. A Python process reads the pages and answers with their texts; only the extraction itself is timed.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;
use unframe::Page;

const SCRIPT: &str = include_str!("peers.py");

/// A Python process that runs the installed programs.
#[derive(Debug)]
pub(crate) struct Peers {
    /// Their names with versions.
    pub(crate) names: Vec<String>,
    process: Child,
    pages: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The result of a program for a page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extracted {
    pub(crate) text: String,
    pub(crate) seconds: f64,
}

/// Why peer programs cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// Python does not start, or exits too soon.
    #[error("cannot run the peers with `{python}`: {source}; choose another Python with --python")]
    Python {
        /// The program.
        python: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The process answers with invalid JSON.
    #[error("the output of the peers cannot be read: {0}")]
    Answer(#[from] serde_json::Error),
    /// One of the peer programs is broken.
    #[error("`{python}`: {problem}")]
    Broken {
        /// The program.
        python: String,
        /// A description of the problem.
        problem: String,
    },
    /// No peer program is installed.
    #[error("`{0}` has neither of the peers: install them with `{0} -m pip install trafilatura resiliparse`")]
    None(String),
}

impl Peers {
    /// Starts the process.
    pub(crate) fn start(python: &str) -> Result<Peers, PeerError> {
        let failed = |source| PeerError::Python { python: python.to_owned(), source };
        let mut command = Command::new(python);
        let piped = command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = piped.stderr(Stdio::null()).spawn().map_err(failed)?;
        let (Some(pages), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(failed(io::Error::other("it has no pipes")));
        };
        let mut peers = Peers { names: Vec::new(), process, pages, answers: BufReader::new(answers) };
        peers.names = names(python, &peers.line().map_err(failed)?)?;
        Ok(peers)
    }

    /// The results of all programs for a page, which they receive as decoded text.
    pub(crate) fn extract(&mut self, page: &Page) -> Result<Vec<Extracted>, PeerError> {
        let text = page.charset.encoding.decode(&page.payload).0;
        let failed = |source| PeerError::Python { python: "python".to_owned(), source };
        let send = |pages: &mut ChildStdin| {
            pages.write_all(&(text.len() as u32).to_le_bytes())?;
            pages.write_all(text.as_bytes())?;
            pages.flush()
        };
        send(&mut self.pages).map_err(failed)?;
        let answers: Vec<(String, f64)> = serde_json::from_str(&self.line().map_err(failed)?)?;
        Ok(answers.into_iter().map(|(text, seconds)| Extracted { text, seconds }).collect())
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line)? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ended")),
            _ => Ok(line),
        }
    }
}

/// The names of the installed programs, from the first line that the process writes.
fn names(python: &str, line: &str) -> Result<Vec<String>, PeerError> {
    let python = python.to_owned();
    match serde_json::from_str(line)? {
        Value::String(problem) => Err(PeerError::Broken { python, problem }),
        Value::Array(names) if names.is_empty() => Err(PeerError::None(python)),
        names => Ok(serde_json::from_value(names)?),
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // An error means that the process has already exited.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_libraries_or_what_is_wrong() {
        assert_eq!(names("py", "[\"trafilatura 2\"]").unwrap(), ["trafilatura 2"]);
        let error = |line| names("py", line).unwrap_err().to_string();
        assert_eq!(error("\"trafilatura 2: no lxml\""), "`py`: trafilatura 2: no lxml");
        assert!(error("[]").starts_with("`py` has neither of the peers"));
    }

    #[test]
    fn a_python_that_is_not_there_is_named() {
        let error = Peers::start("no-such-python").map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("cannot run the peers with `no-such-python`"), "{error}");
    }
}
