//! Generated sentences from our own word lists, so that no text is copied.

mod chinese;
mod english;
mod german;
mod russian;

pub(crate) use {chinese::CHINESE, english::ENGLISH, german::GERMAN, russian::RUSSIAN};

use crate::random::Random;

/// The words of a language, and the patterns for sentences.
#[derive(Debug)]
pub(crate) struct Language {
    /// Patterns of sentences. A capital letter stands for a word of one list: **O**pener, **S**ubject,
    /// **V**erb, o**B**ject, **P**lace, **N**umber.
    pub(crate) patterns: &'static [&'static str],
    /// Like `patterns`, for headlines.
    pub(crate) headlines: &'static [&'static str],
    pub(crate) openers: &'static [&'static str],
    pub(crate) subjects: &'static [&'static str],
    pub(crate) verbs: &'static [&'static str],
    pub(crate) objects: &'static [&'static str],
    pub(crate) places: &'static [&'static str],
    /// Names of people, for authors.
    pub(crate) names: &'static [&'static str],
    /// The separator between sentences.
    pub(crate) space: &'static str,
}

impl Language {
    pub(crate) fn sentence(&self, random: &mut Random) -> String {
        let pattern = random.pick(self.patterns);
        self.fill(pattern, random)
    }

    pub(crate) fn headline(&self, random: &mut Random) -> String {
        let pattern = random.pick(self.headlines);
        self.fill(pattern, random)
    }

    pub(crate) fn paragraph(&self, sentences: u64, random: &mut Random) -> String {
        let sentences: Vec<_> = (0..sentences).map(|_| self.sentence(random)).collect();
        sentences.join(self.space)
    }

    pub(crate) fn object(&self, random: &mut Random) -> String {
        capitalised(random.pick(self.objects))
    }

    fn fill(&self, pattern: &str, random: &mut Random) -> String {
        let mut text = String::with_capacity(96);
        for character in pattern.chars() {
            match character {
                'O' => text.push_str(random.pick(self.openers)),
                'S' => text.push_str(random.pick(self.subjects)),
                'V' => text.push_str(random.pick(self.verbs)),
                'B' => text.push_str(random.pick(self.objects)),
                'P' => text.push_str(random.pick(self.places)),
                'N' => text.push_str(&random.between(2, 980).to_string()),
                literal => text.push(literal),
            }
        }
        capitalised(&text)
    }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let mut capitalised = String::with_capacity(text.len() + 4);
    capitalised.extend(characters.next().into_iter().flat_map(char::to_uppercase));
    capitalised.push_str(characters.as_str());
    capitalised
}
