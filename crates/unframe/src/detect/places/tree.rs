//! The places of a site: what the trees of its pages have in common.
//!
//! A place is a path of elements, each told apart by its name, role, `id` and classes. Names that few pages have belong to
//! a page and not to the site, so they do not count; a place that few pages have is taken for the place around it.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3;

use super::names::Traits;
use super::outline::{self, Element, Item, Text};
use crate::sample::{PieceHasher, Sample};

/// Pages that make a name or a place one of the site, when the sample is large enough.
const PAGES_MIN: u32 = 3;
/// A text is repeated when it stands on so large a share of the pages that have its place.
pub(super) const REPEATED_MIN: f64 = 0.5;
/// A text that stands on a smaller share of all pages is less than repeated, however often it stands at its place.
const COMMON_SHARE: f64 = 0.2;

/// All places of a site, every one after the one around it.
pub(super) struct PlaceTree {
    pub(super) places: Vec<Place>,
    /// Names that count.
    pub(super) names: HashSet<u64, PieceHasher>,
    /// On how many pages a text stands at its place; see [`text_key`].
    pub(super) repeated: HashMap<u64, u32, PieceHasher>,
    pub(super) pages: u32,
}

/// A place, with what the pages have there.
pub(super) struct Place {
    pub(super) parent: usize,
    pub(super) key: u64,
    pub(super) traits: Traits,
    pub(super) pages: u32,
    /// Texts right here that are repeated.
    pub(super) repeated: Texts,
    /// Texts right here that change from page to page.
    pub(super) changing: Texts,
    /// All texts here and in places inside.
    pub(super) all: Texts,
    /// How much the length of these is the same on all pages, from 0 to 1.
    pub(super) steadiness: f64,
}

/// Sums over texts, in characters.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Texts {
    pub(super) len: f64,
    /// Each text by the share of pages that repeat it.
    pub(super) repeated: f64,
    pub(super) link: f64,
    pub(super) jump: f64,
    pub(super) echo: f64,
    pub(super) way: f64,
    pub(super) title: f64,
    pub(super) page_title: f64,
    pub(super) in_prose: f64,
    /// Each text by the share of pages that have it with other numbers in it.
    pub(super) alike: f64,
    /// What is not repeated, by kinds: links, prose, labels, numbers.
    pub(super) new_link: f64,
    pub(super) new_prose: f64,
    pub(super) new_label: f64,
    pub(super) new_number: f64,
    /// What of links, labels and numbers stands in prose.
    pub(super) link_in_prose: f64,
    pub(super) label_in_prose: f64,
    pub(super) number_in_prose: f64,
    /// Each text by its place on the page, from 0 to 1.
    pub(super) position: f64,
    /// What stands before the heading of the page.
    pub(super) before_title: f64,
    pub(super) unseen: f64,
    pub(super) form: f64,
}

impl Texts {
    fn add(&mut self, found: &Occurrence, repeated: f64, alike: f64) {
        let text = &found.text;
        let len = f64::from(text.len);
        let new = len * (1.0 - repeated);
        let when = |is_so: bool, amount: f64| if is_so { amount } else { 0.0 };
        self.len += len;
        self.repeated += len * repeated;
        self.alike += len * (alike - repeated).max(0.0);
        self.position += len * found.position;
        self.before_title += when(found.is_before_title, len);
        self.unseen += when(text.is_unseen, len);
        self.form += when(text.is_in_form, len);
        self.title += when(text.is_title, len);
        self.page_title += when(text.is_in_page_title, new);
        self.in_prose += when(text.is_in_prose, len);
        if text.is_link {
            self.link += len;
            self.new_link += new;
            self.link_in_prose += when(text.is_in_prose, new);
            self.jump += when(text.is_jump, len);
            self.echo += when(text.is_echo, len);
            self.way += when(text.is_way, len);
        } else if text.is_prose {
            self.new_prose += new;
        } else if text.is_number {
            self.new_number += new;
            self.number_in_prose += when(text.is_in_prose, new);
        } else {
            self.new_label += new;
            self.label_in_prose += when(text.is_in_prose, new);
        }
    }

