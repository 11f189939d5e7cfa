//! One pass over the characters of a text, which finds words, punctuation, numbers and dates.

/// Counts of characters in a text, and patterns found in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    /// Characters, with white space collapsed.
    pub(super) chars: u32,
    pub(super) digits: u32,
    pub(super) capitals: u32,
    /// Full stops and other marks that end sentences.
    pub(super) stops: u32,
    /// Commas and other marks inside sentences.
    pub(super) commas: u32,
    /// Marks that separate the items of a line: `|`, `»`, `·`.
    pub(super) separators: u32,
    pub(super) ends_sentence: bool,
    pub(super) ends_with_mark: bool,
    pub(super) begins_with_capital: bool,
    pub(super) begins_with_quote: bool,
    pub(super) ends_with_dots: bool,
    pub(super) has_date: bool,
    pub(super) has_time: bool,
    pub(super) has_copyright: bool,
    pub(super) has_address: bool,
}

/// Reads the texts of blocks, one after the other.
#[derive(Debug)]
pub(super) struct ShapeReader {
    shape: Shape,
    /// The hash of the word being read; `None` between words.
    word: Option<u32>,
    /// The hash of the text in which every number counts as the same number.
    without_digits: u64,
    was_space: bool,
    number: NumberReader,
    last: char,
    before_last: char,
}

const WORD_SEED: u32 = 0x811c_9dc5;
const WORD_PRIME: u32 = 0x0100_0193;
const TEXT_SEED: u64 = 0xcbf2_9ce4_8422_2325;
const TEXT_PRIME: u64 = 0x0000_0100_0000_01b3;

/// The lower-case form of every ASCII letter; 0 for other bytes.
const SMALL_LETTER: [u8; 256] = {
    let mut table = [0; 256];
    let mut letter = b'a';
    while letter <= b'z' {
        table[letter as usize] = letter;
        table[letter.to_ascii_uppercase() as usize] = letter;
        letter += 1;
    }
    table
};

/// The length of the ASCII white space at the start of a text.
fn white_len(text: &[u8]) -> usize {
    text.iter().position(|byte| !matches!(byte, 9..=13 | b' ')).unwrap_or(text.len())
}

impl Default for ShapeReader {
    fn default() -> ShapeReader {
        ShapeReader {
            shape: Shape::default(),
            word: None,
            without_digits: TEXT_SEED,
            was_space: true,
            number: NumberReader::default(),
            last: ' ',
            before_last: ' ',
        }
    }
}

/// The hash of a word, as in [`PageBlocks::words`](super::blocks::PageBlocks::words).
#[cfg(test)]
fn word_hash(word: &str) -> u32 {
    word.chars().flat_map(char::to_lowercase).fold(WORD_SEED, add_char)
}

fn add_char(hash: u32, c: char) -> u32 {
    (hash ^ c as u32).wrapping_mul(WORD_PRIME)
}

impl ShapeReader {
    /// Characters of the block read so far.
    pub(super) fn chars(&self) -> u32 {
        self.shape.chars
    }

    /// Reads the next part of a block. Appends it to `text` with white space collapsed, and its hashed words to `words`.
    pub(super) fn read(&mut self, more: &str, text: &mut String, words: &mut Vec<u32>) {
        // The text is copied in long pieces, since most of it is copied unchanged. The current piece begins here.
        let mut piece = 0;
        let mut at = 0;
        while let Some(byte) = more.as_bytes().get(at) {
            if SMALL_LETTER[usize::from(*byte)] != 0 {
                at += self.letters(&more.as_bytes()[at..]);
                continue;
            }
            let c = match byte.is_ascii() {
                true => char::from(*byte),
                false => more[at..].chars().next().unwrap_or_default(),
            };
            let end = at + c.len_utf8();
            if c.is_whitespace() || c == '\u{200b}' {
                self.end_word(words);
                if self.was_space || c != ' ' {
                    text.push_str(&more[piece..at]);
                    text.extend((!self.was_space).then_some(' '));
                    piece = end + white_len(&more.as_bytes()[end..]);
                }
                self.shape.chars += u32::from(!self.was_space);
                self.was_space = true;
                at = piece.max(end);
                continue;
            }
            self.was_space = false;
            self.shape.chars += 1;
            self.visible(c, words);
            at = end;
        }
        text.push_str(&more[piece..]);
    }

