//! Pivoted TF-IDF, the second ranking.
//!
//! A word scores `(1 + ln tf) / (1 + ln tf_avg) · ln((N + 1) / df) / (0.8 + 0.2 · length / length_avg)`, where `tf_avg` is how often a word of the page occurs on
//! average. A phrase scores what its words do, on pages that have it. What has a boost (`tea^2`) is still scored by BM25.

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

/// The slope of the pivot: how much the length of a page counts.
const SLOPE: f32 = 0.2;

/// The same query with this ranking. Filters by site, date and the like score nothing.
pub(crate) fn pivoted(query: &dyn Query, fields: &Fields) -> Box<dyn Query> {
    let is_words = |term: &Term| [fields.title, fields.content, fields.template].contains(&term.field());
    if let Some(query) = query.downcast_ref::<BooleanQuery>() {
        let clauses = query.clauses().iter().map(|(occur, query)| (*occur, pivoted(&**query, fields)));
        let needed = query.get_minimum_number_should_match();
        return Box::new(BooleanQuery::with_minimum_required_clauses(clauses.collect(), needed));
    }
    if let Some(query) = query.downcast_ref::<TermQuery>()
        && is_words(query.term())
    {
        return Box::new(PivotedTerm::new(query.term(), fields));
    }
    if let Some(phrase) = query.downcast_ref::<PhraseQuery>() {
        let words = phrase.phrase_terms();
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = vec![(Occur::Must, unscored(query))];
        clauses.extend(words.iter().map(|term| (Occur::Should, PivotedTerm::boxed(term, fields))));
        return Box::new(BooleanQuery::new(clauses));
    }
    match query.is::<BoostQuery>() {
        // What is inside cannot be seen.
        true => query.box_clone(),
        false => unscored(query),
    }
}

/// The same query, as a filter.
pub(crate) fn unscored(query: &dyn Query) -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(query.box_clone(), 0.0))
}

/// A word of a query.
#[derive(Debug, Clone)]
struct PivotedTerm {
    term: Term,
    /// Whether it is known how often words of the field occur on average.
    has_average: bool,
}

impl PivotedTerm {
    fn new(term: &Term, fields: &Fields) -> PivotedTerm {
        PivotedTerm { term: term.clone(), has_average: term.field() == fields.content }
    }

    fn boxed(term: &Term, fields: &Fields) -> Box<dyn Query> {
        Box::new(PivotedTerm::new(term, fields))
    }
}

impl Query for PivotedTerm {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let EnableScoring::Enabled { statistics_provider: statistics, .. } = scoring else {
            return TermQuery::new(self.term.clone(), IndexRecordOption::Basic).weight(scoring);
        };
        let pages = statistics.total_num_docs()? as f32;
        let with_word = statistics.doc_freq(&self.term)?.max(1) as f32;
        let words = statistics.total_num_tokens(self.term.field())? as f32;
        Ok(Box::new(PivotedWeight {
            term: self.term.clone(),
            has_average: self.has_average,
            idf: ((pages + 1.0) / with_word).ln(),
            length_average: (words / pages.max(1.0)).max(1.0),
        }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        visitor(&self.term, false);
    }
}

struct PivotedWeight {
    term: Term,
    has_average: bool,
    idf: f32,
    length_average: f32,
}

impl Weight for PivotedWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let index = reader.inverted_index(self.term.field())?;
        let Some(postings) = index.read_postings(&self.term, IndexRecordOption::WithFreqs)? else {
            return Ok(Box::new(EmptyScorer));
        };
        let lengths = reader.fieldnorms_readers().get_field(self.term.field())?;
        Ok(Box::new(PivotedScorer {
            postings,
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
        Ok(Explanation::new("pivoted TF-IDF", scorer.score()))
    }
}

struct PivotedScorer {
    postings: SegmentPostings,
    lengths: FieldNormReader,
    averages: Option<Column<f64>>,
    weight: f32,
    length_average: f32,
}

impl DocSet for PivotedScorer {
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

impl Scorer for PivotedScorer {
    fn score(&mut self) -> Score {
        let page = self.doc();
        let average =
            self.averages.as_ref().and_then(|averages| averages.first(page)).unwrap_or(1.0).max(1.0) as f32;
        let length = self.lengths.fieldnorm(page) as f32;
        score(self.postings.term_freq() as f32, average, self.weight, length / self.length_average)
    }
}

/// The formula; `length` is relative to the average.
fn score(frequency: f32, average: f32, idf: f32, length: f32) -> f32 {
    (1.0 + frequency.max(1.0).ln()) / (1.0 + average.ln()) * idf / (1.0 - SLOPE + SLOPE * length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_of_the_paper() {
        assert_eq!(score(1.0, 1.0, 2.0, 1.0), 2.0);
        // A page of twice the length is worth 1 / 1.2.
        assert!((score(1.0, 1.0, 2.4, 2.0) - 2.0).abs() < 1e-6);
        assert!((score(std::f32::consts::E, std::f32::consts::E, 3.0, 1.0) - 3.0).abs() < 1e-5);
    }
}
