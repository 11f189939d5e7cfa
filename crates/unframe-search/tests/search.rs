//! Building, changing and searching indexes.

use std::path::Path;

use unframe::detect::Blocks;
use unframe::html::Span;
use unframe::{Page, PageParser, Region, TemplateHash};
use unframe_search::{
    Committed, IndexWriter, Options, Preparer, Query, Ranking, Removal, SearchError, SearchIndex,
};

fn page(url: &str, html: &str) -> Page {
    Page { date: "2024-05-06T07:08:09Z".parse().ok(), ..Page::new(url, html) }
}

/// A page with a menu that all have, and words that are its own.
fn numbered(number: usize) -> Page {
    let html = format!(
        "<title>Page {number}</title><div class=menu>Home News Contact</div><h1>Heading{number}</h1>\
         <p>This is the story{number} of tea number{number} and other{number} things{number} again{number}</p>"
    );
    page(&format!("http://site.example/{number}"), &html)
}

fn blocks() -> Removal {
    Removal::Blocks(Blocks::default())
}

fn build(folder: &Path, removal: Removal, options: &Options, pages: &[Page], delete: &[&str]) -> Committed {
    let mut writer = IndexWriter::open(folder, removal.clone(), options).unwrap();
    let mut preparer = Preparer::new(&removal);
    delete.iter().for_each(|url| writer.delete(url).unwrap());
    pages
        .iter()
        .for_each(|page| writer.add(preparer.prepare(page, &PageParser::new().open(page), &[])).unwrap());
    writer.commit().unwrap()
}

fn urls(folder: &Path, query: &Query) -> Vec<String> {
    let found = SearchIndex::open(folder).unwrap().search(query).unwrap();
    found.hits.into_iter().map(|hit| hit.url).collect()
}

fn count(folder: &Path, text: &str) -> usize {
    SearchIndex::open(folder).unwrap().search(&Query::new(text)).unwrap().total
}

#[test]
fn templates_are_not_searched_unless_asked() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = (0..12).map(numbered).collect();
    let committed = build(folder.path(), blocks(), &Options::default(), &pages, &[]);
    assert_eq!((committed.pages, committed.total, committed.corrected), (12, 12, 0));
    assert_eq!(committed.template_words, 12 * 3);
    assert_eq!(count(folder.path(), "contact"), 0);
    assert_eq!(count(folder.path(), "template:contact"), 12);
    let everywhere = Query { in_templates: true, ..Query::new("contact") };
    assert_eq!(urls(folder.path(), &everywhere).len(), 10);
    assert_eq!(urls(folder.path(), &Query::new("story7")), ["http://site.example/7"]);
    let none = tempfile::tempdir().unwrap();
    build(none.path(), Removal::None, &Options::default(), &pages, &[]);
    assert_eq!(count(none.path(), "contact"), 12);
}

#[test]
fn a_hit_tells_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = (0..6).map(numbered).collect();
    build(folder.path(), blocks(), &Options::default(), &pages, &[]);
    let found = SearchIndex::open(folder.path()).unwrap().search(&Query::new("number3 home")).unwrap();
    let hit = &found.hits[0];
    assert_eq!(
        (hit.title.as_str(), hit.site.as_str(), hit.language.as_str()),
        ("Page 3", "site.example", "en")
    );
    assert_eq!(hit.date.map(|date| date.to_string()).as_deref(), Some("2024-05-06T07:08:09Z"));
    assert_eq!(hit.snippet.text, "This is the story3 of tea number3 and other3 things3 again3");
    assert_eq!(&hit.snippet.text[hit.snippet.marks[0].clone()], "number3");
}

#[test]
fn dates_that_the_index_cannot_hold_become_the_last_one_that_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let far = Page { date: "9000-01-01T00:00:00Z".parse().ok(), ..numbered(1) };
    build(folder.path(), blocks(), &Options::default(), &[far, numbered(2)], &[]);
    let found = SearchIndex::open(folder.path()).unwrap().search(&Query::new("story1")).unwrap();
    assert_eq!(found.hits[0].date.map(|date| date.to_string()).as_deref(), Some("2262-04-11T23:47:16Z"));
}

