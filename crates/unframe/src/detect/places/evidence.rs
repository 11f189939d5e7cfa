//! What speaks for a place being template, in numbers.
//!
//! The weights were found by maximising, over sites with known content, how well the pages are told apart; each was kept
//! from having the wrong sign. Positive numbers speak for template.

use super::names::Traits;
use super::tree::{PlaceTree, Texts};

/// A part of the page that counts half: repeated texts that are smaller than this mean less.
const SMALL: f64 = 0.01;
/// The same for changing texts, of which very little is enough.
const TINY: f64 = 0.0005;

/// How much each piece of evidence counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    pub(super) repeated: f64,
    pub(super) repeated_link: f64,
    pub(super) new_link: f64,
    pub(super) new_prose: f64,
    pub(super) new_label: f64,
    pub(super) new_number: f64,
    pub(super) partly_repeated: f64,
    pub(super) jump: f64,
    pub(super) echo: f64,
    pub(super) nav: f64,
    pub(super) footer: f64,
    pub(super) aside: f64,
    pub(super) header: f64,
    pub(super) main: f64,
    pub(super) named_nav: f64,
    pub(super) named_foot: f64,
    pub(super) named_head: f64,
    pub(super) named_side: f64,
    pub(super) named_tool: f64,
    pub(super) named_content: f64,
    pub(super) links_inside: f64,
    pub(super) prose_inside: f64,
    pub(super) repeated_inside: f64,
    pub(super) at_the_end: f64,
    pub(super) at_the_start: f64,
    pub(super) control: f64,
    pub(super) title: f64,
    pub(super) frame: f64,
    pub(super) frame_link: f64,
    pub(super) frame_label: f64,
    pub(super) frame_number: f64,
    /// How much a place is like the one around it.
    pub(super) tie: f64,
    pub(super) tie_inline: f64,
    pub(super) tie_item: f64,
    pub(super) tie_landmark: f64,
    pub(super) tie_named: f64,
    pub(super) tie_repeated: f64,
    pub(super) tie_changing: f64,
    pub(super) tie_changing_mass: f64,
    pub(super) tie_contrast: f64,
    pub(super) tie_item_contrast: f64,
}

/// A kind of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceKind {
    /// How much of a place is repeated.
    Repetition,
    /// What its changing texts are like: prose, labels, numbers.
    Text,
    /// How much of it is links.
    Links,
    /// `nav`, `main`, `footer` and so on, and roles.
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

impl Weights {
    /// The same without some kinds of evidence.
    pub(super) fn without(mut self, kinds: &[EvidenceKind]) -> Weights {
        for kind in kinds {
            let weights: &mut [&mut f64] = match kind {
                EvidenceKind::Repetition => &mut [
                    &mut self.repeated,
                    &mut self.repeated_link,
                    &mut self.partly_repeated,
                    &mut self.repeated_inside,
                    &mut self.tie_contrast,
                    &mut self.tie_item_contrast,
                ],
                EvidenceKind::Text => &mut [
                    &mut self.new_prose,
                    &mut self.new_label,
                    &mut self.new_number,
                    &mut self.prose_inside,
                    &mut self.title,
                    &mut self.control,
                ],
                EvidenceKind::Links => {
                    &mut [&mut self.new_link, &mut self.jump, &mut self.echo, &mut self.links_inside]
                }
                EvidenceKind::Landmarks => {
                    &mut [&mut self.nav, &mut self.footer, &mut self.aside, &mut self.header, &mut self.main]
                }
                EvidenceKind::Names => &mut [
                    &mut self.named_nav,
                    &mut self.named_foot,
                    &mut self.named_head,
                    &mut self.named_side,
                    &mut self.named_tool,
                    &mut self.named_content,
                ],
                EvidenceKind::Position => &mut [&mut self.at_the_end, &mut self.at_the_start],
                EvidenceKind::Frame => &mut [
                    &mut self.frame,
                    &mut self.frame_link,
                    &mut self.frame_label,
                    &mut self.frame_number,
                ],
                EvidenceKind::Ties => {
                    &mut [&mut self.tie, &mut self.tie_inline, &mut self.tie_item, &mut self.tie_landmark]
                }
            };
            weights.iter_mut().for_each(|weight| **weight = 0.0);
        }
        self
    }
}

