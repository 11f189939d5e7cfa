//! Known-item queries, made from pages and gold texts independently of any method.
//!
//! - [`QueryKind::Title`] and [`QueryKind::Heading`]: a title or a heading (`h1`, `h2`) that only one page of the site has;
//! - [`QueryKind::Content`]: four consecutive words that occur in the content of one page only;
//! - [`QueryKind::Link`]: an anchor text whose links all lead to one page of the site;
//! - [`QueryKind::TemplateWord`]: a word that occurs on at least 80 % of the pages, but in the content of few. All pages with the word in their
//!   content are right.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use unframe::PageParser;

use unframe::html::{Document, Node};
use unframe::text::content;
use url::Url;
use xxhash_rust::xxh3;

use crate::gold::{Gold, GoldPage};
use crate::words::for_each_word;

/// Number of words of a query from content.
const CONTENT_WORDS: usize = 4;
/// The smallest share of the pages on which a template word occurs.
const EVERYWHERE: f64 = 0.8;
/// The largest share of the pages in whose content a template word occurs.
const IN_FEW: f64 = 0.1;
/// Maximum number of words of a query.
const WORDS_MAX: usize = 12;

/// The part of a page that a query was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum QueryKind {
    /// A title.
    Title,
    /// A heading.
    Heading,
    /// Words of the content.
    Content,
    /// An anchor text.
    Link,
    /// A word of the templates.
    TemplateWord,
}

impl QueryKind {
    /// All kinds.
    pub const ALL: [QueryKind; 5] =
        [QueryKind::Title, QueryKind::Heading, QueryKind::Content, QueryKind::Link, QueryKind::TemplateWord];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            QueryKind::Title => "title",
            QueryKind::Heading => "heading",
            QueryKind::Content => "content",
            QueryKind::Link => "link",
            QueryKind::TemplateWord => "template word",
        }
    }
}

/// A query and the pages that it should find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownItem {
    /// What the query was made from.
    pub kind: QueryKind,
    /// The words.
    pub text: String,
    /// The addresses of the right pages.
    pub right: BTreeSet<String>,
}

/// The queries of a site, at most `of_each_max` of each kind, pseudo-randomly selected.
pub fn of(pages: &[GoldPage], of_each_max: usize) -> Vec<KnownItem> {
    let mut made = QueryCandidates::default();
    let mut parser = PageParser::new();
    let known: BTreeSet<&str> = pages.iter().map(|page| page.page.url.as_str()).collect();
    for page in pages {
        made.page(page, &known, &mut parser);
    }
    let mut queries = Vec::new();
    queries.extend(unique(made.titles, QueryKind::Title));
    queries.extend(unique(made.headings, QueryKind::Heading));
    queries.extend(content_queries(&made.contents));
    queries.extend(unique(made.links, QueryKind::Link));
    queries.extend(template_words(&made.words, &made.contents, pages.len()));
    QueryKind::ALL.into_iter().flat_map(|kind| pick(&queries, kind, of_each_max)).collect()
}

/// Candidates for queries, collected from pages.
#[derive(Default)]
struct QueryCandidates {
    /// Texts, each with the pages that it identifies.
    titles: BTreeMap<String, BTreeSet<String>>,
    headings: BTreeMap<String, BTreeSet<String>>,
    links: BTreeMap<String, BTreeSet<String>>,
    /// The words of the content of each page, in order, with the page's address.
    contents: Vec<(String, Vec<String>)>,
    /// The number of pages on which each word occurs.
    words: HashMap<String, usize>,
}

impl QueryCandidates {
    fn page(&mut self, page: &GoldPage, known: &BTreeSet<&str>, parser: &mut PageParser) {
        let url = &page.page.url;
        let Some(Gold::Text(gold)) = &page.gold else { return };
        self.contents.push((url.clone(), words_of(gold)));
        let parsed = parser.open(&page.page);
        let all = content::extract(&parsed, &[]);
        let different: BTreeSet<String> = words_of(&all.text).into_iter().collect();
        different.into_iter().for_each(|word| *self.words.entry(word).or_default() += 1);
        if let Some(title) = all.title {
            add(&mut self.titles, &title, url.clone());
        }
        let document = parsed.document();
        for name in ["h1", "h2"] {
            document.elements(name).for_each(|heading| add(&mut self.headings, &heading.text(), url.clone()));
        }
        self.links_of(document, url, known);
    }

    fn links_of(&mut self, document: &Document<'_>, url: &str, known: &BTreeSet<&str>) {
        let Ok(base) = Url::parse(url) else { return };
        let target = |link: Node<'_>| {
            let mut target = base.join(&link.attribute("href")?).ok()?;
            target.set_fragment(None);
            Some(String::from(target))
        };
        for link in document.elements("a") {
            if let Some(target) = target(link) {
                // An empty target stands for all addresses outside of the crawl: an anchor text that also leads there identifies no page.
                let target = if known.contains(target.as_str()) { target } else { String::new() };
                if target != url {
                    add(&mut self.links, &link.text(), target);
                }
            }
        }
    }
}

