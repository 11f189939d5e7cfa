//! Rankings in addition to that of Tantivy: the two formulas of Chen, Ye and Li (2006), section 4.2.
//!
//! - **Pivoted TF-IDF**: a word scores `(1 + ln tf) / (1 + ln tf_avg) · ln((N + 1) / df) / (0.8 + 0.2 · length / length_avg)`, where `tf_avg` is how often a word of the page occurs on
//!   average.
//! - **Okapi BM25** with k1 = 2 and b = 0.75: `3 · tf / (0.5 + 1.5 · length / length_avg + tf) · ln((N − df + 0.5) / (df + 0.5))`. A word that more than half of the pages
//!   have counts against a page. Tantivy's BM25 has k1 = 1.2, and adds 1 inside the logarithm so that no word does.
//!
//! A phrase scores like its words, on pages that have it. Terms with a boost (`tea^2`) are still scored by Tantivy's BM25.

use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, EmptyScorer, EnableScoring, Explanation, Occur, PhraseQuery,
    Query, Scorer, TermQuery, Weight,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Score, SegmentReader, TantivyError, Term};

use crate::format::Fields;

/// The slope of the pivot: the weight of the length of a page.
const SLOPE: f32 = 0.2;
/// The saturation of the term frequency in BM25, and the weight of the length of a page.
const K1: f32 = 2.0;
const B: f32 = 0.75;

/// The score of a word on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Formula {
    /// Pivoted TF-IDF.
    Pivoted,
    /// BM25 with the parameters of the paper.
    Okapi,
}

/// Replaces the scoring of a query with this formula. Filters, such as by site or date, score 0.
pub(crate) fn ranked(query: &dyn Query, fields: &Fields, formula: Formula) -> Box<dyn Query> {
    let is_words = |term: &Term| [fields.title, fields.content, fields.template].contains(&term.field());
    if let Some(query) = query.downcast_ref::<BooleanQuery>() {
        let clauses =
            query.clauses().iter().map(|(occur, query)| (*occur, ranked(&**query, fields, formula)));
        let needed = query.get_minimum_number_should_match();
        return Box::new(BooleanQuery::with_minimum_required_clauses(clauses.collect(), needed));
    }
    if let Some(query) = query.downcast_ref::<TermQuery>()
        && is_words(query.term())
    {
        return Box::new(RankedTerm::new(query.term(), fields, formula));
    }
    if let Some(phrase) = query.downcast_ref::<PhraseQuery>() {
        let words = phrase.phrase_terms();
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = vec![(Occur::Must, unscored(query))];
        clauses.extend(words.iter().map(|term| (Occur::Should, RankedTerm::boxed(term, fields, formula))));
        return Box::new(BooleanQuery::new(clauses));
    }
    match query.is::<BoostQuery>() {
        // The inner query of a boost is not accessible.
        true => query.box_clone(),
        false => unscored(query),
    }
}

/// Turns a query into a filter that scores 0.
pub(crate) fn unscored(query: &dyn Query) -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(query.box_clone(), 0.0))
}

/// A word of a query.
#[derive(Debug, Clone)]
struct RankedTerm {
    term: Term,
    formula: Formula,
    /// Whether the index has the average term frequency of the field.
    has_average: bool,
}

impl RankedTerm {
    fn new(term: &Term, fields: &Fields, formula: Formula) -> RankedTerm {
        RankedTerm { term: term.clone(), formula, has_average: term.field() == fields.content }
    }

    fn boxed(term: &Term, fields: &Fields, formula: Formula) -> Box<dyn Query> {
        Box::new(RankedTerm::new(term, fields, formula))
    }
}

