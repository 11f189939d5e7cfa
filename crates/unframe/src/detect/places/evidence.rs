//! What speaks for a place being template, in numbers.
//!
//! The places of a site have clues, each a number from which more speaks for it; each clue has a weight, and the sum of weighted
//! clues is the evidence, as a logarithm of odds. Positive numbers speak for template. The weights are in
//! [`weights`](super::weights).

use super::center::Center;
use super::names::Traits;
use super::tree::{Place, PlaceTree, Texts};

/// A part of the page that counts half: repeated texts that are smaller than this mean less.
const SMALL: f64 = 0.01;
/// The same for changing texts, of which very little is enough.
const TINY: f64 = 0.0005;

/// A kind of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceKind {
    /// How much of a place is repeated.
    Repetition,
    /// What its changing texts are like: prose, labels, numbers.
    Text,
    /// How much of it is links.
    Links,
    /// `nav`, `main` and so on, and roles.
    Landmarks,
    /// Words in `id` and `class`.
    Names,
    /// Where on the page it stands.
    Position,
    /// What changes inside of something that looks like a frame.
    Frame,
    /// That places are like the places around them.
    Ties,
}

impl EvidenceKind {
    /// All kinds.
    pub const ALL: [EvidenceKind; 8] = [
        EvidenceKind::Repetition,
        EvidenceKind::Text,
        EvidenceKind::Links,
        EvidenceKind::Landmarks,
        EvidenceKind::Names,
        EvidenceKind::Position,
        EvidenceKind::Frame,
        EvidenceKind::Ties,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            EvidenceKind::Repetition => "repetition",
            EvidenceKind::Text => "text",
            EvidenceKind::Links => "links",
            EvidenceKind::Landmarks => "landmarks",
            EvidenceKind::Names => "names",
            EvidenceKind::Position => "position",
            EvidenceKind::Frame => "frame",
            EvidenceKind::Ties => "ties",
        }
    }
}

