//! Colours of pictures.

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Number of colour classes of templates.
pub const CLASSES: usize = 6;

/// The meaning of a template's colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorBy {
    /// The share of the site's pages that contain the template.
    #[default]
    Share,
    /// The number of occurrences on the site, with one colour for each power of ten, as in the paper.
    Times,
}

impl ColorBy {
    /// The names of the colour classes, the rarest templates first.
    pub fn names(self) -> [&'static str; CLASSES] {
        match self {
            ColorBy::Share => ["under 10 %", "10 %", "25 %", "50 %", "75 %", "90 % of the pages or more"],
            ColorBy::Times => {
                ["under 10 times", "10", "100", "1,000", "10,000", "100,000 times on the site or more"]
            }
        }
    }

    /// The colour class of a template, from its number of occurrences and its share of the pages.
    pub fn class(self, occurrences: u64, pages: u32, of_pages: usize) -> usize {
        match self {
            ColorBy::Share => {
                let percent = u64::from(pages) * 100 / (of_pages.max(1) as u64);
                [10, 25, 50, 75, 90].iter().filter(|least| percent >= **least).count()
            }
            ColorBy::Times => (occurrences.max(1).ilog10() as usize).min(CLASSES - 1),
        }
    }
}

/// The colour scale of templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Palette {
    /// The rainbow of the paper: red, orange, yellow, green, blue, purple.
    #[default]
    Rainbow,
    /// From light to dark, for colour-blind readers.
    Safe,
}

impl Palette {
    /// The colours, the rarest templates first.
    pub fn colors(self) -> [Color; CLASSES] {
        match self {
            Palette::Rainbow => [
                Color(0xd6, 0x30, 0x27),
                Color(0xf2, 0x87, 0x22),
                Color(0xf3, 0xc9, 0x16),
                Color(0x45, 0xa5, 0x4c),
                Color(0x2f, 0x74, 0xc0),
                Color(0x7d, 0x3f, 0xa6),
            ],
            // Six steps of the colour map plasma, whose lightness is monotonic.
            Palette::Safe => [
                Color(0xf5, 0xe6, 0x26),
                Color(0xfb, 0xa2, 0x38),
                Color(0xe5, 0x6b, 0x5d),
                Color(0xbd, 0x37, 0x86),
                Color(0x7e, 0x03, 0xa8),
                Color(0x2a, 0x05, 0x93),
            ],
        }
    }
}

impl Color {
    /// The mean of two colours.
    pub fn halfway(self, other: Color) -> Color {
        let mean = |a: u8, b: u8| u8::midpoint(a, b);
        Color(mean(self.0, other.0), mean(self.1, other.1), mean(self.2, other.2))
    }
}

/// The colours of everything but templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// The background.
    pub background: Color,
    /// Content: everything that is not template, markup or clutter.
    pub content: Color,
    /// Repeated markup without text.
    pub markup: Color,
    /// Clutter, which is neither template nor content.
    pub clutter: Color,
    /// Titles.
    pub text: Color,
    /// Numbers and notes.
    pub muted: Color,
    /// The lines of the scale.
    pub rule: Color,
}

/// The theme for a light background, such as paper.
pub const LIGHT: Theme = Theme {
    background: Color(0xff, 0xff, 0xff),
    content: Color(0xc4, 0xc8, 0xcf),
    markup: Color(0xe3, 0xec, 0xf6),
    clutter: Color(0xf1, 0xdf, 0xb6),
    text: Color(0x1c, 0x1f, 0x24),
    muted: Color(0x5d, 0x64, 0x6f),
    rule: Color(0xec, 0xee, 0xf1),
};

/// The theme for a dark background.
pub const DARK: Theme = Theme {
    background: Color(0x15, 0x18, 0x1d),
    content: Color(0x5c, 0x63, 0x6e),
    markup: Color(0x24, 0x30, 0x3d),
    clutter: Color(0x6b, 0x58, 0x30),
    text: Color(0xe8, 0xea, 0xed),
    muted: Color(0x9a, 0xa2, 0xae),
    rule: Color(0x26, 0x2a, 0x31),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_for_each_power_of_ten() {
        let classes: Vec<usize> = [0, 1, 9, 10, 99, 100, 9_999, 10_000, 99_999, 100_000, u64::MAX]
            .map(|times| ColorBy::Times.class(times, 1, 1))
            .to_vec();
        assert_eq!(classes, [0, 0, 0, 1, 1, 2, 3, 4, 4, 5, 5]);
    }

    #[test]
    fn a_colour_for_each_share_of_the_pages() {
        let classes = [1, 2, 3, 6, 9, 11, 12].map(|pages| ColorBy::Share.class(1, pages, 12));
        assert_eq!(classes, [0, 1, 2, 3, 4, 5, 5]);
        assert_eq!(ColorBy::Share.class(1, 0, 0), 0);
    }
}
