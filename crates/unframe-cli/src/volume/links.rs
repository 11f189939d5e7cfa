//! `unframe volume --links`: measures the link graph, and ranks pages with and without template links.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use unframe::learn::Models;
use unframe::{Page, PageParser, TemplateHash};
use unframe_picture::links;
use unframe_study::links::{Graph, LinkReport};

use crate::args::VolumeArgs;
use crate::inputs::Inputs;
use crate::output::{Output, make_folder};
use crate::reading::Run;

/// Number of listed pages that gain rank, and of those that lose rank.
const SHOWN: usize = 10;

/// Writes the tables into `folder`, and returns the text to print.
pub(super) fn run(
    inputs: &Inputs,
    args: &VolumeArgs,
    models: &Models,
    folder: &Path,
) -> anyhow::Result<(String, Run)> {
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let parsed = parser.open(&page);
            let regions = models.templates(&page.site, &parsed);
            let source = parsed.source();
            let links = links::of_page(&page.url, source, &regions);
            let templates: Vec<TemplateHash> = regions.iter().map(|region| region.template).collect();
            (page.url, page.site, links, templates)
        }
    };
    let mut graph = Graph::default();
    let run = inputs.reading(&args.reading).run(new_worker, |(url, site, links, templates)| {
        graph.add(&url, &site, &links, &templates);
        Ok(())
    })?;
    let report = LinkReport::of(&graph);
    make_folder(folder)?;
    for (name, table) in [("links.csv", report.links_csv()), ("pagerank.csv", report.ranks_csv())] {
        let mut output = Output::open(Some(&folder.join(name)))?;
        output.write_all(table.as_bytes()).with_context(|| format!("cannot write {name}"))?;
        output.finish()?;
    }
    Ok((report.text(SHOWN), run))
}
