//! Explains in words why a part of a page is kept or removed.

use super::decide::{Judge, Judged, Verdict};
use super::features::Rows;
use super::forest::UNIT;
use super::names::{names, phrase, second_pass_names, topic};
use crate::html::Span;

/// The number of reasons that are given.
const REASONS: usize = 3;

/// For each of these parts of the page, why its longest block is kept or removed.
pub(super) fn why(judge: &Judge<'_>, judged: &Judged, parts: &[Span]) -> Vec<Option<String>> {
    let page = judge.single_page.page;
    // Where the parser moves text, tree order differs from byte order.
    let mut texts: Vec<_> = page.texts.iter().collect();
    texts.sort_by_key(|text| text.span.start);
    let longest = |part: &Span| {
        let first = texts.partition_point(|text| text.span.start < part.start);
        let inside = texts[first..].iter().take_while(|text| text.span.start < part.end);
        let inside = inside.filter(|text| part.contains(text.span)).map(|text| text.block as usize);
        inside.max_by_key(|at| page.blocks[*at].shape.chars)
    };
    parts.iter().map(|part| Some(why_block(judge, judged, longest(part)?))).collect()
}

fn why_block(judge: &Judge<'_>, judged: &Judged, at: usize) -> String {
    let others = judge.site.others();
    let compared = match others {
        0 => "a single page".to_owned(),
        1 => "compared with 1 other page".to_owned(),
        others => format!("compared with {others} other pages"),
    };
    // The confidence of a removed block is part of its region.
    let sure = match judged.verdicts[at] {
        Verdict::Content => format!(", {} % sure", 100 - judge.confidence(judged.scores[at])),
        Verdict::Goes { .. } => String::new(),
    };
    format!("{}, {compared}{sure}: {}", judged.kind.name(), reasons(judge, at))
}

/// The topics that changed the score most.
fn reasons(judge: &Judge<'_>, at: usize) -> String {
    if judge.site.others() > 0 && judge.site.is_at_place_on(at, 900) {
        return "nearly all other pages have the same text at the same place".to_owned();
    }
    let mut rows = Rows::default();
    judge.row(at, &mut rows);
    let row = &rows.rows[0];
    let mut moved = vec![0i32; rows.width()];
    judge.scorer().forest.contributions(row, &mut |feature, by| moved[feature as usize] += by);
    let mut topics: Vec<Topic> = Vec::new();
    let names = if judge.site.others() == 0 { second_pass_names() } else { names() };
    for (feature, name) in names.iter().enumerate().take(moved.len()) {
        let (words, moved) = (topic(name), moved[feature]);
        let known = topics.iter().position(|topic| topic.words == words).unwrap_or_else(|| {
            topics.push(Topic { words, ..Topic::default() });
            topics.len() - 1
        });
        topics[known].add(moved, || phrase(name, row[feature]));
    }
    topics.sort_by_key(|topic| std::cmp::Reverse(topic.moved.abs()));
    topics.iter().take(REASONS).map(Topic::reason).collect::<Vec<_>>().join(", ")
}

/// The contribution of all features of one topic to a score.
#[derive(Default)]
struct Topic {
    words: &'static str,
    moved: i32,
    /// The strongest feature that has a phrase of its own.
    detail: Option<(i32, String)>,
}

impl Topic {
    fn add(&mut self, moved: i32, phrase: impl FnOnce() -> Option<String>) {
        self.moved += moved;
        let strongest = self.detail.as_ref().map_or(0, |(moved, _)| moved.abs());
        if moved.abs() > strongest
            && let Some(phrase) = phrase()
        {
            self.detail = Some((moved, phrase));
        }
    }

    fn reason(&self) -> String {
        // A detail with the opposite sign would confuse readers.
        let detail = self.detail.as_ref().filter(|(moved, _)| moved.signum() == self.moved.signum());
        let detail = detail.map_or(String::new(), |(_, phrase)| format!(" ({phrase})"));
        format!("{}{detail} {:+.1}", self.words, f64::from(self.moved) / f64::from(UNIT))
    }
}
