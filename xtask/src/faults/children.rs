//! Runs the program as a child process, and collects its output files.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::verbs::Verb;
use crate::project;

/// The program, its inputs, and a folder for results.
pub(super) struct Runner {
    pub(super) program: PathBuf,
    crawl: PathBuf,
    train: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) kills: u32,
}

/// The contents of the files that a verb has created, including those in folders.
pub(super) type OutputFiles = BTreeMap<PathBuf, Vec<u8>>;

/// An undisturbed run, for comparison.
pub(super) struct ReferenceRun {
    pub(super) output_files: OutputFiles,
    pub(super) time: Duration,
}

impl Runner {
    pub(super) fn new(program: PathBuf, kills: u32) -> Result<Runner, String> {
        let folder = project::target().join("faults");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let train = folder.join("train");
        let runner = Runner { program, crawl: folder.join("demo/demo-1.warc.gz"), train, folder, kills };
        let output_files =
            Command::new(&runner.program).args(["demo", "-q"]).arg(runner.folder.join("demo")).output();
        if !output_files.is_ok_and(|output_files| output_files.status.success()) {
            return Err("the crawl for the tests could not be made".to_owned());
        }
        for template in ["one", "two"] {
            let folder = runner.train.join(template);
            fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
            let page =
                format!("<html><head></head><body class={template}><ul><li>{template}</ul></body></html>");
            fs::write(folder.join("page.html"), page).map_err(|error| error.to_string())?;
        }
        Ok(runner)
    }

    /// A new, empty folder for results.
    pub(super) fn empty_folder(&self) -> Result<PathBuf, String> {
        let out = self.folder.join("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
        Ok(out)
    }

    /// Splits a command line into words, and replaces the placeholders with paths.
    pub(super) fn words(&self, arguments: &str, out: &Path) -> Vec<String> {
        let put = |word: &str| {
            word.replace("CRAWL", &self.crawl.to_string_lossy())
                .replace("TRAIN", &self.train.to_string_lossy())
                .replace("OUT/", &format!("{}/", out.display()))
        };
        arguments.split(' ').map(put).collect()
    }

    pub(super) fn start(&self, verb: &Verb, out: &Path) -> Result<Child, String> {
        let mut command = Command::new(&self.program);
        command.args(self.words(verb.arguments, out));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map_err(|error| format!("the program cannot be started: {error}"))
    }

    /// Runs the program from a shell script, which may set limits or process the output.
    pub(super) fn shell(&self, script: &str, arguments: &str, out: &Path) -> Result<Output, String> {
        let mut command = Command::new("bash");
        command.arg("-c").arg(script).arg(&self.program).args(self.words(arguments, out));
        command.stdin(Stdio::null()).env("RUST_BACKTRACE", "0");
        command.output().map_err(|error| format!("bash cannot be started: {error}"))
    }

    /// An undisturbed run.
    pub(super) fn whole(&self, verb: &Verb) -> Result<ReferenceRun, String> {
        let out = self.empty_folder()?;
        let start = Instant::now();
        let run = self.shell("exec \"$0\" \"$@\"", verb.arguments, &out)?;
        if !run.status.success() {
            return Err(format!("it fails without a fault: {}", describe(&run)));
        }
        Ok(ReferenceRun { time: start.elapsed(), output_files: output_files(verb, &out) })
    }
}

/// The files that a verb has created.
pub(super) fn output_files(verb: &Verb, out: &Path) -> OutputFiles {
    let mut output_files = OutputFiles::new();
    for name in verb.makes {
        collect(&out.join(name), out, &mut output_files);
    }
    output_files
}

fn collect(path: &Path, out: &Path, output_files: &mut OutputFiles) {
    let is_unfinished =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".unframe-"));
    if is_unfinished(path) {
        return;
    }
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), out, output_files)),
        Err(_) => {
            if let (Ok(bytes), Ok(name)) = (fs::read(path), path.strip_prefix(out)) {
                output_files.insert(name.to_owned(), bytes);
            }
        }
    }
}

/// The names of unfinished files in a folder and the folders in it.
pub(super) fn unfinished(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            names.extend(unfinished(&entry.path()));
        }
        if name.starts_with(".unframe-") || name.ends_with(".part") {
            names.push(name);
        }
    }
    names
}

/// Describes how a run ended.
pub(super) fn describe(run: &Output) -> String {
    let how = match (run.status.code(), run.status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or(0)),
    };
    let message = String::from_utf8_lossy(&run.stderr);
    format!("{how}, {:?}", message.trim().chars().take(300).collect::<String>())
}
