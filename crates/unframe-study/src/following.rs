//! Compares labelling page by page with labelling in batches: how much each must store to find the same share of templates.
//!
//! Every site of a folder of gold texts is treated as a stream of pages. `segments` labels each page as it arrives. The batch methods
//! collect pages, learn and label them together, and start again. The study determines the smallest batch size with which they find as large
//! a share of the templates as `segments` does, and compares the storage: the table of `segments`, and the pages of a batch.
//!
//! The share of templates found is the share of a page's words outside of its gold text that were removed. A batch of two pages finds much
//! template, but also removes much content. The study therefore also determines the smallest batch that keeps as much of the content, with a
//! tolerance of `LOSS`.

mod at_recall;
mod quality;
mod redesign;
mod score;

use std::path::Path;
use unframe::PageParser;

use unframe::detect::{self, Detector, Segments};
use unframe::segments::{PageId, SegmentedPage, Table};

pub use at_recall::{AtRecall, BatchStorage, TableStorage, at_recall};
pub use quality::quality;
pub use redesign::redesign;

use crate::eval::{clean, label};
use crate::gold::{GoldError, GoldFolder, GoldPage, GoldSite};
use crate::parallel;
use crate::table::Table as Rows;
use score::{PageWords, Score};

/// Batch sizes that are tried. Each costs a run over all pages, so the steps between large sizes are wide.
const BATCHES: [usize; 9] = [2, 3, 4, 6, 8, 16, 32, 64, 128];
/// How much more of the content than `segments` a batch method may lose.
const LOSS: f64 = 0.01;
/// The batch methods that `segments` is compared with.
const BATCH_METHODS: [&str; 2] = ["shingle", "dom"];
/// The values of the parameters Tb and N that are tried.
const BASES: [u32; 4] = [5, 10, 20, 50];
const FACTORS: [u32; 4] = [1, 5, 20, 50];
/// Sections of a stream, by the index of their first page.
const POSITIONS: [(usize, &str); 6] =
    [(0, "1-4"), (4, "5-9"), (9, "10-19"), (19, "20-39"), (39, "40-79"), (79, "80-")];

/// Measures all sites of a folder of gold texts, and returns tables.
///
/// # Errors
/// If the folder or one of its files is missing or broken.
pub fn study(folder: &Path, threads: usize) -> Result<String, GoldError> {
    let folder = GoldFolder::open(folder)?;
    let measured: Result<Vec<SiteMeasurement>, GoldError> =
        parallel::map(&folder.sites, threads, measure).into_iter().collect();
    let measured = measured?;
    Ok([storage(&measured), parameters(&measured), positions(&measured)].join("\n"))
}

/// The measurements of a site.
struct SiteMeasurement {
    site: String,
    /// The stream with the default parameters.
    stream: Stream,
    batches: Vec<Batches>,
    /// The streams with each of [`BASES`] and each of [`FACTORS`].
    grid: Vec<Stream>,
}

/// The smallest sufficient batches of a method.
struct Batches {
    /// The smallest batch that finds as much of the templates.
    to_find: Option<Batch>,
    /// The smallest batch that finds as much of the templates and also keeps as much of the content.
    to_keep: Option<Batch>,
}

/// A batch size, the mean number of bytes of a batch, and the score of the method with it.
#[derive(Debug, Clone, Copy)]
struct Batch {
    pages: usize,
    bytes: f64,
    score: Score,
}

/// The result of labelling a site as a stream.
#[derive(Debug, Clone, Default)]
struct Stream {
    score: Score,
    by_position: [Score; POSITIONS.len()],
    /// Means over all pages: entries of the table, its bytes in memory, and its bytes on disk.
    segments: f64,
    memory: f64,
    stored: f64,
}

fn measure(site: &GoldSite) -> Result<SiteMeasurement, GoldError> {
    let pages = site.read(usize::MAX)?.pages;
    let mut parser = PageParser::new();
    let words: Vec<Option<PageWords>> = pages.iter().map(|page| PageWords::of(page, &mut parser)).collect();
    let usual = Segments::default();
    let cut: Vec<SegmentedPage> = pages.iter().map(|page| usual.cut(&parser.open(&page.page))).collect();
    let stream = |segments: &Segments| stream(segments, &pages, &cut, &words);
    let usual = stream(&usual);
    let (found, kept) = (usual.score.found(), usual.score.kept() - LOSS);
    let batches =
        batch_methods().map(|method| smallest_batches(&*method, &pages, &words, found, kept)).collect();
    let grid = grid().map(|(base, factor)| stream(&with_parameters(base, factor))).collect();
    Ok(SiteMeasurement { site: site.name.clone(), stream: usual, batches, grid })
}

