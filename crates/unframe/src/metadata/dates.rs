//! Parses dates in the formats that pages use, into `YYYY-MM-DD` or, if time and zone are known, into RFC 3339.

use std::ops::Range;

use jiff::civil::{Date, Time};

/// Maximum number of tokens of a text that are searched for a date.
const TOKENS_MAX: usize = 128;

/// Years that a web page can be from. Other numbers only look like years.
const YEARS: std::ops::RangeInclusive<i16> = 1970..=2099;

/// The order of `03/05/2024` if both numbers can be a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As in the United States.
    MonthFirst,
    /// As nearly everywhere else.
    DayFirst,
    /// Nothing says which. Such a date is none.
    Unknown,
}

impl Order {
    /// The order in the country of a language tag. English without a country can be from anywhere; readers of other languages expect the
    /// day first.
    pub(super) fn of_language(tag: Option<&str>) -> Order {
        let tag = tag.unwrap_or_default().to_ascii_lowercase().replace('_', "-");
        match tag.split_once('-') {
            // Canada writes both.
            Some(("en", "ca")) => Order::Unknown,
            Some(("en", "us" | "ph")) => Order::MonthFirst,
            Some(("en", country)) if country.len() == 2 => Order::DayFirst,
            _ if tag.is_empty() || tag == "en" || tag.starts_with("en-") => Order::Unknown,
            _ => Order::DayFirst,
        }
    }

    /// The order in the country of a host. Many countries sell their names to anyone, so only some count.
    pub(super) fn of_host(host: &str) -> Order {
        const DAY_FIRST: [&str; 32] = [
            "uk", "au", "nz", "ie", "in", "za", "sg", "my", "hk", "ng", "ke", "pk", "eu", "de", "fr", "nl",
            "be", "it", "es", "pt", "ch", "at", "se", "no", "dk", "fi", "pl", "cz", "gr", "br", "mx", "ar",
        ];
        match host.rsplit('.').next().unwrap_or_default() {
            "us" | "gov" | "mil" | "edu" => Order::MonthFirst,
            name if DAY_FIRST.contains(&name) => Order::DayFirst,
            _ => Order::Unknown,
        }
    }

    /// The order in a text with a date such as `25/06/2024`, whose numbers cannot be swapped.
    pub(super) fn of_text(text: &str) -> Order {
        let is_month = |number: Option<u32>| number.is_some_and(|number| (1..=12).contains(&number));
        let is_day = |number: Option<u32>| number.is_some_and(|number| (13..=31).contains(&number));
        let tokens = tokens(text);
        let orders = tokens.windows(3).filter_map(|three| {
            let &[a, b, c] = three else { return None };
            let is_date = c.text.len() == 4
                && is_joined(text.get(a.end..b.start)?, text.get(b.end..c.start)?)
                && civil(c.number?, 1, 1).is_some();
            match is_date {
                true if is_day(a.number) && is_month(b.number) => Some(Order::DayFirst),
                true if is_month(a.number) && is_day(b.number) => Some(Order::MonthFirst),
                _ => None,
            }
        });
        orders.fold(Order::Unknown, |known, order| if known == Order::Unknown { order } else { known })
    }

    /// This order, or another one if nothing says which.
    pub(super) fn or_else(self, other: impl FnOnce() -> Order) -> Order {
        if self == Order::Unknown { other() } else { self }
    }
}

/// The first date in a text.
pub(super) fn find(text: &str, order: Order) -> Option<String> {
    locate(text, order).map(|(date, _)| date)
}

/// The first date in a text, and the bytes that its day, month and year are in.
pub(super) fn locate(text: &str, order: Order) -> Option<(String, Range<usize>)> {
    let tokens = tokens(text);
    let found = tokens
        .windows(3)
        .find_map(|three| Some((date_of(text, three, order)?, three[0].start..three[2].end)));
    let (date, span) = found.or_else(|| compact(text, &tokens))?;
    let zoned = text.get(span.end..).and_then(time_and_zone);
    let date = match zoned {
        Some(time) => format!("{date}T{time}"),
        None => date.to_string(),
    };
    Some((date, span))
}

