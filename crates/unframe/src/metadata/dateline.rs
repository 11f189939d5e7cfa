//! Lines that state when a page was published or changed, in the languages of most pages.

use std::ops::Range;

use super::dates::{self, Order};
use super::names;

/// Maximum number of letters beside the date in a line that is mostly the date.
const LETTERS_MAX: usize = 12;
/// Maximum number of letters beside the date in a link that is the date.
const LINKED_LETTERS_MAX: usize = 3;
/// Maximum number of letters beside the date in a line that says what date it is, or whose.
const LABELLED_LETTERS_MAX: usize = 60;

/// Words that say that a date is of the last change.
#[rustfmt::skip]
const CHANGES: [&str; 45] = [
    "updated", "modified", "edited", "revised", "reviewed", "last update", "last change", "aktualisiert", "geändert", "letzte änderung",
    "stand:", "mis à jour", "mise à jour", "modifié", "actualizad", "actualización", "modificad", "atualizad", "atualização", "aggiornat",
    "ultima modifica", "bijgewerkt", "gewijzigd", "uppdaterad", "opdateret", "oppdatert", "päivitetty", "zaktualizowan", "aktualizacja",
    "aktualizováno", "aktualizace", "обновлен", "обновлён", "изменен", "изменён", "оновлен", "змінен", "ενημερώθηκε", "τελευταία ενημέρωση",
    "güncellen", "güncelleme", "更新", "修改", "수정", "تحديث",
];

/// Words that say that a date is of publication.
#[rustfmt::skip]
const PUBLICATIONS: [&str; 46] = [
    "publish", "posted", "released on", "veröffentlich", "erschienen", "erstellt am", "publié", "mis en ligne", "publicad", "pubblicat",
    "gepubliceerd", "geplaatst", "publicerad", "publisert", "udgivet", "offentliggjort", "julkaistu", "opublikowan", "data publikacji",
    "publikováno", "опубликован", "дата публикации", "опубліковано", "дата публікації", "δημοσιεύ", "δημοσίευση", "yayın", "közzétéve",
    "发布", "发表", "發布", "發佈", "發表", "公開", "掲載", "投稿日", "配信", "作成日", "刊登", "게시", "입력", "등록", "نشر", "пост от",
    "added on", "date de publication",
];

/// Words that may be beside a date in any line.
#[rustfmt::skip]
const FILLERS: [&str; 27] = [
    "at", "am", "pm", "on", "the", "by", "a", "m", "p", "um", "uhr", "den", "le", "el", "il", "min", "read", "date", "est", "edt", "pst", "pdt",
    "gmt", "utc", "cet", "bst", "ist",
];

/// The publication date that a line states: the line is mostly the date, or says that it is one.
pub(super) fn published(line: &str, order: Order) -> Option<String> {
    let part = publication_part(line, order)?;
    let (date, span) = dates::locate(part, order)?;
    is_about(part, &span).then_some(date)
}

/// The publication date in an element that is meant for one, with any text beside it.
pub(super) fn published_in_element(text: &str, order: Order) -> Option<String> {
    dates::find(publication_part(text, order)?, order)
}

/// The date of the last change that a line states.
pub(super) fn changed(line: &str, order: Order) -> Option<String> {
    let lower = names::same_length_lower_case(line);
    let (change, publication) = (first(&lower, &CHANGES)?, first(&lower, &PUBLICATIONS));
    let end = publication.filter(|at| *at > change).unwrap_or(line.len());
    let after = dates::find(line.get(change..end)?, order);
    // `3 May 2024 (updated)`
    after.or_else(|| dates::find(line.get(..change)?, order).filter(|_| publication.is_none()))
}

/// Whether a text mentions a change.
pub(super) fn mentions_change(text: &str) -> bool {
    first(&names::same_length_lower_case(text), &CHANGES).is_some()
}

/// Whether a text mentions a change and no publication.
pub(super) fn mentions_only_change(text: &str) -> bool {
    mentions_change(text) && first(&names::same_length_lower_case(text), &PUBLICATIONS).is_none()
}

/// Whether the last label in a text is that of a change (`true`) or of a publication (`false`).
pub(super) fn last_label_is_change(text: &str) -> Option<bool> {
    let lower = names::same_length_lower_case(text);
    let last = |words: &[&str]| words.iter().filter_map(|word| lower.rfind(word)).max();
    match (last(&CHANGES), last(&PUBLICATIONS)) {
        (None, None) => None,
        (change, publication) => Some(change > publication),
    }
}

/// Whether a text is a date without other words.
pub(super) fn is_only_date(text: &str) -> bool {
    letters(text) <= LINKED_LETTERS_MAX
}

