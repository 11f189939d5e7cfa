//! Assigns pages to snapshots. The templates of a snapshot are learned together.

use std::path::PathBuf;

use anyhow::bail;
use jiff::Timestamp;
use unframe::{Origin, Page};
use unframe_picture::figures::plural;
use unframe_study::evolve::Bucket;
use unframe_study::evolve::place::{LatestVersions, Place, longest_apart};

use crate::args::EvolveArgs;

/// All versions of all pages, with and without dates.
#[derive(Default)]
pub(super) struct AllVersions {
    pub(super) dated: Vec<(Place, Origin)>,
    pub(super) undated: Vec<(Place, Origin)>,
}

/// Assigns pages to snapshots.
pub(super) struct Snapshots<'a> {
    pub(super) bucket: Bucket,
    /// Whether pages are ordered by their dates. If no page has a date, they are ordered by input, and each input is a snapshot.
    is_dated: bool,
    args: &'a EvolveArgs,
}

/// The snapshot of a page, and whether the page has a date.
pub(super) fn place_and_is_dated(page: &Page, args: &EvolveArgs) -> (Place, bool) {
    let (input, inside) = input_of(&args.reading.inputs, &page.origin.file);
    match Place::of(page, args.bucket.as_ref().unwrap_or(&Bucket::Year), args.reading.site_by, input) {
        Some(place) => (place, true),
        None => (Place::by_input(page, input, inside), false),
    }
}

impl Snapshots<'_> {
    /// Chooses how pages are assigned, and which version of each page represents it in a snapshot.
    pub(super) fn new(
        args: &EvolveArgs,
        seen: AllVersions,
    ) -> anyhow::Result<(Snapshots<'_>, LatestVersions)> {
        let is_dated = !seen.dated.is_empty() || seen.undated.is_empty();
        if !is_dated {
            check_undated(args)?;
        }
        let undated = if is_dated { seen.undated.len() } else { 0 };
        if undated > 0 && !args.reading.quiet {
            message!("unframe: left out {} without a date", plural(undated as u64, "page"));
        }
        let versions = if is_dated { seen.dated } else { seen.undated };
        let (bucket, measured) = match (&args.bucket, is_dated) {
            (None, true) if args.changes => longest_apart(&versions),
            (bucket, true) => {
                let bucket = bucket.clone().unwrap_or(Bucket::Year);
                (bucket, all_of(&versions))
            }
            (_, false) => (Bucket::Input, all_of(&versions)),
        };
        let snapshots = Snapshots { bucket, is_dated, args };
        if args.changes && !args.reading.quiet {
            snapshots.warn(&measured);
        }
        Ok((snapshots, measured))
    }

    /// The snapshot of a page. `None` for a page without a date if others have one.
    pub(super) fn place(&self, page: &Page) -> Option<Place> {
        let (place, is_dated) = place_and_is_dated(page, self.args);
        (is_dated == self.is_dated).then(|| place.in_bucket(&self.bucket))
    }

    /// A date in the output, or the name of the input if each input is a snapshot.
    pub(super) fn date_text(&self, date: Timestamp) -> String {
        let input = usize::try_from(date.as_second()).ok().and_then(|at| self.args.reading.inputs.get(at));
        match input {
            Some(input) if !self.is_dated => input.display().to_string(),
            _ => date.to_string(),
        }
    }

    /// Warns of versions that are labelled with templates learned from a later version.
    fn warn(&self, measured: &LatestVersions) {
        let pages = measured.with_several();
        if pages == 0 {
            return;
        }
        let advice = match self.args.bucket {
            Some(_) => "leave out --bucket, or choose shorter snapshots",
            None => "name each crawl as an input of its own, with --bucket input",
        };
        let have = if pages == 1 { "has" } else { "have" };
        message!(
            "unframe: {} {have} several versions in one snapshot ({}), and only the templates of the last are known: {advice}",
            plural(pages as u64, "page"),
            self.bucket
        );
    }
}

fn all_of(versions: &[(Place, Origin)]) -> LatestVersions {
    let mut measured = LatestVersions::default();
    versions.iter().for_each(|(place, origin)| measured.add(place, origin.clone()));
    measured
}

/// Checks the arguments for pages without dates: the order of the inputs must determine that of the snapshots.
fn check_undated(args: &EvolveArgs) -> anyhow::Result<()> {
    if args.rates {
        bail!("no page has a date, and rates are changes a day: use WARC files, or folders such as 2004-06");
    }
    if !args.changes {
        bail!(
            "no page has a date: use WARC files, or put the pages of each date into a folder such as 2004-06"
        );
    }
    if args.reading.inputs.len() < 2 {
        bail!(
            "no page has a date: name each crawl as an input, the oldest first, or put its pages into a folder such as 2004-06"
        );
    }
    match &args.bucket {
        None | Some(Bucket::Input) => Ok(()),
        Some(bucket) => bail!("no page has a date, so --bucket {bucket} is not possible: leave it out"),
    }
}

/// The number of the input that contains a file, and the path of the file in it.
fn input_of<'f>(inputs: &[PathBuf], file: &'f str) -> (usize, Option<&'f str>) {
    let inside = |input: &PathBuf| {
        let input = input.to_string_lossy();
        let rest = file.strip_prefix(input.trim_end_matches('/'))?;
        let is_inside = rest.is_empty() || rest.starts_with(['/', '\\', '!']);
        is_inside.then_some(rest)
    };
    let found = inputs.iter().enumerate().filter_map(|(at, input)| Some((at, inside(input)?)));
    match found.min_by_key(|(_, rest)| rest.len()) {
        Some((at, rest)) => (at, rest.get(1..)),
        None => (0, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_inputs() {
        let inputs = ["monday/", "tuesday", "a.wacz", "tuesday/late"].map(PathBuf::from);
        assert_eq!(input_of(&inputs, "monday/x/1.html"), (0, Some("x/1.html")));
        assert_eq!(input_of(&inputs, "tuesday/1.html"), (1, Some("1.html")));
        assert_eq!(input_of(&inputs, "tuesday/late/1.html"), (3, Some("1.html")));
        assert_eq!(input_of(&inputs, "a.wacz!archive/b.warc"), (2, Some("archive/b.warc")));
        assert_eq!(input_of(&inputs, "a.wacz"), (2, None));
        assert_eq!(input_of(&inputs, "tuesdays/1.html"), (0, None));
    }
}
