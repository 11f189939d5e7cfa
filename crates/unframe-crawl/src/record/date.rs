//! Dates of records.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Parses `2026-01-31T12:00:00Z` of WARC, also shortened as version 1.1 allows, and the 14 digits of ARC.
pub(crate) fn parse(text: &[u8]) -> Option<Timestamp> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    if text.len() > 19
        && let Ok(date) = text.parse()
    {
        return Some(date);
    }
    // Whatever stands between the digits: year, month, day, hour, minute, second, of which only the year must be there.
    let digits: Vec<u8> = text.bytes().take(19).filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    let number = |range: std::ops::Range<usize>, missing: i8| match digits.get(range) {
        Some([a, b]) => (a * 10 + b) as i8,
        _ => missing,
    };
    let year = digits.get(..4)?.iter().fold(0_i16, |year, digit| year * 10 + i16::from(*digit));
    DateTime::new(year, number(4..6, 1), number(6..8, 1), number(8..10, 0), number(10..12, 0), number(12..14, 0), 0)
        .ok()?
        .to_zoned(TimeZone::UTC)
        .ok()
        .map(|date| date.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_precisions() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(parse(text.as_bytes()).map(|date| date.to_string()).as_deref(), expected, "{text}");
        };
        check("2016-01-11T23:24:25Z", Some("2016-01-11T23:24:25Z"));
        check("2016-01-11T23:24:25.412030Z", Some("2016-01-11T23:24:25.41203Z"));
        check("2016-01-11T23:24Z", Some("2016-01-11T23:24:00Z"));
        check("2016-01-11", Some("2016-01-11T00:00:00Z"));
        check("2016", Some("2016-01-01T00:00:00Z"));
        check("20160111232425", Some("2016-01-11T23:24:25Z"));
        check("201601112324", Some("2016-01-11T23:24:00Z"));
        check("2016-13-11", None);
        check("soon", None);
        check("", None);
    }
}