/// Lists all clues by their kinds.
macro_rules! clues {
    ($($kind:ident: $($clue:ident $meaning:literal),+;)+) => {
        /// Something that speaks for or against template.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Clue {
            $($(#[doc = $meaning] $clue,)+)+
        }

        impl Clue {
            /// All clues, in the order of their numbers.
            pub const ALL: &'static [Clue] = &[$($(Clue::$clue,)+)+];

            /// What kind of evidence it is.
            pub fn kind(self) -> EvidenceKind {
                match self {
                    $($(Clue::$clue)|+ => EvidenceKind::$kind,)+
                }
            }
        }
    };
}

clues! {
    Repetition:
        Repeated "repeated texts: how much of a page they are",
        RepeatedLink "repeated texts that are links",
        RepeatedWay "repeated links that say to be ways through the site, however small they are",
        RepeatedInProse "repeated texts in prose",
        PartlyRepeated "changing texts that some pages share",
        Alike "changing texts that are the same but for numbers",
        RepeatedInside "how much of all inside is repeated",
        Steady "the same length on all pages",
        Everywhere "on how many pages the place is",
        TieContrast "more repeated than what is around",
        TieItemContrast "the same of items and parts of lines";
    Text:
        NewProse "changing prose",
        NewLabel "changing labels",
        NewNumber "changing numbers",
        LabelInProse "changing words in prose",
        NumberInProse "changing numbers in prose",
        ProseInside "how much of all inside is changing prose",
        Title "in a heading of the first level",
        InPageTitle "in the title of the page",
        Control "a button or a choice",
        Form "in a form",
        Unseen "hidden at first, or in a dialog";
    Links:
        NewLink "changing links",
        LinkInProse "changing links in prose",
        Jump "links inside of the page",
        Echo "links whose text the page has again",
        WaysInside "links that say to be ways through the site",
        LinksInside "how much of all inside is links";
    Landmarks:
        Nav "a navigation landmark",
        Footer "a footer",
        Aside "an aside",
        Header "a header",
        Landmark "any landmark but the main part, whatever it is made of",
        Main "the main part";
    Names:
        NamedNav "named like a menu",
        NamedToc "named like a table of contents",
        NamedFoot "named like a footer",
        NamedHead "named like a header",
        NamedSide "named like a sidebar",
        NamedTool "named like a tool",
        NamedFrame "named like something around content, whatever it is made of",
        NamedContent "named like content";
    Position:
        AtTheEnd "at the end of the page",
        AtTheStart "at the start of the page",
        BeforeTitle "before the heading of the page",
        AfterCore "after what holds most of the prose",
        OutsideMain "outside of the main part of the page";
    Frame:
        InFrame "inside of something like a frame",
        FrameLink "changing links in a frame",
        FrameLabel "changing labels in a frame",
        FrameNumber "changing numbers in a frame";
    Ties:
        Tie "that a place is like the one around it",
        TieInline "more so for parts of a line",
        TieItem "more so for items",
        TieRepeated "that repeated texts are like their place",
        TieWay "less so for ways through the site",
        TieChanging "that changing texts are like their place",
        TieChangingMass "more so if they are a large part of the page";
}

/// How much each clue counts, by its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weights(pub(super) [f64; Clue::ALL.len()]);

impl Weights {
    /// The same without some kinds of evidence.
    pub(super) fn without(mut self, kinds: &[EvidenceKind]) -> Weights {
        for clue in Clue::ALL.iter().filter(|clue| kinds.contains(&clue.kind())) {
            // Texts stay tied to their places: else nothing would be known of them.
            if !matches!(clue, Clue::TieRepeated | Clue::TieChanging | Clue::TieChangingMass) {
                self.0[*clue as usize] = 0.0;
            }
        }
        self
    }
}

/// What evidence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The place itself.
    Place,
    /// How much it is like the place around it.
    Tie,
    /// Its repeated texts.
    Repeated,
    /// How much these are like the place.
    RepeatedTie,
    /// Its changing texts.
    Changing,
    /// How much these are like the place.
    ChangingTie,
}

/// What speaks for one place, by [`Subject`].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Evidence([f64; 6]);

impl Evidence {
    pub(super) fn of(self, subject: Subject) -> f64 {
        self.0[subject as usize]
    }

    /// The evidence of repeated texts and of changing ones, each with its tie.
    pub(super) fn texts(self) -> [(f64, f64); 2] {
        [
            (self.of(Subject::Repeated), self.of(Subject::RepeatedTie)),
            (self.of(Subject::Changing), self.of(Subject::ChangingTie)),
        ]
    }

    /// The evidence of all places.
    pub(super) fn of_all(tree: &PlaceTree, weights: &Weights) -> Vec<Evidence> {
        let mut evidence = vec![Evidence::default(); tree.places.len()];
        for_each_clue(tree, |place, subject, clue, amount| {
            evidence[place].0[subject as usize] += weights.0[clue as usize] * amount;
        });
        evidence
    }
}

/// What a place is inside of.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    /// How much that looks like a frame.
    frame: f64,
    /// Whether it is what the page calls its main part.
    is_main: bool,
}

/// Calls `tell` with every clue: the number of the place, what it is about, and how much there is of it.
pub(super) fn for_each_clue(tree: &PlaceTree, mut tell: impl FnMut(usize, Subject, Clue, f64)) {
    let page_len = (tree.places[0].all.len / f64::from(tree.pages.max(1))).max(1.0);
    let mut around: Vec<Around> = Vec::with_capacity(tree.places.len());
    let center = Center::of(tree);
    for (at, place) in tree.places.iter().enumerate() {
        let outer = if at == 0 { Around::default() } else { around[place.parent] };
        let is_main = outer.is_main || place.traits.has(Traits::MAIN);
        let frame = if is_main { 0.0 } else { frame_like(place).max(outer.frame) };
        let here = Around { frame, is_main };
        around.push(here);
        center.tell(at, |clue, amount| tell(at, Subject::Place, clue, amount));
        let tell = |subject, clue, amount| tell(at, subject, clue, amount);
        Sight { place, parent: &tree.places[place.parent], around: here, page_len, pages: tree.pages }
            .tell_all(tell);
    }
}