    /// A fast path for ASCII letters, which most texts consist of: has the effect of [`ShapeReader::visible`] on each letter at the start of
    /// `text`, and returns their number.
    // Inlined into the loop over all characters, it would run out of registers.
    #[inline(never)]
    fn letters(&mut self, text: &[u8]) -> usize {
        let (mut word, mut without_digits) = (self.word.unwrap_or(WORD_SEED), self.without_digits);
        let (mut len, mut capitals) = (0, 0);
        for byte in text {
            let small = SMALL_LETTER[usize::from(*byte)];
            if small == 0 {
                break;
            }
            capitals += u32::from(small != *byte);
            word = add_char(word, char::from(small));
            without_digits = (without_digits ^ u64::from(*byte)).wrapping_mul(TEXT_PRIME);
            len += 1;
        }
        let run = &text[..len];
        let [first, ..] = run else { return 0 };
        if self.shape.chars == 0 {
            self.shape.begins_with_capital = first.is_ascii_uppercase();
        }
        if !self.number.is_away() {
            // The first letter may end a number, and the second one the state that this leads to.
            run.iter().take(2).for_each(|byte| self.number.read(char::from(*byte), &mut self.shape));
        }
        (self.before_last, self.last) = match run {
            [.., before, last] => (char::from(*before), char::from(*last)),
            _ => (self.last, char::from(*first)),
        };
        (self.word, self.without_digits, self.was_space) = (Some(word), without_digits, false);
        self.shape.capitals += capitals;
        self.shape.chars += len as u32;
        len
    }

    #[inline(never)]
    fn visible(&mut self, c: char, words: &mut Vec<u32>) {
        let shape = &mut self.shape;
        if shape.chars == 1 {
            shape.begins_with_capital = is_uppercase(c);
            shape.begins_with_quote = matches!(c, '"' | '“' | '«' | '„' | '\'' | '「');
        }
        let is_digit = c.is_ascii_digit();
        if !(is_digit && self.last.is_ascii_digit()) {
            let c = if is_digit { '0' } else { c };
            self.without_digits = (self.without_digits ^ u64::from(c)).wrapping_mul(TEXT_PRIME);
        }
        self.number.read(c, shape);
        if is_alphanumeric(c) {
            shape.digits += u32::from(is_digit);
            shape.capitals += u32::from(is_uppercase(c));
            if is_word_by_itself(c) {
                self.end_word(words);
                words.push(add_char(WORD_SEED, c));
                shape_of_cjk(c, &mut self.shape);
            } else {
                let word = self.word.unwrap_or(WORD_SEED);
                self.word = Some(match c {
                    'а'..='џ' | '\0'..='\u{7f}' => add_char(word, c.to_ascii_lowercase()),
                    _ => c.to_lowercase().fold(word, add_char),
                });
            }
        } else {
            match c {
                '.' | '!' | '?' | '。' | '！' | '？' | '؟' | '।' | '…' => shape.stops += 1,
                ',' | ';' | ':' | '，' | '、' | '；' | '：' | '،' => shape.commas += 1,
                '|' | '»' | '›' | '>' | '«' | '•' | '·' | '/' | '→' => shape.separators += 1,
                '©' => shape.has_copyright = true,
                '@' => shape.has_address = true,
                _ => {}
            }
            self.end_word(words);
        }
        self.before_last = self.last;
        self.last = c;
    }

    fn end_word(&mut self, words: &mut Vec<u32>) {
        if let Some(word) = self.word.take() {
            self.shape.has_copyright |= word == COPYRIGHT;
            self.shape.has_address |= word == WWW || word == HTTP || word == HTTPS;
            words.push(word);
        }
    }

    /// Returns the shape of the block and the hash of its text with equal numbers, and resets the reader for the next block.
    pub(super) fn finish(&mut self, words: &mut Vec<u32>) -> (Shape, u64) {
        self.end_word(words);
        self.number.read(' ', &mut self.shape);
        let mut shape = self.shape;
        let is_stop = |c| matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '؟' | '।' | '…');
        let is_close = |c| matches!(c, '"' | '”' | '»' | '\'' | ')' | ']' | '」');
        shape.ends_sentence = is_stop(self.last) || is_close(self.last) && is_stop(self.before_last);
        shape.ends_with_mark = is_stop(self.last) || is_close(self.last) || matches!(self.last, ':' | '：');
        shape.ends_with_dots = self.last == '…' || self.last == '.' && self.before_last == '.';
        let hash = self.without_digits;
        *self = ShapeReader::default();
        (shape, hash)
    }
}

const COPYRIGHT: u32 = const_word_hash("copyright");
const WWW: u32 = const_word_hash("www");
const HTTP: u32 = const_word_hash("http");
const HTTPS: u32 = const_word_hash("https");

const fn const_word_hash(word: &str) -> u32 {
    let bytes = word.as_bytes();
    let (mut hash, mut at) = (WORD_SEED, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(WORD_PRIME);
        at += 1;
    }
    hash
}

/// `年` (year) and `月` (month) after a number show a date.
fn shape_of_cjk(c: char, shape: &mut Shape) {
    shape.has_date |= matches!(c, '年' | '月') && shape.digits > 0;
}

/// [`char::is_alphanumeric`] with a fast path: the standard library searches a table for everything that is not ASCII.
fn is_alphanumeric(c: char) -> bool {
    match c {
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ʯ' | 'Σ'..='ώ' | 'Ѐ'..='ҁ' | 'א'..='ת' | 'ؠ'..='ي' => {
            true
        }
        'ぁ'..='ゖ' | 'ァ'..='ヺ' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => true,
        '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' => false,
        _ => c.is_alphanumeric(),
    }
}

