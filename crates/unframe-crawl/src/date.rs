//! Parses dates of records, in all common formats.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::{rfc2822, strtime};
use jiff::tz::TimeZone;

/// Parses a date. A time without a zone is UTC, and missing parts get their earliest value.
///
/// - WARC 1.0 and 1.1: `2016-02-03T04:05:06.789Z`, also truncated: `2016`, `2016-02`, `2016-02-03T04:05Z`;
/// - ARC: `20160203040506`, also truncated to 12, 8, 6 or 4 digits or with milliseconds;
/// - RFC 3339 with any offset, and `2016-02-03 04:05:06`, optionally followed by ` UTC`, ` GMT` or ` +0100`;
/// - HTTP: all three forms of RFC 9110;
/// - Unix time: 10 digits are seconds, 13 are milliseconds.
pub fn parse_date(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    match text.as_bytes() {
        [] => None,
        digits if digits.iter().all(u8::is_ascii_digit) => parse_digits(text),
        [first, ..] if first.is_ascii_digit() => parse_iso(text).or_else(|| parse_http(text)),
        _ => parse_http(text),
    }
}

/// Parses a Unix time in the unit that its size suggests: seconds up to the year 5138, then milli-, micro- and nanoseconds.
pub(crate) fn from_unix(number: i64) -> Option<Timestamp> {
    match number.unsigned_abs() {
        0..100_000_000_000 => Timestamp::from_second(number),
        100_000_000_000..100_000_000_000_000 => Timestamp::from_millisecond(number),
        100_000_000_000_000..100_000_000_000_000_000 => Timestamp::from_microsecond(number),
        _ => Timestamp::from_nanosecond(i128::from(number)),
    }
    .ok()
}

/// Like [`from_unix`], for a number with a fraction, which is in seconds unless it is too large.
pub(crate) fn from_unix_fraction(number: f64) -> Option<Timestamp> {
    if number.abs() < 1e11 {
        return Timestamp::from_microsecond((number * 1e6).round() as i64).ok();
    }
    // Larger numbers are in a smaller unit, whose fraction is irrelevant.
    (number.abs() < 9e18).then(|| from_unix(number as i64)).flatten()
}

fn parse_digits(digits: &str) -> Option<Timestamp> {
    match digits.len() {
        10 | 13 => from_unix(digits.parse().ok()?),
        4 | 6 | 8 | 12 | 14 | 17 => {
            let part = |range: std::ops::Range<usize>, missing: i32| {
                digits.get(range).map_or(Some(missing), |digits| digits.parse().ok())
            };
            let small = |range, missing| part(range, missing)?.try_into().ok();
            let (year, milliseconds) = (part(0..4, 0)?.try_into().ok()?, part(14..17, 0)?);
            // A leap second counts as the second before it.
            let second: i8 = small(12..14, 0)?;
            let second = if second == 60 { 59 } else { second };
            let date = DateTime::new(
                year,
                small(4..6, 1)?,
                small(6..8, 1)?,
                small(8..10, 0)?,
                small(10..12, 0)?,
                second,
                milliseconds * 1_000_000,
            );
            in_utc(date.ok()?)
        }
        _ => None,
    }
}

fn parse_iso(text: &str) -> Option<Timestamp> {
    if let Ok(date) = text.parse() {
        return Some(date);
    }
    let text =
        [" UTC", " GMT", " Z", "Z", "z"].iter().find_map(|zone| text.strip_suffix(zone)).unwrap_or(text);
    if let Ok(date) = text.parse() {
        return in_utc(date);
    }
    if let Ok(date) = Timestamp::strptime("%Y-%m-%d %H:%M:%S%.f %z", text) {
        return Some(date);
    }
    // The remaining forms may be a year and a month, or a time without minutes.
    let is_year_and_month = text.len() == 7 && text.as_bytes()[4] == b'-';
    let completed = if is_year_and_month { format!("{text}-01") } else { format!("{text}:00") };
    in_utc(completed.parse().ok()?)
}

/// Parses `Sun, 06 Nov 1994 08:49:37 GMT` and its two obsolete forms.
fn parse_http(text: &str) -> Option<Timestamp> {
    if let Ok(date) = rfc2822::DateTimeParser::new().relaxed_weekday(true).parse_timestamp(text) {
        return Some(date);
    }
    let day_first = text.split_once(", ").and_then(|(_, rest)| rest.strip_suffix(" GMT"));
    let civil = |format, text| strtime::parse(format, text).and_then(|parts| parts.to_datetime()).ok();
    let date = match day_first {
        Some(rest) => civil("%d-%b-%y %H:%M:%S", rest).or_else(|| civil("%d-%b-%Y %H:%M:%S", rest)),
        None => civil("%b %e %H:%M:%S %Y", text.split_once(' ')?.1.trim_start()),
    };
    in_utc(date?)
}