    fn add_all(&mut self, other: &Texts) {
        self.len += other.len;
        self.repeated += other.repeated;
        self.link += other.link;
        self.jump += other.jump;
        self.echo += other.echo;
        self.way += other.way;
        self.title += other.title;
        self.page_title += other.page_title;
        self.in_prose += other.in_prose;
        self.alike += other.alike;
        self.link_in_prose += other.link_in_prose;
        self.label_in_prose += other.label_in_prose;
        self.number_in_prose += other.number_in_prose;
        self.new_link += other.new_link;
        self.new_prose += other.new_prose;
        self.new_label += other.new_label;
        self.new_number += other.new_number;
        self.position += other.position;
        self.before_title += other.before_title;
        self.unseen += other.unseen;
        self.form += other.form;
    }
}

/// A text of a page at its place.
pub(super) struct Occurrence {
    pub(super) page: u32,
    pub(super) place: usize,
    text: Text,
    position: f64,
    is_before_title: bool,
}

impl PlaceTree {
    /// The places of the sampled pages.
    pub(super) fn of(sample: &Sample) -> PlaceTree {
        let pages: Vec<&[u64]> = sample.pages().map(|(_, words)| words).collect();
        PlaceTree::with_texts(&pages).0
    }

    /// The places of pages, and all their texts in the order of the pages.
    pub(super) fn with_texts(pages: &[&[u64]]) -> (PlaceTree, Vec<Occurrence>) {
        let pages_min = pages_min(pages.len());
        let names = names_of_the_site(pages, pages_min);
        let (mut places, mut occurrences) = grow(pages, &names);
        fold(&mut places, &mut occurrences, pages_min);
        let mut tree = PlaceTree { places, names, repeated: HashMap::default(), pages: pages.len() as u32 };
        tree.fill(&occurrences);
        (tree, occurrences)
    }

    /// Whether a text is repeated at its place.
    #[cfg(feature = "fitting")]
    pub(super) fn is_repeated(&self, found: &Occurrence) -> bool {
        self.repeated.contains_key(&text_key(self.places[found.place].key, found.text.hash))
    }

    /// The places of one page by itself, named as those of its site.
    pub(super) fn of_page(words: &[u64], names: &HashSet<u64, PieceHasher>) -> PlaceTree {
        let (places, occurrences) = grow(&[words], names);
        let mut tree =
            PlaceTree { places, names: HashSet::default(), repeated: HashMap::default(), pages: 1 };
        tree.fill(&occurrences);
        tree
    }

    /// Counts texts and sums them up at their places.
    fn fill(&mut self, occurrences: &[Occurrence]) {
        let common = count_pages(occurrences.iter().map(|found| (found.page, found.text.hash)));
        let key = |found: &Occurrence, places: &[Place]| text_key(places[found.place].key, found.text.hash);
        let here = count_pages(occurrences.iter().map(|found| (found.page, key(found, &self.places))));
        let shape_key = |found: &Occurrence, places: &[Place]| {
            found.text.shape.map(|shape| text_key(places[found.place].key, shape))
        };
        let shapes =
            occurrences.iter().filter_map(|found| Some((found.page, shape_key(found, &self.places)?)));
        let shapes = count_pages(shapes);
        for found in occurrences {
            let key = key(found, &self.places);
            let shape = shape_key(found, &self.places).and_then(|shape| shapes.get(&shape).copied());
            let place = &mut self.places[found.place];
            let here = here.get(&key).copied().unwrap_or(1);
            let everywhere = common.get(&found.text.hash).copied().unwrap_or(1);
            let repeated = share(here, place.pages) * (share(everywhere, self.pages) / COMMON_SHARE).min(1.0);
            let texts = if repeated >= REPEATED_MIN {
                self.repeated.insert(key, here);
                &mut place.repeated
            } else {
                &mut place.changing
            };
            let alike = shape.map_or(0.0, |pages| share(pages, place.pages));
            texts.add(found, repeated, alike);
        }
        for at in (0..self.places.len()).rev() {
            let place = &mut self.places[at];
            let (repeated, changing) = (place.repeated, place.changing);
            place.all.add_all(&repeated);
            place.all.add_all(&changing);
            let (all, parent) = (place.all, place.parent);
            if at > 0 {
                self.places[parent].all.add_all(&all);
            }
        }
        self.measure_steadiness(occurrences);
    }

