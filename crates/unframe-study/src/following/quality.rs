//! Compares the word F1 of the first, second, tenth … page of a stream with that of the same page in a batch of all pages.

use std::path::Path;

use unframe::detect::{FollowMethod, Own, Places, PreparedPage};
use unframe::{PageId, PageParser};

use crate::eval::{clean, label};
use crate::gold::{Gold, GoldError, GoldFolder, GoldPage, GoldSite};
use crate::parallel;
use crate::table::Table as Rows;
use crate::words::WordScore;

/// The positions in the stream that are measured.
const POSITIONS: [usize; 8] = [1, 2, 3, 5, 10, 20, 50, 100];
/// The methods that label pages one by one.
const METHODS: [&str; 2] = ["places", "segments"];
/// Maximum number of scored pages of a site. Each one is placed at every position.
const SCORED_MAX: usize = 20;

/// Measures all sites of a folder of gold texts, and returns a table. Every scored page is placed at every position of the stream of its site.
/// The pages before it are the first pages in the folder.
///
/// # Errors
/// If the folder or one of its files is missing or broken.
pub fn quality(folder: &Path, threads: usize) -> Result<String, GoldError> {
    let folder = GoldFolder::open(folder)?;
    let sites: Result<Vec<Site>, GoldError> =
        parallel::map(&folder.sites, threads, measure).into_iter().collect();
    let sites = sites?;
    let headings = std::iter::once("word F1 of page …".to_owned()).chain(POSITIONS.map(|at| at.to_string()));
    let mut rows = Rows::new(1, headings);
    let of_sites = |row: &dyn Fn(&Site) -> &ByPosition| -> Vec<String> {
        (0..POSITIONS.len())
            .map(|at| {
                let scores: Vec<f64> = sites.iter().filter_map(|site| mean(&row(site)[at])).collect();
                mean(&scores).map_or_else(String::new, |score| format!("{score:.3}"))
            })
            .collect()
    };
    for (number, method) in METHODS.iter().enumerate() {
        rows.row([vec![format!("{method}, page by page")], of_sites(&|site| &site.streams[number])].concat());
    }
    rows.row([vec!["places, all pages at once".to_owned()], of_sites(&|site| &site.batch)].concat());
    let stored = METHODS.iter().enumerate().map(|(number, method)| {
        let bytes: Vec<f64> = sites.iter().map(|site| site.stored[number] as f64).collect();
        format!("{method} {:.1} kB", mean(&bytes).unwrap_or(0.0) / 1e3)
    });
    let stored: Vec<String> = stored.collect();
    Ok(format!("{}\nstate of a site on disk at its end, on average: {}\n", rows.text(), stored.join(", ")))
}

/// For each of [`POSITIONS`], the scores of the pages there.
type ByPosition = [Vec<f64>; POSITIONS.len()];

struct Site {
    /// The scores for each of [`METHODS`].
    streams: Vec<ByPosition>,
    /// The scores of the same pages when all pages of the site are labelled together.
    batch: ByPosition,
    /// For each of [`METHODS`], the bytes of its state after all pages.
    stored: Vec<usize>,
}

fn mean(scores: &[f64]) -> Option<f64> {
    (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
}

fn measure(site: &GoldSite) -> Result<Site, GoldError> {
    let pages = site.read(usize::MAX)?.pages;
    let mut parser = PageParser::new();
    let scored: Vec<usize> = (0..pages.len())
        .filter(|at| matches!(pages[*at].gold, Some(Gold::Text(_))))
        .take(SCORED_MAX)
        .collect();
    let mut measured = Site { streams: Vec::new(), batch: Default::default(), stored: Vec::new() };
    for method in METHODS {
        let Ok(method) = FollowMethod::parse(method) else { continue };
        let prepared: Vec<PreparedPage> =
            pages.iter().map(|page| method.prepare(&parser.open(&page.page))).collect();
        let mut stream = SiteStream { method, pages: &pages, prepared, parser: PageParser::new() };
        let mut by_position = ByPosition::default();
        scored.iter().for_each(|at| stream.score(*at, &mut by_position));
        measured.streams.push(by_position);
        measured.stored.push(stream.stored());
    }
    let (regions, _) = label(&Places::default(), &pages, 0);
    for at in scored {
        let score = f1(&pages[at], &clean(&pages[at], &regions[at], &mut parser));
        let reached = POSITIONS.iter().take_while(|position| **position <= pages.len()).count();
        measured.batch[..reached].iter_mut().for_each(|scores| scores.push(score));
    }
    Ok(measured)
}

/// A site as a stream of pages.
struct SiteStream<'p> {
    method: FollowMethod,
    pages: &'p [GoldPage],
    prepared: Vec<PreparedPage>,
    parser: PageParser,
}

impl SiteStream<'_> {
    /// Scores a page at every position.
    fn score(&mut self, scored: usize, by_position: &mut ByPosition) {
        let mut state = self.method.begin();
        let others = (0..self.pages.len()).filter(|at| *at != scored);
        let mut others = others.take(POSITIONS[POSITIONS.len() - 1]);
        for (position, next) in POSITIONS.iter().zip(1..) {
            by_position[next - 1].push(self.score_after(state.clone(), scored));
            let more = POSITIONS.get(next).unwrap_or(position) - position;
            for _ in 0..more {
                let Some(other) = others.next() else { return };
                self.take(&mut state, other);
            }
        }
    }

    fn score_after(&mut self, mut state: Own, scored: usize) -> f64 {
        self.take(&mut state, scored);
        let (page, prepared) = (&self.pages[scored], &self.prepared[scored]);
        let model = self.method.model_for(&state, &prepared.pieces);
        let regions = self.method.label(&model, &self.parser.open(&page.page), prepared).regions;
        f1(page, &clean(page, &regions, &mut self.parser))
    }

    fn take(&self, state: &mut Own, at: usize) {
        let page = &self.pages[at].page;
        self.method.take(state, PageId::of(&page.url, &page.payload), &self.prepared[at].pieces);
    }

    /// The bytes of the state after all pages.
    fn stored(&self) -> usize {
        let mut state = self.method.begin();
        (0..self.pages.len()).for_each(|at| self.take(&mut state, at));
        self.method.encode(&state).len()
    }
}

fn f1(page: &GoldPage, text: &str) -> f64 {
    match &page.gold {
        Some(Gold::Text(gold)) => WordScore::without(text, gold, &page.unsure).f1,
        _ => 0.0,
    }
}
