//! Kills and interrupts processes at random moments.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::children::{OutputFiles, ReferenceRun, Runner, output_files, unfinished};
use super::follow;
use super::verbs::{Check, Verb};

/// Number of times that a verb is interrupted by each of the two signals.
const SIGNALS: u32 = 10;
/// The contents of an older result, which exists under the final name before every second run.
const OLD: &[u8] = b"an older result\n";

pub(super) fn at_random_moments(runner: &Runner, verb: &Verb) -> Result<String, String> {
    let whole = runner.whole(verb)?;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut ended = 0;
    for turn in 0..runner.kills {
        let out = runner.empty_folder()?;
        let has_old = turn % 2 == 1 && put_old(verb, &out)?;
        let mut child = runner.start(verb, &out)?;
        std::thread::sleep(random.moment(whole.time));
        let _ = child.kill();
        let status = child.wait().map_err(|error| error.to_string())?;
        ended += u32::from(status.code().is_some());
        check_outputs(runner, verb, &out, &whole, has_old)
            .map_err(|failure| format!("turn {turn}: {failure}"))?;
    }
    Ok(format!("{} of {}", runner.kills, runner.kills) + &after_the_end(ended))
}

pub(super) fn by_signals(runner: &Runner, verb: &Verb) -> Result<String, String> {
    let whole = runner.whole(verb)?;
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut ended = 0;
    for turn in 0..2 * SIGNALS {
        let out = runner.empty_folder()?;
        let mut child = runner.start(verb, &out)?;
        // Before the program has installed its handler, a signal ends it in the default way. Nothing has been written by then, so this
        // phase is skipped.
        std::thread::sleep(Duration::from_millis(20) + random.moment(whole.time));
        let name = if turn % 2 == 0 { "-INT" } else { "-TERM" };
        let _ = Command::new("kill").arg(name).arg(child.id().to_string()).output();
        let status = child.wait().map_err(|error| error.to_string())?;
        match status.code() {
            Some(130) => {}
            Some(0) => ended += 1,
            _ => return Err(format!("{name}: the program ended with {status}")),
        }
        let left = unfinished(&out);
        if verb.check == Check::SameBytes && !left.is_empty() {
            return Err(format!("{name} left {left:?}"));
        }
        check_outputs(runner, verb, &out, &whole, false).map_err(|failure| format!("{name}: {failure}"))?;
    }
    Ok(format!("{} of {}", 2 * SIGNALS, 2 * SIGNALS) + &after_the_end(ended))
}

fn after_the_end(ended: u32) -> String {
    if ended == 0 { String::new() } else { format!(" ({ended} after the end)") }
}

/// Checks that a process left no files, the old files, or complete ones.
fn check_outputs(
    runner: &Runner,
    verb: &Verb,
    out: &Path,
    whole: &ReferenceRun,
    has_old: bool,
) -> Result<(), String> {
    match verb.check {
        Check::SameBytes => compare(&output_files(verb, out), &whole.output_files, has_old),
        Check::Index => index(runner, verb, out),
        Check::Follow => follow::check_state(runner, verb, out),
    }
}

/// Checks that every file is the old one or the complete new one.
pub(super) fn compare(found: &OutputFiles, whole: &OutputFiles, has_old: bool) -> Result<(), String> {
    for (name, bytes) in found {
        let is_old = has_old && bytes == OLD;
        if !is_old && whole.get(name) != Some(bytes) {
            let expected = whole.get(name).map(Vec::len);
            return Err(format!(
                "{} has {} bytes, not {expected:?} or other ones",
                name.display(),
                bytes.len()
            ));
        }
    }
    Ok(())
}

/// Checks that an index has all pages or does not exist, and that another run completes it.
fn index(runner: &Runner, verb: &Verb, out: &Path) -> Result<(), String> {
    let search = "exec \"$0\" \"$@\"";
    let count = |out: &Path| -> Result<(Option<i32>, usize), String> {
        let run = runner.shell(search, "search OUT/site.index the --limit 1000 --json", out)?;
        Ok((run.status.code(), String::from_utf8_lossy(&run.stdout).lines().count()))
    };
    let found = count(out)?;
    let again = runner.shell(search, verb.arguments, out)?;
    let whole = count(out)?;
    let is_absent = found.0 == Some(2) || found == (Some(0), 0);
    if !(again.status.success() && whole.0 == Some(0) && whole.1 > 0 && (is_absent || found == whole)) {
        return Err(format!("the index gave {found:?}, and {whole:?} after another run"));
    }
    Ok(())
}

/// Writes an older result under the final names of files, but not of folders. Returns false for verbs whose results cannot be compared.
fn put_old(verb: &Verb, out: &Path) -> Result<bool, String> {
    // States and indexes are left out, because the program rightly refuses files that are none.
    let files = verb
        .makes
        .iter()
        .filter(|name| name.contains('.') && !name.ends_with(".fp") && !name.ends_with(".index"));
    if verb.check != Check::SameBytes {
        return Ok(false);
    }
    for name in files {
        fs::write(out.join(name), OLD).map_err(|error| error.to_string())?;
    }
    Ok(true)
}

/// A xorshift generator, so that the moments are reproducible.
struct Random(u64);

impl Random {
    /// A moment from the start of a run to a little after its end.
    fn moment(&mut self, time: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        time.mul_f64((self.0 >> 11) as f64 / (1u64 << 53) as f64 * 1.05)
    }
}
