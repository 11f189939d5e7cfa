//! Finding templates on one thread: the speed claim of the paper, and `clean` against the steps that it needs at least.

use std::collections::HashMap;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::PathBuf;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, TagKind, TagToken, TokenSink, TokenSinkResult, TokenizerOpts};
use unframe::detect::text::Windows;
use unframe::detect::{Detector, Dom, Text};
use unframe::html::tokenizer::{Token, Tokenizer};
use unframe::learn::{Learner, Models};
use unframe::model::Model;
use unframe::sample::{Rank, Sample};
use unframe::text::content::{self, Volume};
use unframe::{Page, PageParser};
use unframe_crawl::write::{BodyFormat, CleanPage, clean_line};
use unframe_crawl::{Event, ReadOptions};

use crate::rounds::{Engine, Work, compare};

pub(crate) fn run(inputs: &[PathBuf], rounds: usize) -> anyhow::Result<()> {
    let mut pages: Vec<Page> = Vec::new();
    read(inputs, |page| pages.push(page))?;
    anyhow::ensure!(!pages.is_empty(), "no HTML page in the inputs");
    let bytes: usize = pages.iter().map(|page| page.payload.len()).sum();
    println!("{} pages, {:.1} MB, {rounds} rounds, one thread\n", pages.len(), bytes as f64 / 1e6);

    println!("Learning and labelling; found: text in templates, in hundredths of a per cent of all text\n");
    let whole = |name, make: fn() -> Box<dyn Detector>| Engine { name, work: whole_run(&pages, make) };
    let mut engines = [
        whole("text 32.10.0.200", || Box::new(Text::default())),
        whole("text 32.10.40.200", || Box::new(Text { density: 40, ..Text::default() })),
        whole("dom", || Box::new(Dom::default())),
    ];
    compare(&mut engines, rounds, bytes, "text 32.10.0.200")?;

    println!("\nThe detection itself, pages cut into characters before; found: characters in templates\n");
    let lines = lines(&pages);
    let sampled = Text { density: 40, ..Text::default() };
    let windows = |name, text| Engine { name, work: detected(&lines, text) };
    let mut engines = [
        Engine { name: "hashing only", work: hashed(&lines) },
        windows("text 32.10.0.200", Text::default()),
        windows("text 32.10.40.200", sampled.clone()),
        windows("text 32.10.40.200, not extended", Text { reach: 0, ..sampled.clone() }),
    ];
    compare(&mut engines, rounds, bytes, "text 32.10.0.200")?;
    println!("\nOf the characters that all windows find:");
    for (name, text) in [("extended", sampled.clone()), ("not extended", Text { reach: 0, ..sampled })] {
        let agreement = agreement(&lines, &Text::default(), &text);
        println!("32.10.40.200, {name}: {agreement}");
    }
    println!("in joined windows of which at least one is sampled: {:.1} %", 100.0 * with_sample(&lines));

    println!("\nCleaning a crawl, reading included; found: pages\n");
    let mut engines = [
        Engine { name: "decompress, read records and tokenize", work: Box::new(|| tokenize(inputs)) },
        Engine {
            name: "the same by html5ever's tokenizer",
            work: Box::new(|| tokenize_by_html5ever(inputs)),
        },
        Engine { name: "clean --method text --fast", work: Box::new(|| clean(inputs)) },
    ];
    compare(&mut engines, rounds, bytes, "decompress, read records and tokenize")?;
    Ok(())
}

fn read(inputs: &[PathBuf], mut each: impl FnMut(Page)) -> anyhow::Result<()> {
    let options = ReadOptions { threads: 1, ..ReadOptions::default() };
    unframe_crawl::read(
        inputs,
        &options,
        || |page: Page| page,
        |event| {
            if let Event::Page(page) = event {
                each(page);
            }
            ControlFlow::Continue(())
        },
    )?;
    Ok(())
}

type WorkOf<'a> = Box<dyn FnMut() -> anyhow::Result<Work> + 'a>;

/// Learns all sites and labels all pages. The amount of template found is measured once, outside of the timed work.
fn whole_run<'a>(pages: &'a [Page], make: fn() -> Box<dyn Detector>) -> WorkOf<'a> {
    let mut parser = PageParser::new();
    let models = learn(pages, make(), &mut parser);
    let mut volume = Volume::default();
    for page in pages {
        let regions = models.label(&page.site, &parser.open(page));
        volume += content::extract(&parser.open(page), &regions).volume;
    }
    let found = (volume.text.fraction() * 1e4).round() as usize;
    Box::new(move || {
        let models = learn(pages, make(), &mut parser);
        for page in pages {
            black_box(models.label(&page.site, &parser.open(page)));
        }
        Ok(Work::found(found))
    })
}

fn learn(pages: &[Page], detector: Box<dyn Detector>, parser: &mut PageParser) -> Models {
    let learner = Learner::new(detector, 0);
    pages.iter().for_each(|page| learner.observe(&page.site, &page.url, &parser.open(page)));
    learner.models()
}

/// The characters of the pages, site by site.
fn lines(pages: &[Page]) -> Vec<Vec<Vec<char>>> {
    let mut parser = PageParser::new();
    let mut sites: HashMap<&str, Vec<Vec<char>>> = HashMap::new();
    for page in pages {
        let parsed = parser.open(page);
        let text = Text { window: 1, ..Text::default() };
        let mut end = 0;
        let windows = Windows::read(*parsed.source(), parsed.pieces(), &text, |at, _| end = at + 1);
        let line = windows
            .words(std::slice::from_ref(&(0..end)))
            .iter()
            .flat_map(|words| words.text.chars())
            .collect();
        sites.entry(&page.site).or_default().push(line);
    }
    sites.into_values().collect()
}