#[test]
fn pages_that_come_later_correct_those_that_came_before() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = (0..9).map(numbered).collect();
    // One page has no template yet.
    build(folder.path(), blocks(), &Options::default(), &pages[..1], &[]);
    assert_eq!(count(folder.path(), "contact"), 1);
    let committed = build(folder.path(), blocks(), &Options::default(), &pages[1..], &[]);
    assert_eq!((committed.pages, committed.corrected, committed.total), (8, 1, 9));
    assert_eq!(count(folder.path(), "contact"), 0);
    assert_eq!(count(folder.path(), "template:contact"), 9);
    // Without the others, the page is alone again, and its menu no template any more.
    let others: Vec<&str> = pages[1..].iter().map(|page| page.url.as_str()).collect();
    let committed = build(folder.path(), blocks(), &Options::default(), &[], &others);
    assert_eq!((committed.deleted, committed.corrected, committed.total), (8, 1, 1));
    assert_eq!(count(folder.path(), "contact"), 1);
}

#[test]
fn parts_make_the_same_index_as_the_whole() {
    let pages: Vec<Page> = (0..20).map(numbered).collect();
    let (parts, whole, small) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    build(parts.path(), blocks(), &Options::default(), &pages[..7], &[]);
    build(parts.path(), blocks(), &Options::default(), &pages[7..], &[]);
    build(whole.path(), blocks(), &Options { threads: 1, ..Options::default() }, &pages, &[]);
    // Everything that waits is on disk.
    build(small.path(), blocks(), &Options { memory: 0, ..Options::default() }, &pages, &[]);
    for ranking in [Ranking::Bm25, Ranking::Okapi, Ranking::Pivoted] {
        for text in ["tea", "contact", "\"nothing else\"", "heading3 number4"] {
            let query = Query { ranking, limit: 20, ..Query::new(text) };
            let search = |folder: &Path| SearchIndex::open(folder).unwrap().search(&query).unwrap();
            assert_eq!(search(parts.path()), search(whole.path()), "{text} {ranking}");
            assert_eq!(search(small.path()), search(whole.path()), "{text} {ranking}");
        }
    }
}

#[test]
fn a_page_with_the_same_address_is_replaced() {
    for removal in [blocks(), Removal::None] {
        let folder = tempfile::tempdir().unwrap();
        let mut pages: Vec<Page> = (0..6).map(numbered).collect();
        pages.push(page("http://site.example/2", "<p>second version"));
        let committed = build(folder.path(), removal.clone(), &Options::default(), &pages, &[]);
        assert_eq!((committed.pages, committed.total), (6, 6));
        assert_eq!((count(folder.path(), "second"), count(folder.path(), "story2")), (1, 0));
        let third = page("http://site.example/2", "<p>third version");
        let committed = build(folder.path(), removal.clone(), &Options::default(), &[third], &[]);
        assert_eq!((committed.pages, committed.total), (1, 6));
        assert_eq!((count(folder.path(), "second"), count(folder.path(), "third")), (0, 1));
    }
}

#[test]
fn without_a_commit_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let writer = IndexWriter::open(folder.path(), blocks(), &Options::default()).unwrap();
    drop(writer);
    assert!(matches!(SearchIndex::open(folder.path()), Err(SearchError::Unfinished { .. })));
    build(folder.path(), blocks(), &Options::default(), &[numbered(1)], &[]);
    let mut writer = IndexWriter::open(folder.path(), blocks(), &Options::default()).unwrap();
    let mut preparer = Preparer::new(&blocks());
    let page = numbered(2);
    writer.add(preparer.prepare(&page, &PageParser::new().open(&page), &[])).unwrap();
    writer.delete("http://site.example/1").unwrap();
    drop(writer);
    assert_eq!((count(folder.path(), "story1"), count(folder.path(), "story2")), (1, 0));
}

