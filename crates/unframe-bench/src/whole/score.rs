//! Scores extracted content by words.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use unframe_study::words::WordScore;

use super::crawl::GoldTexts;

/// The fields used of a line written by `unframe clean` or by a peer.
#[derive(Deserialize)]
struct TextLine {
    url: String,
    text: String,
}

/// The mean over sites of the mean word F1 of their pages. A missing page counts as empty; `None` if there are no gold texts.
pub(crate) fn word_f1(texts: &Path, gold: &GoldTexts) -> anyhow::Result<Option<f64>> {
    if gold.is_empty() {
        return Ok(None);
    }
    let mut scores: BTreeMap<&str, f64> =
        gold.iter().map(|(url, (_, right))| (url.as_str(), WordScore::of("", right).f1)).collect();
    let file = File::open(texts).with_context(|| texts.display().to_string())?;
    for line in BufReader::new(file).lines() {
        let TextLine { url, text } = serde_json::from_str(&line?)?;
        if let Some((url, (_, right))) = gold.get_key_value(&url) {
            scores.insert(url, WordScore::of(&text, right).f1);
        }
    }
    let mut sites: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (url, score) in scores {
        sites.entry(gold[url].0.as_str()).or_default().push(score);
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    Ok(Some(mean(&sites.values().map(|pages| mean(pages)).collect::<Vec<_>>())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_count_alike_and_missing_pages_count_as_empty() {
        let gold: GoldTexts =
            [("a/1", "a", "tea"), ("b/1", "b", "cup"), ("b/2", "b", "pot"), ("b/3", "b", "")]
                .map(|(url, site, text)| (url.to_owned(), (site.to_owned(), text.to_owned())))
                .into();
        let file = tempfile::NamedTempFile::new().unwrap();
        let lines = "{\"url\":\"a/1\",\"text\":\"Tea\",\"more\":1}\n{\"url\":\"c\",\"text\":\"x\"}\n{\"url\":\"b/1\",\"text\":\"cup\"}\n";
        std::fs::write(file.path(), lines).unwrap();
        // The score of site a is 1. Site b has one correct page, one missing page, and one page with an empty gold text.
        assert_eq!(word_f1(file.path(), &gold).unwrap(), Some(f64::midpoint(1.0, 2.0 / 3.0)));
        assert_eq!(word_f1(file.path(), &GoldTexts::new()).unwrap(), None);
    }
}
