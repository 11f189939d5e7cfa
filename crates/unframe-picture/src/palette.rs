//! Colours of pictures.

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// How many colours there are for templates.
pub const CLASSES: usize = 6;

/// What occurrences each colour stands for.
pub const CLASS_NAMES: [&str; CLASSES] =
    ["under 10", "10 to 99", "100 to 999", "1,000 to 9,999", "10,000 to 99,999", "100,000 or more"];

/// The colour of a template hash that occurs so often on its site: one for each power of ten.
pub fn class(occurrences: u64) -> usize {
    (occurrences.max(1).ilog10() as usize).min(CLASSES - 1)
}

/// The colours of templates, the rarest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Palette {
    /// The rainbow of the paper: red, orange, yellow, green, blue, purple.
    #[default]
    Rainbow,
    /// From light to dark, for all who cannot tell red from green.
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
            // Six steps of the colour map plasma, whose lightness tells the order by itself.
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

/// The colours of everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub background: Color,
    /// What is not template.
    pub content: Color,
    /// Titles.
    pub text: Color,
    /// Figures and notes.
    pub muted: Color,
    /// Lines of the scale.
    pub rule: Color,
}

/// For paper.
pub const LIGHT: Theme = Theme {
    background: Color(0xff, 0xff, 0xff),
    content: Color(0xd8, 0xda, 0xde),
    text: Color(0x1c, 0x1f, 0x24),
    muted: Color(0x5d, 0x64, 0x6f),
    rule: Color(0xec, 0xee, 0xf1),
};

/// For screens at night.
pub const DARK: Theme = Theme {
    background: Color(0x15, 0x18, 0x1d),
    content: Color(0x4a, 0x50, 0x5a),
    text: Color(0xe8, 0xea, 0xed),
    muted: Color(0x9a, 0xa2, 0xae),
    rule: Color(0x26, 0x2a, 0x31),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_for_each_power_of_ten() {
        let classes: Vec<usize> =
            [0, 1, 9, 10, 99, 100, 9_999, 10_000, 99_999, 100_000, u64::MAX].map(class).to_vec();
        assert_eq!(classes, [0, 0, 0, 1, 1, 2, 3, 4, 4, 5, 5]);
    }
}
