//! Detects the language of a text by its script and its frequent trigrams.

/// The minimum number of letters for an answer: short texts look like several languages.
const LETTERS_MIN: usize = 40;
/// Maximum number of characters that are examined; more do not change the result.
const CHARS_MAX: usize = 2000;

/// The language of a text as an ISO 639-1 code, if the text is long enough and the result is clear.
///
/// ```
/// use unframe::language::detect;
///
/// let text = "Der Tee zieht drei Minuten, dann nimmt man die Blätter heraus und trinkt ihn heiß.";
/// assert_eq!(detect(text), Some("de"));
/// assert_eq!(detect("Tea"), None);
/// ```
pub fn detect(text: &str) -> Option<&'static str> {
    let end = text.char_indices().nth(CHARS_MAX).map_or(text.len(), |(at, _)| at);
    let text = &text[..end];
    if text.chars().filter(|char| char.is_alphabetic()).take(LETTERS_MIN).count() < LETTERS_MIN {
        return None;
    }
    let found = whatlang::detect(text).filter(whatlang::Info::is_reliable)?;
    CODES.iter().find(|(long, _)| *long == found.lang().code()).map(|(_, short)| *short)
}

/// Chooses a language: the declared one, unless the text is clearly in another.
///
/// ```
/// use unframe::language::choose;
///
/// assert_eq!(choose(Some("en-GB"), Some("en")), Some("en-GB"));
/// assert_eq!(choose(Some("en"), Some("de")), Some("de"));
/// assert_eq!(choose(Some("en"), None), Some("en"));
/// ```
pub fn choose<'a>(declared: Option<&'a str>, detected: Option<&'a str>) -> Option<&'a str> {
    let agree = |declared: &str, detected: &str| family(primary(declared)) == family(detected);
    match (declared, detected) {
        (Some(declared), Some(detected)) if !agree(declared, detected) => Some(detected),
        _ => declared.or(detected),
    }
}

/// The primary language of a tag such as `en-GB`.
fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

/// A representative for all codes of the same language, and for languages that are too alike to be distinguished by a text.
fn family(code: &str) -> String {
    let code = code.to_ascii_lowercase();
    let same = match code.as_str() {
        "nb" | "nn" => "no",
        "bs" | "hr" | "sh" | "sr" => "sh",
        "in" => "id",
        "iw" => "he",
        "ji" => "yi",
        "cmn" | "yue" => "zh",
        "fil" => "tl",
        _ => return code,
    };
    same.to_owned()
}

/// The detector's three-letter codes, and the corresponding two-letter codes of pages.
#[rustfmt::skip]
const CODES: [(&str, &str); 70] = [
    ("afr", "af"), ("aka", "ak"), ("amh", "am"), ("ara", "ar"), ("aze", "az"), ("bel", "be"), ("ben", "bn"),
    ("bul", "bg"), ("cat", "ca"), ("ces", "cs"), ("cmn", "zh"), ("cym", "cy"), ("dan", "da"), ("deu", "de"),
    ("ell", "el"), ("eng", "en"), ("epo", "eo"), ("est", "et"), ("fin", "fi"), ("fra", "fr"), ("guj", "gu"),
    ("heb", "he"), ("hin", "hi"), ("hrv", "hr"), ("hun", "hu"), ("hye", "hy"), ("ind", "id"), ("ita", "it"),
    ("jav", "jv"), ("jpn", "ja"), ("kan", "kn"), ("kat", "ka"), ("khm", "km"), ("kor", "ko"), ("lat", "la"),
    ("lav", "lv"), ("lit", "lt"), ("mal", "ml"), ("mar", "mr"), ("mkd", "mk"), ("mya", "my"), ("nep", "ne"),
    ("nld", "nl"), ("nob", "nb"), ("ori", "or"), ("pan", "pa"), ("pes", "fa"), ("pol", "pl"), ("por", "pt"),
    ("ron", "ro"), ("rus", "ru"), ("sin", "si"), ("slk", "sk"), ("slv", "sl"), ("sna", "sn"), ("spa", "es"),
    ("srp", "sr"), ("swe", "sv"), ("tam", "ta"), ("tel", "te"), ("tgl", "tl"), ("tha", "th"), ("tuk", "tk"),
    ("tur", "tr"), ("ukr", "uk"), ("urd", "ur"), ("uzb", "uz"), ("vie", "vi"), ("yid", "yi"), ("zul", "zu"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_of_the_detector_has_a_code() {
        let missing: Vec<&str> = whatlang::Lang::all()
            .iter()
            .map(|language| language.code())
            .filter(|code| !CODES.iter().any(|(long, _)| long == code))
            .collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn texts_are_recognised_by_script_and_by_letters() {
        let texts = [
            (
                "en",
                "The kettle is on the stove, and in a few minutes the water will be hot enough for the tea.",
            ),
            (
                "fr",
                "La bouilloire est sur le feu, et dans quelques minutes l'eau sera assez chaude pour le thé.",
            ),
            (
                "ru",
                "Чайник стоит на плите, и через несколько минут вода будет достаточно горячей для чая. Сначала положите листья в чайник, потом налейте воду и подождите ещё три минуты, прежде чем пить.",
            ),
            (
                "zh",
                "水壶在炉子上，几分钟后水就会热得可以泡茶了。请先把茶叶放进茶壶里，然后慢慢地倒水，再等三分钟就可以喝了。",
            ),
        ];
        for (language, text) in texts {
            assert_eq!(detect(text), Some(language));
        }
        assert_eq!(
            detect("12:30 – 14:15 | 42 % | 2024-01-01 | 1,000,000 | 99.95 € | 555-1234 | 7/8 | A4"),
            None
        );
    }

    #[test]
    fn languages_that_are_too_alike_do_not_contradict_each_other() {
        assert_eq!(choose(Some("no"), Some("nb")), Some("no"));
        assert_eq!(choose(Some("sr-Latn"), Some("hr")), Some("sr-Latn"));
        assert_eq!(choose(Some("zh_TW"), Some("zh")), Some("zh_TW"));
        assert_eq!(choose(None, Some("fr")), Some("fr"));
        assert_eq!(choose(None, None), None);
    }
}
