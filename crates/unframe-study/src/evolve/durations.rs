//! How long the texts of pages stay unchanged.

use jiff::Timestamp;

use super::bucket::year_of;
use super::{History, TextValue, Version};

/// The time for which a page had one text.
#[derive(Debug, Clone, PartialEq)]
pub struct Duration {
    /// The site.
    pub site: String,
    /// The page.
    pub address: String,
    /// When the text appeared: midway between the last version without it and its first version.
    pub begin: Timestamp,
    /// When the text ended: midway between its last version and the next one.
    pub end: Timestamp,
}

/// Selects one of the texts of a version.
pub type TextOf = fn(&Version) -> &TextValue;

/// The two texts of a version, by name.
pub const TEXTS: [(&str, TextOf); 2] =
    [("template", |version| &version.template), ("content", |version| &version.content)];

impl Duration {
    /// The duration in days.
    pub fn days(&self) -> f64 {
        self.end.duration_since(self.begin).as_secs_f64() / 86_400.0
    }
}

/// The durations of all texts whose beginning and end were observed.
pub fn of_history(history: &History, text: TextOf) -> Vec<Duration> {
    let mut durations = Vec::new();
    for (site, versions) in history.addresses() {
        let values: Vec<(Timestamp, u64)> =
            versions.iter().map(|version| (version.date, text(version).hash)).collect();
        let address = versions.first().map(|version| version.address.clone()).unwrap_or_default();
        durations.extend(bracketed(&values).into_iter().map(|(begin, end)| Duration {
            site: site.to_owned(),
            address: address.clone(),
            begin,
            end,
        }));
    }
    durations
}

/// Beginnings and ends of the runs of equal values, except runs whose value is that of the first or of the last version. Each
/// recurrence of a value is a separate run.
pub fn bracketed(values: &[(Timestamp, u64)]) -> Vec<(Timestamp, Timestamp)> {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut start = 0;
    for run in values.chunk_by(|a, b| a.1 == b.1) {
        let end = start + run.len();
        if run[0].1 != first.1 && run[0].1 != last.1 {
            // The run is neither the first nor the last one, so it has a neighbour on either side.
            let begin = midway(values[start - 1].0, run[0].0);
            found.push((begin, midway(run[run.len() - 1].0, values[end].0)));
        }
        start = end;
    }
    found
}

fn midway(a: Timestamp, b: Timestamp) -> Timestamp {
    let middle = a.as_second().midpoint(b.as_second());
    Timestamp::from_second(middle).unwrap_or(a)
}

/// The texts that existed at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alive {
    /// The moment, as a year with a fraction.
    pub year: f64,
    /// The number of texts.
    pub count: usize,
    /// Their mean duration in days.
    pub days: f64,
}

/// The mean duration of the texts that existed at each of `moments` equidistant moments (figure 13).
pub fn alive(durations: &[Duration], moments: usize) -> Vec<Alive> {
    let spans: Vec<(f64, f64, f64)> =
        durations.iter().map(|one| (year_of(one.begin), year_of(one.end), one.days())).collect();
    let first = spans.iter().map(|span| span.0).fold(f64::INFINITY, f64::min);
    let last = spans.iter().map(|span| span.1).fold(f64::NEG_INFINITY, f64::max);
    if first > last {
        return Vec::new();
    }
    let moment = |at: usize| {
        let year = first + (last - first) * at as f64 / (moments.max(2) - 1) as f64;
        let there = spans.iter().filter(|(begin, end, _)| *begin <= year && year <= *end);
        let (count, sum) = there.fold((0, 0.0), |(count, sum), (_, _, days)| (count + 1, sum + days));
        (count > 0).then(|| Alive { year, count, days: sum / count as f64 })
    };
    (0..moments.max(2)).filter_map(moment).collect()
}

/// A histogram of values with bins of equal width from 0 on (figures 14 and 15): the lower bound and the share of each bin.
pub fn histogram(values: &[f64], width: f64, bins: usize) -> Vec<(f64, f64)> {
    let mut counts = vec![0usize; bins];
    for value in values {
        let bin = ((value / width) as usize).min(bins.saturating_sub(1));
        if let Some(count) = counts.get_mut(bin) {
            *count += 1;
        }
    }
    let total = values.len().max(1) as f64;
    counts.into_iter().enumerate().map(|(bin, count)| (bin as f64 * width, count as f64 / total)).collect()
}
