//! Changes and rates as lines of JSON.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use jiff::Timestamp;
use serde::Serialize;
use unframe_study::evolve::rates::{self, ChangeRate, PageRate};
use unframe_study::evolve::{Change, History, changes};

use crate::output::{Output, json_line};

/// A change as a line of JSON.
#[derive(Serialize)]
struct ChangeLine<'a> {
    url: &'a str,
    site: &'a str,
    from: String,
    to: String,
    changed: &'static str,
    content: f64,
    template: f64,
    whole: f64,
}

impl<'a> ChangeLine<'a> {
    fn new(change: &'a Change, date_text: impl Fn(Timestamp) -> String) -> ChangeLine<'a> {
        ChangeLine {
            url: &change.url,
            site: &change.site,
            from: date_text(change.from),
            to: date_text(change.to),
            changed: change.changed.name(),
            content: change.content,
            template: change.template,
            whole: change.whole,
        }
    }
}

/// The change rate of a page, as a line of JSON.
#[derive(Serialize)]
struct RateLine<'a> {
    url: &'a str,
    site: &'a str,
    first: String,
    last: String,
    visits: usize,
    content: RateObject,
    template: RateObject,
    whole: RateObject,
}

#[derive(Serialize)]
struct RateObject {
    changes: usize,
    per_day: f64,
}

impl<'a> From<&'a PageRate> for RateLine<'a> {
    fn from(rate: &'a PageRate) -> RateLine<'a> {
        let object = |rate: ChangeRate| RateObject { changes: rate.changes, per_day: rate.per_day };
        RateLine {
            url: &rate.url,
            site: &rate.site,
            first: rate.first.to_string(),
            last: rate.last.to_string(),
            visits: rate.visits,
            content: object(rate.content),
            template: object(rate.template),
            whole: object(rate.whole),
        }
    }
}

pub(super) fn write_rates(path: Option<&Path>, history: &History) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    for rate in rates::of_history(history) {
        output.write_all(&json_line(&RateLine::from(&rate))?).context("cannot write the rates")?;
    }
    output.finish()
}

/// Writes the changes. `date_text` formats dates.
pub(super) fn write_changes(
    path: Option<&Path>,
    history: &History,
    date_text: impl Fn(Timestamp) -> String,
) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    for change in changes::of_history(history) {
        output
            .write_all(&json_line(&ChangeLine::new(&change, &date_text))?)
            .context("cannot write the changes")?;
    }
    output.finish()
}
