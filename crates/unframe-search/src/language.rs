//! Detects the language of a page by its script and its function words.

use std::collections::HashMap;
use std::sync::LazyLock;

use unframe::blocks::{CutPage, words};

/// Number of words that are examined.
const WORDS_MAX: usize = 400;
/// Minimum number of function words of the language.
const WORDS_MIN: usize = 3;

/// Function words that distinguish languages with the same script.
#[rustfmt::skip]
const FUNCTION_WORDS: [(&str, &str); 25] = [
    ("en", "the of and to in is that for it with as this are be on you not by from or"),
    ("de", "der die und das ist nicht ein eine zu den von mit sich auf für im dem des auch wird"),
    ("fr", "le la les et des est une dans que pour qui pas sur au avec ce du ne sont vous"),
    ("es", "el los las que en una por con para del es se no su como más al lo pero este"),
    ("it", "il di che è per una con non sono della gli del le alla anche nel dei più questo si"),
    ("pt", "o os que não uma para com em do da dos das por mais como ao se é são foi"),
    ("nl", "het een van en de dat niet zijn voor met op aan ook als bij wordt door naar maar deze"),
    ("sv", "och att det som är av för med den inte till ett har om vi så kan på eller var"),
    ("da", "og at det som er af for med den ikke til et har om vi så kan på eller var blev"),
    ("no", "og at det som er av for med den ikke til et har om vi så kan på eller var ble"),
    ("fi", "ja on ei se että oli ovat mutta kun niin joka hän sen tai myös kuin ole voi tämä jos"),
    ("pl", "i w na się że nie do jest to z jak przez dla po ale czy od są oraz ten"),
    ("cs", "a v se na je že to s z do pro jako by ale který jsou při nebo jeho byl"),
    ("sk", "a v sa na je že to s z do pre ako by ale ktorý sú pri alebo jeho bol"),
    ("hu", "a az és hogy nem is egy ez meg volt de csak el mint már vagy van ki fel azt"),
    ("ro", "și în de la nu cu că pe este un o mai din care să sau pentru fi au lui"),
    ("tr", "ve bir bu da de için ile olarak daha çok olan gibi en ne sonra kadar değil var her ya"),
    ("id", "dan yang di untuk dengan ini itu dari pada tidak dalam akan adalah ke oleh juga atau dapat sebagai ada"),
    ("vi", "và của là có không được cho các một trong này với người những đã để khi từ đến như"),
    ("ca", "i el els les que una per amb del no és són com més també als aquest seva entre però"),
    ("hr", "i u je na se da za su od s ili kao koji nije što bi po iz ako do"),
    ("ru", "и в не на что с как это по но из к для от или так же его все если"),
    ("uk", "і в не на що з як це та до у для від або за але його при також є"),
    ("bg", "и в не на че с да се за от по като са или това при към има след ще"),
    ("sr", "и у је на се да за су од с или као који није што би по из ако до"),
];

/// For each small word a bit for every language that has it.
static LANGUAGES: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, u32> = HashMap::new();
    for (number, (_, words)) in FUNCTION_WORDS.iter().enumerate() {
        words.split(' ').for_each(|word| *languages.entry(word).or_default() |= 1 << number);
    }
    languages
});

/// The language of a page as a code of two letters; empty if it is unknown. The declared language counts only if the text is not
/// conclusive.
pub(crate) fn of(page: &CutPage) -> String {
    by_text(page).map(str::to_owned).or_else(|| declared(page)).unwrap_or_default()
}

fn declared(page: &CutPage) -> Option<String> {
    let name = page.language.as_deref()?.split(['-', '_']).next()?.to_ascii_lowercase();
    let is_code = (2..=3).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase());
    is_code.then_some(name)
}

fn by_text(page: &CutPage) -> Option<&'static str> {
    // The words around the middle of the page: templates stand at its ends.
    let start = page.words.len().saturating_sub(WORDS_MAX) / 2;
    let sample = &page.words[start..page.words.len().min(start + WORDS_MAX)];
    by_script(sample.iter().map(|word| word.of(&page.text))).or_else(|| {
        let mut counts = [0; FUNCTION_WORDS.len()];
        let mut lower = String::new();
        for word in sample.iter().map(|word| word.of(&page.text)).filter(|word| word.len() <= 16) {
            let mut having = LANGUAGES.get(words::lower(word, &mut lower)).copied().unwrap_or_default();
            while having != 0 {
                counts[having.trailing_zeros() as usize] += 1;
                having &= having - 1;
            }
        }
        // Of equal counts the first.
        let (best, count) = counts.iter().enumerate().rev().max_by_key(|(_, count)| **count)?;
        (*count >= WORDS_MIN).then_some(FUNCTION_WORDS[best].0)
    })
}

/// The language of a script that one language is written in.
fn by_script<'w>(words: impl Iterator<Item = &'w str>) -> Option<&'static str> {
    let mut counts = [
        ("ja", 0),
        ("ko", 0),
        ("zh", 0),
        ("el", 0),
        ("he", 0),
        ("ar", 0),
        ("th", 0),
        ("hi", 0),
        ("ka", 0),
        ("hy", 0),
    ];
    let mut all = 0;
    for c in words.filter_map(|word| word.chars().next()) {
        all += 1;
        let script = match c {
            '\u{3041}'..='\u{30ff}' => 0,
            '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => 1,
            '\u{3400}'..='\u{9fff}' => 2,
            '\u{370}'..='\u{3ff}' => 3,
            '\u{590}'..='\u{5ff}' => 4,
            '\u{600}'..='\u{6ff}' => 5,
            '\u{e00}'..='\u{e7f}' => 6,
            '\u{900}'..='\u{97f}' => 7,
            '\u{10a0}'..='\u{10ff}' => 8,
            '\u{530}'..='\u{58f}' => 9,
            _ => continue,
        };
        counts[script].1 += 1;
    }
    // Japanese is written with Chinese characters as well, and so is some Korean.
    let (kana, hangul, han) = (counts[0].1, counts[1].1, counts[2].1);
    if kana * 10 > han && (kana + han) * 3 > all {
        return Some("ja");
    }
    if hangul > han && hangul * 3 > all {
        return Some("ko");
    }
    counts[2..]
        .iter()
        .filter(|(_, count)| count * 3 > all)
        .max_by_key(|(_, count)| *count)
        .map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use unframe::detect::Blocks;
    use unframe::{PageBytes, PageParser};

    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let page = PageBytes::utf8(html.as_bytes());
        assert_eq!(of(&Blocks::default().cut(&PageParser::new().open(page), &[])), expected, "{html}");
    }

    #[test]
    fn languages_are_distinguished() {
        check("<p>The cat is in the house, and it is not amused by this.", "en");
        check("<p>Die Katze ist nicht im Haus, und das ist auch gut so.", "de");
        check("<p>Кошка в доме, и это не так плохо, как все говорят.", "ru");
        check("<p>Кішка в хаті, але це не так погано, як за старих часів.", "uk");
        check("<p>猫は家にいる", "ja");
        check("<p>猫在屋里", "zh");
        check("<p>고양이가 집에 있다", "ko");
        check("<p>Η γάτα είναι στο σπίτι", "el");
    }

    #[test]
    fn what_a_page_says_of_itself_counts_when_nothing_else_does() {
        check("<html lang=fr-CA><p>42", "fr");
        check("<html lang=fr><p>The cat is in the house, and it is not amused.", "en");
        check("<html lang=\"\u{1f}x\"><p>42", "");
    }
}
