//! The state of `follow`: its method, its parts, status, checks, import and export.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use jiff::Timestamp;
use unframe::Model;
use unframe::detect::FollowMethod;
use unframe::learn::Learned;
use unframe::model_file::Encoder;
use unframe_store::{Store, StoreError};

use crate::exit::Outcome;
use crate::learning;
use crate::output::Output;

/// The method of the state, or the requested one if there is no state yet.
pub(super) fn method(folder: &Path, requested: Option<&str>) -> anyhow::Result<FollowMethod> {
    let saved = unframe_store::saved_method(folder)?;
    Ok(match requested.or(saved.as_deref()) {
        Some(method) => FollowMethod::parse(method)?,
        None => FollowMethod::default(),
    })
}

/// Initialises new sites from a model.
pub(super) fn begin_with(
    store: &mut Store,
    method: &FollowMethod,
    path: &Path,
    quiet: bool,
) -> anyhow::Result<()> {
    let file = learning::load(path)?;
    let learned = file.detector.name();
    if learned != method.detector().name() {
        bail!(
            "{} was learned with {learned}, but the state was created with {}",
            path.display(),
            method.detector().name()
        );
    }
    let models: Vec<(String, Model)> =
        file.sites.into_iter().map(|(site, learned)| (site, learned.model(&*file.detector))).collect();
    let sites = store.begin_with(models.iter().map(|(site, model)| (site.as_str(), model)))?;
    if !quiet {
        eprintln!(
            "unframe: {sites} of {} sites in {} are new to the state",
            models.len(),
            path.display()
        );
    }
    Ok(())
}

/// Saves the state as a model.
pub(super) fn export(
    mut store: Store,
    method: &FollowMethod,
    path: &Path,
    quiet: bool,
) -> anyhow::Result<Outcome> {
    let sites = store.sites()?.len();
    let (mut encoder, begin) = Encoder::begin(method.detector(), 0, sites);
    let mut output = Output::open(Some(path))?;
    output.write_all(&begin)?;
    store.models(|site, model| -> anyhow::Result<()> {
        Ok(output.write_all(&encoder.site(site, &Learned::Templates(model)))?)
    })?;
    output.write_all(&encoder.end())?;
    output.finish()?;
    store.close()?;
    if !quiet {
        eprintln!("unframe: {sites} sites, learned with {method}");
    }
    Ok(Outcome::Clean)
}

/// Prints the status of a state, also while another process writes to it.
pub(super) fn print(folder: &Path, store: Result<Store, StoreError>) -> anyhow::Result<Outcome> {
    let (status, used_by) = match store {
        Ok(store) => {
            let status = store.status()?;
            store.close()?;
            (status, None)
        }
        Err(error) => match (unframe_store::status_of_running(folder), error) {
            (Ok(Some(status)), StoreError::InUse { by, .. }) => (status, Some(by)),
            (_, error) => return Err(error.into()),
        },
    };
    let date = |seconds: Option<i64>| {
        let date = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        date.map_or_else(|| "unknown".to_owned(), |date| date.to_string())
    };
    // `println!` would panic if the reader has closed the pipe.
    let mut out = Output::open(None)?;
    if let Some(method) = unframe_store::saved_method(folder)? {
        writeln!(out, "method    {method}")?;
    }
    writeln!(out, "sites     {}", status.sites)?;
    writeln!(out, "entries   {}", status.entries)?;
    writeln!(out, "bytes     {}", status.bytes)?;
    writeln!(out, "pages     {}", status.pages)?;
    writeln!(out, "oldest    {}", date(status.oldest))?;
    writeln!(out, "newest    {}", date(status.newest))?;
    if let Some(by) = used_by {
        writeln!(out, "in use by {by}, as of its last commit")?;
    }
    out.finish()?;
    Ok(Outcome::Clean)
}

/// Checks for damage, and repairs it if requested.
pub(super) fn check(folder: &Path, repair: bool) -> anyhow::Result<Outcome> {
    let faults = if repair { unframe_store::repair(folder)? } else { unframe_store::check(folder)? };
    let mut out = Output::open(None)?;
    for fault in &faults {
        let remedy = if repair { "done" } else { "--repair" };
        writeln!(out, "{}: {} ({remedy}: {})", fault.path.display(), fault.what, fault.remedy)?;
    }
    if faults.is_empty() {
        writeln!(out, "{}: no damage was found", folder.display())?;
    }
    out.finish()?;
    Ok(if faults.is_empty() || repair { Outcome::Clean } else { Outcome::SomeBad })
}

/// A part of the sites, for one of several processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    number: u64,
    of: u64,
}

impl Part {
    /// Reads `2/4`.
    pub(super) fn parse(text: &str) -> anyhow::Result<Part> {
        let numbers = text.split_once('/').map(|(number, of)| (number.parse::<u64>(), of.parse::<u64>()));
        match numbers {
            Some((Ok(number), Ok(of))) if (1..=of).contains(&number) => Ok(Part { number, of }),
            _ => bail!("`{text}` is not a part: write 2/4 for the second of four"),
        }
    }

    /// Each part has a folder of its own in that of the state.
    pub(super) fn folder(self, state: &Path) -> PathBuf {
        state.join(format!("part-{}-of-{}", self.number, self.of))
    }

    pub(super) fn contains(self, site: &str) -> bool {
        xxhash_rust::xxh3::xxh3_64(site.as_bytes()) % self.of == self.number - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_site_is_in_one_part() {
        let parts: Vec<Part> = (1..=3).map(|number| Part { number, of: 3 }).collect();
        for site in ["a.example", "b.example", "c.example", ""] {
            assert_eq!(parts.iter().filter(|part| part.contains(site)).count(), 1, "{site}");
        }
        assert_eq!(Part::parse("2/4").unwrap(), Part { number: 2, of: 4 });
        for wrong in ["", "0/4", "5/4", "2", "a/b"] {
            assert!(Part::parse(wrong).is_err(), "{wrong}");
        }
    }
}
