//! Formats numbers for readers.

/// Formats a number with thousands separators: `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun: `1 page`, `12,345 pages`.
pub fn plural(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Formats a share in percent: `38 %`, and `0.4 %` below 1.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent.abs() {
        0.05..0.95 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

/// Formats a number of bytes in a suitable unit: `812 B`, `20 kB`, `4.2 MB`.
pub fn bytes_short(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let tenths = (value * 10.0).round();
    match tenths % 10.0 == 0.0 || unit == 0 || tenths >= 100.0 {
        true => format!("{value:.0} {}", UNITS[unit]),
        false => format!("{value:.1} {}", UNITS[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 2].map(|pages| plural(pages, "page")), ["1 page", "2 pages"]);
        assert_eq!([0.0, 0.004, 0.384, 1.0].map(percent), ["0 %", "0.4 %", "38 %", "100 %"]);
        assert_eq!(
            [0, 812, 1_000, 20_480, 999_600, 4_200_000, 3_960_000].map(bytes_short),
            ["0 B", "812 B", "1 kB", "20 kB", "1 MB", "4.2 MB", "4 MB"]
        );
    }
}