#[test]
fn one_writer_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = IndexWriter::open(folder.path(), Removal::None, &Options::default()).unwrap();
    let second = IndexWriter::open(folder.path(), Removal::None, &Options::default());
    assert!(matches!(second, Err(SearchError::Busy { .. })));
    drop(first);
    assert!(IndexWriter::open(folder.path(), Removal::None, &Options::default()).is_ok());
}

#[test]
fn what_is_no_index_of_this_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = || IndexWriter::open(folder.path(), blocks(), &Options::default()).err();
    assert!(matches!(SearchIndex::open(folder.path()), Err(SearchError::Missing { .. })));
    assert!(matches!(SearchIndex::open(&folder.path().join("no")), Err(SearchError::Missing { .. })));
    std::fs::write(folder.path().join("letter.txt"), "Dear").unwrap();
    assert!(matches!(open(), Some(SearchError::NotAnIndex { .. })));
    std::fs::remove_file(folder.path().join("letter.txt")).unwrap();
    build(folder.path(), blocks(), &Options::default(), &[numbered(1)], &[]);
    let other = IndexWriter::open(folder.path(), Removal::None, &Options::default()).err();
    assert!(matches!(other, Some(SearchError::OtherMethod { .. })));
    let meta = folder.path().join("meta.json");
    let text = std::fs::read_to_string(&meta).unwrap();
    std::fs::write(&meta, text.replace("unframe_index\\\":1", "unframe_index\\\":0")).unwrap();
    assert!(matches!(open(), Some(SearchError::Format { .. })));
    std::fs::write(&meta, "{}").unwrap();
    assert!(matches!(open(), Some(SearchError::NotAnIndex { .. })));
    assert!(SearchIndex::open(folder.path()).is_err());
}

#[test]
fn regions_that_are_known_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let removal = Removal::Labels("by hand".to_owned());
    let mut writer = IndexWriter::open(folder.path(), removal.clone(), &Options::default()).unwrap();
    let page = page("http://site.example/", "<p>one two three four</p>");
    let region = Region::new(Span { start: 7, end: 16 }, TemplateHash(1), 9);
    writer.add(Preparer::new(&removal).prepare(&page, &PageParser::new().open(&page), &[region])).unwrap();
    writer.commit().unwrap();
    assert_eq!((count(folder.path(), "two"), count(folder.path(), "four")), (0, 1));
    assert_eq!(count(folder.path(), "\"one four\""), 0, "phrases do not reach over a hole");
    assert_eq!(count(folder.path(), "template:\"two three\""), 1);
}

#[test]
fn an_index_that_names_no_parameters_gets_them_with_the_next_pages() {
    let folder = tempfile::tempdir().unwrap();
    let open = |method: &str| {
        let removal = Removal::Labels(method.to_owned());
        IndexWriter::open(folder.path(), removal, &Options::default())
    };
    // As earlier versions wrote it.
    open("dom").unwrap().commit().unwrap();
    assert!(matches!(open("text window=5").err(), Some(SearchError::OtherMethod { .. })));
    open("dom low=0.1").unwrap().commit().unwrap();
    assert!(matches!(open("dom low=0.5").err(), Some(SearchError::OtherMethod { .. })));
    assert!(matches!(open("dom").err(), Some(SearchError::OtherMethod { .. })));
    open("dom low=0.1").unwrap();
}

