//! `unframe draw`: the picture of a site, or of all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use unframe::Page;
use unframe::detect::PageBytes;
use unframe::html::Parser;
use unframe::learn::Models;
use unframe_picture::{self as picture, SiteView, explorer, index, palette, png, scene, svg};

use crate::args::{DrawArgs, PictureFormat};
use crate::exit::Outcome;
use crate::learning::{self, Inputs};
use crate::output::Output;
use crate::reading::Run;

/// Sites that are named when one must be chosen.
const SITES_NAMED: usize = 8;

/// Runs the verb.
pub(crate) fn run(args: &DrawArgs) -> anyhow::Result<Outcome> {
    let format = format(args)?;
    let inputs = Inputs::new(&args.reading, true)?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.path())?;
    let (sites, run) = look(&inputs, args, format, &models)?;
    match &args.output {
        Some(folder) if args.all => write_all(folder, args, format, sites)?,
        output => write_one(output.as_deref(), args, format, sites)?,
    }
    run.finish()
}

/// The format that was asked for, or that the name of the output tells.
fn format(args: &DrawArgs) -> anyhow::Result<PictureFormat> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    let Some(path) = args.output.as_ref().filter(|_| !args.all) else {
        return Ok(if args.all { PictureFormat::Html } else { PictureFormat::Svg });
    };
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "svg" => Ok(PictureFormat::Svg),
        "png" => Ok(PictureFormat::Png),
        "html" | "htm" => Ok(PictureFormat::Html),
        _ => bail!(
            "{} does not say what to draw: end it in .svg, .png or .html, or name a --format",
            path.display()
        ),
    }
}

/// Labels all pages and keeps what is drawn of them.
fn look(
    inputs: &Inputs,
    args: &DrawArgs,
    format: PictureFormat,
    models: &Models,
) -> anyhow::Result<(BTreeMap<String, SiteView>, Run)> {
    let is_explored = format == PictureFormat::Html;
    let new_worker = || {
        let mut parser = Parser::new();
        move |page: Page| {
            let is_wanted = args.site.as_ref().is_none_or(|site| page.site == *site);
            let seen = is_wanted.then(|| {
                let regions = models.label(&page.site, PageBytes::of(&page), &mut parser);
                picture::look(&page, regions, is_explored, &mut parser)
            });
            (page.site, seen)
        }
    };
    let method = models.detector().name();
    let mut sites: BTreeMap<String, SiteView> = BTreeMap::new();
    let run = inputs.reading(&args.reading).run(new_worker, |(name, seen)| {
        let site = sites.entry(name.clone()).or_insert_with(|| SiteView::new(name, method));
        seen.into_iter().for_each(|seen| site.add(seen));
        Ok(())
    })?;
    sites.values_mut().for_each(SiteView::sort);
    Ok((sites, run))
}

fn write_one(
    path: Option<&Path>,
    args: &DrawArgs,
    format: PictureFormat,
    mut sites: BTreeMap<String, SiteView>,
) -> anyhow::Result<()> {
    let site = match &args.site {
        Some(name) => sites.remove(name).with_context(|| not_there(name, &sites))?,
        None if sites.len() > 1 => bail!(
            "the input has {} sites: choose one with --site ({}), or draw them all with --all -o FOLDER",
            sites.len(),
            some_names(&sites)
        ),
        None => match sites.pop_first() {
            Some((_, site)) => site,
            // The summary of the reading says that there are no pages.
            None => return Ok(()),
        },
    };
    write_picture(path, args, format, site)
}

fn not_there(name: &str, sites: &BTreeMap<String, SiteView>) -> String {
    format!("the input has no site `{name}`, but {}", some_names(sites))
}

fn some_names(sites: &BTreeMap<String, SiteView>) -> String {
    let names: Vec<&str> = sites.keys().take(SITES_NAMED).map(String::as_str).collect();
    let more = if sites.len() > SITES_NAMED { " …" } else { "" };
    names.join(", ") + more
}

fn write_picture(
    path: Option<&Path>,
    args: &DrawArgs,
    format: PictureFormat,
    site: SiteView,
) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    let theme = if args.dark { palette::DARK } else { palette::LIGHT };
    let scene = || scene::of_site(&site, args.palette.into(), theme);
    let bytes = match format {
        PictureFormat::Svg => svg::write(&scene()).into_bytes(),
        PictureFormat::Png => png::write(&scene())?,
        PictureFormat::Html => explorer::write(site, args.palette.into())?.into_bytes(),
    };
    output.write_all(&bytes).context("cannot write the picture")?;
    output.finish()
}

/// Writes a picture of each site, and the index when all of them are there.
fn write_all(
    folder: &Path,
    args: &DrawArgs,
    format: PictureFormat,
    sites: BTreeMap<String, SiteView>,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut entries = Vec::new();
    // `index` is the name of the index.
    let mut taken: BTreeSet<String> = BTreeSet::from(["index".to_owned()]);
    for (name, site) in sites {
        let stem = free_name(index::file_stem(&name), &mut taken);
        let file = format!("{stem}.{}", format.extension());
        let path = folder.join(&file);
        entries.push(index::entry(&site, args.palette.into(), file));
        write_picture(Some(&path), args, format, site)?;
    }
    let mut output = Output::open(Some(&folder.join("index.html")))?;
    output.write_all(index::write(entries).as_bytes()).context("cannot write the index")?;
    output.finish()
}

/// Two sites may have the same plain name, on file systems that do not know case as well.
fn free_name(stem: String, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    let free = names.find(|name| taken.insert(name.to_lowercase()));
    free.unwrap_or(stem)
}
