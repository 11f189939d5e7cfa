//! The reasons for what became of a part of a page, in words.

use super::decide::{Judge, Judged, Verdict};
use super::features::Rows;
use super::forest::UNIT;
use super::names::{names, phrase};
use super::weights::Weights;
use crate::html::{Document, Span};
use crate::regions::RegionKind;

/// Features that are named.
const REASONS: usize = 3;

/// Why the longest block of a part of the page stays or goes.
pub(super) fn why(
    judge: &Judge<'_>,
    judged: &Judged,
    weights: &Weights,
    document: &Document<'_>,
    span: Span,
) -> Option<String> {
    let page = judge.alone.page;
    let inside = page.texts.iter().filter(|text| span.contains(document.node_at(text.node as usize).span()));
    let at = inside.map(|text| text.block as usize).max_by_key(|at| page.blocks[*at].shape.chars)?;
    let others = judge.site.others();
    let compared = match others {
        0 => "a single page".to_owned(),
        1 => "compared with 1 other page".to_owned(),
        others => format!("compared with {others} other pages"),
    };
    let sort = match judged.verdicts[at] {
        Verdict::Goes { sort, kind: RegionKind::Clutter, .. } => sort.name().map(|sort| format!(", {sort}")),
        _ => None,
    };
    let content = f64::from(judged.probabilities[at]) / 10.0;
    Some(format!(
        "{}, {compared}{}: content with {content:.0} %; {}",
        judged.kind.name(),
        sort.unwrap_or_default(),
        reasons(judge, weights, at)
    ))
}

/// The features that moved the score most.
fn reasons(judge: &Judge<'_>, weights: &Weights, at: usize) -> String {
    if judge.site.others() > 0 && judge.site.is_at_place_on(at, 900) {
        return "nearly all other pages have the same text at the same place".to_owned();
    }
    let mut rows = Rows::default();
    let scorer = match judge.site.others() {
        0 => {
            rows.add(judge.alone.row(at), |_| {});
            &weights.alone
        }
        _ => {
            judge.row(at, &mut rows);
            &weights.beside
        }
    };
    let row = &rows.rows[0];
    let mut moved = vec![0i32; rows.width()];
    scorer.forest.contributions(row, &mut |feature, by| moved[feature as usize] += by);
    let mut order: Vec<usize> = (0..moved.len()).collect();
    order.sort_by_key(|feature| (std::cmp::Reverse(moved[*feature].abs()), *feature));
    let names = names();
    let reason = |feature: &usize| {
        let strength = f64::from(moved[*feature]) / f64::from(UNIT);
        format!("{} {strength:+.1}", phrase(&names[*feature], row[*feature]))
    };
    order.iter().take(REASONS).map(reason).collect::<Vec<_>>().join(", ")
}
