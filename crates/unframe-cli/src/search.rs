//! `unframe search`: the pages of an index that match a query, best first.

use std::io::{self, Write};

use anyhow::Context;
use serde::Serialize;
use unframe::site::without_www;
use unframe_search::{Found, Hit, Query, SearchIndex};

use crate::args::{Color, SearchArgs};
use crate::exit::Outcome;
use crate::output;
use crate::terminal;

/// Runs the verb.
pub(crate) fn run(args: &SearchArgs) -> anyhow::Result<Outcome> {
    let index = SearchIndex::open(&args.index)?;
    let limit = usize::from(args.limit);
    let query = Query {
        text: args.query.join(" "),
        all_words: args.all,
        in_templates: args.in_templates,
        site: args.site.as_deref().map(|site| without_www(site).to_owned()),
        language: args.language.clone(),
        ranking: args.rank,
        limit,
        offset: (usize::from(args.page) - 1) * limit,
    };
    let found = index.search(&query)?;
    let text = match args.json {
        true => output::json_line(&Answer::new(&query, &found))?,
        false => for_people(&query, &found, use_colour(args.color)).into_bytes(),
    };
    match io::stdout().write_all(&text) {
        // The reader has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Clean),
        written => written.context("cannot write the results").map(|()| Outcome::Clean),
    }
}

fn use_colour(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal::has_colour(),
    }
}

/// The answer as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    total: usize,
    offset: usize,
    hits: Vec<AnswerHit<'a>>,
}

#[derive(Serialize)]
struct AnswerHit<'a> {
    url: &'a str,
    site: &'a str,
    title: &'a str,
    date: Option<String>,
    language: &'a str,
    score: f32,
    snippet: &'a str,
    /// Byte ranges of query words in the snippet.
    highlights: Vec<[usize; 2]>,
}

impl<'a> Answer<'a> {
    fn new(query: &'a Query, found: &'a Found) -> Answer<'a> {
        let hit = |hit: &'a Hit| AnswerHit {
            url: &hit.url,
            site: &hit.site,
            title: &hit.title,
            date: hit.date.map(|date| date.to_string()),
            language: &hit.language,
            score: hit.score,
            snippet: &hit.snippet.text,
            highlights: hit.snippet.marks.iter().map(|mark| [mark.start, mark.end]).collect(),
        };
        Answer {
            query: &query.text,
            total: found.total,
            offset: query.offset,
            hits: found.hits.iter().map(hit).collect(),
        }
    }
}

fn for_people(query: &Query, found: &Found, colour: bool) -> String {
    let (bold, green, plain) = if colour { ("\x1b[1m", "\x1b[32m", "\x1b[0m") } else { ("", "", "") };
    let mut out = match found.total {
        0 => "no pages\n".to_owned(),
        1 => "1 page\n".to_owned(),
        total => format!("{total} pages\n"),
    };
    for (number, hit) in (query.offset + 1..).zip(&found.hits) {
        let title = if hit.title.is_empty() { &hit.url } else { &hit.title };
        let mut snippet = visible(&hit.snippet.text);
        // The byte ranges are only valid if no character was replaced.
        if snippet == hit.snippet.text {
            for mark in hit.snippet.marks.iter().rev() {
                let (begin, end) = if colour { (bold, plain) } else { ("[", "]") };
                snippet.insert_str(mark.end, end);
                snippet.insert_str(mark.start, begin);
            }
        }
        let (title, url) = (visible(title), visible(&hit.url));
        out.push_str(&format!("\n{number}. {bold}{title}{plain}\n   {green}{url}{plain}\n   {snippet}\n"));
    }
    out
}

/// Replaces control characters, which could affect the terminal.
fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
