//! Text without tags: the content of `title`, `style`, `script` and `plaintext`.

use memchr::{memchr, memchr2};

use super::super::problem::ParseProblem;
use super::super::span::Span;
use super::{Mode, TextKind, Token, Tokenizer, ends_tag_name};

impl Tokenizer<'_> {
    /// Reads raw text up to the end tag of its element, then returns to the normal mode.
    pub(super) fn raw(&mut self) -> Option<Token> {
        let start = self.position;
        let (end, kind) = match self.mode {
            Mode::Rcdata => (self.find_end_tag(start), TextKind::Replaced),
            Mode::Rawtext => (self.find_end_tag(start), TextKind::Raw),
            Mode::Script => (self.find_script_end(start), TextKind::Raw),
            Mode::Plaintext => (self.input.len(), TextKind::Raw),
            #[cfg(test)]
            Mode::Cdata => return Some(self.cdata(start, start)),
            Mode::Data => (start, TextKind::Data),
        };
        if end == self.input.len() && self.mode != Mode::Plaintext {
            self.problems.add(ParseProblem::EndsInRawText, start);
        }
        self.mode = Mode::Data;
        self.position = end;
        (end > start).then_some(Token::Text { span: Span::new(start, end), kind })
    }

    /// The position of the next `</name` of the raw element, or the end of the page.
    fn find_end_tag(&self, from: usize) -> usize {
        let mut from = from;
        while let Some(found) = memchr(b'<', &self.input[from..]) {
            let at = from + found;
            if self.is_end_tag(at) {
                return at;
            }
            from = at + 1;
        }
        self.input.len()
    }

    fn is_end_tag(&self, at: usize) -> bool {
        let Some(element) = self.raw_element else { return false };
        self.input.get(at + 1) == Some(&b'/') && has_name(self.input, at + 2, self.names.name(element))
    }

    /// Like `find_end_tag`, for scripts, in which `<!-- <script>` hides a `</script>`.
    fn find_script_end(&self, from: usize) -> usize {
        let mut escape = Escape::None;
        let mut at = from;
        loop {
            let rest = &self.input[at..];
            // Outside of `<!--`, only `<` matters, and most scripts contain none.
            let found = if escape == Escape::None { memchr(b'<', rest) } else { memchr2(b'<', b'-', rest) };
            let Some(found) = found else { return self.input.len() };
            at += found;
            let rest = &rest[found..];
            if rest[0] == b'-' {
                if rest.starts_with(b"-->") {
                    escape = Escape::None;
                }
                at += 1;
            } else if escape == Escape::None && rest.starts_with(b"<!--") {
                escape = Escape::Comment;
                // The dashes may also belong to `-->`.
                at += 2;
            } else if escape == Escape::Comment && has_name(self.input, at + 1, b"script") {
                escape = Escape::Script;
                at += 7;
            } else if escape == Escape::Script {
                if rest.starts_with(b"</") && has_name(self.input, at + 2, b"script") {
                    escape = Escape::Comment;
                }
                at += 1;
            } else if self.is_end_tag(at) {
                return at;
            } else {
                at += 1;
            }
        }
    }
}

#[derive(PartialEq, Eq)]
enum Escape {
    None,
    /// Inside `<!--`.
    Comment,
    /// Inside `<!-- <script>`.
    Script,
}

/// Whether `name` is at `at` as a whole word, ignoring case.
fn has_name(input: &[u8], at: usize, name: &[u8]) -> bool {
    let end = at + name.len();
    input.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && input.get(end).is_some_and(|byte| ends_tag_name(*byte))
}
