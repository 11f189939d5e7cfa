//! Any text can be searched for: it is found, not found, or refused as a query.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use unframe::{Charset, CharsetSource, Origin, Page};
use unframe_search::{IndexWriter, Options, Preparer, Query, Ranking, Removal, SearchIndex};

static INDEX: LazyLock<SearchIndex> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder can be made").keep();
    let removal = Removal::Blocks(Default::default());
    let mut writer = IndexWriter::open(&folder, removal.clone(), &Options::default()).expect("a new index");
    let mut preparer = Preparer::new(&removal);
    for (number, words) in ["black tea", "Grüner Tee", "холодное молоко", "红茶 牛奶"].iter().enumerate() {
        let html = format!("<title>{words}</title><div>All about tea and milk</div><p>{words} and water</p>");
        let page = page(format!("http://tea.example/{number}"), html);
        writer.add(preparer.prepare(&page, &[])).expect("a page can be added");
    }
    writer.commit().expect("pages can be added");
    let index = SearchIndex::open(&folder).expect("an index that was just built");
    // The files are mapped into memory by now.
    let _ = std::fs::remove_dir_all(folder);
    index
});

fn page(url: String, html: String) -> Page {
    Page {
        url,
        site: "tea.example".into(),
        date: None,
        payload: html.into_bytes(),
        charset: Charset { encoding: encoding_rs::UTF_8, source: CharsetSource::Default },
        record_id: None,
        origin: Origin { file: "-".into(), offset: 0 },
        problems: Vec::new(),
    }
}

fuzz_target!(|input: (&str, u8, &str)| {
    let (text, choice, filter) = input;
    let query = Query {
        all_words: choice & 1 != 0,
        in_templates: choice & 2 != 0,
        ranking: if choice & 4 != 0 { Ranking::Pivoted } else { Ranking::Bm25 },
        site: (choice & 8 != 0).then(|| filter.to_owned()),
        language: (choice & 16 != 0).then(|| filter.to_owned()),
        offset: usize::from(choice >> 5),
        ..Query::new(text)
    };
    if let Ok(found) = INDEX.search(&query) {
        assert!(found.hits.len() <= found.total && found.total <= 4);
        let urls: Vec<_> = found.hits.into_iter().map(|hit| hit.url).collect();
        assert_eq!(INDEX.urls(&query).expect("it was searched just now"), urls);
    }
});
