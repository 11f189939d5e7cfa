//! Tests the charsets found for pages with and without a declaration.

use std::path::Path;

use encoding_rs::Encoding;
use proptest::prelude::*;

use super::{CharsetSource, find};
use crate::limits::CHARSET_DETECTION_BYTES;

/// Checks the result in its displayed form: `GBK (meta)`.
#[track_caller]
fn check(payload: &[u8], content_type: Option<&str>, expected: &str) {
    assert_eq!(find(payload, content_type).to_string(), expected);
}

/// Encodes a text that has no character outside the charset.
#[track_caller]
fn encode(text: &str, label: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label.as_bytes()).expect("a known label");
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable, "{label} cannot write {text}");
    bytes.into_owned()
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

const RUSSIAN: &str = "Вчера вечером над озером поднялся туман, и рыбаки вернулись домой раньше обычного.";
const JAPANESE: &str = "きのうの夜、湖の上に霧が立ちこめて、漁師たちはいつもより早く家に帰りました。";

#[test]
fn byte_order_mark_comes_first() {
    check(b"\xef\xbb\xbf<meta charset=gbk>", Some("text/html; charset=big5"), "UTF-8 (bom)");
    check(b"\xff\xfe<\0p\0>\0", Some("text/html; charset=big5"), "UTF-16LE (bom)");
    check(b"\xfe\xff\0<\0p\0>", None, "UTF-16BE (bom)");
    // A partial byte order mark does not count.
    check(b"\xef\xbb<meta charset=gbk>", None, "GBK (meta)");
}

#[test]
fn http_header_comes_before_meta() {
    let page = b"<meta charset=utf-8><p>";
    for (content_type, expected) in [
        ("text/html; charset=GB2312", "GBK (http)"),
        ("text/html;charset=\"Shift_JIS\"", "Shift_JIS (http)"),
        ("text/html; charset = 'koi8-r'", "KOI8-R (http)"),
        ("text/html; CHARSET=  windows-1251 ; x=y", "windows-1251 (http)"),
        ("text/html; x=charset; charset=big5", "Big5 (http)"),
        ("text/html; charset=\" latin2 ", "ISO-8859-2 (http)"),
        ("text/html, text/html; charset=euc-kr", "EUC-KR (http)"),
        ("charset=utf-16", "UTF-16LE (http)"),
        ("text/html; charset=utf-16be", "UTF-16BE (http)"),
        // With unknown, missing and `replacement` labels, the page decides.
        ("text/html; charset=martian", "UTF-8 (meta)"),
        ("text/html; charset=", "UTF-8 (meta)"),
        ("text/html; charset", "UTF-8 (meta)"),
        ("text/html; xcharset=big5", "UTF-8 (meta)"),
        ("text/html; charset=hz-gb-2312", "UTF-8 (meta)"),
        ("text/html; charset=iso-2022-kr", "UTF-8 (meta)"),
        ("", "UTF-8 (meta)"),
        ("tëxt; =;=,;", "UTF-8 (meta)"),
    ] {
        check(page, Some(content_type), expected);
    }
    // A known label wins even when the bytes contradict it.
    check("é".as_bytes(), Some("text/html; charset=us-ascii"), "windows-1252 (http)");
}

