//! `unframe volume --savings`: measures how much a store saves by storing each template once.
//!
//! There are three passes over the crawl: learning, collecting the templates, and measuring every way of storing the pages.

use std::collections::BTreeMap;

use anyhow::Context;
use unframe::aggregate::{Aggregator, Ranked};
use unframe::learn::Models;
use unframe::{Page, PageParser, TemplateHash};
use unframe_study::savings::{SavingsReport, SiteStore, Sizes, TemplateStore, cache_curve};
use xxhash_rust::xxh3;

use crate::args::VolumeArgs;
use crate::inputs::Inputs;
use crate::reading::Run;

/// Measures the savings.
pub(super) fn run(
    inputs: &Inputs,
    args: &VolumeArgs,
    models: &Models,
) -> anyhow::Result<(SavingsReport, Run)> {
    let (stores, ranks) = collect(inputs, args, models)?;
    let mut sizes: BTreeMap<String, Sizes> = BTreeMap::new();
    let stores_there = &stores;
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let regions = models.templates(&page.site, &parser.open(&page));
            let measured = stores_there.get(&page.site).map(|store| store.measure(&page.payload, &regions));
            (page.site, measured)
        }
    };
    let run = inputs.reading(&args.reading).run(new_worker, |(site, measured)| {
        if let Some(measured) = measured {
            *sizes.entry(site).or_default() += measured.context("cannot compress a page")?;
        }
        Ok(())
    })?;
    for (site, store) in &stores {
        *sizes.entry(site.clone()).or_default() += store.overhead();
    }
    Ok((SavingsReport { sites: sizes.into_iter().collect(), cache: cache_curve(&ranks) }, run))
}

/// Collects the bytes of all templates, and how often each occurs.
fn collect(
    inputs: &Inputs,
    args: &VolumeArgs,
    models: &Models,
) -> anyhow::Result<(BTreeMap<String, SiteStore>, Vec<Ranked>)> {
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let mut regions = models.templates(&page.site, &parser.open(&page));
            // A store deduplicates bytes, so a place with two different texts counts as two templates.
            for region in regions.iter_mut().filter(|_| models.detector().knows_places()) {
                region.template = TemplateHash(xxh3::xxh3_64(&page.payload[region.span.range()]));
            }
            (page, regions)
        }
    };
    let mut sites: BTreeMap<String, (TemplateStore, Aggregator)> = BTreeMap::new();
    // The last pass reports all problems, so this one is silent.
    let reading = inputs.reading(&args.reading).not_last();
    reading.run(new_worker, |(page, regions)| {
        let (store, aggregator) = sites.entry(page.site).or_default();
        store.add(&page.payload, &regions);
        aggregator.add_page(&regions);
        Ok(())
    })?;
    let mut stores = BTreeMap::new();
    let mut ranks = Vec::new();
    for (site, (store, aggregator)) in sites {
        stores.insert(site, store.finish().context("cannot compress templates")?);
        ranks.extend(aggregator.finish().ranks);
    }
    Ok((stores, ranks))
}