/// Adds a candidate if it has at most `WORDS_MAX` words, and one of them is longer than three letters or not ASCII.
fn add(texts: &mut BTreeMap<String, BTreeSet<String>>, text: &str, page: String) {
    let words = words_of(text);
    let says_something = words.iter().any(|word| word.chars().count() > 3 || !word.is_ascii());
    if (1..=WORDS_MAX).contains(&words.len()) && says_something {
        texts.entry(words.join(" ")).or_default().insert(page);
    }
}

/// Makes queries of the texts that identify exactly one page.
fn unique(texts: BTreeMap<String, BTreeSet<String>>, kind: QueryKind) -> impl Iterator<Item = KnownItem> {
    let is_unique = |pages: &BTreeSet<String>| pages.len() == 1 && !pages.contains("");
    texts.into_iter().filter(move |(_, pages)| is_unique(pages)).map(move |(text, right)| KnownItem {
        kind,
        text,
        right,
    })
}

/// For each page, a query of consecutive words that occur in the content of no other page.
fn content_queries(contents: &[(String, Vec<String>)]) -> Vec<KnownItem> {
    let mut owners: HashMap<&[String], Option<usize>> = HashMap::new();
    for (page, (_, words)) in contents.iter().enumerate() {
        for window in words.windows(CONTENT_WORDS) {
            let owner = owners.entry(window).or_insert(Some(page));
            if *owner != Some(page) {
                *owner = None;
            }
        }
    }
    let query = |(page, (url, words)): (usize, &(String, Vec<String>))| {
        // The position depends on a hash of the address: arbitrary, but reproducible.
        let windows = words.len().checked_sub(CONTENT_WORDS - 1).filter(|windows| *windows > 0)?;
        let start = xxh3::xxh3_64(url.as_bytes()) as usize % windows;
        let mut places = (start..windows).chain(0..start).map(|at| &words[at..at + CONTENT_WORDS]);
        let window = places.find(|window| owners.get(window).is_some_and(|owner| *owner == Some(page)))?;
        Some(KnownItem {
            kind: QueryKind::Content,
            text: window.join(" "),
            right: BTreeSet::from([url.clone()]),
        })
    };
    contents.iter().enumerate().filter_map(query).collect()
}

fn template_words(
    on_pages: &HashMap<String, usize>,
    contents: &[(String, Vec<String>)],
    pages: usize,
) -> Vec<KnownItem> {
    let mut in_content: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (url, words) in contents {
        for word in words {
            in_content.entry(word).or_default().insert(url.clone());
        }
    }
    let few = (IN_FEW * pages as f64).max(3.0);
    let is_wanted = |word: &str, right: &BTreeSet<String>| {
        let everywhere = on_pages.get(word).is_some_and(|count| *count as f64 >= EVERYWHERE * pages as f64);
        everywhere && right.len() as f64 <= few && word.chars().count() > 2
    };
    in_content
        .into_iter()
        .filter(|(word, right)| is_wanted(word, right))
        .map(|(word, right)| KnownItem { kind: QueryKind::TemplateWord, text: word.to_owned(), right })
        .collect()
}

/// At most `count_max` queries of a kind, ordered by a hash of their text.
fn pick(queries: &[KnownItem], kind: QueryKind, count_max: usize) -> Vec<KnownItem> {
    let mut of_kind: Vec<&KnownItem> = queries.iter().filter(|query| query.kind == kind).collect();
    of_kind.sort_by_key(|query| xxh3::xxh3_64(query.text.as_bytes()));
    of_kind.into_iter().take(count_max).cloned().collect()
}

/// The words of a text, in lower case.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_word(text, |word| words.push(word.to_owned()));
    words
}

#[cfg(test)]
mod tests {
    use unframe::Page;

    use super::*;

    fn page(name: &str, html: &str, gold: &str) -> GoldPage {
        let page = Page::new(format!("http://a.example/{name}"), html);
        GoldPage { page, gold: Some(Gold::Text(gold.to_owned())), unsure: String::new(), page_type: None }
    }

    #[test]
    fn queries_come_from_what_is_known() {
        let menu = "<nav><a href=/tea>About green tea</a> <a href=/other>Contact</a></nav>";
        let pages = [
            page(
                "tea",
                &format!("<title>Shop</title>{menu}<h1>Tea</h1><h1>Green tea</h1><p>one two three four"),
                "one two three four",
            ),
            page(
                "milk",
                &format!("<title>Shop</title>{menu}<h1>Cold milk</h1><p>please contact two three four five"),
                "please contact two three four five",
            ),
        ];
        let queries = of(&pages, 9);
        let texts = |kind| {
            let of_kind = queries.iter().filter(|query| query.kind == kind);
            let mut texts: Vec<(&str, &str)> = of_kind
                .map(|query| (query.text.as_str(), query.right.first().map_or("", |url| &url[17..])))
                .collect();
            texts.sort();
            texts
        };
        assert_eq!(texts(QueryKind::Title), []);
        assert_eq!(texts(QueryKind::Heading), [("cold milk", "milk"), ("green tea", "tea")]);
        assert_eq!(texts(QueryKind::Link), [("about green tea", "tea")]);
        assert_eq!(texts(QueryKind::Content).len(), 2);
        // Both words occur on both pages, and one page has the second word in its content.
        assert_eq!(texts(QueryKind::TemplateWord).first(), Some(&("contact", "milk")));
    }
}
