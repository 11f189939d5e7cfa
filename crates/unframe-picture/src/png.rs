//! Renders a picture as PNG.
//!
//! The font is part of the program, so that the picture is the same on every machine, whatever fonts are installed.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use tiny_skia::{Color as Ink, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Transform};
use ttf_parser::{FaceParsingError, GlyphId, OutlineBuilder};

use super::palette::Color;
use super::scene::{Anchor, Bar, Box, Label, Scene};

/// Scale factor of the pixels, so that the picture is sharp on high-resolution screens and on paper.
const SCALE: f32 = 2.0;

/// Why a picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The picture has no area, or is too large for the memory.
    #[error("a picture of {width} × {height} pixels cannot be drawn")]
    Size {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The embedded font is damaged.
    #[error("the font cannot be read: {0}")]
    Font(#[from] FaceParsingError),
    /// The pixels cannot be compressed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Draws the picture at twice the size of the SVG.
pub fn write(scene: &Scene) -> Result<Vec<u8>, PngError> {
    let [width, height] = [scene.width, scene.height].map(|length| (length * SCALE).ceil() as u32);
    let mut pixmap = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    pixmap.fill(ink(scene.background));
    let boxes = scene.rules.iter().chain(&scene.chips);
    boxes.for_each(|shape| fill(&mut pixmap, shape));
    scene.bars.iter().for_each(|bar| draw_bar(&mut pixmap, bar));
    let (regular, bold) = (Face::new(dejavu::sans::regular())?, Face::new(dejavu::sans::bold())?);
    for label in &scene.labels {
        let face = if label.is_bold { &bold } else { &regular };
        face.draw(&mut pixmap, label);
    }
    Ok(encode(&pixmap)?)
}

fn ink(color: Color) -> Ink {
    Ink::from_rgba8(color.0, color.1, color.2, 255)
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(ink(color));
    paint
}

fn fill(pixmap: &mut Pixmap, shape: &Box) {
    let rect = Rect::from_xywh(shape.x, shape.y, shape.width, shape.height);
    if let Some(rect) = rect {
        pixmap.fill_rect(rect, &paint(shape.color), Transform::from_scale(SCALE, SCALE), None);
    }
}

fn draw_bar(pixmap: &mut Pixmap, bar: &Bar) {
    fill(pixmap, &bar.page);
    for run in &bar.runs {
        fill(pixmap, &Box { x: run.x, width: run.width, color: run.color, ..bar.page.clone() });
    }
}

/// A font; lengths are in its own units.
struct Face<'f>(ttf_parser::Face<'f>);

impl<'f> Face<'f> {
    fn new(font: &'f [u8]) -> Result<Face<'f>, FaceParsingError> {
        ttf_parser::Face::parse(font, 0).map(Face)
    }

    fn draw(&self, pixmap: &mut Pixmap, label: &Label) {
        // DejaVu is wider than the fonts of browsers, so text is scaled down to take the same space.
        let scale = label.size * 0.92 / f32::from(self.0.units_per_em());
        // The first glyph of a font stands for missing characters.
        let glyphs: Vec<GlyphId> =
            label.text.chars().map(|c| self.0.glyph_index(c).unwrap_or(GlyphId(0))).collect();
        let advance = |glyph: &GlyphId| f32::from(self.0.glyph_hor_advance(*glyph).unwrap_or(0)) * scale;
        let width: f32 = glyphs.iter().map(advance).sum();
        let mut x = match label.anchor {
            Anchor::Start => label.x,
            Anchor::Middle => label.x - width / 2.0,
            Anchor::End => label.x - width,
        };
        let paint = paint(label.color);
        for glyph in &glyphs {
            if let Some(path) = self.outline(*glyph) {
                let place = Transform::from_row(scale, 0.0, 0.0, -scale, x, label.y).post_scale(SCALE, SCALE);
                pixmap.fill_path(&path, &paint, FillRule::Winding, place, None);
            }
            x += advance(glyph);
        }
    }

    /// The outline of a glyph; `None` for a space or a damaged glyph.
    fn outline(&self, glyph: GlyphId) -> Option<Path> {
        let mut pen = Pen(PathBuilder::new());
        self.0.outline_glyph(glyph, &mut pen)?;
        pen.0.finish()
    }
}

struct Pen(PathBuilder);

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

/// Encodes opaque pixels as PNG. The format is simple enough that a PNG library would mainly add a second deflate implementation.
fn encode(pixmap: &Pixmap) -> io::Result<Vec<u8>> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::new(9));
    let row_bytes = pixmap.width() as usize * 4;
    for row in pixmap.data().chunks_exact(row_bytes) {
        // Rows of flat colours compress best without a filter (filter 0).
        let rgb = row.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        packed.write_all(&[0])?;
        packed.write_all(&rgb.collect::<Vec<u8>>())?;
    }
    let mut header = Vec::new();
    header.extend(pixmap.width().to_be_bytes());
    header.extend(pixmap.height().to_be_bytes());
    // The header says: eight bits for each of red, green and blue, the only compression method, the only filter method, no interlacing.
    header.extend([8, 2, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut png, b"IHDR", &header);
    chunk(&mut png, b"IDAT", &packed.finish()?);
    chunk(&mut png, b"IEND", b"");
    Ok(png)
}

fn chunk(png: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(data);
    png.extend((data.len() as u32).to_be_bytes());
    png.extend(name);
    png.extend(data);
    png.extend(crc.sum().to_be_bytes());
}