#[test]
fn meta_is_found_as_the_standard_says() {
    for (page, expected) in [
        ("<meta charset=euc-jp>", "EUC-JP (meta)"),
        ("<META/CHARSET = ' EUC-JP '/>", "EUC-JP (meta)"),
        ("<!-- <meta charset=gbk> --><meta charset=big5>", "Big5 (meta)"),
        ("<!--><meta charset=big5>", "Big5 (meta)"),
        ("<p title='<meta charset=gbk>'><meta charset=big5>", "Big5 (meta)"),
        ("<?php <meta charset=gbk ?><meta charset=big5>", "Big5 (meta)"),
        ("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "KOI8-R (meta)"),
        ("<meta content='charset charset = \"koi8-u\"' http-equiv=content-type>", "KOI8-U (meta)"),
        ("<meta content='text/html; charset=koi8-r'>", "UTF-8 (default)"),
        ("<meta http-equiv=refresh content='text/html; charset=koi8-r'>", "UTF-8 (default)"),
        ("<meta name=x charset=gbk charset=big5>", "GBK (meta)"),
        ("<meta charset=utf-16le>", "UTF-8 (meta)"),
        ("<meta charset=x-user-defined>", "windows-1252 (meta)"),
        ("<meta charset=martian><meta charset=gbk>", "GBK (meta)"),
        ("<meta charset=martian http-equiv=content-type content='charset=gbk'>", "UTF-8 (default)"),
        ("<meta charset=gbk", "UTF-8 (default)"),
        ("<metacharset=gbk>", "UTF-8 (default)"),
        ("<!-- <meta charset=gbk>", "UTF-8 (default)"),
    ] {
        check(page.as_bytes(), None, expected);
    }
}

#[test]
fn meta_behind_long_scripts_is_found_while_the_head_lasts() {
    let script = format!("<html><head><title><p></title><script>{}'<p>'</script>", "x = 1;\n".repeat(400));
    check(format!("{script}<meta charset=gbk>").as_bytes(), None, "GBK (meta)");
    check(format!("{script}</head><meta charset=gbk>").as_bytes(), None, "UTF-8 (default)");
    check(format!("{script}<body><meta charset=gbk>").as_bytes(), None, "UTF-8 (default)");
    let too_far = "<style> </style>".repeat(crate::limits::META_HEAD_BYTES / 16);
    check(format!("{too_far}<meta charset=gbk>").as_bytes(), None, "UTF-8 (default)");
    // The limit of 1024 bytes splits the tag.
    let comment = format!("<!--{}-->", "-".repeat(1000));
    check(format!("{comment}<meta charset=shift_jis>").as_bytes(), None, "Shift_JIS (meta)");
}

#[test]
fn declared_utf8_is_believed_unless_most_of_it_is_invalid() {
    let page = |text: &[u8]| [b"<meta charset=utf-8><p>", text].concat();
    let latin = b"Caf\xe9 cr\xe8me, th\xe9 glac\xe9 et g\xe2teau";
    check(&page(latin), None, "windows-1252 (content)");
    check(&page(latin), Some("text/html; charset=utf-8"), "windows-1252 (content)");
    check(&page(&encode(RUSSIAN, "windows-1251")), None, "windows-1251 (content)");
    // Two invalid sequences may be accidents.
    check(&page(b"Caf\xe9 cr\xe8me"), None, "UTF-8 (meta)");
    // There are as many valid characters as invalid sequences.
    check(&page(&["Café, crème, thé. ".as_bytes(), b"\xe9 \xe9 \xe9"].concat()), None, "UTF-8 (meta)");
    let fewer = page(&["Café, thé. ".as_bytes(), b"\xe9 \xe9 \xe9"].concat());
    assert_eq!(find(&fewer, None).source, CharsetSource::Content);
    // A byte order mark is never an accident.
    check(&[b"\xef\xbb\xbf", &*page(latin)].concat(), None, "UTF-8 (bom)");
}

#[test]
fn xml_declaration_comes_after_meta() {
    for (page, expected) in [
        ("<?xml version='1.0' encoding = 'iso-8859-5' ?><p>", "ISO-8859-5 (meta)"),
        ("<?xml version='1.0' encoding=\"utf-16\"?>", "UTF-8 (meta)"),
        ("<?xml encoding='gbk'?><meta charset=big5>", "Big5 (meta)"),
        ("<?xml encoding='g bk'?>", "UTF-8 (default)"),
        ("<?xml encoding=gbk?>", "UTF-8 (default)"),
        ("<?xml version='1.0'?><p>encoding='gbk'", "UTF-8 (default)"),
        (" <?xml encoding='gbk'?>", "UTF-8 (default)"),
    ] {
        check(page.as_bytes(), None, expected);
    }
    check(&utf16("<?xml version='1.0'?><p>", u16::to_le_bytes), None, "UTF-16LE (meta)");
    check(&utf16("<?xml version='1.0'?><p>", u16::to_be_bytes), None, "UTF-16BE (meta)");
}

#[test]
fn undeclared_ascii_and_utf8_need_no_detector() {
    check(b"", None, "UTF-8 (default)");
    check(b"<p>plain", None, "UTF-8 (default)");
    check("<p>Grüße".as_bytes(), None, "UTF-8 (content)");
    // A truncated last character, and a single bad byte far away, do not change the charset.
    let page = format!("<p>{}", RUSSIAN.repeat(200));
    check(&page.as_bytes()[..page.len() - 2], None, "UTF-8 (content)");
    check(&[page.as_bytes(), b"\xff"].concat(), None, "UTF-8 (content)");
}

#[test]
fn undeclared_legacy_charsets_are_detected() {
    const POLISH: &str = "Wczoraj wieczorem nad jeziorem podniosła się mgła, więc rybacy wrócili wcześniej.";
    const GERMAN: &str = "Über dem See stieg gestern früh Nebel auf, und die Fischer kehrten müde zurück.";
    const GREEK: &str = "Χθες το βράδυ σηκώθηκε ομίχλη πάνω από τη λίμνη και οι ψαράδες γύρισαν νωρίς.";
    const TURKISH: &str =
        "Dün akşam gölün üstüne sis çöktü ve balıkçılar her zamankinden erken döndüler; ağır.";
    const HEBREW: &str = "אתמול בערב עלה ערפל מעל האגם והדייגים חזרו הביתה מוקדם מהרגיל.";
    const ARABIC: &str = "مساء أمس ارتفع الضباب فوق البحيرة وعاد الصيادون إلى بيوتهم أبكر من المعتاد.";
    const BALTIC: &str =
        "Vakar vakarā virs ezera pacēlās bieza migla, tāpēc zvejnieki atgriezās mājās agrāk.";
    const CHINESE: &str = "昨天晚上湖面上起了大雾，渔民们比平时更早地回到了家里。";
    const TAIWANESE: &str = "昨天晚上湖面上起了大霧，漁民們比平時更早地回到了家裡。";
    const KOREAN: &str = "어제 저녁 호수 위에 안개가 피어올라 어부들은 평소보다 일찍 집으로 돌아왔다.";
    for (text, label) in [
        (CHINESE, "GBK"),
        (TAIWANESE, "Big5"),
        (JAPANESE, "Shift_JIS"),
        (JAPANESE, "EUC-JP"),
        (JAPANESE, "ISO-2022-JP"),
        (KOREAN, "EUC-KR"),
        (RUSSIAN, "windows-1251"),
        (RUSSIAN, "KOI8-U"),
        (RUSSIAN, "IBM866"),
        (POLISH, "ISO-8859-2"),
        (POLISH, "windows-1250"),
        (GERMAN, "windows-1252"),
        (GREEK, "windows-1253"),
        (TURKISH, "windows-1254"),
        (HEBREW, "windows-1255"),
        (ARABIC, "windows-1256"),
        (BALTIC, "windows-1257"),
    ] {
        let page = format!("<html><body><p>{text}</p><p>{text}</p></body></html>");
        // Markup before and between the text, and its length, must not matter.
        let long = format!("{}<p>{text}</p>{}<p>{text}", "<br>".repeat(9000), "<br>".repeat(9000));
        let expected = format!("{label} (content)");
        check(&encode(&page, label), None, &expected);
        check(&encode(&long, label), None, &expected);
        check(
            &encode(&page, label),
            Some(&format!("text/html; charset={label}")),
            &format!("{label} (http)"),
        );
    }
}

#[test]
fn koi8_r_is_declared_or_read_as_its_superset() {
    // KOI8-U encodes all letters like KOI8-R; the detector knows only KOI8-U.
    let page = encode(RUSSIAN, "KOI8-R");
    check(&page, None, "KOI8-U (content)");
    assert_eq!(encoding_rs::KOI8_U.decode(&page).0, RUSSIAN);
    check(&page, Some("text/html; charset=koi8-r"), "KOI8-R (http)");
}

#[test]
fn utf16_without_mark_is_labelled_or_mostly_latin() {
    let latin = "<html><head><title>A page</title>";
    check(&utf16(latin, u16::to_le_bytes), None, "UTF-16LE (content)");
    check(&utf16(latin, u16::to_be_bytes), None, "UTF-16BE (content)");
    check(&utf16(RUSSIAN, u16::to_le_bytes), Some("text/html; charset=utf-16"), "UTF-16LE (http)");
    check(&utf16(RUSSIAN, u16::to_be_bytes), Some("text/html; charset=UTF-16BE"), "UTF-16BE (http)");
    check(&[0; 64], None, "UTF-8 (default)");
}

#[test]
fn escapes_alone_are_not_japanese() {
    check(b"<pre>\x1b[31mred\x1b[0m</pre>", None, "UTF-8 (default)");
}

#[test]
fn the_detector_looks_at_so_many_bytes_and_no_more() {
    // A byte that is invalid in UTF-8, at the last position that is examined and at the one after it.
    for (start, is_utf8) in [("x", false), ("xx", true)] {
        let text = start.to_owned() + &"ä".repeat(CHARSET_DETECTION_BYTES / 2 - 1);
        let found = find(&[text.as_bytes(), b"\xff"].concat(), None);
        assert_eq!(found.encoding == encoding_rs::UTF_8, is_utf8, "{found}");
    }
}

proptest! {
    #[test]
    fn any_bytes_have_a_charset(payload: Vec<u8>, content_type: Option<String>) {
        find(&payload, content_type.as_deref());
    }

    #[test]
    fn any_soup_of_markup_has_a_charset(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<", ">", "meta", "<meta ", "charset", "=", "\"", "'", " ", "/", "<!--", "-->", "-", "<?xml ", "encoding",
                "content", "http-equiv", "content-type", ";", "gbk", "utf-16", "<script", "</script", "\u{e9}", "\0",
            ]),
            0..40,
        ),
    ) {
        let page = pieces.concat();
        let charset = find(page.as_bytes(), None);
        prop_assert_eq!(charset.source == CharsetSource::Default, charset.source.name() == "default");
    }
}

