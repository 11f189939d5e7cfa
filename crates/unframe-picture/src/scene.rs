//! The layout of a picture: bars and labels, independent of the output format.

use unframe::RegionKind;

use super::palette::{Color, ColorBy, Palette, Theme};
use super::{Mark, PageView, SiteView, schema};
use crate::figures::{bytes_short, count, percent, plural};
use crate::limits::{PICTURE_BARS_MAX, PICTURE_TITLES_MAX};

/// The width of all pictures.
const WIDTH: f32 = 1000.0;
/// Horizontal margin.
const MARGIN: f32 = 24.0;
/// The y coordinate of the first bar.
const TOP: f32 = 116.0;
/// Total height of all bars. Each bar gets a whole number of pixels where possible.
const BARS_HEIGHT: usize = 1_000;
/// Maximum distance between the tops of two bars.
const PITCH_MAX: usize = 14;

/// A laid-out picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// A description of the picture in words.
    pub title: String,
    /// The width in pixels.
    pub width: f32,
    /// The height in pixels.
    pub height: f32,
    /// The background colour.
    pub background: Color,
    /// The lines of the scale, which are drawn below everything else.
    pub rules: Vec<Box>,
    /// The bars, one for each page.
    pub bars: Vec<Bar>,
    /// The coloured squares of the legend.
    pub chips: Vec<Box>,
    /// All texts.
    pub labels: Vec<Label>,
}

/// A filled rectangle.
#[derive(Debug, Clone, PartialEq)]
pub struct Box {
    /// Left.
    pub x: f32,
    /// Top.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// Its colour.
    pub color: Color,
}

/// The bar of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The rectangle of the whole page.
    pub page: Box,
    /// Its tooltip.
    pub title: String,
    /// Its template regions, from left to right.
    pub runs: Vec<Run>,
}

/// A run of adjacent template regions of one colour.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Left.
    pub x: f32,
    /// Width.
    pub width: f32,
    /// Its colour.
    pub color: Color,
    /// Its tooltip; `None` if there are too many regions.
    pub title: Option<String>,
}

/// A text.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The x coordinate of its anchor.
    pub x: f32,
    /// The y coordinate of its baseline.
    pub y: f32,
    /// The font size.
    pub size: f32,
    /// Whether they are bold.
    pub is_bold: bool,
    /// The position of the text relative to `x`.
    pub anchor: Anchor,
    /// Their colour.
    pub color: Color,
    /// The text.
    pub text: String,
}

/// The position of a text relative to its anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The text starts at the anchor.
    Start,
    /// The text is centred on the anchor.
    Middle,
    /// The text ends at the anchor.
    End,
}

/// Lays out a site. Its pages must be sorted.
pub fn of_site(site: &SiteView, palette: Palette, color_by: ColorBy, theme: Theme) -> Scene {
    SceneBuilder { site, palette, color_by, theme, bytes_shown: site.bytes_shown().max(1) }.scene()
}

struct SceneBuilder<'a> {
    site: &'a SiteView,
    palette: Palette,
    color_by: ColorBy,
    theme: Theme,
    /// The number of bytes that corresponds to the width of the picture.
    bytes_shown: u32,
}

