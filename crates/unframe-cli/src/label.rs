//! `unframe label`: writes the template regions of every page.

use std::io::Write;

use anyhow::Context;
use unframe::text::content;
use unframe::{Page, PageParser};
use unframe_crawl::write::label_line;

use crate::args::LabelArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;
use crate::output::Output;

/// Runs the verb.
pub(crate) fn run(args: &LabelArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, args.model.path().is_none())?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.path())?;
    let mut output = Output::open(args.output.path())?;
    let new_worker = || {
        let mut parser = PageParser::new();
        let models = &models;
        move |page: Page| {
            let parsed = parser.open(&page);
            let regions = models.label(&page.site, &parsed);
            let volume = content::extract(&parsed, &regions).volume;
            label_line(&page, &regions, models.evidence(&page.site), volume)
        }
    };
    let run = inputs
        .reading(&args.reading)
        .run(new_worker, |line| output.write_all(&line?).context("cannot write the regions"))?;
    output.finish()?;
    run.finish()
}
