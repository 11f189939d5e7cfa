//! Search with queries and judgements of the user: relevant pages among the first results, with templates and without (figure 4 of Chen, Ye and
//! Li).
//!
//! Queries and judgements are read in the formats of TREC, or as lines with tabs. Pages are named by their URLs. An unjudged page counts as not
//! relevant, as in TREC. The number of unjudged pages among the first ten is reported, because judges who saw the results of only one method put all
//! others at a disadvantage.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;

use unframe::learn::Learner;
use unframe::{Page, PageParser, Region};
use unframe_crawl::{Event, ReadError, ReadOptions};
use unframe_search::{Query, Ranking, SearchError, SearchIndex};

use super::queries::words_of;
use super::{DEPTH, RANKINGS, index_of, removal_of};
use crate::method::Method;
use crate::table::Table;

/// A query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// Its identifier in the judgements.
    pub id: String,
    /// The words.
    pub text: String,
}

/// The relevance of pages for each query; 0 is not relevant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judgements {
    topics: BTreeMap<String, BTreeMap<String, i32>>,
}

/// A line that cannot be parsed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {expected}")]
pub struct FormatError {
    line: usize,
    expected: &'static str,
}

/// Why the study failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgedError {
    /// The crawl cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An index cannot be built.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// Reads queries: TREC topics (the title of each `<top>`), or lines of an id, a tab and a query.