impl SceneBuilder<'_> {
    fn scene(&self) -> Scene {
        let drawn = SiteView::spread(self.site.pages.len(), PICTURE_BARS_MAX);
        let pitch = (BARS_HEIGHT / drawn.len().max(1)).clamp(1, PITCH_MAX) as f32;
        let bottom = TOP + pitch * drawn.len() as f32;
        let regions: usize = drawn.iter().map(|page| self.site.pages[*page].marks.len()).sum();
        let bar = |(row, page): (usize, &usize)| {
            let y = TOP + row as f32 * pitch;
            self.bar(&self.site.pages[*page], y, thickness(pitch), regions <= PICTURE_TITLES_MAX)
        };
        let mut scene = Scene {
            title: format!("Templates of {}", self.site.display_name()),
            width: WIDTH,
            height: bottom + 58.0,
            background: self.theme.background,
            rules: Vec::new(),
            bars: drawn.iter().enumerate().map(bar).collect(),
            chips: Vec::new(),
            labels: Vec::new(),
        };
        self.head(&mut scene);
        self.legend(&mut scene);
        self.scale(&mut scene, bottom);
        self.note(&mut scene, bottom + 44.0, drawn.len());
        scene
    }

    fn bar(&self, page: &PageView, y: f32, height: f32, has_titles: bool) -> Bar {
        let share = percent(page.volume.html.fraction());
        let title = format!("{}\n{} bytes, {share} template", page.url, count(u64::from(page.bytes)));
        let content = self.theme.content;
        let page_box = Box { x: MARGIN, y, width: self.length(page.bytes), height, color: content };
        let runs = match has_titles {
            true => page.marks.iter().map(|mark| self.titled(*mark)).collect(),
            false => self.runs(&page.marks),
        };
        Bar { page: page_box, title, runs }
    }

    fn titled(&self, mark: Mark) -> Run {
        let piece = &self.site.pieces[mark.piece as usize];
        let bytes = plural(u64::from(mark.end - mark.start), "byte");
        let times = plural(piece.occurrences, "time");
        let on = format!("{times} on {}", plural(u64::from(piece.pages), "page"));
        let what = match (piece.sort.name(), mark.kind) {
            (_, RegionKind::Markup) => "markup",
            (Some(sort), _) => sort,
            (None, kind) => kind.name(),
        };
        Run { title: Some(format!("{what} {}: {bytes}, {on}", piece.hash)), ..self.run(mark) }
    }

    fn run(&self, mark: Mark) -> Run {
        let x = MARGIN + self.length(mark.start);
        let width = (MARGIN + self.length(mark.end) - x).max(0.2);
        Run { x, width, color: self.color(mark), title: None }
    }

    /// Merges adjacent regions of one colour, with a tolerance of a tenth of a pixel.
    fn runs(&self, marks: &[Mark]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for mark in marks {
            let run = self.run(*mark);
            match runs.last_mut() {
                Some(last) if last.color == run.color && run.x - (last.x + last.width) < 0.1 => {
                    last.width = (run.x + run.width - last.x).max(last.width);
                }
                _ => runs.push(run),
            }
        }
        runs
    }

    fn color(&self, mark: Mark) -> Color {
        let Theme { background, markup, clutter, .. } = self.theme;
        let piece = &self.site.pieces[mark.piece as usize];
        let class = self.color_by.class(piece.occurrences, piece.pages, self.site.pages.len());
        let color = self.palette.colors()[class];
        match mark.kind {
            RegionKind::Repeated => color,
            RegionKind::Changing => color.halfway(background),
            RegionKind::Markup => markup,
            RegionKind::Clutter => clutter,
        }
    }

    fn length(&self, bytes: u32) -> f32 {
        let share = f64::from(bytes.min(self.bytes_shown)) / f64::from(self.bytes_shown);
        (share * f64::from(WIDTH - 2.0 * MARGIN)) as f32
    }

    fn head(&self, scene: &mut Scene) {
        let Theme { text, muted, .. } = self.theme;
        scene.labels.push(label(MARGIN, 38.0, 22.0, text, self.site.display_name()).bold());
        let volume = self.site.volume;
        let figures = format!(
            "{}, {}   ·   template: {} of the HTML, {} of the text, {} of the links   ·   {}, found by {}",
            plural(self.site.pages.len() as u64, "page"),
            bytes_short(volume.html.total),
            percent(volume.html.fraction()),
            percent(volume.text.fraction()),
            percent(volume.links.fraction()),
            found_by(self.site),
            self.site.method,
        );
        scene.labels.push(label(MARGIN, 60.0, 13.0, muted, &figures));
    }

    fn legend(&self, scene: &mut Scene) {
        let Theme { muted, content, markup, clutter, .. } = self.theme;
        let colors = self.palette.colors();
        let has = |kind| self.site.pages.iter().any(|page| page.marks.iter().any(|mark| mark.kind == kind));
        let kinds = [("markup", markup, RegionKind::Markup), ("clutter", clutter, RegionKind::Clutter)];
        let mut entries = vec![("content", content)];
        entries.extend(
            kinds.into_iter().filter(|(_, _, kind)| has(*kind)).map(|(words, color, _)| (words, color)),
        );
        entries.extend(self.color_by.names().into_iter().zip(colors));
        // The width of a column depends on its text.
        let mut x = MARGIN;
        for (words, color) in entries {
            scene.chips.push(Box { x, y: 81.0, width: 12.0, height: 12.0, color });
            scene.labels.push(label(x + 17.0, 91.5, 12.0, muted, words));
            x += 17.0 + words.chars().count() as f32 * 6.5 + 14.0;
        }
    }

    fn scale(&self, scene: &mut Scene, bottom: f32) {
        let Theme { muted, rule, .. } = self.theme;
        let step = nice_step(f64::from(self.bytes_shown) / 6.0).max(1.0);
        let mut at = 0.0;
        while at <= f64::from(self.bytes_shown) {
            let x = MARGIN + self.length(at as u32);
            scene.rules.push(Box {
                x: x - 0.5,
                y: TOP - 6.0,
                width: 1.0,
                height: bottom - TOP + 12.0,
                color: rule,
            });
            let anchor = if at == 0.0 { Anchor::Start } else { Anchor::Middle };
            let words = if at == 0.0 { "0".to_owned() } else { bytes_short(at as u64) };
            // A label that would extend beyond the picture is omitted, but its line is drawn.
            if x <= WIDTH - MARGIN - 12.0 || at == 0.0 {
                scene.labels.push(Label { anchor, ..label(x, bottom + 21.0, 11.5, muted, &words) });
            }
            at += step;
        }
    }

    fn note(&self, scene: &mut Scene, y: f32, drawn: usize) {
        let pages = self.site.pages.len();
        let bytes_max = count(u64::from(self.site.bytes_max()));
        let cut = self.site.pages.iter().filter(|page| page.bytes > self.bytes_shown).count() as u64;
        let longest = match cut {
            0 => format!("the longest has {bytes_max} bytes"),
            cut => format!(
                "the {} of {} end at the right edge, the longest has {bytes_max} bytes",
                if cut == 1 { "bar" } else { "bars" },
                plural(cut, "very long page")
            ),
        };
        let words = match pages {
            0 => "no pages".to_owned(),
            1 => format!("one page of {} bytes", bytes_max),
            _ if drawn < pages => format!(
                "{} of {} pages are drawn, spread evenly by length; one bar a page, shortest first; {longest}",
                count(drawn as u64),
                count(pages as u64)
            ),
            _ => format!("one bar a page, shortest first; {longest}"),
        };
        scene.labels.push(label(MARGIN, y, 11.5, self.theme.muted, &words));
    }
}

/// The number of templates, as text.
fn found_by(site: &SiteView) -> String {
    match site.knows_places {
        true => plural(schema::of_site(site).templates.len() as u64, "template"),
        false => plural(site.pieces.len() as u64, "repeated piece"),
    }
}

/// The thickness of a bar. Thick bars have space between them, thin ones have none.
fn thickness(pitch: f32) -> f32 {
    match pitch {
        pitch if pitch >= 8.0 => pitch - 3.0,
        pitch if pitch >= 4.0 => pitch - 1.0,
        pitch => pitch,
    }
}

/// The smallest round number (1, 2 or 5 times a power of ten) that is not below `rough`.
pub fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.max(1e-9).log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    factor * power
}

fn label(x: f32, y: f32, size: f32, color: Color, text: &str) -> Label {
    Label { x, y, size, is_bold: false, anchor: Anchor::Start, color, text: text.to_owned() }
}

impl Label {
    fn bold(self) -> Label {
        Label { is_bold: true, ..self }
    }
}
