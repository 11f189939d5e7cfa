//! Searches an index.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use jiff::Timestamp;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, Occur, QueryParser, TermQuery};
use tantivy::schema::document::{DeserializeError, DocumentDeserialize, DocumentDeserializer};
use tantivy::schema::{IndexRecordOption, OwnedValue, Value};
use tantivy::{DocAddress, DocId, Index, Score, Searcher, SegmentReader, TantivyDocument, Term};

use crate::error::SearchError;
use crate::format::{self, Fields};
use crate::rank::{self, Formula};
use crate::snippet::Snippet;
use crate::writer::blocks_of;

/// Hits that can be asked for at once, and how far behind the first they may be.
const HITS_MAX: usize = 1000;
const OFFSET_MAX: usize = 100_000;

/// How hits are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// BM25 with the parameters of Tantivy and Lucene.
    #[default]
    Bm25,
    /// Okapi BM25 with k1 = 2 and idf as Chen, Ye and Li print it.
    Okapi,
    /// Pivoted TF-IDF.
    Pivoted,
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ranking::Bm25 => "bm25",
            Ranking::Okapi => "okapi",
            Ranking::Pivoted => "pivoted",
        })
    }
}

impl FromStr for Ranking {
    type Err = String;

    fn from_str(text: &str) -> Result<Ranking, String> {
        match text {
            "bm25" => Ok(Ranking::Bm25),
            "okapi" => Ok(Ranking::Okapi),
            "pivoted" => Ok(Ranking::Pivoted),
            _ => Err(format!("`{text}` is not a ranking function: choose bm25, okapi or pivoted")),
        }
    }
}

/// A query with its options.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The words, in the language of Tantivy: `"a phrase"`, `+must -not`, `a AND (b OR c)`, `title:word`, `site:example.org`.
    pub text: String,
    /// Whether all words must be there, not only one of them.
    pub all_words: bool,
    /// Whether templates are searched as well.
    pub in_templates: bool,
    /// Only pages of this site.
    pub site: Option<String>,
    /// Only pages in this language.
    pub language: Option<String>,
    /// The order.
    pub ranking: Ranking,
    /// Maximum number of hits.
    pub limit: usize,
    /// Hits before them.
    pub offset: usize,
}

impl Query {
    /// The first ten pages with these words.
    pub fn new(text: &str) -> Query {
        Query { text: text.to_owned(), limit: 10, ..Query::default() }
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// How many pages.
    pub total: usize,
    /// The requested hits.
    pub hits: Vec<Hit>,
}

/// A page that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its address.
    pub url: String,
    /// Its site.
    pub site: String,
    /// Its title, or nothing.
    pub title: String,
    /// When it was fetched.
    pub date: Option<Timestamp>,
    /// Its language as a code of two letters, or nothing.
    pub language: String,
    /// How well it fits.
    pub score: f32,
    /// A part of its content with words of the query; never a part of a template.
    pub snippet: Snippet,
}

/// An index that can be searched.
pub struct SearchIndex {
    index: Index,
    fields: Fields,
    searcher: Searcher,
}

impl SearchIndex {
    /// Opens the index in a folder.
    pub fn open(folder: &Path) -> Result<SearchIndex, SearchError> {
        let (index, fields, _) = format::open(folder)?;
        SearchIndex::new(index, fields)
    }

    pub(crate) fn new(index: Index, fields: Fields) -> Result<SearchIndex, SearchError> {
        let searcher = format::searcher(&index)?;
        Ok(SearchIndex { index, fields, searcher })
    }

