//! `<!…>` and `<?…>`: comments, document types, CDATA sections.

use memchr::{memchr, memmem};

use super::super::problem::ParseProblem;
use super::super::span::Span;
use super::{Doctype, TextKind, Token, Tokenizer, is_space};

impl Tokenizer<'_> {
    /// Reads the markup that begins with `<!` at `start`.
    pub(super) fn declaration(&mut self, start: usize, cdata: bool) -> Token {
        let rest = &self.input[start + 2..];
        if rest.starts_with(b"--") {
            self.comment(start)
        } else if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            self.doctype(start)
        } else if cdata && rest.starts_with(b"[CDATA[") {
            self.cdata(start, start + 9)
        } else {
            self.bogus_comment(start, start + 2)
        }
    }

    /// Reads a bogus comment, which ends at the next `>`.
    pub(super) fn bogus_comment(&mut self, start: usize, data_start: usize) -> Token {
        let data_end =
            memchr(b'>', &self.input[data_start..]).map_or(self.input.len(), |len| data_start + len);
        self.position = (data_end + 1).min(self.input.len());
        Token::Comment { span: Span::new(start, self.position), data: Span::new(data_start, data_end) }
    }

    fn comment(&mut self, start: usize) -> Token {
        let data_start = start + 4;
        let rest = &self.input[data_start..];
        let (data_len, len) = if rest.starts_with(b">") {
            (0, 1)
        } else if rest.starts_with(b"->") {
            (0, 2)
        } else {
            find_comment_end(rest).unwrap_or_else(|| {
                self.problems.add(ParseProblem::EndsInComment, start);
                (without_open_end(rest), rest.len())
            })
        };
        self.position = data_start + len;
        Token::Comment {
            span: Span::new(start, self.position),
            data: Span::new(data_start, data_start + data_len),
        }
    }

    /// Reads a CDATA section whose text begins at `text_start`. Returns a text token without the delimiters, even for an empty section;
    /// callers skip empty texts.
    pub(super) fn cdata(&mut self, start: usize, text_start: usize) -> Token {
        let found = memmem::find(&self.input[text_start..], b"]]>");
        if found.is_none() {
            self.problems.add(ParseProblem::EndsInRawText, start);
        }
        let end = found.map_or(self.input.len(), |len| text_start + len);
        self.position = (end + 3).min(self.input.len());
        self.mode = super::Mode::Data;
        Token::Text { span: Span::new(text_start, end), kind: TextKind::Raw }
    }

    fn doctype(&mut self, start: usize) -> Token {
        let mut doctype = Doctype { span: Span::new(start, start), ..Doctype::default() };
        let end = DoctypeReader { input: self.input, at: start + 9, doctype: &mut doctype }.read();
        // `None` means that the page ended first.
        doctype.force_quirks |= end.is_none();
        self.position = end.unwrap_or(self.input.len());
        doctype.span = Span::new(start, self.position);
        Token::Doctype(doctype)
    }
}

/// The length of a comment's data, and the length including the closing delimiter.
fn find_comment_end(rest: &[u8]) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(found) = memchr(b'>', &rest[from..]) {
        let at = from + found;
        if rest[..at].ends_with(b"--") {
            return Some((at - 2, at + 1));
        }
        if rest[..at].ends_with(b"--!") {
            return Some((at - 3, at + 1));
        }
        from = at + 1;
    }
    None
}

/// The length of a comment's data at the end of the page, without a partial closing delimiter.
fn without_open_end(rest: &[u8]) -> usize {
    let marks: [&[u8]; 3] = [b"--!", b"--", b"-"];
    marks.iter().find(|marks| rest.ends_with(marks)).map_or(rest.len(), |marks| rest.len() - marks.len())
}

/// Reads a document type after `<!doctype`. Each step returns `None` if the page ends there.
struct DoctypeReader<'a> {
    input: &'a [u8],
    at: usize,
    doctype: &'a mut Doctype,
}

impl DoctypeReader<'_> {
    /// Returns the position after the closing `>`.
    fn read(&mut self) -> Option<usize> {
        self.skip_spaces();
        if self.peek()? == b'>' {
            self.doctype.force_quirks = true;
            return Some(self.at + 1);
        }
        let name_start = self.at;
        while self.at < self.input.len() && !is_space(self.input[self.at]) && self.input[self.at] != b'>' {
            self.at += 1;
        }
        self.doctype.name = Some(Span::new(name_start, self.at));
        self.skip_spaces();
        if self.peek()? == b'>' {
            return Some(self.at + 1);
        }
        let keyword = self.input.get(self.at..self.at + 6);
        if keyword.is_some_and(|word| word.eq_ignore_ascii_case(b"public")) {
            self.at += 6;
            self.public()
        } else if keyword.is_some_and(|word| word.eq_ignore_ascii_case(b"system")) {
            self.at += 6;
            self.system(true)
        } else {
            self.bogus(true)
        }
    }

    fn public(&mut self) -> Option<usize> {
        self.skip_spaces();
        if !matches!(self.peek()?, b'"' | b'\'') {
            return self.bogus(true);
        }
        let (id, closed) = self.quoted();
        self.doctype.public = Some(id);
        if closed? == b'>' {
            self.doctype.force_quirks = true;
            return Some(self.at);
        }
        self.system(false)
    }

    /// Reads the system identifier, which may be missing only after a public identifier.
    fn system(&mut self, required: bool) -> Option<usize> {
        self.skip_spaces();
        match self.peek()? {
            b'"' | b'\'' => {}
            b'>' if !required => return Some(self.at + 1),
            _ => return self.bogus(true),
        }
        let (id, closed) = self.quoted();
        self.doctype.system = Some(id);
        if closed? == b'>' {
            self.doctype.force_quirks = true;
            return Some(self.at);
        }
        self.skip_spaces();
        match self.peek()? {
            b'>' => Some(self.at + 1),
            _ => self.bogus(false),
        }
    }

    /// A quoted identifier, and the byte that ended it: its quote, or a `>` that came first.
    fn quoted(&mut self) -> (Span, Option<u8>) {
        let quote = self.input[self.at];
        let start = self.at + 1;
        let len = self.input[start..].iter().position(|byte| *byte == quote || *byte == b'>');
        let end = len.map_or(self.input.len(), |len| start + len);
        self.at = (end + 1).min(self.input.len());
        (Span::new(start, end), self.input.get(end).copied())
    }

    /// Skips invalid content. The end of the page makes no difference here.
    fn bogus(&mut self, quirks: bool) -> Option<usize> {
        self.doctype.force_quirks |= quirks;
        Some(memchr(b'>', &self.input[self.at..]).map_or(self.input.len(), |len| self.at + len + 1))
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }
}