fn in_utc(date: DateTime) -> Option<Timestamp> {
    date.to_zoned(TimeZone::UTC).ok().map(|date| date.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_of_all_forms() {
        let check = |text: &str, expected: &str| {
            let found = parse_date(text).map(|date| date.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        };
        check("2016-02-03T04:05:06Z", "2016-02-03T04:05:06Z");
        check("2016-02-03T04:05:06.789Z", "2016-02-03T04:05:06.789Z");
        check("2016-02-03T04:05:06.123456789Z", "2016-02-03T04:05:06.123456789Z");
        check("2016-02-03T04:05Z", "2016-02-03T04:05:00Z");
        check("2016-02-03T04Z", "2016-02-03T04:00:00Z");
        check("2016-02-03Z", "2016-02-03T00:00:00Z");
        check("2016-02-03", "2016-02-03T00:00:00Z");
        check("2016-02", "2016-02-01T00:00:00Z");
        check("2016", "2016-01-01T00:00:00Z");
        check("20160203040506", "2016-02-03T04:05:06Z");
        check("20160203040506789", "2016-02-03T04:05:06.789Z");
        check("20161231235960", "2016-12-31T23:59:59Z");
        check("201602030405", "2016-02-03T04:05:00Z");
        check("20160203", "2016-02-03T00:00:00Z");
        check("201602", "2016-02-01T00:00:00Z");
        check("20160203T040506Z", "2016-02-03T04:05:06Z");
        check("2016-02-03T04:05:06+02:00", "2016-02-03T02:05:06Z");
        check("2016-02-03T04:05:06-0530", "2016-02-03T09:35:06Z");
        check("2016-02-03 04:05:06+01", "2016-02-03T03:05:06Z");
        check("2016-02-03t04:05:06z", "2016-02-03T04:05:06Z");
        check("2016-02-03T04:05:06", "2016-02-03T04:05:06Z");
        check("2016-02-03 04:05:06", "2016-02-03T04:05:06Z");
        check("2016-02-03 04:05:06.5", "2016-02-03T04:05:06.5Z");
        check("2016-02-03 04:05:06 UTC", "2016-02-03T04:05:06Z");
        check("2016-02-03 04:05:06 +0100", "2016-02-03T03:05:06Z");
        check(" 2016-02-03 \r\n", "2016-02-03T00:00:00Z");
        check("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z");
        check("Mon, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z");
        check("06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z");
        check("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z");
        check("Sun, 06-Nov-1994 08:49:37 GMT", "1994-11-06T08:49:37Z");
        check("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z");
        check("1454472306", "2016-02-03T04:05:06Z");
        check("1454472306789", "2016-02-03T04:05:06.789Z");
    }

    #[test]
    fn no_dates() {
        for text in [
            "",
            " ",
            "soon",
            "2016-13",
            "2016-02-30",
            "20161301000000",
            "20160203246060",
            "1",
            "201",
            "é",
            "2016é0",
        ] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }

    #[test]
    fn unix_times_of_all_units() {
        for number in [1_454_472_306, 1_454_472_306_000, 1_454_472_306_000_000, 1_454_472_306_000_000_000] {
            assert_eq!(from_unix(number), parse_date("2016-02-03T04:05:06Z"), "{number}");
        }
        assert_eq!(from_unix(0), Some(Timestamp::UNIX_EPOCH));
        assert_eq!(from_unix_fraction(1_454_472_306.25), parse_date("2016-02-03T04:05:06.25Z"));
        assert_eq!(from_unix_fraction(1_454_472_306_000.25), parse_date("2016-02-03T04:05:06Z"));
        assert_eq!(from_unix_fraction(f64::NAN), None);
        assert_eq!(from_unix_fraction(f64::INFINITY), None);
    }

    proptest! {
        #[test]
        fn any_text_has_an_answer(text: String, number: i64, fraction: f64) {
            parse_date(&text);
            from_unix(number);
            from_unix_fraction(fraction);
        }

        #[test]
        fn any_near_date_has_an_answer(text in "[0-9]{1,18}|[0-9]{4}-[0-9]{1,2}[-T: é][0-9:.TZ+ é-]{0,20}|[A-Z][a-z]{2},? [0-9A-Za-z: -]{0,24}") {
            parse_date(&text);
        }

        #[test]
        fn dates_that_were_printed_come_back(second in -62_000_000_000_i64..250_000_000_000) {
            let date = Timestamp::from_second(second).unwrap();
            prop_assert_eq!(parse_date(&date.to_string()), Some(date));
            prop_assert_eq!(parse_date(&date.strftime("%Y-%m-%d %H:%M:%S").to_string()), Some(date));
            prop_assert_eq!(parse_date(&date.strftime("%Y%m%d%H%M%S").to_string()), Some(date));
            prop_assert_eq!(parse_date(&date.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()), Some(date));
        }
    }
}