/// For pages of a site that are compared.
pub(super) const SITE: Weights = Weights {
    repeated: 2.000,
    repeated_link: 2.592,
    new_link: -4.025,
    new_prose: -4.658,
    new_label: -8.928,
    new_number: -6.178,
    partly_repeated: 1.923,
    jump: 0.691,
    echo: 1.826,
    nav: 1.245,
    footer: 1.819,
    aside: 1.338,
    header: 0.474,
    main: -1.398,
    named_nav: 1.589,
    named_foot: 1.989,
    named_head: 1.813,
    named_side: 2.034,
    named_tool: 0.000,
    named_content: -3.027,
    links_inside: 0.000,
    prose_inside: -0.907,
    repeated_inside: 0.000,
    at_the_end: 2.335,
    at_the_start: 0.000,
    control: 0.841,
    title: -0.977,
    frame: 0.526,
    frame_link: 3.113,
    frame_label: 0.321,
    frame_number: 0.656,
    tie: 5.000,
    tie_inline: 2.887,
    tie_item: 2.616,
    tie_landmark: 0.000,
    tie_named: 0.000,
    tie_repeated: 6.000,
    tie_changing: 5.464,
    tie_changing_mass: 4.016,
    tie_contrast: -4.000,
    tie_item_contrast: -1.125,
};

/// For a page on its own.
pub(super) const PAGE: Weights = Weights {
    repeated: 2.000,
    repeated_link: 0.500,
    new_link: -1.816,
    new_prose: -1.765,
    new_label: -4.165,
    new_number: -1.900,
    partly_repeated: 2.000,
    jump: 0.879,
    echo: 0.000,
    nav: 1.461,
    footer: 2.937,
    aside: 1.030,
    header: 0.737,
    main: -1.613,
    named_nav: 0.029,
    named_foot: 2.220,
    named_head: 0.162,
    named_side: 3.313,
    named_tool: 0.676,
    named_content: -4.048,
    links_inside: 0.000,
    prose_inside: 0.000,
    repeated_inside: 0.500,
    at_the_end: 0.755,
    at_the_start: 1.683,
    control: 0.357,
    title: -1.322,
    frame: 0.553,
    frame_link: 2.745,
    frame_label: 3.510,
    frame_number: 1.641,
    tie: 7.738,
    tie_inline: 2.159,
    tie_item: 1.668,
    tie_landmark: 0.000,
    tie_named: 0.000,
    tie_repeated: 2.000,
    tie_changing: 6.018,
    tie_changing_mass: 5.008,
    tie_contrast: 0.000,
    tie_item_contrast: 0.000,
};

/// What a place is inside of.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    /// How much that looks like a frame.
    frame: f64,
    /// Whether it is what the page calls its main part.
    is_main: bool,
}

/// What speaks for one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    /// For the place itself, and how much it is like the one around it.
    pub(super) place: f64,
    pub(super) tie: f64,
    /// For its repeated texts, and how much these are like the place.
    repeated: (f64, f64),
    /// The same for its changing texts.
    changing: (f64, f64),
}

impl Evidence {
    /// The evidence of repeated texts and of changing ones.
    pub(super) fn texts(&self) -> [(f64, f64); 2] {
        [self.repeated, self.changing]
    }

    /// The evidence of all places.
    pub(super) fn of_all(tree: &PlaceTree, weights: &Weights) -> Vec<Evidence> {
        let mut around: Vec<Around> = Vec::with_capacity(tree.places.len());
        for (at, place) in tree.places.iter().enumerate() {
            let outer = if at == 0 { Around::default() } else { around[place.parent] };
            let is_main = outer.is_main || place.traits.has(Traits::MAIN);
            let frame = if is_main { 0.0 } else { frame_like(&place.all, place.traits).max(outer.frame) };
            around.push(Around { frame, is_main });
        }
        (0..tree.places.len()).map(|at| Evidence::of(tree, at, around[at], weights)).collect()
    }

    /// The evidence of the place at `at`.
    fn of(tree: &PlaceTree, at: usize, around: Around, weights: &Weights) -> Evidence {
        let place = &tree.places[at];
        let page_len = (tree.places[0].all.len / f64::from(tree.pages.max(1))).max(1.0);
        // The part of a page that texts are, on pages that have the place.
        let part = |texts: &Texts| texts.len / f64::from(place.pages.max(1)) / page_len;
        // How much more is repeated here than around.
        let repeated_share = |texts: &Texts| texts.repeated / texts.len.max(1.0);
        let around_share = repeated_share(&tree.places[place.parent].all);
        let contrast =
            (repeated_share(&place.all) - around_share).max(0.0) * saturate(part(&place.all), SMALL);
        let changing_mass = saturate(part(&place.changing), SMALL);
        Evidence {
            place: of_place(&place.all, part(&place.all), place.traits, around.is_main, weights)
                + weights.frame * around.frame,
            tie: tie(place.traits, contrast, weights),
            repeated: (of_repeated(&place.repeated, part(&place.repeated), weights), weights.tie_repeated),
            changing: (
                of_changing(&place.changing, part(&place.changing), around.frame, weights),
                weights.tie_changing + weights.tie_changing_mass * changing_mass,
            ),
        }
    }
}