/// The date in the path of an address, such as `/2014/05/03/`.
pub(super) fn in_path(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').take(TOKENS_MAX).collect();
    let folders = parts.windows(3).find_map(|three| match three {
        [year, month, day] if year.len() == 4 => date(year, month, day),
        _ => None,
    });
    let dashes = || {
        parts.iter().find_map(|part| {
            let (head, rest) = (part.get(..10)?, part.get(10..)?);
            let is_whole = !rest.starts_with(|c: char| c.is_ascii_digit());
            let [year, month, day] = <[&str; 3]>::try_from(head.split('-').collect::<Vec<_>>()).ok()?;
            (is_whole && year.len() == 4).then(|| date(year, month, day))?
        })
    };
    folders.or_else(dashes).map(|date| date.to_string())
}

/// Prefers the day in the address if the found time is on the day before or after it: times are often in UTC, whereas the address has the
/// author's local day.
pub(super) fn local(found: String, in_path: String) -> String {
    let day = |text: &str| text.get(..10)?.parse::<Date>().ok();
    match (day(&found), day(&in_path)) {
        (Some(a), Some(b)) if a != b && found.len() > 10 && (a - b).get_days().abs() == 1 => in_path,
        _ => found,
    }
}

/// A number or a word of a text.
#[derive(Debug, Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    /// The value of a number.
    number: Option<u32>,
}

/// The numbers and words of a text, without words that only join the parts of a date (`3rd of May`, `3 de mayo de 2024`).
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut rest = text;
    while let Some(skipped) = rest.find(char::is_alphanumeric)
        && tokens.len() < TOKENS_MAX
    {
        let start = text.len() - rest.len() + skipped;
        let tail = &text[start..];
        let is_digit = tail.starts_with(|c: char| c.is_ascii_digit());
        let ends = |c: char| !c.is_alphanumeric() || c.is_ascii_digit() != is_digit;
        let end = start + tail.find(ends).unwrap_or(tail.len());
        let token = Token { text: &text[start..end], start, end, number: text[start..end].parse().ok() };
        if !is_filler(token.text) || tokens.is_empty() {
            tokens.push(token);
        }
        rest = &text[end..];
    }
    tokens
}

/// Whether a word joins the parts of a date.
fn is_filler(word: &str) -> bool {
    const FILLERS: [&str; 16] =
        ["st", "nd", "rd", "th", "of", "de", "del", "the", "er", "º", "年", "月", "日", "년", "월", "일"];
    FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler))
}