/// All combinations of the parameters Tb and N that are tried.
fn grid() -> impl Iterator<Item = (u32, u32)> {
    BASES.into_iter().flat_map(|base| FACTORS.map(|factor| (base, factor)))
}

fn with_parameters(base: u32, factor: u32) -> Segments {
    let mut segments = Segments::default();
    let set = segments.set("base", &base.to_string()).and(segments.set("factor", &factor.to_string()));
    debug_assert_eq!(set, Ok(()), "the parameters are those of the method");
    segments
}

fn stream(
    segments: &Segments,
    pages: &[GoldPage],
    cut: &[SegmentedPage],
    words: &[Option<PageWords>],
) -> Stream {
    let mut table = Table::default();
    let mut result = Stream::default();
    let mut parser = PageParser::new();
    for (number, ((page, cut), words)) in pages.iter().zip(cut).zip(words).enumerate() {
        segments.visit(&mut table, PageId::of(&page.page.url, &page.page.payload), &cut.keys());
        let regions = segments.label_cut(&table, cut);
        result.segments += table.len() as f64;
        result.memory += table.bytes() as f64;
        result.stored += table.encode(segments.ageing()).len() as f64;
        if let Some(words) = words {
            let score = words.score(&clean(page, &regions, &mut parser));
            result.score += score;
            let position = POSITIONS.iter().rposition(|(first, _)| *first <= number).unwrap_or(0);
            result.by_position[position] += score;
        }
    }
    for mean in [&mut result.segments, &mut result.memory, &mut result.stored] {
        *mean /= pages.len().max(1) as f64;
    }
    result
}

/// The smallest batch sizes with which a method reaches `found_min`, and with which it also reaches `kept_min`.
fn smallest_batches(
    method: &dyn Detector,
    pages: &[GoldPage],
    words: &[Option<PageWords>],
    found_min: f64,
    kept_min: f64,
) -> Batches {
    let mut found = Batches { to_find: None, to_keep: None };
    let bytes: usize = pages.iter().map(|page| page.page.payload.len()).sum();
    let mut parser = PageParser::new();
    for size in BATCHES {
        let mut score = Score::default();
        for (batch, words) in pages.chunks(size).zip(words.chunks(size)) {
            let (regions, _) = label(method, batch, 0);
            for ((page, words), regions) in batch.iter().zip(words).zip(&regions) {
                if let Some(words) = words {
                    score += words.score(&clean(page, regions, &mut parser));
                }
            }
        }
        let bytes = bytes as f64 / pages.chunks(size).len().max(1) as f64;
        let batch = Batch { pages: size, bytes, score };
        if score.found() >= found_min {
            found.to_find.get_or_insert(batch);
            if score.kept() >= kept_min {
                found.to_keep = Some(batch);
                break;
            }
        }
        if size >= pages.len() {
            break;
        }
    }
    found
}

fn batch_methods() -> impl Iterator<Item = Box<dyn Detector>> {
    let method =
        |name| detect::method(name).unwrap_or_else(|| unreachable!("{name} is in the list of methods"));
    BATCH_METHODS.into_iter().map(method)
}