impl Query for RankedTerm {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let EnableScoring::Enabled { statistics_provider: statistics, .. } = scoring else {
            return TermQuery::new(self.term.clone(), IndexRecordOption::Basic).weight(scoring);
        };
        let pages = statistics.total_num_docs()? as f32;
        let with_word = statistics.doc_freq(&self.term)?.max(1) as f32;
        let words = statistics.total_num_tokens(self.term.field())? as f32;
        Ok(Box::new(RankedWeight {
            term: self.term.clone(),
            formula: self.formula,
            has_average: self.has_average,
            idf: self.formula.idf(pages, with_word),
            length_average: (words / pages.max(1.0)).max(1.0),
        }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        visitor(&self.term, false);
    }
}

struct RankedWeight {
    term: Term,
    formula: Formula,
    has_average: bool,
    idf: f32,
    length_average: f32,
}

impl Weight for RankedWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let index = reader.inverted_index(self.term.field())?;
        let Some(postings) = index.read_postings(&self.term, IndexRecordOption::WithFreqs)? else {
            return Ok(Box::new(EmptyScorer));
        };
        let lengths = reader.fieldnorms_readers().get_field(self.term.field())?;
        Ok(Box::new(RankedScorer {
            postings,
            formula: self.formula,
            lengths: lengths.unwrap_or_else(|| FieldNormReader::constant(reader.max_doc(), 1)),
            averages: self.has_average.then(|| reader.fast_fields().f64("tf_average")).transpose()?,
            weight: self.idf * boost,
            length_average: self.length_average,
        }))
    }

    fn explain(&self, reader: &SegmentReader, page: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(reader, 1.0)?;
        if scorer.doc() > page || scorer.seek(page) != page {
            return Err(TantivyError::InvalidArgument("the page does not have the word".to_owned()));
        }
        let name = match self.formula {
            Formula::Pivoted => "pivoted TF-IDF",
            Formula::Okapi => "Okapi BM25",
        };
        Ok(Explanation::new(name, scorer.score()))
    }
}

struct RankedScorer {
    postings: SegmentPostings,
    formula: Formula,
    lengths: FieldNormReader,
    averages: Option<Column<f64>>,
    weight: f32,
    length_average: f32,
}

impl DocSet for RankedScorer {
    fn advance(&mut self) -> DocId {
        self.postings.advance()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.postings.seek(target)
    }

    fn doc(&self) -> DocId {
        self.postings.doc()
    }

    fn size_hint(&self) -> u32 {
        self.postings.size_hint()
    }
}

impl Scorer for RankedScorer {
    fn score(&mut self) -> Score {
        let page = self.doc();
        let average =
            self.averages.as_ref().and_then(|averages| averages.first(page)).unwrap_or(1.0).max(1.0) as f32;
        let length = self.lengths.fieldnorm(page) as f32;
        let frequency = self.postings.term_freq() as f32;
        self.weight * self.formula.of_frequency(frequency, average, length / self.length_average)
    }
}

impl Formula {
    /// The inverse document frequency of a word.
    fn idf(self, pages: f32, with_word: f32) -> f32 {
        match self {
            Formula::Pivoted => ((pages + 1.0) / with_word).ln(),
            Formula::Okapi => ((pages - with_word + 0.5) / (with_word + 0.5)).ln(),
        }
    }

    /// The weight of the term frequency on a page. `length` is relative to the average length.
    fn of_frequency(self, frequency: f32, average: f32, length: f32) -> f32 {
        match self {
            Formula::Pivoted => {
                (1.0 + frequency.max(1.0).ln()) / (1.0 + average.ln()) / (1.0 - SLOPE + SLOPE * length)
            }
            Formula::Okapi => (K1 + 1.0) * frequency / (K1 * (1.0 - B + B * length) + frequency),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_of_the_paper() {
        let is = |value: f32, expected: f32| assert!((value - expected).abs() < 1e-5, "{value} {expected}");
        let e = std::f32::consts::E;
        is(Formula::Pivoted.of_frequency(1.0, 1.0, 1.0), 1.0);
        // A page of twice the average length scores 1 / 1.2.
        is(Formula::Pivoted.of_frequency(1.0, 1.0, 2.0), 1.0 / 1.2);
        is(Formula::Pivoted.of_frequency(e, e, 1.0), 1.0);
        is(Formula::Pivoted.idf(9.0, 5.0), 2f32.ln());
        // 3 · 2 / (0.5 + 1.5 · 2 + 2).
        is(Formula::Okapi.of_frequency(2.0, 1.0, 2.0), 6.0 / 5.5);
        is(Formula::Okapi.idf(10.0, 2.0), (8.5f32 / 2.5).ln());
        is(Formula::Okapi.idf(10.0, 8.0), -(8.5f32 / 2.5).ln());
    }
}
