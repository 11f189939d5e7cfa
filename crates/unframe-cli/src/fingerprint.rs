//! `unframe fingerprint`: prints a short value for the structure of every page.

use std::io::Write;

use anyhow::{Context, bail};
use serde::Serialize;
use unframe::Page;
use unframe::fingerprint::index::Cut;
use unframe::fingerprint::split;
use unframe::fingerprint::{Clusters, Method, Settings, SignatureMaker};
use unframe_study::table::Table;

use crate::args::FingerprintArgs;
use crate::exit::Outcome;
use crate::output::{self, Output};
use crate::reading::Reading;

/// Runs the verb.
pub(crate) fn run(args: &FingerprintArgs) -> anyhow::Result<Outcome> {
    if !args.method.is_looked_up() {
        bail!(
            "the method `{}` has no fingerprints: choose fingerprint, fingerprint+, md5 or mdh5",
            args.method
        );
    }
    let settings = Settings { cut: Cut::new(args.length, 17), ..Settings::new(args.method) };
    if args.entropy {
        return entropy(args, settings);
    }
    let mut output = Output::open(args.output.path())?;
    let new_worker = || {
        let mut maker = SignatureMaker::new(&settings);
        move |page: Page| {
            let signature = maker.make(&page.payload, page.charset.encoding);
            output::json_line(&Line { url: &page.url, site: &page.site, fingerprint: signature.to_string() })
        }
    };
    let run = Reading::from(&args.reading)
        .run(new_worker, |line| output.write_all(&line?).context("cannot write the fingerprints"))?;
    output.finish()?;
    run.finish()
}

/// A line of the output. Fields may be added, never renamed.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    site: &'a str,
    fingerprint: String,
}

/// Writes the entropy of both parts of the fingerprints, for each split position.
fn entropy(args: &FingerprintArgs, settings: Settings) -> anyhow::Result<Outcome> {
    if args.method != Method::Fingerprint {
        bail!("--entropy needs the method fingerprint or fingerprint+");
    }
    let mut output = Output::open(args.output.path())?;
    let mut fingerprints = Clusters::new(settings);
    let new_worker = || {
        let mut maker = SignatureMaker::new(&settings);
        move |page: Page| maker.make(&page.payload, page.charset.encoding)
    };
    let run = Reading::from(&args.reading).run(new_worker, |signature| {
        fingerprints.add(0, &signature)?;
        Ok(())
    })?;
    let entropies = fingerprints.split_entropies();
    let best = split::best(&entropies);
    let mut table = Table::new(0, ["split", "prefix bits", "suffix bits", ""]);
    for at in &entropies {
        let mark = if Some(at.split) == best { "best" } else { "" };
        let bits = |bits: f64| format!("{bits:.3}");
        table.row([at.split.to_string(), bits(at.prefix_bits), bits(at.suffix_bits), mark.to_owned()]);
    }
    output.write_all(table.text().as_bytes()).context("cannot write the entropies")?;
    output.finish()?;
    run.finish()
}