fn mean(figures: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = figures.len().max(1) as f64;
    figures.sum::<f64>() / count
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn kilobytes(bytes: f64) -> String {
    format!("{:.1}", bytes / 1e3)
}

/// The paper's table 1.
fn storage(measured: &[SiteMeasurement]) -> String {
    let mut headings: Vec<String> =
        ["site", "found %", "kept %", "segments", "memory kB", "stored kB"].map(str::to_owned).to_vec();
    for name in BATCH_METHODS {
        for goal in ["find", "keep"] {
            let of = ["pages", "kB", "kept %", "memory %", "stored %"];
            headings.extend(of.map(|heading| format!("{name}, {goal}: {heading}")));
        }
    }
    let mut rows = Rows::new(1, headings);
    for site in measured {
        let mut row = stream_cells(&site.site, std::slice::from_ref(site));
        for batches in &site.batches {
            row.extend(batch_cells(&[(&site.stream, batches.to_find)]));
            row.extend(batch_cells(&[(&site.stream, batches.to_keep)]));
        }
        rows.row(row);
    }
    let mut row = stream_cells("mean of sites", measured);
    for at in 0..BATCH_METHODS.len() {
        for goal in [|batches: &Batches| batches.to_find, |batches: &Batches| batches.to_keep] {
            let of: Vec<_> = measured.iter().map(|site| (&site.stream, goal(&site.batches[at]))).collect();
            row.extend(batch_cells(&of));
        }
    }
    rows.row(row);
    format!(
        "What is held on average. `find`: the smallest batch that finds as much of the templates; `keep`: one that also keeps \
         as much\nof the content (- where there is none; such sites are not in its mean). `memory` and `stored`: the table in \
         % of the pages of a batch. Batches of {} pages are tried.\n\n{}",
        BATCHES.map(|size| size.to_string()).join(", "),
        rows.text()
    )
}

fn stream_cells(name: &str, measured: &[SiteMeasurement]) -> Vec<String> {
    let all = |figure: fn(&Stream) -> f64| mean(measured.iter().map(|site| figure(&site.stream)));
    vec![
        name.to_owned(),
        percent(all(|stream| stream.score.found())),
        percent(all(|stream| stream.score.kept())),
        format!("{:.0}", all(|stream| stream.segments)),
        kilobytes(all(|stream| stream.memory)),
        kilobytes(all(|stream| stream.stored)),
    ]
}

/// Means over the sites for which a sufficient batch exists.
fn batch_cells(sites: &[(&Stream, Option<Batch>)]) -> Vec<String> {
    let found: Vec<(&Stream, Batch)> =
        sites.iter().filter_map(|(stream, batch)| Some((*stream, (*batch)?))).collect();
    if found.is_empty() {
        return vec!["-".to_owned(); 5];
    }
    let all = |figure: fn(&(&Stream, Batch)) -> f64| mean(found.iter().map(figure));
    let bytes = all(|(_, batch)| batch.bytes);
    vec![
        format!("{:.1}", all(|(_, batch)| batch.pages as f64)),
        kilobytes(bytes),
        percent(all(|(_, batch)| batch.score.kept())),
        percent(all(|(stream, _)| stream.memory) / bytes),
        percent(all(|(stream, _)| stream.stored) / bytes),
    ]
}

fn parameters(measured: &[SiteMeasurement]) -> String {
    let mut rows = Rows::new(0, ["Tb", "N", "found %", "kept %", "segments", "memory kB", "stored kB"]);
    for (at, base) in BASES.into_iter().enumerate() {
        for (place, factor) in FACTORS.into_iter().enumerate() {
            let all = |figure: fn(&Stream) -> f64| {
                mean(measured.iter().map(|site| figure(&site.grid[at * FACTORS.len() + place])))
            };
            rows.row([
                base.to_string(),
                factor.to_string(),
                percent(all(|stream| stream.score.found())),
                percent(all(|stream| stream.score.kept())),
                format!("{:.0}", all(|stream| stream.segments)),
                kilobytes(all(|stream| stream.memory)),
                kilobytes(all(|stream| stream.stored)),
            ]);
        }
    }
    format!("What Tb and N do (means of sites):\n\n{}", rows.text())
}

fn positions(measured: &[SiteMeasurement]) -> String {
    let mut rows = Rows::new(1, ["pages", "found %", "kept %"]);
    for (at, (_, name)) in POSITIONS.into_iter().enumerate() {
        let scores: Vec<Score> = measured
            .iter()
            .map(|site| site.stream.by_position[at])
            .filter(|score| *score != Score::default())
            .collect();
        let found = mean(scores.iter().map(|score| score.found()));
        let kept = mean(scores.iter().map(|score| score.kept()));
        rows.row([name.to_owned(), percent(found), percent(kept)]);
    }
    format!("By the place of a page in the stream (means of sites):\n\n{}", rows.text())
}
