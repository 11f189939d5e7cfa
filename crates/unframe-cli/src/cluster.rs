//! `unframe cluster`: groups pages by the template that generated them.
//!
//! The name of a cluster is known only after the last page. Until then a temporary file holds the addresses of the pages, so
//! that memory is needed only for distinct signatures.

mod into;
mod pending;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use unframe::Page;
use unframe::fingerprint::index::Cut;
use unframe::fingerprint::{Clusters, Method, Settings, Signature, SignatureMaker, cluster, scope_of, split};

use crate::args::{ClusterArgs, Split};
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::output::{Output, json_line};
use pending::{PendingPage, PendingPages};

/// Number of pages after which `--split auto` chooses the position.
const SPLIT_PAGES: u64 = 10_000;

/// Runs the verb.
pub(crate) fn run(args: &ClusterArgs) -> anyhow::Result<Outcome> {
    let mut clusters = begin(args)?;
    let inputs = Inputs::new(&args.reading, args.into.is_some())?;
    let mut output = Output::open(args.output.path())?;
    let into = args.into.as_deref().map(into::Folders::create).transpose()?;
    let mut pending = PendingPages::new()?;
    let settings = *clusters.settings();
    let new_worker = || {
        let mut maker = SignatureMaker::new(&settings);
        move |page: Page| {
            let signature = maker.make(&page.payload, page.charset.encoding);
            (page.url, page.site, signature)
        }
    };
    let mut pages = 0;
    let run = inputs.reading(&args.reading).run(
        new_worker,
        |(url, site, signature): (String, String, Signature)| {
            let scope = if args.within_sites { scope_of(&site) } else { 0 };
            let entry = clusters.add(scope, &signature)?;
            pages += 1;
            if pages == SPLIT_PAGES && args.method.split == Split::Auto {
                choose_split(&mut clusters, args.reading.quiet);
            }
            pending.push(&PendingPage { entry, url, site })
        },
    )?;
    if pages < SPLIT_PAGES && args.method.split == Split::Auto {
        choose_split(&mut clusters, args.reading.quiet);
    }
    let names = clusters.names();
    pending.for_each(|page| write_line(&page, &names, &mut output))?;
    if let Some(into) = into {
        into.fill(&inputs, args, &mut pending, &names)?;
    }
    if let Some(state) = &args.state {
        save(state, &clusters.encode()?)?;
    }
    output.finish()?;
    run.finish()
}

/// A line of the output. Fields may be added, never renamed.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    site: &'a str,
    cluster: String,
}

fn write_line(page: &PendingPage, names: &cluster::Names, output: &mut Output) -> anyhow::Result<()> {
    let cluster = name(names, page.entry)?;
    let line = json_line(&Line { url: &page.url, site: &page.site, cluster })?;
    output.write_all(&line).context("cannot write the clusters")
}

fn name(names: &cluster::Names, entry: u32) -> anyhow::Result<String> {
    Ok(names.of(entry).context("a page has no cluster")?.to_string())
}

/// Loads the clusters of the state, if there is one.
fn begin(args: &ClusterArgs) -> anyhow::Result<Clusters> {
    if !(0.0..=1.0).contains(&args.threshold) {
        bail!("--threshold is {}, but a similarity is between 0 and 1", args.threshold);
    }
    let method = args.method.method;
    if args.state.is_some() && !method.is_looked_up() {
        bail!(
            "the method `{method}` compares pages in pairs and has no state: choose fingerprint, fingerprint+, md5 or mdh5"
        );
    }
    let cut = Cut::new(args.method.length, args.method.split.number());
    let settings = Settings { method, cut, threshold: args.threshold };
    let Some(bytes) = args.state.as_deref().map(load).transpose()?.flatten() else {
        return Ok(Clusters::new(settings));
    };
    let state = args.state.as_deref().unwrap_or(Path::new(""));
    let mut clusters =
        Clusters::decode(&bytes).with_context(|| format!("cannot use the state {}", state.display()))?;
    same_method(clusters.settings(), &settings, state)?;
    if clusters.settings().cut.split() != settings.cut.split() && args.method.split != Split::Auto {
        clusters.set_split(settings.cut.split());
    }
    Ok(clusters)
}

/// Refuses to continue a state that was made with another method or length.
pub(crate) fn same_method(saved: &Settings, requested: &Settings, state: &Path) -> anyhow::Result<()> {
    let describe = |settings: &Settings| match settings.method {
        Method::Fingerprint => format!("fingerprint of length {}", settings.cut.length()),
        method => method.to_string(),
    };
    if describe(saved) != describe(requested) {
        bail!(
            "{} was created with {}, and {} was requested: use another file",
            state.display(),
            describe(saved),
            describe(requested)
        );
    }
    Ok(())
}

/// The bytes of a state file; `None` if it does not exist yet.
pub(crate) fn load(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read the state {}", path.display())),
    }
}

/// Saves a state. The file appears only when it is complete.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = Output::open(Some(path))?;
    file.write_all(bytes).context("cannot write the state")?;
    file.finish()
}

fn choose_split(clusters: &mut Clusters, is_quiet: bool) {
    let Some(best) = split::best(&clusters.split_entropies()) else { return };
    clusters.set_split(best);
    if !is_quiet {
        message!("unframe: fingerprints are split after {best} numbers");
    }
}
