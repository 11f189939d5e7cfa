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

/// Maximum number of hits of one query, and maximum offset of the first one.
const HITS_MAX: usize = 1000;
const OFFSET_MAX: usize = 100_000;

/// The ranking function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// BM25 with the parameters of Tantivy and Lucene.
    #[default]
    Bm25,
    /// Okapi BM25 with k1 = 2 and the idf of Chen, Ye and Li.
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
    /// The query in Tantivy's syntax: `"a phrase"`, `+must -not`, `a AND (b OR c)`, `title:word`, `site:example.org`.
    pub text: String,
    /// Whether a page must have all words, instead of at least one.
    pub all_words: bool,
    /// Whether templates are searched as well.
    pub in_templates: bool,
    /// Restricts the search to this site.
    pub site: Option<String>,
    /// Restricts the search to this language.
    pub language: Option<String>,
    /// The ranking function.
    pub ranking: Ranking,
    /// Maximum number of hits.
    pub limit: usize,
    /// Number of hits to skip.
    pub offset: usize,
}

impl Query {
    /// A query for the first ten pages with these words.
    pub fn new(text: &str) -> Query {
        Query { text: text.to_owned(), limit: 10, ..Query::default() }
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Total number of matching pages.
    pub total: usize,
    /// The requested range of hits.
    pub hits: Vec<Hit>,
}

/// A page that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its address.
    pub url: String,
    /// Its site.
    pub site: String,
    /// Its title; empty if it has none.
    pub title: String,
    /// The time of the fetch.
    pub date: Option<Timestamp>,
    /// Its language as a code of two or three letters; empty if it is unknown.
    pub language: String,
    /// The score of the ranking function.
    pub score: f32,
    /// A part of its content with words of the query. It never contains template text.
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

    /// Number of pages in the index.
    pub fn pages(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// Size of the segments of the index, without its metadata.
    pub fn bytes(&self) -> Result<IndexBytes, SearchError> {
        let usage = self.searcher.space_usage().map_err(tantivy::TantivyError::from)?;
        let stored = usage.segments().iter().map(|segment| segment.store().total().get_bytes()).sum();
        Ok(IndexBytes { total: usage.total().get_bytes(), stored })
    }

    /// Finds the pages that match a query.
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

    /// Finds the pages that match a query, and returns only their addresses.
    pub fn urls(&self, query: &Query) -> Result<Vec<String>, SearchError> {
        let (_, best) = self.best(&*self.parse(query)?, query)?;
        let url = |(_, address)| Ok(self.searcher.doc::<Url>(address)?.0);
        best.into_iter().map(url).collect()
    }

    /// The total number of matches, and the requested range of the best ones.
    fn best(
        &self,
        parsed: &dyn tantivy::query::Query,
        query: &Query,
    ) -> Result<(usize, Vec<(Score, DocAddress)>), SearchError> {
        // Past the maximum offset there are no hits, so that clients who page through the results stop.
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

/// The address of a stored page. It is the first stored field, so the texts of the page are not read.
struct Url(String);

impl DocumentDeserialize for Url {
    fn deserialize<'de, D: DocumentDeserializer<'de>>(mut page: D) -> Result<Url, DeserializeError> {
        let first = page.next_field::<OwnedValue>()?;
        let url = first.and_then(|(_, url)| (&url).as_str().map(str::to_owned));
        Ok(Url(url.unwrap_or_default()))
    }
}

/// Size of an index, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexBytes {
    /// The whole index.
    pub total: u64,
    /// The stored fields of the pages, mainly their texts.
    pub stored: u64,
}

/// Breaks ties between scores with the field `order`, so that the order depends neither on threads nor on segments.
fn by_score_and_order(segment: &SegmentReader) -> impl Fn(DocId, Score) -> (Score, u64) + use<> {
    let order = segment.fast_fields().u64("order").ok();
    move |page, score| (score, order.as_ref().and_then(|order| order.first(page)).unwrap_or_default())
}
