//! Buckets of time, each of which holds the dates of one snapshot.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use unframe_crawl::parse_date;

/// How dates are grouped into snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bucket {
    /// By year.
    Year,
    /// By quarter of a year.
    Quarter,
    /// By month.
    Month,
    /// By day.
    Day,
    /// By input: each input is a separate crawl.
    Input,
    /// By these dates, ascending, which are the boundaries of the buckets.
    Dates(Vec<Timestamp>),
}

/// The error for an unknown bucket.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a length of snapshots: choose year, quarter, month, day or input, or list dates such as 2001,2004-06,2008-01-15"
)]
pub struct BucketError(String);

impl FromStr for Bucket {
    type Err = BucketError;

    fn from_str(text: &str) -> Result<Bucket, BucketError> {
        match text {
            "year" => Ok(Bucket::Year),
            "quarter" => Ok(Bucket::Quarter),
            "month" => Ok(Bucket::Month),
            "day" => Ok(Bucket::Day),
            "input" => Ok(Bucket::Input),
            _ => {
                let dates: Option<Vec<Timestamp>> = text.split(',').map(parse_date).collect();
                let mut dates = dates.ok_or_else(|| BucketError(text.to_owned()))?;
                dates.sort_unstable();
                Ok(Bucket::Dates(dates))
            }
        }
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bucket::Year => f.write_str("year"),
            Bucket::Quarter => f.write_str("quarter"),
            Bucket::Month => f.write_str("month"),
            Bucket::Day => f.write_str("day"),
            Bucket::Input => f.write_str("input"),
            Bucket::Dates(dates) => {
                let dates: Vec<String> = dates.iter().map(|date| day(*date)).collect();
                f.write_str(&dates.join(","))
            }
        }
    }
}

impl Bucket {
    /// The buckets without parameters, the longest first.
    pub const PLAIN: [Bucket; 5] = [Bucket::Year, Bucket::Quarter, Bucket::Month, Bucket::Day, Bucket::Input];

    /// The bucket of a page with this date in the input with this index: a number that grows with time, and a name.
    pub fn of(&self, date: Timestamp, input: usize) -> (i64, String) {
        let civil = date.to_zoned(TimeZone::UTC);
        let (year, month) = (i64::from(civil.year()), i64::from(civil.month()));
        match self {
            Bucket::Year => (year, year.to_string()),
            Bucket::Quarter => (year * 4 + (month - 1) / 3, format!("{year}-Q{}", (month - 1) / 3 + 1)),
            Bucket::Month => (year * 12 + month - 1, format!("{year}-{month:02}")),
            Bucket::Day => (date.as_second().div_euclid(86_400), day(date)),
            Bucket::Input => (input as i64, format!("input {}", input + 1)),
            Bucket::Dates(dates) => {
                let before = dates.partition_point(|start| *start <= date);
                let name = match (before.checked_sub(1).map(|at| dates[at]), dates.get(before)) {
                    (None, Some(end)) => format!("before {}", day(*end)),
                    (Some(start), _) => format!("from {}", day(start)),
                    (None, None) => "all".to_owned(),
                };
                (before as i64, name)
            }
        }
    }
}

/// A date as a year with a fraction.
pub fn year_of(date: Timestamp) -> f64 {
    let civil = date.to_zoned(TimeZone::UTC);
    let days = f64::from(civil.days_in_year());
    f64::from(civil.year()) + (f64::from(civil.day_of_year()) - 1.0 + f64::from(civil.hour()) / 24.0) / days
}

/// A date without its time.
pub fn day(date: Timestamp) -> String {
    date.to_zoned(TimeZone::UTC).date().to_string()
}
