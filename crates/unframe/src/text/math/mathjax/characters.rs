//! The characters that MathJax displays: letters of mathematical alphabets, and pieces of large signs.

/// The alphabet of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// Upright, or not a letter.
    None,
    /// As identifiers usually are.
    Italic,
    Bold,
    BoldItalic,
    Script,
    Fraktur,
    DoubleStruck,
    SansSerif,
    Monospace,
}

impl Variant {
    /// The name in MathML; empty if it is the usual one.
    pub(super) fn name(self) -> &'static str {
        match self {
            Variant::None | Variant::Italic => "",
            Variant::Bold => "bold",
            Variant::BoldItalic => "bold-italic",
            Variant::Script => "script",
            Variant::Fraktur => "fraktur",
            Variant::DoubleStruck => "double-struck",
            Variant::SansSerif => "sans-serif",
            Variant::Monospace => "monospace",
        }
    }
}

/// The alphabets of Latin letters from U+1D400 on, with 52 letters each.
const LATIN: [Variant; 13] = [
    Variant::Bold,
    Variant::Italic,
    Variant::BoldItalic,
    Variant::Script,
    Variant::Script,
    Variant::Fraktur,
    Variant::DoubleStruck,
    Variant::Fraktur,
    Variant::SansSerif,
    Variant::SansSerif,
    Variant::SansSerif,
    Variant::SansSerif,
    Variant::Monospace,
];

/// Those of Greek letters from U+1D6A8 on, with 58 signs each.
const GREEK: [Variant; 5] =
    [Variant::Bold, Variant::Italic, Variant::BoldItalic, Variant::SansSerif, Variant::SansSerif];

/// Those of digits from U+1D7CE on, with ten each.
const DIGITS: [Variant; 5] =
    [Variant::Bold, Variant::DoubleStruck, Variant::SansSerif, Variant::SansSerif, Variant::Monospace];

/// The signs of a Greek alphabet after the capital letters, and after the small ones.
const AFTER_SMALL: [char; 7] = ['∂', 'ϵ', 'ϑ', 'ϰ', 'ϕ', 'ϱ', 'ϖ'];

/// The usual character for one that is displayed, and its alphabet. The font `C` has script letters at the places of the usual ones.
pub(super) fn plain(c: char, font: &str) -> (char, Variant) {
    let code = u32::from(c);
    let split = |start: u32, length: u32| (((code - start) / length) as usize, (code - start) % length);
    let letter = |base: char, at: u32| char::from_u32(u32::from(base) + at).unwrap_or(c);
    match code {
        0x1d400..=0x1d6a3 => {
            let (alphabet, at) = split(0x1d400, 52);
            (if at < 26 { letter('A', at) } else { letter('a', at - 26) }, LATIN[alphabet])
        }
        0x1d6a8..=0x1d7c9 => {
            let (alphabet, at) = split(0x1d6a8, 58);
            let c = match at {
                0..25 => letter('Α', at),
                25 => '∇',
                26..51 => letter('α', at - 26),
                _ => AFTER_SMALL[at as usize - 51],
            };
            (c, GREEK[alphabet])
        }
        0x1d7ce..=0x1d7ff => {
            let (alphabet, at) = split(0x1d7ce, 10);
            (letter('0', at), DIGITS[alphabet])
        }
        _ => match c {
            'ℎ' => ('h', Variant::Italic),
            'ℂ' => ('C', Variant::DoubleStruck),
            'ℍ' => ('H', Variant::DoubleStruck),
            'ℕ' => ('N', Variant::DoubleStruck),
            'ℙ' => ('P', Variant::DoubleStruck),
            'ℚ' => ('Q', Variant::DoubleStruck),
            'ℝ' => ('R', Variant::DoubleStruck),
            'ℤ' => ('Z', Variant::DoubleStruck),
            _ if font == "C" && c.is_ascii_alphabetic() => (c, Variant::Script),
            _ => (c, Variant::None),
        },
    }
}

/// The sign that is put together of pieces, by its first piece.
pub(super) fn joined(piece: char) -> char {
    match piece {
        '\u{239b}'..='\u{239d}' => '(',
        '\u{239e}'..='\u{23a0}' => ')',
        '\u{23a1}'..='\u{23a3}' => '[',
        '\u{23a4}'..='\u{23a6}' => ']',
        '\u{23a7}'..='\u{23a9}' => '{',
        '\u{23ab}'..='\u{23ad}' => '}',
        '\u{e150}' => '⏞',
        '\u{e152}' => '⏟',
        '–' => '¯',
        _ => piece,
    }
}
