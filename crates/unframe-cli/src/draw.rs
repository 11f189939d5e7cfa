//! `unframe draw`: draws a picture of one site or of all sites.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use unframe::learn::Models;
use unframe::site::without_www;
use unframe::{Page, PageParser};
use unframe_picture::drawing::{Drawing, Format};
use unframe_picture::{self as picture, SiteView, index};

use crate::args::DrawArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;
use crate::output::{Output, make_folder};
use crate::reading::Run;

/// Maximum number of sites that the error message lists when one must be chosen.
const SITES_NAMED: usize = 8;

/// Runs the verb.
pub(crate) fn run(args: &DrawArgs) -> anyhow::Result<Outcome> {
    let drawing = drawing(args)?;
    let inputs = Inputs::new(&args.reading, true)?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.path())?;
    let (found, run) = collect_sites(&inputs, args, drawing.format, &models)?;
    match &args.output {
        Some(folder) if args.all => write_all(folder, drawing, found)?,
        output => write_one(output.as_deref(), args.site.as_deref().map(without_www), drawing, found)?,
    }
    run.finish()
}

/// The requested drawing. The extension of the output also selects the format.
fn drawing(args: &DrawArgs) -> anyhow::Result<Drawing> {
    Ok(Drawing {
        format: format(args)?.built()?,
        palette: args.palette.into(),
        color_by: args.color_by.into(),
        is_dark: args.dark,
    })
}

fn format(args: &DrawArgs) -> anyhow::Result<Format> {
    if let Some(format) = args.format {
        return Ok(format.into());
    }
    let Some(path) = args.output.as_ref().filter(|_| !args.all) else {
        return Ok(if args.all { Format::Html } else { Format::Svg });
    };
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "htm" => Ok(Format::Html),
        ending => ending.parse().map_err(|_| {
            anyhow!(
                "the format of {} is not clear: let the name end in .svg, .png, .html or .jsonl, or choose a --format",
                path.display()
            )
        }),
    }
}

/// Labels all pages, and collects the data for drawing them.
fn collect_sites(
    inputs: &Inputs,
    args: &DrawArgs,
    format: Format,
    models: &Models,
) -> anyhow::Result<(BTreeMap<String, SiteView>, Run)> {
    let is_explored = format == Format::Html;
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let is_wanted = args.site.as_ref().is_none_or(|site| page.site == without_www(site));
            let seen = is_wanted.then(|| {
                let parsed = parser.open(&page);
                let regions = models.label(&page.site, &parsed);
                picture::look(&page.url, &parsed, regions, is_explored)
            });
            (page.site, seen)
        }
    };
    let method = models.detector().name();
    let mut views: BTreeMap<String, SiteView> = BTreeMap::new();
    let run = inputs.reading(&args.reading).run(new_worker, |(name, seen)| {
        let site = views.entry(name.clone()).or_insert_with(|| SiteView::new(name, method));
        seen.into_iter().for_each(|seen| site.add(seen));
        Ok(())
    })?;
    views.values_mut().for_each(SiteView::sort);
    Ok((views, run))
}

fn write_one(
    path: Option<&Path>,
    site: Option<&str>,
    drawing: Drawing,
    mut sites: BTreeMap<String, SiteView>,
) -> anyhow::Result<()> {
    let site = match site {
        Some(name) => sites.remove(name).with_context(|| unknown_site(name, &sites))?,
        None if sites.len() > 1 => bail!(
            "the input has {} sites: choose one with --site ({}), or draw them all with --all -o FOLDER",
            sites.len(),
            first_names(&sites)
        ),
        None => match sites.pop_first() {
            Some((_, site)) => site,
            // The summary of the pass reports that there are no pages.
            None => return Ok(()),
        },
    };
    write_picture(path, drawing, site)
}

fn unknown_site(name: &str, sites: &BTreeMap<String, SiteView>) -> String {
    format!("there is no site `{name}` in the input: choose one of {}", first_names(sites))
}

fn first_names(sites: &BTreeMap<String, SiteView>) -> String {
    let names: Vec<&str> = sites.keys().take(SITES_NAMED).map(String::as_str).collect();
    let more = if sites.len() > SITES_NAMED { " …" } else { "" };
    names.join(", ") + more
}

fn write_picture(path: Option<&Path>, drawing: Drawing, site: SiteView) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    output.write_all(&drawing.write(site)?).context("cannot write the picture")?;
    output.finish()
}

/// Writes a picture of each site, and then the index.
fn write_all(folder: &Path, drawing: Drawing, sites: BTreeMap<String, SiteView>) -> anyhow::Result<()> {
    make_folder(folder)?;
    let mut entries = Vec::new();
    // `index` is reserved for the index of the pictures.
    let mut taken: BTreeSet<String> = BTreeSet::from(["index".to_owned()]);
    for (name, site) in sites {
        let stem = unused_name(index::file_stem(&name), &mut taken);
        let file = format!("{stem}.{}", drawing.format.name());
        let path = folder.join(&file);
        entries.push(index::entry(&site, drawing.palette, file));
        write_picture(Some(&path), drawing, site)?;
    }
    let mut output = Output::open(Some(&folder.join("index.html")))?;
    output.write_all(index::write(entries).as_bytes()).context("cannot write the index")?;
    output.finish()
}

/// Makes a file name unique. The names of different sites can map to the same file name, and file systems may ignore case.
fn unused_name(stem: String, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    let free = names.find(|name| taken.insert(name.to_lowercase()));
    free.unwrap_or(stem)
}