    /// Compares how long the texts of each place are on the pages that have it.
    fn measure_steadiness(&mut self, occurrences: &[Occurrence]) {
        let mut squares = vec![0.0; self.places.len()];
        let mut on_page = vec![0.0; self.places.len()];
        for page in occurrences.chunk_by(|one, other| one.page == other.page) {
            page.iter().for_each(|found| on_page[found.place] += f64::from(found.text.len));
            for at in (0..on_page.len()).rev() {
                let len: f64 = std::mem::take(&mut on_page[at]);
                squares[at] += len * len;
                if at > 0 {
                    on_page[self.places[at].parent] += len;
                }
            }
        }
        for (place, squares) in self.places.iter_mut().zip(squares) {
            let pages = f64::from(place.pages.max(1));
            place.steadiness =
                if squares > 0.0 { place.all.len * place.all.len / (pages * squares) } else { 0.0 };
        }
    }
}

/// The share of the other pages that have it too.
fn share(pages_with: u32, pages: u32) -> f64 {
    if pages < 2 { 0.0 } else { f64::from(pages_with - 1) / f64::from(pages - 1) }
}

/// What few pages have belongs to these pages, not to the site; of few pages, two are enough.
fn pages_min(pages: usize) -> u32 {
    match pages {
        0 | 1 => 1,
        pages => ((pages / 4) as u32).clamp(2, PAGES_MIN),
    }
}

/// The id of a text at a place.
pub(super) fn text_key(place: u64, text: u64) -> u64 {
    xxh3::xxh3_64_with_seed(&text.to_le_bytes(), place)
}

/// The id of the place of an element inside another place. Only names that `counts` says yes to are looked at.
pub(super) fn place_key(parent: u64, kind: u32, names: &[u64], counts: impl Fn(u64) -> bool) -> u64 {
    let and = |key: u64, name: u64| xxh3::xxh3_64_with_seed(&name.to_le_bytes(), key);
    let key = match *names {
        // Most elements have one name or none.
        [] => parent,
        [name] if counts(name) => and(parent, name),
        [_] => parent,
        _ => {
            let mut names: Vec<u64> = names.iter().copied().filter(|name| counts(*name)).collect();
            names.sort_unstable();
            names.dedup();
            names.into_iter().fold(parent, and)
        }
    };
    xxh3::xxh3_64_with_seed(&kind.to_le_bytes(), key)
}

/// On how many pages each number stands; pages come one after the other.
fn count_pages(numbers: impl Iterator<Item = (u32, u64)>) -> HashMap<u64, u32, PieceHasher> {
    let mut counts: HashMap<u64, (u32, u32), PieceHasher> = HashMap::default();
    for (page, number) in numbers {
        let (last, count) = counts.entry(number).or_insert((u32::MAX, 0));
        if *last != page {
            (*last, *count) = (page, *count + 1);
        }
    }
    counts.into_iter().map(|(number, (_, count))| (number, count)).collect()
}

