//! The data of the HTML file: the pictures of all pages, and their texts in packs that are decompressed on demand.

use std::io::{self, Write};

use data_encoding::BASE64;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde_json::{Value, json};
use unframe::text::content::Volume;

use super::super::page_text::Part;
use super::super::palette::{ColorBy, DARK, LIGHT, Palette, Theme};
use super::super::site_view::cut_texts;
use super::super::{PageView, SiteView, key_pages, schema};
use crate::limits::{EXPLORER_PAGES_MAX, EXPLORER_TEXT_MAX};

/// Number of pages whose texts are compressed together.
const PAGES_PER_PACK: usize = 32;

/// The data of a site as one JSON value without characters that have a meaning in HTML.
pub(super) fn of_site(mut site: SiteView, palette: Palette, color_by: ColorBy) -> io::Result<String> {
    let all_pages = site.pages.len();
    let kept = SiteView::spread(all_pages, EXPLORER_PAGES_MAX);
    if kept.len() < all_pages {
        let mut pages: Vec<Option<PageView>> =
            std::mem::take(&mut site.pages).into_iter().map(Some).collect();
        site.pages = kept.into_iter().filter_map(|page| pages[page].take()).collect();
    }
    let cut = cut_texts(&mut site.pages, EXPLORER_TEXT_MAX);
    let texts: io::Result<Vec<String>> =
        site.pages.chunks(PAGES_PER_PACK).map(|pages| pack(&texts_of(pages))).collect();
    let main = main(&site, palette, color_by, all_pages, cut);
    // Base64 has no characters that must be escaped in HTML or JSON.
    Ok(json!({"main": pack(&main)?, "texts": texts?, "pagesPerPack": PAGES_PER_PACK}).to_string())
}

fn pack(value: &impl Serialize) -> io::Result<String> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::new(6));
    packed.write_all(&serde_json::to_vec(value)?)?;
    Ok(BASE64.encode(&packed.finish()?))
}

/// The texts of pages: a string is content, `[region]` is the shared text of the region's piece, and `[region, text]` is a text of its own.
fn texts_of(pages: &[PageView]) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Content(text) => json!(text),
        Part::Template { region, text: None } => json!([region]),
        Part::Template { region, text: Some(text) } => json!([region, text]),
    };
    let page = |page: &PageView| page.text.iter().map(part).collect::<Vec<_>>();
    pages.iter().map(|one| json!(page(one))).collect()
}

fn main(site: &SiteView, palette: Palette, color_by: ColorBy, all_pages: usize, cut: usize) -> Value {
    let schemas = schema::of_site(site);
    let pieces = site.pieces.iter().zip(&schemas.template_of);
    let pieces: Vec<Value> = pieces
        .map(|(piece, template)| {
            let text = piece.text.as_deref().unwrap_or_default();
            json!([
                piece.hash.to_string(),
                piece.occurrences,
                piece.pages,
                piece.sort.name(),
                piece.within.map(|within| within.to_string()),
                template,
                text
            ])
        })
        .collect();
    let templates: Vec<Value> = schemas
        .templates
        .iter()
        .map(|one| json!({"pieces": one.pieces, "pages": one.pages, "bytes": one.bytes, "links": one.links}))
        .collect();
    let groups: Vec<Value> = schemas
        .groups
        .iter()
        .map(|one| json!({"schema": one.schema, "pages": one.pages, "outlier": one.is_outlier}))
        .collect();
    let key_pages: Vec<Value> = key_pages::of_site(site)
        .into_iter()
        .map(|one| json!([one.url, one.text, one.in_templates, one.in_content, one.piece, one.page]))
        .collect();
    json!({
        "site": site.name,
        "method": site.method,
        "allPages": all_pages,
        "bytesShown": site.bytes_shown().max(1),
        "cutTexts": cut,
        "volume": volume(site.volume),
        "pieces": pieces,
        "templates": templates,
        "groups": groups,
        "keyPages": key_pages,
        "pages": pages(&site.pages),
        "knowsPlaces": site.knows_places,
        "colorBy": if color_by == ColorBy::Times { "times" } else { "share" },
        "classes": { "share": ColorBy::Share.names(), "times": ColorBy::Times.names() },
        "inks": { "light": inks(LIGHT), "dark": inks(DARK) },
        "palettes": {
            "rainbow": Palette::Rainbow.colors().map(|color| color.to_string()),
            "safe": Palette::Safe.colors().map(|color| color.to_string()),
        },
        "palette": if palette == Palette::Safe { "safe" } else { "rainbow" },
    })
}

fn volume(volume: Volume) -> Value {
    json!({
        "html": volume.html.fraction(),
        "text": volume.text.fraction(),
        "links": volume.links.fraction(),
        "bytes": volume.html.total,
    })
}

fn inks(theme: Theme) -> Value {
    let Theme { background, content, markup, clutter, .. } = theme;
    let [background, content, markup, clutter] =
        [background, content, markup, clutter].map(|color| color.to_string());
    json!({ "background": background, "content": content, "markup": markup, "clutter": clutter })
}

/// The data are stored by column, which compresses better than storing them by page. Each mark is four numbers: the bytes since the end of
/// the last mark, its length in bytes, its piece, and its kind.
fn pages(pages: &[PageView]) -> Value {
    let marks = |page: &PageView| {
        let mut end = 0;
        let mut numbers = Vec::with_capacity(page.marks.len() * 4);
        for mark in &page.marks {
            numbers.extend([mark.start - end, mark.end - mark.start, mark.piece, mark.kind as u32]);
            end = mark.end;
        }
        numbers
    };
    let thousandths = |page: &PageView| (page.volume.html.fraction() * 1000.0).round() as u32;
    json!({
        "urls": pages.iter().map(|page| &page.url).collect::<Vec<_>>(),
        "titles": pages.iter().map(|page| &page.title).collect::<Vec<_>>(),
        "bytes": pages.iter().map(|page| page.bytes).collect::<Vec<_>>(),
        "shares": pages.iter().map(thousandths).collect::<Vec<_>>(),
        "marks": pages.iter().map(marks).collect::<Vec<_>>(),
    })
}