#[test]
fn queries_and_filters() {
    let folder = tempfile::tempdir().unwrap();
    let mut pages: Vec<Page> = vec![
        page("http://a/1", "<title>Tea</title><p>The green tea of the house is not for sale"),
        page("http://a/2", "<html lang=de><p>Der grüne Tee ist nicht mit der Milch"),
        page("http://a/3", "<html lang=ja><p>東京都で茶を飲む"),
        page("http://b/4", "<p>Зелёный чай не так горяч, как это все говорят, и так далее"),
    ];
    pages[3].site = "b".to_owned();
    build(folder.path(), Removal::None, &Options::default(), &pages, &[]);
    let check = |query: Query, expected: &[&str]| {
        for ranking in [Ranking::Bm25, Ranking::Okapi, Ranking::Pivoted] {
            let query = Query { ranking, ..query.clone() };
            let mut found = urls(folder.path(), &query);
            found.sort();
            assert_eq!(found, expected, "{query:?}");
        }
    };
    check(Query::new("GRÜNE"), &["http://a/2"]);
    check(Query::new("\"green tea\""), &["http://a/1"]);
    check(Query::new("\"tea green\""), &[]);
    check(Query::new("title:tea"), &["http://a/1"]);
    check(Query::new("tea OR чай"), &["http://a/1", "http://b/4"]);
    check(Query::new("(tea чай) -sale"), &["http://b/4"]);
    check(Query::new("(tea чай) -\"green tea\""), &["http://b/4"]);
    check(Query::new("(tea чай milch) -\"green house\""), &["http://a/1", "http://a/2", "http://b/4"]);
    check(Query { all_words: true, ..Query::new("green чай") }, &[]);
    check(Query::new("京都"), &["http://a/3"]);
    check(Query::new("茶"), &["http://a/3"]);
    check(Query::new("都東"), &[]);
    check(Query { site: Some("b".to_owned()), ..Query::new("tea чай") }, &["http://b/4"]);
    check(Query { language: Some("de".to_owned()), ..Query::new("nicht tea") }, &["http://a/2"]);
    check(Query::new("language:ja AND *"), &["http://a/3"]);
    let index = SearchIndex::open(folder.path()).unwrap();
    for bad in ["title:(", "nosuchfield:x", "\"open"] {
        assert!(matches!(index.search(&Query::new(bad)), Err(SearchError::Query(_))), "{bad}");
    }
}

#[test]
fn pages_of_hits_follow_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = (0..25).map(numbered).collect();
    build(folder.path(), blocks(), &Options::default(), &pages, &[]);
    let all = urls(folder.path(), &Query { limit: 25, ..Query::new("tea") });
    let mut paged = Vec::new();
    for offset in (0..30).step_by(10) {
        paged.extend(urls(folder.path(), &Query { offset, ..Query::new("tea") }));
    }
    assert_eq!(all.len(), 25);
    assert_eq!(all, paged);
    assert!(urls(folder.path(), &Query { limit: 0, ..Query::new("tea") }).is_empty());
}

#[test]
fn so_many_hits_are_given_at_once_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<Page> = (0..1001).map(|number| page(&format!("http://a/{number}"), "<p>tea")).collect();
    build(folder.path(), Removal::None, &Options::default(), &pages, &[]);
    let index = SearchIndex::open(folder.path()).unwrap();
    for limit in [1000, 1001] {
        let found = index.search(&Query { limit, ..Query::new("tea") }).unwrap();
        assert_eq!((found.hits.len(), found.total), (1000, 1001));
    }
    let far = index.search(&Query { offset: 100_001, ..Query::new("tea") }).unwrap();
    assert_eq!((far.hits.len(), far.total), (0, 1001));
}

#[test]
fn a_word_has_so_many_bytes_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let (longest, too_long) = ("a".repeat(255), "b".repeat(256));
    let page = page("http://a/", &format!("<p>{longest} tea {too_long} cup"));
    build(folder.path(), Removal::None, &Options::default(), &[page], &[]);
    assert_eq!((count(folder.path(), &longest), count(folder.path(), &too_long)), (1, 0));
    // These have 3 bytes in lower case: the longest word that can be found, and one that cannot be, however it is written.
    for (times, found) in [(85, 1), (86, 0)] {
        let word = "Ⱥ".repeat(times);
        let (folder, page) = (tempfile::tempdir().unwrap(), self::page("http://a/", &format!("<p>{word}")));
        build(folder.path(), Removal::None, &Options::default(), &[page], &[]);
        let written = [count(folder.path(), &word), count(folder.path(), &word.to_lowercase())];
        assert_eq!(written, [found, found], "{times}");
    }
    // The words around it are there, and it keeps its place between them.
    assert_eq!(count(folder.path(), &format!("\"{longest} tea\"")), 1);
    assert_eq!((count(folder.path(), "cup"), count(folder.path(), "\"tea cup\"")), (1, 0));
}