/// How much a place looks like a frame, from 0 to 1: it is named like one, is made of links or of what is repeated, and holds
/// no new prose.
fn frame_like(place: &Place) -> f64 {
    let is_named = place.traits.has(Traits(Traits::LANDMARK.0 & !Traits::MAIN.0 | Traits::NAMED_FRAME.0));
    let prose = share(place.all.new_prose, &place.all);
    if is_named { made_of_frame(&place.all) * (1.0 - 4.0 * prose).max(0.0) } else { 0.0 }
}

/// A frame is made of links or of what is repeated.
fn made_of_frame(texts: &Texts) -> f64 {
    share(texts.link, texts).max(share(texts.repeated, texts))
}

/// The part of all characters.
pub(super) fn share(part: f64, texts: &Texts) -> f64 {
    part / texts.len.max(1.0)
}

/// From 0 to 1: half of it at `half`.
pub(super) fn saturate(part: f64, half: f64) -> f64 {
    part / (part + half)
}

/// A place, and what is needed to judge it.
struct Sight<'t> {
    place: &'t Place,
    parent: &'t Place,
    around: Around,
    /// Characters of a page of the site.
    page_len: f64,
    pages: u32,
}

impl Sight<'_> {
    /// The part of a page that texts are, on pages that have the place.
    fn part(&self, texts: &Texts) -> f64 {
        texts.len / f64::from(self.place.pages.max(1)) / self.page_len
    }

    fn tell_all(&self, mut tell: impl FnMut(Subject, Clue, f64)) {
        self.tell_of_place(|clue, amount| tell(Subject::Place, clue, amount));
        self.tell_of_tie(|clue, amount| tell(Subject::Tie, clue, amount));
        self.tell_of_repeated(|clue, amount| tell(Subject::Repeated, clue, amount));
        self.tell_of_changing(|clue, amount| tell(Subject::Changing, clue, amount));
        tell(Subject::RepeatedTie, Clue::TieRepeated, 1.0);
        // "Next" between titles of chapters, which change, is a way through the site whatever these are.
        tell(Subject::RepeatedTie, Clue::TieWay, share(self.place.repeated.way, &self.place.repeated));
        tell(Subject::ChangingTie, Clue::TieChanging, 1.0);
        tell(Subject::ChangingTie, Clue::TieChangingMass, saturate(self.part(&self.place.changing), SMALL));
    }

    fn tell_of_place(&self, mut tell: impl FnMut(Clue, f64)) {
        let Place { all, traits, .. } = self.place;
        let part = self.part(all);
        // A name alone proves little.
        let like_frame = made_of_frame(all);
        tell(Clue::Nav, traits.number(Traits::NAV) * like_frame);
        tell(Clue::Aside, traits.number(Traits::ASIDE) * like_frame);
        tell(Clue::Header, traits.number(Traits::HEADER) * like_frame);
        tell(Clue::Footer, traits.number(Traits::FOOTER));
        tell(Clue::Main, traits.number(Traits::MAIN));
        if traits.has(Traits(Traits::LANDMARK.0 & !Traits::MAIN.0)) {
            tell(Clue::Landmark, 1.0 - share(all.new_prose, all));
        }
        // Names that people choose mean less inside of what the page itself calls its main part.
        if !self.around.is_main {
            tell(Clue::NamedNav, traits.number(Traits::NAMED_NAV) * like_frame);
            tell(Clue::NamedFoot, traits.number(Traits::NAMED_FOOT) * like_frame);
            tell(Clue::NamedHead, traits.number(Traits::NAMED_HEAD) * like_frame);
            tell(Clue::NamedSide, traits.number(Traits::NAMED_SIDE) * like_frame);
            tell(Clue::NamedTool, traits.number(Traits::NAMED_TOOL) * like_frame);
        }
        if traits.has(Traits::NAMED_FRAME) {
            tell(Clue::NamedFrame, 1.0 - share(all.new_prose, all));
        }
        tell(Clue::NamedToc, traits.number(Traits::NAMED_TOC) * like_frame);
        tell(Clue::NamedContent, traits.number(Traits::NAMED_CONTENT));
        tell(Clue::Control, traits.number(Traits::CONTROL));
        tell(Clue::Form, share(all.form, all));
        tell(Clue::Unseen, share(all.unseen, all));
        tell(Clue::InFrame, self.around.frame);
        let mass = saturate(part, SMALL);
        tell(Clue::WaysInside, share(all.way, all));
        tell(Clue::LinksInside, mass * share(all.link, all));
        tell(Clue::ProseInside, mass * share(all.new_prose, all));
        tell(Clue::RepeatedInside, mass * share(all.repeated, all));
        tell(Clue::Title, mass * share(all.title, all));
        if self.pages > 1 {
            tell(Clue::Steady, mass * self.place.steadiness);
            tell(Clue::Everywhere, mass * f64::from(self.place.pages) / f64::from(self.pages));
        }
        tell(Clue::BeforeTitle, mass * share(all.before_title, all));
        let position = share(all.position, all);
        let is_small = part < 0.15;
        if is_small && position > 0.9 {
            tell(Clue::AtTheEnd, mass * like_frame);
        }
        if is_small && position < 0.1 {
            tell(Clue::AtTheStart, mass * like_frame);
        }
    }

    fn tell_of_tie(&self, mut tell: impl FnMut(Clue, f64)) {
        let Place { all, traits, .. } = self.place;
        tell(Clue::Tie, 1.0);
        tell(Clue::TieInline, traits.number(Traits::INLINE));
        tell(Clue::TieItem, traits.number(Traits::ITEM));
        // How much more is repeated here than around.
        let around = share(self.parent.all.repeated, &self.parent.all);
        let contrast = (share(all.repeated, all) - around).max(0.0) * saturate(self.part(all), SMALL);
        let is_item = traits.has(Traits(Traits::ITEM.0 | Traits::INLINE.0));
        tell(if is_item { Clue::TieItemContrast } else { Clue::TieContrast }, contrast);
    }

    fn tell_of_repeated(&self, mut tell: impl FnMut(Clue, f64)) {
        let texts = &self.place.repeated;
        let mass = saturate(self.part(texts), SMALL);
        tell(Clue::Repeated, mass);
        tell(Clue::RepeatedLink, mass * share(texts.link, texts));
        tell(Clue::RepeatedWay, share(texts.way, texts));
        tell(Clue::RepeatedInProse, mass * share(texts.in_prose, texts));
    }

    fn tell_of_changing(&self, mut tell: impl FnMut(Clue, f64)) {
        let texts = &self.place.changing;
        let mass = saturate(self.part(texts), TINY);
        let frame = self.around.frame;
        let mut tell = |clue, part| tell(clue, mass * share(part, texts));
        tell(Clue::NewLink, texts.new_link);
        tell(Clue::NewProse, texts.new_prose);
        tell(Clue::NewLabel, texts.new_label);
        tell(Clue::NewNumber, texts.new_number);
        tell(Clue::LinkInProse, texts.link_in_prose);
        tell(Clue::LabelInProse, texts.label_in_prose);
        tell(Clue::NumberInProse, texts.number_in_prose);
        tell(Clue::FrameLink, frame * texts.new_link);
        tell(Clue::FrameLabel, frame * texts.new_label);
        tell(Clue::FrameNumber, frame * texts.new_number);
        tell(Clue::PartlyRepeated, texts.repeated);
        tell(Clue::Alike, texts.alike);
        tell(Clue::InPageTitle, texts.page_title);
        tell(Clue::Jump, texts.jump);
        tell(Clue::Echo, texts.echo);
    }
}
