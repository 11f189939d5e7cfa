//! Text and Markdown, with many pages in one file. The [parent module](super) describes the format.

use std::io::{self, Write};
use std::path::Path;

use super::target::Target;
use super::{CleanPage, PageWriter};

pub(super) struct Plain {
    target: Target,
    is_markdown: bool,
    has_pages: bool,
}

impl Plain {
    pub(super) fn new(target: Target, is_markdown: bool) -> Plain {
        Plain { target, is_markdown, has_pages: false }
    }
}

impl PageWriter for Plain {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        let between = if self.has_pages { "\u{c}\n" } else { "" };
        let url = page.url.replace(char::is_control, " ");
        let text = page.body.text().replace('\u{c}', " ");
        self.has_pages = true;
        match self.is_markdown {
            false => write!(self.target, "{between}{url}\n{text}\n"),
            // The address must not end the comment, so `>` is escaped.
            true => write!(self.target, "{between}<!-- {} -->\n\n{text}\n", url.replace('>', "%3E")),
        }
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.target.finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        self.target.unfinished()
    }
}