/// From 0 to 1: half of it at `half`.
fn saturate(part: f64, half: f64) -> f64 {
    part / (part + half)
}

fn of_repeated(texts: &Texts, part: f64, weights: &Weights) -> f64 {
    let link = texts.link / texts.len.max(1.0);
    saturate(part, SMALL) * (weights.repeated + weights.repeated_link * link)
}

fn of_changing(texts: &Texts, part: f64, frame: f64, weights: &Weights) -> f64 {
    let sum = (weights.new_link + weights.frame_link * frame) * texts.new_link
        + weights.new_prose * texts.new_prose
        + (weights.new_label + weights.frame_label * frame) * texts.new_label
        + (weights.new_number + weights.frame_number * frame) * texts.new_number
        + weights.partly_repeated * texts.repeated
        + weights.jump * texts.jump
        + weights.echo * texts.echo;
    saturate(part, TINY) * sum / texts.len.max(1.0)
}

/// How much a place looks like a frame, from 0 to 1: it is named like one, is made of links or of what is repeated, and holds
/// no new prose.
fn frame_like(all: &Texts, traits: Traits) -> f64 {
    let len = all.len.max(1.0);
    let prose = all.new_prose / len;
    let is_named = traits.has(Traits(Traits::LANDMARK.0 & !Traits::MAIN.0 | Traits::NAMED_FRAME.0));
    if is_named { (all.link / len).max(all.repeated / len) * (1.0 - 4.0 * prose).max(0.0) } else { 0.0 }
}

fn of_place(all: &Texts, part: f64, traits: Traits, is_main: bool, weights: &Weights) -> f64 {
    let len = all.len.max(1.0);
    let (links, repeated, prose) = (all.link / len, all.repeated / len, all.new_prose / len);
    // A name alone proves little: a frame is made of links or of what is repeated.
    let like_frame = links.max(repeated);
    let landmark = weights.nav * traits.number(Traits::NAV)
        + weights.aside * traits.number(Traits::ASIDE)
        + weights.header * traits.number(Traits::HEADER);
    // Names that people choose mean less inside of what the page itself calls its main part.
    let named = weights.named_nav * traits.number(Traits::NAMED_NAV)
        + weights.named_foot * traits.number(Traits::NAMED_FOOT)
        + weights.named_head * traits.number(Traits::NAMED_HEAD)
        + weights.named_side * traits.number(Traits::NAMED_SIDE)
        + weights.named_tool * traits.number(Traits::NAMED_TOOL);
    let position = all.position / len;
    let is_small = part < 0.15;
    let at_the_end = if is_small && position > 0.9 { weights.at_the_end } else { 0.0 };
    let at_the_start = if is_small && position < 0.1 { weights.at_the_start } else { 0.0 };
    (landmark + if is_main { 0.0 } else { named }) * like_frame
        + weights.footer * traits.number(Traits::FOOTER)
        + weights.main * traits.number(Traits::MAIN)
        + weights.named_content * traits.number(Traits::NAMED_CONTENT)
        + weights.control * traits.number(Traits::CONTROL)
        + saturate(part, SMALL)
            * (weights.links_inside * links
                + weights.prose_inside * prose
                + weights.repeated_inside * repeated
                + weights.title * all.title / len
                + (at_the_end + at_the_start) * like_frame)
}

fn tie(traits: Traits, contrast: f64, weights: &Weights) -> f64 {
    let is_item = traits.has(Traits(Traits::ITEM.0 | Traits::INLINE.0));
    weights.tie
        + weights.tie_inline * traits.number(Traits::INLINE)
        + weights.tie_item * traits.number(Traits::ITEM)
        + weights.tie_landmark * traits.number(Traits::LANDMARK)
        + weights.tie_named * traits.number(Traits::NAMED_FRAME)
        + contrast * if is_item { weights.tie_item_contrast } else { weights.tie_contrast }
}