fn names_of_the_site(pages: &[&[u64]], pages_min: u32) -> HashSet<u64, PieceHasher> {
    let names = pages.iter().enumerate().flat_map(|(page, words)| {
        outline::read(words).flat_map(move |item| {
            let names = match item {
                Item::Element(element) => element.names,
                Item::Text(_) => &[],
            };
            names.iter().map(move |name| (page as u32, *name))
        })
    });
    count_pages(names).into_iter().filter(|(_, count)| *count >= pages_min).map(|(name, _)| name).collect()
}

/// The key of the place around all others.
pub(super) const ROOT: u64 = 0;

/// All paths of all pages, and the texts at their ends.
fn grow(pages: &[&[u64]], names: &HashSet<u64, PieceHasher>) -> (Vec<Place>, Vec<Occurrence>) {
    let mut forest = Forest { places: vec![place(0, ROOT, Traits::default())], known: HashMap::default() };
    forest.places[0].pages = pages.len() as u32;
    let mut occurrences = Vec::new();
    let mut seen = vec![u32::MAX];
    for (page, words) in pages.iter().enumerate() {
        let first = occurrences.len();
        let mut open: Vec<usize> = Vec::new();
        let mut len = 0.0;
        for item in outline::read(words) {
            match item {
                Item::Element(element) => {
                    open.truncate(element.depth);
                    let at = forest.inside(open.last().copied().unwrap_or(0), &element, names);
                    seen.resize(forest.places.len(), u32::MAX);
                    if seen[at] != page as u32 {
                        seen[at] = page as u32;
                        forest.places[at].pages += 1;
                    }
                    open.push(at);
                }
                Item::Text(text) => {
                    open.truncate(text.depth + 1);
                    let place = open.last().copied().unwrap_or(0);
                    let position = len + f64::from(text.len) / 2.0;
                    len += f64::from(text.len);
                    let page = page as u32;
                    occurrences.push(Occurrence { page, place, text, position, is_before_title: false });
                }
            }
        }
        let texts: &mut [Occurrence] = &mut occurrences[first..];
        texts.iter_mut().for_each(|found| found.position /= len.max(1.0));
        let title = title_of(texts);
        texts[..title].iter_mut().for_each(|found| found.is_before_title = true);
    }
    (forest.places, occurrences)
}

/// The number of the text that is the heading of the page: one that its title has, before others; 0 if there is none.
fn title_of(texts: &[Occurrence]) -> usize {
    let first = |is_it: fn(&Text) -> bool| texts.iter().position(|found| is_it(&found.text));
    first(|text| text.is_title && text.is_in_page_title && !text.is_link)
        .or_else(|| first(|text| text.is_title))
        .unwrap_or(0)
}

struct Forest {
    places: Vec<Place>,
    known: HashMap<u64, usize, PieceHasher>,
}

impl Forest {
    /// The place of an element inside the place `parent`.
    fn inside(&mut self, parent: usize, element: &Element<'_>, names: &HashSet<u64, PieceHasher>) -> usize {
        let key =
            place_key(self.places[parent].key, element.kind, element.names, |name| names.contains(&name));
        *self.known.entry(key).or_insert_with(|| {
            self.places.push(place(parent, key, element.traits));
            self.places.len() - 1
        })
    }
}

fn place(parent: usize, key: u64, traits: Traits) -> Place {
    let none = Texts::default();
    Place { parent, key, traits, pages: 0, repeated: none, changing: none, all: none, steadiness: 0.0 }
}

/// Takes places that few pages have for the places around them.
fn fold(places: &mut Vec<Place>, occurrences: &mut [Occurrence], pages_min: u32) {
    let mut new_at = Vec::with_capacity(places.len());
    let mut kept = Vec::new();
    for (at, mut place) in std::mem::take(places).into_iter().enumerate() {
        if at > 0 {
            place.parent = new_at[place.parent];
        }
        if at > 0 && place.pages < pages_min {
            new_at.push(place.parent);
        } else {
            new_at.push(kept.len());
            kept.push(place);
        }
    }
    occurrences.iter_mut().for_each(|found| found.place = new_at[found.place]);
    *places = kept;
}