/// The date that three consecutive tokens form.
fn date_of(text: &str, three: &[Token<'_>], order: Order) -> Option<Date> {
    let &[a, b, c] = three else { return None };
    let (first, second) = (text.get(a.end..b.start)?, text.get(b.end..c.start)?);
    // Filler words such as `of` may be between.
    if first.len() > 9 || second.len() > 9 || first.contains('\n') || second.contains('\n') {
        return None;
    }
    let is_year = |token: Token<'_>| token.text.len() == 4 && token.number.is_some();
    match (month(a.text), month(b.text)) {
        (_, Some(month)) if is_year(c) => civil(c.number?, month, a.number?),
        (_, Some(month)) if is_year(a) => civil(a.number?, month, c.number?),
        (Some(month), _) if is_year(c) => civil(c.number?, month, b.number?),
        _ if !is_joined(first, second) => None,
        _ if is_year(a) => civil(a.number?, b.number?, c.number?),
        _ if is_year(c) => day_and_month(a.number?, b.number?, c.number?, order, first),
        _ => None,
    }
}

/// Whether the text between three numbers joins them to a date.
fn is_joined(first: &str, second: &str) -> bool {
    let trimmed = (first.trim(), second.trim());
    matches!(trimmed, ("-", "-") | ("/", "/") | (".", ".") | ("年", "月") | ("년", "월")) && first.len() < 6
}

/// `3.5.2024` is the third of May; with other separators the order depends on the reader.
fn day_and_month(a: u32, b: u32, year: u32, order: Order, separator: &str) -> Option<Date> {
    match order {
        Order::MonthFirst if separator != "." => civil(year, a, b).or_else(|| civil(year, b, a)),
        Order::Unknown if separator != "." && a != b && a <= 12 && b <= 12 => None,
        _ => civil(year, b, a).or_else(|| civil(year, a, b)),
    }
}

/// A number of eight digits that is a date: `20240503`.
fn compact(text: &str, tokens: &[Token<'_>]) -> Option<(Date, Range<usize>)> {
    let first = tokens.first().filter(|token| token.text.len() == 8 && token.number.is_some())?;
    let digits = text.get(first.start..first.end)?;
    Some((date(digits.get(..4)?, digits.get(4..6)?, digits.get(6..)?)?, first.start..first.end))
}

fn date(year: &str, month: &str, day: &str) -> Option<Date> {
    let number = |text: &str| text.parse().ok().filter(|_| text.len() <= 4);
    civil(number(year)?, number(month)?, number(day)?)
}

fn civil(year: u32, month: u32, day: u32) -> Option<Date> {
    let year = i16::try_from(year).ok().filter(|year| YEARS.contains(year))?;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// The time at the start of a text, if a zone follows it: `T10:00:00+02:00`, ` 10:00 GMT`.
fn time_and_zone(text: &str) -> Option<String> {
    let text = text.strip_prefix(['T', 't', ' '])?.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(text.len());
    let mut parts = text[..end].split(':').map(|part| part.parse::<i8>().ok());
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    let time = Time::new(hour, minute, second, 0).ok()?;
    let rest = text[end..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()).trim_start();
    let zone = zone(rest)?;
    Some(format!("{:02}:{:02}:{:02}{zone}", time.hour(), time.minute(), time.second()))
}

/// The zone at the start of a text, as RFC 3339 writes it.
fn zone(text: &str) -> Option<String> {
    let is_utc = ["Z", "z", "GMT", "UTC"].iter().any(|name| {
        text.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    });
    if is_utc {
        return Some("Z".to_owned());
    }
    let sign = text.chars().next().filter(|sign| ['+', '-'].contains(sign))?;
    let digits: String =
        text[1..].chars().filter(|c| *c != ':').take_while(char::is_ascii_digit).take(4).collect();
    let (hours, minutes) = (digits.get(..2)?, digits.get(2..4).unwrap_or("00"));
    let is_zone = hours.parse::<u8>().is_ok_and(|hours| hours <= 14)
        && minutes.parse::<u8>().is_ok_and(|minutes| minutes < 60);
    is_zone.then(|| format!("{sign}{hours}:{minutes}"))
}

/// The months by the first letters of their names in the languages of most pages. A longer name must continue like one of these.
#[rustfmt::skip]
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "janvier", "enero", "gennaio", "janeiro", "januari", "stycznia", "ocak", "января", "january", "يناير"],
    &["february", "februar", "février", "febrero", "febbraio", "fevereiro", "februari", "lutego", "şubat", "февраля", "fevrier", "فبراير"],
    &["march", "märz", "mars", "marzo", "março", "maart", "marca", "mart", "марта", "marts", "مارس"],
    &["april", "avril", "abril", "aprile", "kwietnia", "nisan", "апреля", "أبريل", "ابريل"],
    &["may", "mai", "mayo", "maggio", "maio", "mei", "maja", "mayıs", "мая", "maj", "مايو"],
    &["june", "juni", "juin", "junio", "giugno", "junho", "czerwca", "haziran", "июня", "يونيو"],
    &["july", "juli", "juillet", "julio", "luglio", "julho", "lipca", "temmuz", "июля", "يوليو"],
    &["august", "août", "agosto", "augustus", "sierpnia", "ağustos", "августа", "aout", "augusti", "أغسطس"],
    &["september", "septembre", "septiembre", "settembre", "setembro", "września", "eylül", "сентября", "sept", "سبتمبر"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "października", "ekim", "октября", "أكتوبر"],
    &["november", "novembre", "noviembre", "novembro", "listopada", "kasım", "ноября", "نوفمبر"],
    &["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "grudnia", "aralık", "декабря", "decembre", "ديسمبر"],
];

/// The months in more languages. Their abbreviations would be taken for other months, so only whole words count.
#[rustfmt::skip]
const WHOLE_MONTHS: [&[&str]; 12] = [
    &["ιανουαρίου", "ιανουάριος", "ιαν", "ledna", "leden", "tammikuuta", "tammikuu", "січня", "січень", "ianuarie"],
    &["φεβρουαρίου", "φεβρουάριος", "φεβ", "února", "únor", "helmikuuta", "helmikuu", "лютого", "лютий", "februarie", "február"],
    &["μαρτίου", "μάρτιος", "μαρ", "března", "březen", "maaliskuuta", "maaliskuu", "березня", "березень", "martie", "március"],
    &["απριλίου", "απρίλιος", "απρ", "dubna", "duben", "huhtikuuta", "huhtikuu", "квітня", "квітень", "aprilie", "április"],
    &["μαΐου", "μάιος", "μαΐ", "μαι", "května", "květen", "toukokuuta", "toukokuu", "травня", "травень", "május", "май"],
    &["ιουνίου", "ιούνιος", "ιουν", "června", "červen", "kesäkuuta", "kesäkuu", "червня", "червень", "iunie", "június", "июнь"],
    &["ιουλίου", "ιούλιος", "ιουλ", "července", "červenec", "heinäkuuta", "heinäkuu", "липня", "липень", "iulie", "július", "июль"],
    &["αυγούστου", "αύγουστος", "αυγ", "srpna", "srpen", "elokuuta", "elokuu", "серпня", "серпень", "augusztus", "август"],
    &["σεπτεμβρίου", "σεπτέμβριος", "σεπ", "září", "syyskuuta", "syyskuu", "вересня", "вересень", "septembrie", "szeptember", "сентябрь"],
    &["οκτωβρίου", "οκτώβριος", "οκτ", "října", "říjen", "lokakuuta", "lokakuu", "жовтня", "жовтень", "octombrie", "október", "октябрь"],
    &["νοεμβρίου", "νοέμβριος", "νοε", "listopadu", "listopad", "marraskuuta", "marraskuu", "листопада", "листопад", "noiembrie", "ноябрь"],
    &["δεκεμβρίου", "δεκέμβριος", "δεκ", "prosince", "prosinec", "joulukuuta", "joulukuu", "грудня", "грудень", "decembrie", "декабрь"],
];

/// The number of the month that a word names, in full or abbreviated to three letters or more.
fn month(word: &str) -> Option<u32> {
    if word.len() < 3 || word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let word = word.to_lowercase();
    let is_name =
        |name: &&str| **name == word || ((3..=5).contains(&word.chars().count()) && name.starts_with(&word));
    let whole = (1..).zip(WHOLE_MONTHS).find(|(_, names)| names.contains(&word.as_str()));
    let found = whole.or_else(|| (1..).zip(MONTHS).find(|(_, names)| names.iter().any(&is_name)));
    found.map(|(number, _)| number)
}

/// Whether a word names a month or a day of the week in English.
pub(super) fn is_calendar_word(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let lower = word.to_ascii_lowercase();
    month(word).is_some()
        || (lower.len() >= 3
            && DAYS.iter().any(|day| *day == lower || (lower.len() == 3 && day.starts_with(&lower))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_the_ways_that_pages_write_them() {
        let check = |text: &str, expected: &str| {
            assert_eq!(find(text, Order::MonthFirst).as_deref(), Some(expected), "{text}");
        };
        check("2024-05-03", "2024-05-03");
        check("2024-05-03T10:07:08+02:00", "2024-05-03T10:07:08+02:00");
        check("2024-05-03T10:07:08.123Z", "2024-05-03T10:07:08Z");
        check("2024-05-03 10:07", "2024-05-03");
        check("2024-05-03T10:07:08-0500", "2024-05-03T10:07:08-05:00");
        check("Published on May 3rd, 2024 by Ann", "2024-05-03");
        check("Fri, 03 May 2024 10:07:08 GMT", "2024-05-03T10:07:08Z");
        check("3. Mai 2024", "2024-05-03");
        check("3 de mayo de 2024", "2024-05-03");
        check("le 1er août 2024", "2024-08-01");
        check("Sept. 3, 2024", "2024-09-03");
        check("03-May-2024", "2024-05-03");
        check("5/3/2024", "2024-05-03");
        check("31/3/2024", "2024-03-31");
        check("3.5.2024", "2024-05-03");
        check("2024年5月3日", "2024-05-03");
        check("20240503", "2024-05-03");
        check("3 مايو 2024", "2024-05-03");
        check("3 Μαΐου 2024", "2024-05-03");
        check("3. května 2024", "2024-05-03");
        check("3. července 2024", "2024-07-03");
        check("3. toukokuuta 2024", "2024-05-03");
        check("3. marraskuuta 2024", "2024-11-03");
        check("3 травня 2024 р.", "2024-05-03");
        check("3 авг. 2024", "2024-08-03");
        assert_eq!(find("3/5/2024", Order::DayFirst).as_deref(), Some("2024-05-03"));
    }

    #[test]
    fn what_is_no_date_gives_none() {
        for text in [
            "",
            "May 2024",
            "2024",
            "31/31/2024",
            "call 555 01 2024",
            "1.2.3",
            "version 2024-13-40",
            "12 monkeys 2001",
        ] {
            assert_eq!(find(text, Order::MonthFirst), None, "{text}");
        }
    }

    #[test]
    fn addresses_have_dates() {
        assert_eq!(in_path("/blog/2014/05/03/tea.html").as_deref(), Some("2014-05-03"));
        assert_eq!(in_path("/2014-05-03-tea").as_deref(), Some("2014-05-03"));
        assert_eq!(in_path("/2014/05/tea"), None);
        assert_eq!(in_path("/item/20140503"), None);
    }

    #[test]
    fn the_day_in_the_address_is_that_of_the_author() {
        let check = |found: &str, expected: &str| {
            assert_eq!(local(found.to_owned(), "2024-05-03".to_owned()), expected)
        };
        check("2024-05-04T01:00:00Z", "2024-05-03");
        check("2024-05-03T01:00:00Z", "2024-05-03T01:00:00Z");
        check("2024-05-09T01:00:00Z", "2024-05-09T01:00:00Z");
        check("2024-05-04", "2024-05-04");
    }

    #[test]
    fn languages_say_which_number_is_the_month() {
        assert_eq!(Order::of_language(Some("en-GB")), Order::DayFirst);
        assert_eq!(Order::of_language(Some("en-US")), Order::MonthFirst);
        assert_eq!(Order::of_language(Some("de")), Order::DayFirst);
        assert_eq!(Order::of_language(Some("en")), Order::Unknown);
        assert_eq!(Order::of_language(None), Order::Unknown);
        assert_eq!(Order::of_host("tea.co.uk"), Order::DayFirst);
        assert_eq!(Order::of_host("tea.gov"), Order::MonthFirst);
        assert_eq!(Order::of_host("tea.example"), Order::Unknown);
        assert_eq!(Order::of_text("from 25/06/2024"), Order::DayFirst);
        assert_eq!(Order::of_text("06-25-2024"), Order::MonthFirst);
        assert_eq!(Order::of_text("05/06/2024"), Order::Unknown);
    }

    #[test]
    fn an_ambiguous_date_without_evidence_is_none() {
        assert_eq!(find("05/06/2024", Order::Unknown), None);
        for text in ["05/05/2024", "5 May 2024", "2024-05-05", "5.5.2024"] {
            assert_eq!(find(text, Order::Unknown).as_deref(), Some("2024-05-05"), "{text}");
        }
        assert_eq!(find("25/06/2024", Order::Unknown).as_deref(), Some("2024-06-25"));
    }
}
