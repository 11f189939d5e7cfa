//! `unframe label`: the template regions of every page.

use std::io::Write;

use anyhow::Context;
use serde::Serialize;
use unframe::detect::PageBytes;
use unframe::html::Parser;
use unframe::text::content::{self, Share, Volume};
use unframe::{Page, Region};

use crate::args::LabelArgs;
use crate::exit::Outcome;
use crate::learning::{self, Inputs};
use crate::output::Output;

/// Runs the verb.
pub(crate) fn run(args: &LabelArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, args.model.is_none())?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.as_deref())?;
    let mut output = Output::open(args.output.as_deref())?;
    let new_worker = || {
        let mut parser = Parser::new();
        let models = &models;
        move |page: Page| {
            let regions = models.label(&page.site, PageBytes::of(&page), &mut parser);
            let volume = content::extract(PageBytes::of(&page), &regions, &mut parser).volume;
            json_line(&page, &regions, volume)
        }
    };
    let run = inputs
        .reading(&args.reading)
        .run(new_worker, |line| output.write_all(&line?).context("cannot write the regions"))?;
    output.finish()?;
    run.finish()
}

/// A line of the output. Fields may be added, never renamed.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    site: &'a str,
    date: Option<String>,
    bytes: usize,
    regions: Vec<RegionLine>,
    volume: VolumeLine,
}

#[derive(Serialize)]
struct RegionLine {
    start: u32,
    end: u32,
    template: String,
    pages: u32,
}

/// How much of a page is template, as all verbs write it.
#[derive(Serialize)]
pub(crate) struct VolumeLine {
    html: ShareLine,
    text: ShareLine,
    links: ShareLine,
}

#[derive(Serialize)]
struct ShareLine {
    template: u64,
    total: u64,
}

impl From<Volume> for VolumeLine {
    fn from(volume: Volume) -> VolumeLine {
        let line = |share: Share| ShareLine { template: share.template, total: share.total };
        VolumeLine { html: line(volume.html), text: line(volume.text), links: line(volume.links) }
    }
}

fn json_line(page: &Page, regions: &[Region], volume: Volume) -> serde_json::Result<Vec<u8>> {
    let regions = regions.iter().map(|region| RegionLine {
        start: region.span.start,
        end: region.span.end,
        template: region.template.to_string(),
        pages: region.pages,
    });
    let mut line = serde_json::to_vec(&Line {
        url: &page.url,
        site: &page.site,
        date: page.date.map(|date| date.to_string()),
        bytes: page.payload.len(),
        regions: regions.collect(),
        volume: volume.into(),
    })?;
    line.push(b'\n');
    Ok(line)
}