    /// Pages in the index.
    pub fn pages(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// Bytes of the index, without the few that describe it.
    pub fn bytes(&self) -> Result<IndexBytes, SearchError> {
        let usage = self.searcher.space_usage().map_err(tantivy::TantivyError::from)?;
        let stored = usage.segments().iter().map(|segment| segment.store().total().get_bytes()).sum();
        Ok(IndexBytes { total: usage.total().get_bytes(), stored })
    }

    /// Searches.
    pub fn search(&self, query: &Query) -> Result<Found, SearchError> {
        let parsed = self.parse(query)?;
        let (total, best) = self.best(&*parsed, query)?;
        let mut words = Vec::new();
        parsed.query_terms(&mut |term, _| {
            if term.field() == self.fields.content || term.field() == self.fields.title {
                words.extend(term.value().as_str().map(str::to_owned));
            }
        });
        words.sort();
        words.dedup();
        let hits = best.into_iter().map(|(score, address)| self.hit(score, address, &words));
        Ok(Found { total, hits: hits.collect::<Result<_, _>>()? })
    }

    /// Searches, and returns only addresses.
    pub fn urls(&self, query: &Query) -> Result<Vec<String>, SearchError> {
        let (_, best) = self.best(&*self.parse(query)?, query)?;
        let url = |(_, address)| Ok(self.searcher.doc::<Url>(address)?.0);
        best.into_iter().map(url).collect()
    }

    /// How many pages there are, and the best of them.
    fn best(
        &self,
        parsed: &dyn tantivy::query::Query,
        query: &Query,
    ) -> Result<(usize, Vec<(Score, DocAddress)>), SearchError> {
        // Past what can be reached there is nothing, so that those who turn pages come to an end.
        let limit = if query.offset > OFFSET_MAX { 0 } else { query.limit.min(HITS_MAX) };
        let offset = query.offset.min(OFFSET_MAX);
        let best = TopDocs::with_limit(limit.max(1)).and_offset(offset).tweak_score(by_score_and_order);
        let (total, best) = self.searcher.search(parsed, &(Count, best))?;
        Ok((total, best.into_iter().take(limit).map(|((score, _), address)| (score, address)).collect()))
    }

    fn parse(&self, query: &Query) -> Result<Box<dyn tantivy::query::Query>, SearchError> {
        let Fields { title, content, template, site, language, .. } = self.fields;
        let mut searched = vec![title, content];
        searched.extend(query.in_templates.then_some(template));
        let mut parser = QueryParser::for_index(&self.index, searched);
        if query.all_words {
            parser.set_conjunction_by_default();
        }
        let parsed =
            parser.parse_query(&query.text).map_err(|error| SearchError::Query(error.to_string()))?;
        let ranked = match query.ranking {
            Ranking::Bm25 => parsed,
            Ranking::Okapi => rank::ranked(&*parsed, &self.fields, Formula::Okapi),
            Ranking::Pivoted => rank::ranked(&*parsed, &self.fields, Formula::Pivoted),
        };
        let filters = [(site, &query.site), (language, &query.language)];
        let filters = filters.into_iter().filter_map(|(field, value)| {
            let term = Term::from_field_text(field, value.as_deref()?);
            Some((Occur::Must, rank::unscored(&TermQuery::new(term, IndexRecordOption::Basic))))
        });
        let filters: Vec<_> = filters.collect();
        if filters.is_empty() {
            return Ok(ranked);
        }
        let clauses = std::iter::once((Occur::Must, ranked)).chain(filters).collect();
        Ok(Box::new(BooleanQuery::new(clauses)))
    }

    fn hit(&self, score: f32, address: DocAddress, words: &[String]) -> Result<Hit, SearchError> {
        let page: TantivyDocument = self.searcher.doc(address)?;
        let text = |field| {
            page.get_first(field).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
        };
        let date = page.get_first(self.fields.date).and_then(|date| date.as_datetime());
        Ok(Hit {
            url: text(self.fields.url),
            site: text(self.fields.site),
            title: text(self.fields.title),
            date: date.and_then(|date| Timestamp::from_second(date.into_timestamp_secs()).ok()),
            language: text(self.fields.language),
            score,
            snippet: Snippet::of(&blocks_of(&page, self.fields)?, words),
        })
    }
}

/// The address of a stored page. It stands before all else, so the texts of the page are not read.
struct Url(String);

impl DocumentDeserialize for Url {
    fn deserialize<'de, D: DocumentDeserializer<'de>>(mut page: D) -> Result<Url, DeserializeError> {
        let first = page.next_field::<OwnedValue>()?;
        let url = first.and_then(|(_, url)| (&url).as_str().map(str::to_owned));
        Ok(Url(url.unwrap_or_default()))
    }
}

/// How large an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexBytes {
    /// All of it.
    pub total: u64,
    /// The texts of the pages.
    pub stored: u64,
}

/// Pages with equal scores are ordered by a number of theirs, so that neither threads nor segments change the order.
fn by_score_and_order(segment: &SegmentReader) -> impl Fn(DocId, Score) -> (Score, u64) + use<> {
    let order = segment.fast_fields().u64("order").ok();
    move |page, score| (score, order.as_ref().and_then(|order| order.first(page)).unwrap_or_default())
}