/// The part of a line that may state the publication date: what does not belong to a change.
fn publication_part(line: &str, order: Order) -> Option<&str> {
    let lower = names::same_length_lower_case(line);
    let Some(change) = first(&lower, &CHANGES) else { return Some(line) };
    match first(&lower, &PUBLICATIONS) {
        Some(publication) if publication > change => line.get(publication..),
        Some(_) => line.get(..change),
        // `3 May 2024, updated 4 May 2024`
        None => line
            .get(..change)
            .filter(|_| line.get(change..).is_some_and(|after| dates::find(after, order).is_some())),
    }
}

/// Whether a line is about the date in it, rather than a sentence that mentions the date.
fn is_about(line: &str, date: &Range<usize>) -> bool {
    let is_sentence = line.trim_end().ends_with(['.', '?', '!', '。', '…']);
    let part = if is_sentence { 0..line.len() } else { part_around(line, date) };
    let (Some(before), Some(after)) = (line.get(part.start..date.start), line.get(date.end..part.end)) else {
        return false;
    };
    // The author's name after a label says nothing about the date.
    let after = names::label_in(after).map_or(after, |label| &after[..label.start]);
    let letters = letters(before) + letters(after);
    let label = first(&names::same_length_lower_case(before), &PUBLICATIONS);
    let is_byline =
        || names::without_prefix(before).len() < before.trim().len() || names::label_in(before).is_some();
    letters <= LETTERS_MAX || letters <= LABELLED_LETTERS_MAX && (label.is_some() || is_byline())
}

/// The part of a line around a date, between separators.
fn part_around(line: &str, date: &Range<usize>) -> Range<usize> {
    const SEPARATORS: [&str; 12] = ["|", "·", "•", "⋅", "»", "—", "–", " - ", " / ", "(", ")", " // "];
    let (before, after) = (&line[..date.start], &line[date.end..]);
    let start = SEPARATORS.iter().filter_map(|sign| Some(before.rfind(sign)? + sign.len())).max();
    let end = SEPARATORS.iter().filter_map(|sign| after.find(sign)).min();
    start.unwrap_or(0)..end.map_or(line.len(), |end| date.end + end)
}

/// The number of letters in the words of a text that need not belong to a date.
fn letters(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let is_other = |word: &&str| {
        !dates::is_calendar_word(word) && !FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler))
    };
    words.filter(is_other).map(|word| word.chars().count()).sum()
}

/// Where the first of these words is in a lower-case text.
fn first(lower: &str, words: &[&str]) -> Option<usize> {
    words.iter().filter_map(|word| lower.find(word)).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected_published: Option<&str>, expected_changed: Option<&str>) {
        assert_eq!(published(line, Order::DayFirst).as_deref(), expected_published, "{line}");
        assert_eq!(changed(line, Order::DayFirst).as_deref(), expected_changed, "{line}");
    }

    #[test]
    fn a_line_may_state_both_dates() {
        let (may, june) = (Some("2024-05-03"), Some("2024-06-04"));
        check("Published: May 3, 2024 · Last updated: June 4, 2024", may, june);
        check("Veröffentlicht am 3.05.2024, aktualisiert am 4.06.2024", may, june);
        check("Publié le 3 mai 2024, mis à jour le 4 juin 2024", may, june);
        check("Опубликовано 3 мая 2024, обновлено 4 июня 2024", may, june);
        check("发布时间：2024-05-03 12:30 更新时间：2024-06-04", may, june);
        check("公開日：2024年5月3日 更新日：2024年6月4日", may, june);
        check("Updated June 4, 2024, published May 3, 2024", may, june);
        check("3 May 2024 (updated 4 June 2024)", may, june);
    }

    #[test]
    fn a_line_may_state_one_date() {
        let june = Some("2024-06-04");
        for line in [
            "Stand: 04.06.2024",
            "Actualizado el 4 de junio de 2024",
            "4 June 2024 (edited)",
            "更新日：2024年6月4日",
        ] {
            check(line, None, june);
        }
        for line in [
            "Tuesday, June 4, 2024 at 10:07 am EDT",
            "By Ann Lee, tea editor of The Tea Times, June 4, 2024",
            "Posted in hot drinks and cold drinks on June 4, 2024",
            "Ann Lee and Bo Dee write about tea | June 4, 2024 | 5 min read",
            "2024年6月4日 09:30 来源：新华社",
            "4 июня 2024, 12:30. Автор: Иван Петров",
        ] {
            check(line, june, None);
        }
    }

    #[test]
    fn a_sentence_with_a_date_states_none() {
        for line in [
            "It all began on 4 June 2018, when the old pot broke in the night.",
            "Related: A story of 12 June 2018",
            "the new price of tea, starting July 1, 2024",
            "He came — 4 June 2018 — and drank the tea of the whole house.",
        ] {
            check(line, None, None);
        }
    }
}