///
/// # Errors
/// If a line is neither.
pub fn topics(text: &str) -> Result<Vec<Topic>, FormatError> {
    if text.trim_start().starts_with("<top>") {
        return Ok(text.split("<top>").skip(1).map(trec_topic).collect());
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let topic = |(number, line): (usize, &str)| {
        let expected = "expected an id, a tab and a query";
        let (id, text) = line.split_once('\t').ok_or(FormatError { line: number + 1, expected })?;
        Ok(Topic { id: id.trim().to_owned(), text: text.trim().to_owned() })
    };
    lines.map(topic).collect()
}

/// Parses the number and the title of a topic. A field ends where the next one begins. Older collections repeat the name of the field in its text.
fn trec_topic(top: &str) -> Topic {
    let field = |tag: &str, name: &str| {
        let text = top.split_once(tag).map_or("", |(_, rest)| rest.split('<').next().unwrap_or_default());
        let text = text.trim();
        text.strip_prefix(name).unwrap_or(text).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    Topic { id: field("<num>", "Number:"), text: field("<title>", "Topic:") }
}

impl FromStr for Judgements {
    type Err = FormatError;

    /// Parses lines of four columns (TREC: topic, iteration, URL, relevance), or of three without the iteration.
    fn from_str(text: &str) -> Result<Judgements, FormatError> {
        let mut judgements = Judgements::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let (topic, url, relevance) = match columns[..] {
                [topic, _, url, relevance] | [topic, url, relevance] => (topic, url, relevance.parse().ok()),
                _ => ("", "", None),
            };
            let expected = "expected a topic, a URL and a whole number, or the four columns of TREC";
            let relevance = relevance.ok_or(FormatError { line: number + 1, expected })?;
            judgements.topics.entry(topic.to_owned()).or_default().insert(url.to_owned(), relevance);
        }
        Ok(judgements)
    }
}

/// The judged results of a query.
#[derive(Debug, Clone, PartialEq, Default)]
struct Results {
    /// Whether each result is relevant; `None` if it was not judged.
    judged: Vec<Option<bool>>,
    /// The number of relevant pages.
    relevant: usize,
}

impl Results {
    fn of(urls: &[String], judged: &BTreeMap<String, i32>) -> Results {
        let is_relevant = |relevance: &i32| *relevance > 0;
        Results {
            judged: urls.iter().map(|url| judged.get(url).map(is_relevant)).collect(),
            relevant: judged.values().filter(|relevance| is_relevant(relevance)).count(),
        }
    }

    fn relevant_in(&self, first: usize) -> usize {
        self.judged.iter().take(first).filter(|judged| **judged == Some(true)).count()
    }

    fn unjudged_in(&self, first: usize) -> usize {
        self.judged.iter().take(first).filter(|judged| judged.is_none()).count()
    }

    fn ranks(&self) -> impl Iterator<Item = usize> {
        self.judged.iter().enumerate().filter(|(_, judged)| **judged == Some(true)).map(|(at, _)| at + 1)
    }

    fn reciprocal_rank(&self) -> f64 {
        self.ranks().next().map_or(0.0, |rank| 1.0 / rank as f64)
    }

    /// The average precision: the mean, over all relevant pages, of the precision at their rank. Pages that were not found count as 0.
    fn average_precision(&self) -> f64 {
        let sum: f64 = self.ranks().zip(1..).map(|(rank, found)| f64::from(found) / rank as f64).sum();
        sum / self.relevant.max(1) as f64
    }
}

/// The results of all rankings and methods.
#[derive(Debug)]
pub struct JudgedReport {
    /// `none` and the methods.
    methods: Vec<String>,
    /// The queries that have judgements.
    topics: Vec<Topic>,
    /// The results by ranking, then by method, then by query.
    results: Vec<Vec<Vec<Results>>>,
    /// The problems of the input.
    pub problems: Vec<String>,
}

/// Asks the queries on an index of all pages of a crawl, for `none` and for each method.
///
/// # Errors
/// If a file is missing, or an index cannot be built.
pub fn evaluate(
    crawl: &[PathBuf],
    topics: &[Topic],
    judgements: &Judgements,
    methods: &[Method],
) -> Result<JudgedReport, JudgedError> {
    let (pages, mut problems) = read(crawl)?;
    problems.extend(missing(&pages, judgements));
    let topics: Vec<Topic> =
        topics.iter().filter(|topic| judgements.topics.contains_key(&topic.id)).cloned().collect();
    let mut results = vec![Vec::new(); RANKINGS.len()];
    for method in std::iter::once(None).chain(methods.iter().map(Some)) {
        let index = index(&pages, method)?;
        for (ranking, results) in RANKINGS.into_iter().zip(&mut results) {
            let ask = |topic: &Topic| ask(&index, topic, ranking, &judgements.topics[&topic.id]);
            results.push(topics.iter().map(ask).collect::<Result<_, _>>()?);
        }
    }
    let names = methods.iter().map(|method| method.name.clone());
    let methods = std::iter::once("none".to_owned()).chain(names).collect();
    Ok(JudgedReport { methods, topics, results, problems })
}

fn read(crawl: &[PathBuf]) -> Result<(Vec<Page>, Vec<String>), ReadError> {
    let (mut pages, mut problems) = (Vec::new(), Vec::new());
    unframe_crawl::read(
        crawl,
        &ReadOptions::default(),
        || |page| page,
        |event| {
            match event {
                Event::Page(page) => pages.push(page),
                Event::Problem { origin, problem } => problems.push(format!("{origin}: {problem}")),
            }
            ControlFlow::Continue(())
        },
    )?;
    Ok((pages, problems))
}

/// Reports the number of judged pages that are not in the crawl, because they can never be found.
fn missing(pages: &[Page], judgements: &Judgements) -> Option<String> {
    let known: std::collections::HashSet<&str> = pages.iter().map(|page| page.url.as_str()).collect();
    let judged: Vec<&String> = judgements.topics.values().flat_map(BTreeMap::keys).collect();
    let missing = judged.iter().filter(|url| !known.contains(url.as_str())).count();
    (missing > 0).then(|| format!("{missing} of {} judged pages are not in the crawl", judged.len()))
}

fn index(pages: &[Page], method: Option<&Method>) -> Result<SearchIndex, SearchError> {
    let removal = removal_of(method);
    let regions = match method {
        Some(method) if matches!(removal, unframe_search::Removal::Labels(_)) => label(pages, method),
        _ => vec![Vec::new(); pages.len()],
    };
    index_of(pages.iter().zip(&regions), &removal)
}

fn label(pages: &[Page], method: &Method) -> Vec<Vec<Region>> {
    let mut parser = PageParser::new();
    let learner = Learner::new(method.detector.copy(), 0);
    pages.iter().for_each(|page| learner.observe(&page.site, &page.url, &parser.open(page)));
    let models = learner.models();
    pages.iter().map(|page| models.label(&page.site, &parser.open(page))).collect()
}

fn ask(
    index: &SearchIndex,
    topic: &Topic,
    ranking: Ranking,
    judged: &BTreeMap<String, i32>,
) -> Result<Results, SearchError> {
    // The query is built from plain words, because topics are not query syntax.
    let query = Query { ranking, limit: DEPTH, ..Query::new(&words_of(&topic.text).join(" ")) };
    Ok(Results::of(&index.urls(&query)?, judged))
}

impl JudgedReport {
    /// Means for each ranking and method, and the results of each query.
    pub fn text(&self) -> String {
        format!("{}\n{}", self.means().text(), self.by_query().text())
    }

    /// The means over queries, for each ranking and method.
    fn means(&self) -> Table {
        let headings = [
            "ranking",
            "method",
            "queries",
            "in first 10",
            "P@1",
            "P@5",
            "P@10",
            "MRR",
            "MAP",
            "unjudged in 10",
        ];
        let mut table = Table::new(2, headings);
        for (ranking, results) in RANKINGS.iter().zip(&self.results) {
            for (name, results) in self.methods.iter().zip(results) {
                let mean = |of: &dyn Fn(&Results) -> f64| {
                    results.iter().map(of).sum::<f64>() / results.len().max(1) as f64
                };
                let precision = |first: usize| {
                    format!("{:.3}", mean(&|one| one.relevant_in(first) as f64 / first as f64))
                };
                table.row([
                    ranking.to_string(),
                    name.clone(),
                    results.len().to_string(),
                    format!("{:.2}", mean(&|one| one.relevant_in(10) as f64)),
                    precision(1),
                    precision(5),
                    precision(10),
                    format!("{:.4}", mean(&Results::reciprocal_rank)),
                    format!("{:.4}", mean(&Results::average_precision)),
                    format!("{:.2}", mean(&|one| one.unjudged_in(10) as f64)),
                ]);
            }
        }
        table
    }

    /// Figure 4: the number of relevant pages among the first ten for each query, ranked by the paper's BM25.
    fn by_query(&self) -> Table {
        let headings = ["query".to_owned(), "relevant in the first 10 of".to_owned()];
        let mut table = Table::new(2, headings.into_iter().chain(self.methods.iter().cloned()));
        let okapi = RANKINGS.iter().position(|ranking| *ranking == Ranking::Okapi);
        let results = okapi.map_or(&[][..], |at| &self.results[at]);
        for (at, topic) in self.topics.iter().enumerate() {
            let counts = results.iter().map(|results| results[at].relevant_in(10).to_string());
            table.row([topic.id.clone(), topic.text.clone()].into_iter().chain(counts));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(id: &str, text: &str) -> Topic {
        Topic { id: id.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn topics_are_those_of_trec_or_lines() {
        let trec = "<top>\n<num> Number: 301\n<title> Topic: International\nOrganized Crime\n<desc> Description:\nx\n</top>\n\
                    <top><num>302</num><title>green tea</title></top>";
        let expected = [topic("301", "International Organized Crime"), topic("302", "green tea")];
        assert_eq!(topics(trec).unwrap(), expected);
        assert_eq!(
            topics("q1\tgreen tea \n\nq2\tmilk\n").unwrap(),
            [topic("q1", "green tea"), topic("q2", "milk")]
        );
        let error = topics("q1\ttea\nmilk").unwrap_err();
        assert_eq!(error.to_string(), "line 2: expected an id, a tab and a query");
    }

    #[test]
    fn judgements_have_four_columns_or_three() {
        let judgements: Judgements = "301 0 http://a/1 2\n301\thttp://a/2\t0\n".parse().unwrap();
        let urls = BTreeMap::from([("http://a/1".to_owned(), 2), ("http://a/2".to_owned(), 0)]);
        assert_eq!(judgements.topics, BTreeMap::from([("301".to_owned(), urls)]));
        assert_eq!("301 http://a/1 yes".parse::<Judgements>().unwrap_err().line, 1);
    }

    #[test]
    fn measures_of_a_list_of_results() {
        let judged =
            BTreeMap::from([("a", 1), ("b", 0), ("c", 2), ("d", 1)].map(|(url, one)| (url.to_owned(), one)));
        let urls = ["b", "a", "x", "c"].map(str::to_owned);
        let results = Results::of(&urls, &judged);
        assert_eq!((results.relevant_in(1), results.relevant_in(2), results.relevant_in(10)), (0, 1, 2));
        assert_eq!((results.unjudged_in(10), results.reciprocal_rank()), (1, 0.5));
        // Two of three relevant pages are found, at ranks 2 and 4.
        assert_eq!(results.average_precision(), (1.0 / 2.0 + 2.0 / 4.0) / 3.0);
        assert_eq!(Results::default().average_precision(), 0.0);
    }
}
