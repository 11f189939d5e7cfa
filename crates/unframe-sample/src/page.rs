//! The context of a template (which page it writes), and the writer for its output.

use std::borrow::Cow;

use encoding_rs::Encoding;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::language::Language;
use crate::random::Random;
use crate::{Kind, Site};

/// Number of pages in a list, for "page 3 of 7".
pub(crate) const LIST_PAGES: u64 = 7;

/// The page that is being written.
pub(crate) struct Context<'a> {
    pub(crate) site: &'a Site,
    pub(crate) index: u64,
    pub(crate) date: Timestamp,
    /// The number of the design, from 0.
    pub(crate) design: usize,
}

impl Context<'_> {
    pub(crate) fn brand(&self) -> &str {
        &self.site.brand
    }

    pub(crate) fn language(&self) -> &'static Language {
        self.site.make.language
    }

    pub(crate) fn year(&self) -> i16 {
        self.date.to_zoned(TimeZone::UTC).year()
    }

    /// A random generator for one purpose, such as the text of this page.
    pub(crate) fn random(&self, index: u64, purpose: &str) -> Random {
        let purpose = purpose.bytes().fold(0, |sum: u64, byte| sum * 31 + u64::from(byte));
        Random::of(&[self.site.seed, self.site.make.number, index, purpose])
    }

    /// The sections in the menu; each redesign adds one.
    pub(crate) fn menu(&self) -> &'static [(&'static str, &'static str)] {
        let all = self.site.make.sections;
        &all[..(all.len() - 2 + self.design).min(all.len())]
    }

    /// The section (address and name) that a page belongs to.
    pub(crate) fn section(&self, index: u64) -> (&'static str, &'static str) {
        let sections = self.site.make.sections;
        self.random(index, "section").pick(&sections[..sections.len() - 2])
    }

    pub(crate) fn kind(&self, index: u64) -> Kind {
        let kinds = self.site.make.kinds;
        match index.checked_sub(1) {
            None => Kind::Home,
            Some(after_home) => kinds[(after_home % kinds.len() as u64) as usize],
        }
    }

    /// The position of a list page in its list, from 1.
    pub(crate) fn list_page(&self) -> u64 {
        self.index % LIST_PAGES + 1
    }

    pub(crate) fn title(&self, index: u64) -> String {
        self.language().headline(&mut self.random(index, "title"))
    }

    pub(crate) fn path(&self, index: u64) -> String {
        let section = self.section(index).0;
        match self.kind(index) {
            Kind::Home => "/".to_owned(),
            Kind::List => format!("/{section}/list-{index}?page={}", index % LIST_PAGES + 1),
            Kind::Article => format!("/{section}/{index}.html"),
            Kind::Product => format!("/{section}/p{index}"),
            Kind::Thread => format!("/viewtopic.php?t={index}"),
            Kind::Docs => format!("/docs/{section}/{index}.html"),
            Kind::Wiki => format!("/wiki/{section}_{index}"),
        }
    }

    /// The pages in the "latest" box. Adjacent pages have the same box on the same day; it changes on the next day.
    pub(crate) fn latest(&self, count: u64) -> Vec<u64> {
        let day = (self.date.as_second() / crate::DAY_SECONDS) as u64;
        let mut random = self.random(self.index / 40, "latest");
        (0..count).map(|_| 1 + (random.below(1000) + day) % 1000).collect()
    }

    /// The date of the text, such as `2016-07-04`; always before the first design.
    pub(crate) fn published(&self, index: u64) -> String {
        let mut random = self.random(index, "published");
        format!("{}-{:02}-{:02}", random.between(2012, 2017), random.between(1, 12), random.between(1, 28))
    }

    /// A class name. Every redesign renames all classes.
    pub(crate) fn class(&self, name: &str) -> String {
        match self.design {
            0 => name.to_owned(),
            1 => format!("c-{name}"),
            _ => format!("{}__{name}", self.site.make.name),
        }
    }
}

/// The HTML of the page so far, and its gold text so far.
#[derive(Default)]
pub(crate) struct Writer {
    html: String,
    pub(crate) content: String,
}

impl Writer {
    /// Adds template markup without escaping.
    pub(crate) fn add(&mut self, markup: &str) {
        self.html.push_str(markup);
    }

    /// Adds a block of content between two pieces of markup.
    pub(crate) fn block(&mut self, before: &str, text: &str, after: &str) {
        self.add(before);
        self.html.push_str(&escaped(text));
        self.add(after);
        self.add("\n");
        self.gold(text);
    }

    /// Adds a block of content that is a link.
    pub(crate) fn link(&mut self, before: &str, href: &str, text: &str, after: &str) {
        self.block(&format!("{before}<a href=\"{href}\">"), text, &format!("</a>{after}"));
    }

    /// Adds a block of content with a word or two in inline markup.
    pub(crate) fn rich(&mut self, before: &str, text: &str, after: &str, random: &mut Random) {
        self.add(before);
        match middle_word(text, random) {
            Some((start, end)) => {
                let (open, close) = random.pick(&[
                    ("<a href=\"/about\">", "</a>"),
                    ("<em>", "</em>"),
                    ("<b>", "</b>"),
                    ("<span class=\"term\">", "</span>"),
                ]);
                let [left, word, right] = [&text[..start], &text[start..end], &text[end..]].map(escaped);
                self.html.extend([&*left, open, &*word, close, &*right]);
            }
            None => self.html.push_str(&escaped(text)),
        }
        self.add(after);
        self.add("\n");
        self.gold(text);
    }

    fn gold(&mut self, text: &str) {
        if !self.content.is_empty() {
            self.content.push('\n');
        }
        self.content.push_str(text);
    }

    /// The encoded page. Characters that the charset lacks become character references.
    pub(crate) fn encoded(&self, charset: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(charset.as_bytes()).unwrap_or(encoding_rs::UTF_8);
        encoding.encode(&self.html).0.into_owned()
    }
}

/// Escapes text for HTML.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

/// The bounds of a random word inside a text; `None` if it has too few words.
fn middle_word(text: &str, random: &mut Random) -> Option<(usize, usize)> {
    let spaces: Vec<_> = text.match_indices(' ').map(|(at, _)| at).collect();
    let last = spaces.len().checked_sub(2)?;
    let chosen = random.below(last as u64 + 1) as usize;
    Some((spaces[chosen] + 1, spaces[chosen + 1]))
}
