//! Checks the state of `follow` after a fault.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::children::{Runner, describe};
use super::verbs::Verb;

/// Checks that the state is undamaged, that it knows all acknowledged pages, and that another run completes the rest.
pub(super) fn check_state(runner: &Runner, verb: &Verb, out: &Path) -> Result<(), String> {
    let plain = "exec \"$0\" \"$@\"";
    let file = out.join("followed.jsonl");
    let before = fs::read(&file).unwrap_or_default();
    // A last line without a line break was being written when the program ended.
    let whole = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let acknowledged = urls(&before[..whole])?;
    if out.join("state/state").exists() {
        let check = runner.shell(plain, "follow --state OUT/state --check", out)?;
        if !check.status.success() {
            return Err(format!("the state is not whole: {}", describe(&check)));
        }
        let known = runner.shell(plain, "follow --state OUT/state CRAWL --skip-known", out)?;
        let again = urls(&known.stdout)?;
        if let Some(lost) = acknowledged.intersection(&again).next() {
            return Err(format!("{lost} was acknowledged and is not known"));
        }
    } else if !acknowledged.is_empty() {
        return Err("pages were acknowledged, and there is no state".to_owned());
    }
    let again = runner.shell(plain, verb.arguments, out)?;
    if !again.status.success() {
        return Err(format!("it does not go on: {}", describe(&again)));
    }
    let all = urls(&fs::read(&file).unwrap_or_default())?;
    match all.len() {
        420 => Ok(()),
        pages => Err(format!("{pages} of 420 pages have a line in the end")),
    }
}

/// The addresses in lines of JSON, all of which must be complete.
fn urls(lines: &[u8]) -> Result<BTreeSet<String>, String> {
    let lines = String::from_utf8_lossy(lines);
    let url = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line)
            .map_err(|error| format!("a line is no JSON: {error}: {}", &line[..line.len().min(80)]))?;
        value["url"].as_str().map(str::to_owned).ok_or_else(|| format!("a line has no address: {line}"))
    };
    lines.lines().map(url).collect()
}
