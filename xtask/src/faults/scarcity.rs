//! Missing resources: disk space, permissions, file descriptors, memory, a reader of the output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::children::{Runner, describe, output_files, unfinished};
use super::kill::compare;
use super::verbs::{Check, Verb};

pub(super) fn disk_full(runner: &Runner, verb: &Verb) -> Result<String, String> {
    let Some(mount) = Mount::new(&runner.folder.join("full"), "size=4k") else {
        return Ok("not run: a file system cannot be mounted here".to_owned());
    };
    refused(runner, verb, &mount.0)
}

pub(super) fn read_only(runner: &Runner, verb: &Verb) -> Result<String, String> {
    let Some(mount) = Mount::new(&runner.folder.join("read-only"), "ro") else {
        return Ok("not run: a file system cannot be mounted here".to_owned());
    };
    refused(runner, verb, &mount.0)
}

/// Runs a verb whose output cannot be written. Checks for a message and exit code 2, and that only complete files are left.
fn refused(runner: &Runner, verb: &Verb, out: &Path) -> Result<String, String> {
    let whole = runner.whole(verb)?;
    let run = runner.shell("exec \"$0\" \"$@\"", verb.arguments, out)?;
    let left = output_files(verb, out);
    if run.status.success() && left == whole.output_files {
        return Ok("it fits".to_owned());
    }
    is_reported(&run)?;
    // Indexes and states change in place, so their files cannot be compared.
    if verb.check == Check::SameBytes {
        compare(&left, &whole.output_files, false)?;
        let unfinished = unfinished(out);
        if !unfinished.is_empty() {
            return Err(format!("{unfinished:?} are left"));
        }
    }
    Ok("refused".to_owned())
}

/// Checks for exit code 2, and for a line that begins with the name of the program.
fn is_reported(run: &Output) -> Result<(), String> {
    let message = String::from_utf8_lossy(&run.stderr);
    let has_message = message.lines().any(|line| line.starts_with("unframe: "));
    if run.status.code() == Some(2) && has_message && !message.contains("panicked at") {
        Ok(())
    } else {
        Err(describe(run))
    }
}

pub(super) fn descriptors(runner: &Runner, verb: &Verb) -> Result<String, String> {
    let whole = runner.whole(verb)?;
    let mut least = None;
    for limit in 4..=24 {
        let out = runner.empty_folder()?;
        let run = runner.shell(&format!("ulimit -n {limit}; exec \"$0\" \"$@\""), verb.arguments, &out)?;
        match run.status.code() {
            Some(0) if verb.check == Check::SameBytes && output_files(verb, &out) != whole.output_files => {
                return Err(format!("{limit}: it ended well with another result"));
            }
            Some(0) => least = least.or(Some(limit)),
            Some(127) => {}
            _ => {
                is_reported(&run).map_err(|failure| format!("{limit}: {failure}"))?;
                if verb.check == Check::SameBytes {
                    compare(&output_files(verb, &out), &whole.output_files, false)?;
                }
            }
        }
    }
    Ok(least.map_or("refused up to 24".to_owned(), |least| format!("works from {least} on")))
}

pub(super) fn memory(runner: &Runner, verb: &Verb) -> Result<String, String> {
    let whole = runner.whole(verb)?;
    let mut least = None;
    for megabytes in [40, 48, 56, 64, 80, 96, 128, 192, 256, 384, 512] {
        let out = runner.empty_folder()?;
        let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes << 10);
        let run = runner.shell(&script, verb.arguments, &out)?;
        if verb.check == Check::SameBytes {
            compare(&output_files(verb, &out), &whole.output_files, false)
                .map_err(|failure| format!("{megabytes} MB: {failure}"))?;
        }
        match run.status.code() {
            Some(0) => least = least.or(Some(megabytes)),
            Some(126 | 127) => {}
            _ => is_reported(&run).map_err(|failure| format!("{megabytes} MB: {failure}"))?,
        }
    }
    Ok(least.map_or("refused up to 512 MB".to_owned(), |least| format!("works from {least} MB on")))
}

pub(super) fn broken_pipe(runner: &Runner, verb: &Verb) -> Result<String, String> {
    if verb.to_stdout.is_empty() {
        return Ok("–".to_owned());
    }
    let out = runner.empty_folder()?;
    let run = runner.shell(
        "\"$0\" \"$@\" -q | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}",
        verb.to_stdout,
        &out,
    )?;
    if run.status.success() && run.stderr.is_empty() { Ok("ends".to_owned()) } else { Err(describe(&run)) }
}

pub(super) fn full_device(runner: &Runner, verb: &Verb) -> Result<String, String> {
    if verb.to_stdout.is_empty() {
        return Ok("–".to_owned());
    }
    let out = runner.empty_folder()?;
    let run = runner.shell("exec \"$0\" \"$@\" -q > /dev/full", verb.to_stdout, &out)?;
    is_reported(&run).map(|()| "refused".to_owned())
}

/// A small file system in memory, which is unmounted when it is dropped.
struct Mount(PathBuf);

impl Mount {
    fn new(folder: &Path, options: &str) -> Option<Mount> {
        std::fs::create_dir_all(folder).ok()?;
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder);
        command.output().is_ok_and(|mount| mount.status.success()).then(|| Mount(folder.to_owned()))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}