/// [`char::is_uppercase`] with a fast path like that of [`is_alphanumeric`].
fn is_uppercase(c: char) -> bool {
    match c {
        'А'..='Я' => true,
        'ß'..='ÿ' | 'а'..='џ' | 'א'..='ת' | 'ؠ'..='ي' => false,
        'ぁ'..='ヺ' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{2000}'..='\u{206f}' => false,
        _ => c.is_uppercase(),
    }
}

/// Whether a character counts as a word: Chinese, Japanese and Korean are written without spaces.
pub(super) fn is_word_by_itself(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// Recognises years, dates and times of day.
#[derive(Debug, Default)]
struct NumberReader {
    digits: u32,
    value: u32,
    /// Numbers of one or two digits directly before this one, joined by `.`, `/` or `-`.
    joined: u32,
    /// Whether a number of one or two digits and a `:`, `h` or `.` are directly before this one.
    after_hour: bool,
}

impl NumberReader {
    /// Whether no number precedes, as in most of a text: then only a digit changes the state.
    fn is_away(&self) -> bool {
        self.digits | self.joined | u32::from(self.after_hour) == 0
    }

    fn read(&mut self, c: char, shape: &mut Shape) {
        if let Some(digit) = c.to_digit(10) {
            self.digits += 1;
            self.value = self.value.wrapping_mul(10).wrapping_add(digit);
            shape.has_date |= self.joined == 2 && self.digits == 2;
            shape.has_time |= self.after_hour && self.digits == 2;
            return;
        }
        shape.has_date |= self.digits == 4 && (1900..2100).contains(&self.value);
        let is_short = (1..=2).contains(&self.digits);
        self.joined = match c {
            '.' | '/' | '-' if is_short => self.joined + 1,
            _ => 0,
        };
        self.after_hour = is_short && matches!(c, ':' | 'h' | '.');
        (self.digits, self.value) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Shape, Vec<u32>) {
        let (mut reader, mut words) = (ShapeReader::default(), Vec::new());
        reader.read(text, &mut String::new(), &mut words);
        let (shape, _) = reader.finish(&mut words);
        (shape, words)
    }

    #[test]
    fn words_are_runs_of_letters_and_single_ideographs() {
        let words = |text| read(text).1;
        assert_eq!(words("Green tea, 20%"), ["green", "tea", "20"].map(word_hash));
        assert_eq!(words("绿茶 Tee"), ["绿", "茶", "tee"].map(word_hash));
        assert!(words("— | —").is_empty());
    }

    #[test]
    fn letters_are_those_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_uppercase(c), c.is_uppercase(), "{c:?}");
            if is_alphanumeric(c) && !is_word_by_itself(c) {
                assert_eq!(read(&c.to_string()).1, [word_hash(&c.to_string())], "{c:?}");
            }
        }
    }

    #[test]
    fn dates_and_times_are_recognised() {
        for text in ["in 2024", "3/4/2024", "12.10.98", "2024年"] {
            assert!(read(text).0.has_date, "{text}");
        }
        for text in ["12345", "3/4", "1.5"] {
            assert!(!read(text).0.has_date, "{text}");
        }
        assert!(read("at 14:05").0.has_time);
        assert!(!read("14 05").0.has_time);
    }

    #[test]
    fn numbers_are_alike() {
        let hash = |text| {
            let (mut reader, mut words) = (ShapeReader::default(), Vec::new());
            reader.read(text, &mut String::new(), &mut words);
            reader.finish(&mut words).1
        };
        assert_eq!(hash("12 comments"), hash("7 comments"));
        assert_ne!(hash("12 comments"), hash("12 guests"));
    }

    #[test]
    fn runs_of_letters_are_read_as_letters_one_by_one() {
        for text in
            ["Tea at 14h05", "3.May.2024", "1h2", "x2x33yy4", "Ein Tee für 2 u. 3", "\u{200b}a", "ab\tc"]
        {
            let (mut reader, mut words) = (ShapeReader::default(), Vec::new());
            let mut copy = String::new();
            for c in text.chars() {
                if c.is_whitespace() || c == '\u{200b}' {
                    reader.read(&c.to_string(), &mut copy, &mut words);
                    continue;
                }
                reader.was_space = false;
                reader.shape.chars += 1;
                reader.visible(c, &mut words);
            }
            let by_letter = reader.finish(&mut words);
            let (mut reader, mut run_words) = (ShapeReader::default(), Vec::new());
            reader.read(text, &mut copy, &mut run_words);
            let by_run = reader.finish(&mut run_words);
            assert_eq!(format!("{by_letter:?}{words:?}"), format!("{by_run:?}{run_words:?}"), "{text}");
        }
    }

    #[test]
    fn sentences_end() {
        assert!(read("Tea is hot.").0.ends_sentence);
        assert!(read("“Tea is hot.”").0.ends_sentence);
        assert!(!read("Tea (hot)").0.ends_sentence);
        assert!(read("Read more...").0.ends_with_dots);
    }
}