/// Learns the lines of each site and finds the template parts in them.
fn detected<'a>(sites: &'a [Vec<Vec<char>>], text: Text) -> WorkOf<'a> {
    Box::new(move || {
        let mut found = 0;
        for site in sites {
            let model = model(site, &text);
            for chars in site {
                found += text.line_templates(&model, chars).iter().map(|part| part.len()).sum::<usize>();
            }
        }
        Ok(Work::found(found))
    })
}

fn model(site: &[Vec<char>], text: &Text) -> Model {
    let mut sample = Sample::new(text.sample);
    for (number, chars) in site.iter().take(text.sample).enumerate() {
        let mut pieces = Vec::new();
        text.line_pieces(chars, &mut pieces);
        sample.add(Rank(number as u128), pieces);
    }
    text.model(&sample)
}

/// The recall and precision of one setting's findings, taking the findings of another setting as the truth.
fn agreement(sites: &[Vec<Vec<char>>], one: &Text, other: &Text) -> String {
    let (mut of_one, mut of_other, mut of_both) = (0, 0, 0);
    for site in sites {
        let models = [one, other].map(|text| model(site, text));
        for chars in site {
            let is_found = |text: &Text, model: &Model| {
                let mut is_found = vec![false; chars.len()];
                text.line_templates(model, chars).into_iter().for_each(|part| is_found[part].fill(true));
                is_found
            };
            let (left, right) = (is_found(one, &models[0]), is_found(other, &models[1]));
            of_one += left.iter().filter(|found| **found).count();
            of_other += right.iter().filter(|found| **found).count();
            of_both += left.iter().zip(&right).filter(|(left, right)| **left && **right).count();
        }
    }
    let percent = |of: usize| 100.0 * of_both as f64 / of.max(1) as f64;
    format!("{:.1} % found, {:.1} % of what it finds is right", percent(of_one), percent(of_other))
}

/// Of the characters that all windows find, the share in joined parts that contain at least one window of the sample with D = 40. Extension cannot
/// find more, unless it starts from a shorter window.
fn with_sample(sites: &[Vec<Vec<char>>]) -> f64 {
    let (all, sampled) = (Text::default(), Text { density: 40, ..Text::default() });
    let (mut found, mut total) = (0, 0);
    for site in sites {
        let model = model(site, &all);
        for chars in site {
            let mut paths = Vec::new();
            sampled.for_each_window(chars, |at, _| paths.push(at));
            let parts = all.line_templates(&model, chars);
            // Adjacent parts were one part before it was split by the numbers of pages.
            for joined in parts.chunk_by(|one, next| one.end == next.start) {
                let (start, end) = (joined[0].start, joined[joined.len() - 1].end);
                let first = paths.partition_point(|at| *at < start);
                total += end - start;
                if paths.get(first).is_some_and(|at| at + sampled.window <= end) {
                    found += end - start;
                }
            }
        }
    }
    found as f64 / total.max(1) as f64
}

/// Rolls the hash over all characters as often as `counted` does, and stores nothing: the cost that no sampling density can avoid.
fn hashed<'a>(sites: &'a [Vec<Vec<char>>]) -> WorkOf<'a> {
    let text = Text { density: 1 << 32, ..Text::default() };
    Box::new(move || {
        let mut found = 0;
        for chars in sites.iter().flatten() {
            for _ in 0..2 {
                text.for_each_window(chars, |_, _| found += 1);
            }
        }
        Ok(Work::found(found))
    })
}

/// Reads the crawl once and tokenises each page.
fn tokenize(inputs: &[PathBuf]) -> anyhow::Result<Work> {
    let mut found = 0;
    read(inputs, |page| {
        let mut tokens = Tokenizer::new(&page.payload);
        // Without `black_box`, the compiler could remove tokens that nobody uses.
        while black_box(tokens.next_by_name()) != Token::Eof {}
        found += 1;
    })?;
    Ok(Work::found(found))
}

/// Reads the crawl once and tokenises each page with html5ever, the tokeniser that most Rust programs use.
fn tokenize_by_html5ever(inputs: &[PathBuf]) -> anyhow::Result<Work> {
    let mut found = 0;
    read(inputs, |page| {
        let text = page.charset.encoding.decode(&page.payload).0;
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(&text));
        let tokenizer = html5ever::tokenizer::Tokenizer::new(NullSink, TokenizerOpts::default());
        // A sink without scripts never pauses the tokeniser, so the whole page is read.
        let _ = tokenizer.feed(&queue);
        tokenizer.end();
        found += 1;
    })?;
    Ok(Work::found(found))
}

/// A sink that drops all tokens.
struct NullSink;

impl TokenSink for NullSink {
    type Handle = ();

    fn process_token(&self, token: html5ever::tokenizer::Token, _: u64) -> TokenSinkResult<()> {
        match black_box(&token) {
            TagToken(tag) if tag.kind == TagKind::StartTag => match &*tag.name {
                "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                "style" => TokenSinkResult::RawData(RawKind::Rawtext),
                _ => TokenSinkResult::Continue,
            },
            _ => TokenSinkResult::Continue,
        }
    }
}

fn clean(inputs: &[PathBuf]) -> anyhow::Result<Work> {
    let mut parser = PageParser::new();
    let learner = Learner::new(Box::new(Text { density: 40, ..Text::default() }), 0);
    read(inputs, |page| learner.observe(&page.site, &page.url, &parser.open(&page)))?;
    let models = learner.models();
    let mut found = 0;
    read(inputs, |page| {
        let parsed = parser.open(&page);
        let regions = models.label(&page.site, &parsed);
        let clean = CleanPage::new(&page, &parsed, &regions, BodyFormat::Text);
        found += usize::from(black_box(clean_line(&clean)).is_ok());
    })?;
    Ok(Work::found(found))
}
