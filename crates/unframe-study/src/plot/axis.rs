//! Axes with round tick values.

use unframe_picture::scene::nice_step;

/// An axis: a scale and its ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    label: String,
    min: f64,
    max: f64,
    kind: AxisKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AxisKind {
    /// Shares from 0 to 1, shown in percent.
    Percent,
    /// Years with fractions.
    Years,
    /// Any numbers.
    Numbers,
    /// Powers of ten at equal distances: `min` and `max` are exponents.
    Powers,
}

impl Axis {
    /// An axis of shares from 0 up to the largest value.
    pub fn percent(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let max = values.into_iter().fold(0.0, f64::max).max(0.01);
        let step = nice_step(max / 5.0);
        Axis { label: label.to_owned(), min: 0.0, max: (max / step).ceil() * step, kind: AxisKind::Percent }
    }

    /// An axis of numbers from 0 up to the largest value.
    pub fn numbers(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let max = values.into_iter().fold(0.0, f64::max).max(1e-6);
        let step = nice_step(max / 6.0);
        Axis { label: label.to_owned(), min: 0.0, max: (max / step).ceil() * step, kind: AxisKind::Numbers }
    }

    /// A logarithmic axis of positive numbers, from one power of ten to another.
    pub fn powers(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for exponent in values.into_iter().filter(|value| *value > 0.0).map(f64::log10) {
            (min, max) = (min.min(exponent.floor()), max.max(exponent.ceil()));
        }
        if min > max {
            (min, max) = (0.0, 1.0);
        }
        Axis { label: label.to_owned(), min, max: max.max(min + 1.0), kind: AxisKind::Powers }
    }

    /// An axis of years with fractions, which covers all values with a small margin.
    pub fn years(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (min, max) = (min.min(value), max.max(value));
        }
        if min > max {
            (min, max) = (2000.0, 2001.0);
        }
        let space = ((max - min) * 0.03).max(0.05);
        Axis { label: label.to_owned(), min: min - space, max: max + space, kind: AxisKind::Years }
    }

    /// The label of the axis.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The relative position of a value on the axis: 0 at the start, 1 at the end.
    pub fn share(&self, value: f64) -> f32 {
        let value = if self.kind == AxisKind::Powers { value.max(1e-300).log10() } else { value };
        ((value - self.min) / (self.max - self.min).max(1e-12)).clamp(-0.05, 1.05) as f32
    }

    /// The tick values with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        match self.kind {
            AxisKind::Percent => {
                self.every(nice_step(self.max / 5.0), |value| format!("{} %", short(value * 100.0)))
            }
            AxisKind::Numbers => self.every(nice_step(self.max / 6.0), short),
            AxisKind::Years => self.year_ticks(),
            AxisKind::Powers => {
                let tick = |exponent: i32| (10f64.powi(exponent), power(exponent));
                (self.min as i32..=self.max as i32).map(tick).collect()
            }
        }
    }

    fn every(&self, step: f64, name: impl Fn(f64) -> String) -> Vec<(f64, String)> {
        let first = (self.min / step).ceil() as i64;
        let last = (self.max / step + 1e-9).floor() as i64;
        (first..=last).map(|at| at as f64 * step).map(|value| (value, name(value))).collect()
    }

    /// Ticks at years, or at months if the axis covers few years.
    fn year_ticks(&self) -> Vec<(f64, String)> {
        const MONTHS: [i64; 9] = [1, 2, 3, 6, 12, 24, 60, 120, 240];
        let months = (self.max - self.min) * 12.0;
        let step = MONTHS.into_iter().find(|step| months / *step as f64 <= 11.0).unwrap_or(600);
        let first = (self.min * 12.0 / step as f64).ceil() as i64;
        let last = (self.max * 12.0 / step as f64).floor() as i64;
        let tick = |at: i64| {
            let month = at * step;
            let year = month.div_euclid(12);
            let name = match step % 12 {
                0 => year.to_string(),
                _ => format!("{year}-{:02}", month.rem_euclid(12) + 1),
            };
            (month as f64 / 12.0, name)
        };
        (first..=last).map(tick).collect()
    }
}

/// Formats a power of ten: `0.01`, `10`, `100k`, `1M`.
fn power(exponent: i32) -> String {
    const UNITS: [&str; 4] = ["", "k", "M", "G"];
    match exponent {
        ..0 => format!("{:.*}", exponent.unsigned_abs() as usize, 10f64.powi(exponent)),
        _ => {
            let unit = (exponent as usize / 3).min(UNITS.len() - 1);
            format!("{}{}", 10u64.pow((exponent as u32 - 3 * unit as u32).min(19)), UNITS[unit])
        }
    }
}

/// Formats a number with at most two decimal places.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let names = |axis: Axis| axis.ticks().into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names(Axis::percent("", [0.47])), ["0 %", "10 %", "20 %", "30 %", "40 %", "50 %"]);
        assert_eq!(names(Axis::numbers("", [730.0])), ["0", "200", "400", "600", "800"]);
        assert_eq!(
            names(Axis::years("", [1996.2, 2004.5])),
            ["1996", "1997", "1998", "1999", "2000", "2001", "2002", "2003", "2004"]
        );
        assert_eq!(
            names(Axis::years("", [2020.0, 2020.4])),
            ["2020-01", "2020-02", "2020-03", "2020-04", "2020-05", "2020-06"]
        );
        assert_eq!(names(Axis::years("", [])).len(), 7);
        assert_eq!(
            names(Axis::powers("", [0.02, 30.0, 1e4])),
            ["0.01", "0.1", "1", "10", "100", "1k", "10k"]
        );
        assert_eq!(names(Axis::powers("", [1e6])), ["1M", "10M"]);
        assert_eq!(names(Axis::powers("", [])), ["1", "10"]);
    }

    #[test]
    fn powers_of_ten_are_equally_far_from_each_other() {
        let axis = Axis::powers("", [1.0, 1e4]);
        assert_eq!([1.0, 10.0, 100.0, 1e4].map(|value| axis.share(value)), [0.0, 0.25, 0.5, 1.0]);
        assert!(axis.share(0.0) < 0.0);
    }
}