/// Runs the test cases of html5lib, which expect windows-1252 for pages without a declaration.
#[test]
fn html5lib_encoding_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/html5lib/encoding");
    let (mut declared, mut undeclared) = (0, 0);
    for file in ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"] {
        let text = std::fs::read(folder.join(file)).expect("a readable test file");
        for (data, expected) in dat_cases(&text) {
            let expected = Encoding::for_label(&expected).expect("a known label").name();
            let found = find(&data, None);
            if expected == "windows-1252" && found.source == CharsetSource::Default {
                undeclared += 1;
                continue;
            }
            // Its bytes are UTF-8, which outweighs its declaration.
            if file == "test-yahoo-jp.dat" {
                assert_eq!((expected, found.to_string().as_str()), ("EUC-JP", "UTF-8 (content)"));
                continue;
            }
            assert_eq!(found.name(), expected, "{file}: {found} in\n{}", String::from_utf8_lossy(&data));
            declared += 1;
        }
    }
    assert_eq!((declared, undeclared), (49, 32));
    let big5 = std::fs::read(folder.join("chardet/test_big5.txt")).expect("a readable test file");
    check(&big5, None, "Big5 (content)");
}

/// The pairs of `#data` and `#encoding` in a test file of html5lib.
fn dat_cases(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut cases: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut in_data = false;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match (line.trim_ascii_end(), cases.last_mut()) {
            (b"#data", _) => {
                cases.push(Default::default());
                in_data = true;
            }
            (b"#encoding", _) => in_data = false,
            (_, Some((data, _))) if in_data => data.extend_from_slice(line),
            (label, Some((_, encoding))) => encoding.extend_from_slice(label),
            (_, None) => {}
        }
    }
    cases
}
