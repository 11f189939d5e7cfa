//! Tests the output of each format by reading it back, and when files appear.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ::arrow_array::Array;
use ::arrow_array::cast::AsArray;
use ::arrow_array::types::TimestampMicrosecondType;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use proptest::prelude::*;
use unframe::detect::places::PageKind;
use unframe::html::Span;
use unframe::learn::Evidence;
use unframe::metadata::Metadata;
use unframe::render::{Chunk, RenderOptions};
use unframe::text::content::{Share, Volume};
use unframe::{Origin, Page, PageParser, Region, RegionKind, Sort, TemplateHash, charset};

use super::*;

fn page(number: u32, text: &str) -> CleanPage {
    let mut metadata = Metadata::default();
    metadata.author = (number > 1).then(|| "Ann Lee".to_owned());
    CleanPage {
        url: format!("https://example.com/{number}"),
        site: "example.com".to_owned(),
        date: number.is_multiple_of(2).then(|| "2026-01-31T12:00:00Z".parse().unwrap()),
        record_id: (number == 7).then(|| "<urn:uuid:7>".to_owned()),
        origin: number.is_multiple_of(2).then(|| Origin { file: "a.warc".into(), offset: 9 }),
        title: (number > 1).then(|| format!("Page {number}")),
        kind: (number == 2).then_some((PageKind::Article, 93)),
        metadata: Some(metadata),
        detected_language: None,
        comments: None,
        body: Body::Text(text.to_owned()),
        evidence: Evidence::Site,
        volume: Volume {
            html: Share { template: 1, total: 2 },
            text: Share { template: 3, total: 4 },
            links: Share { template: 5, total: u64::from(number) },
        },
    }
}

fn write_all(format: OutputFormat, name: &str, pages: &[CleanPage]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let mut writer = create(format, &path).unwrap();
    pages.iter().for_each(|page| writer.write(page).unwrap());
    writer.finish().unwrap();
    (folder, path)
}

fn written(format: OutputFormat, name: &str, pages: &[CleanPage]) -> Vec<u8> {
    let (_folder, path) = write_all(format, name, pages);
    fs::read(path).unwrap()
}

#[test]
fn formats_have_names() {
    for format in OutputFormat::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error = "pdf".parse::<OutputFormat>().unwrap_err().to_string();
    assert_eq!(
        error,
        "`pdf` is not an output format: choose jsonl, text, markdown, html, simple-html, warc, wet, parquet, arrow, chunks or bulk"
    );
}

/// A page of two chunks, the second without headings.
fn page_of_chunks() -> CleanPage {
    let chunk = |headings: &[&str], text: &str, start| Chunk {
        headings: headings.iter().map(|&heading| heading.to_owned()).collect(),
        text: text.to_owned(),
        tokens: 1,
        span: Span { start, end: start + 1 },
    };
    let chunks = vec![chunk(&["A", "B"], "b", 3), chunk(&[], "c", 9)];
    CleanPage { body: Body::Chunks(chunks), metadata: None, ..page(2, "") }
}

#[test]
fn chunks_are_lines() {
    let page = page_of_chunks();
    assert_eq!((page.body.text(), page.body.bytes().len()), ("b\nc".into(), 3));
    let first = r#"{"url":"https://example.com/2","site":"example.com","title":"Page 2","chunk":0,"headings":["A","B"],"text":"b","tokens":1,"start":3,"end":4}"#;
    let second = r#"{"url":"https://example.com/2","site":"example.com","title":"Page 2","chunk":1,"headings":[],"text":"c","tokens":1,"start":9,"end":10}"#;
    for format in [OutputFormat::Chunks, OutputFormat::Jsonl] {
        let file = written(format, "a.jsonl", std::slice::from_ref(&page));
        assert_eq!(String::from_utf8(file).unwrap(), format!("{first}\n{second}\n"));
    }
    let bulk = String::from_utf8(written(OutputFormat::Bulk, "a", std::slice::from_ref(&page))).unwrap();
    let action = |number| format!(r#"{{"index":{{"_id":"https://example.com/2#{number}"}}}}"#);
    assert_eq!(bulk, format!("{}\n{first}\n{}\n{second}\n", action(0), action(1)));

    let whole = String::from_utf8(clean_line(&page).unwrap()).unwrap();
    let list = r#""chunks":[{"headings":["A","B"],"text":"b","tokens":1,"start":3,"end":4},{"headings":[],"text":"c","tokens":1,"start":9,"end":10}],"evidence":"site""#;
    assert!(whole.contains(list) && !whole.contains(r#""title":"Page 2","text""#), "{whole}");

    let with_metadata = CleanPage { metadata: self::page(2, "").metadata, ..page };
    let file = String::from_utf8(written(OutputFormat::Jsonl, "a.jsonl", &[with_metadata])).unwrap();
    assert!(file.lines().all(|line| line.contains(r#""author":"Ann Lee""#)), "{file}");
}

#[test]
fn chunks_are_rows() {
    let write = |format, name: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let options = WriteOptions { rows: RowKind::Chunk, ..WriteOptions::from(format) };
        let mut writer = create(options, &path).unwrap();
        writer.write(&page_of_chunks()).unwrap();
        writer.write(&page_of_chunks()).unwrap();
        writer.finish().unwrap();
        (folder, path)
    };
    let (_folder, path) = write(OutputFormat::Parquet, "a.parquet");
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(rows.len(), 4);
    let has = |row: &str, parts: &[&str]| {
        parts.iter().for_each(|part| assert!(row.contains(part), "{part}: {row}"))
    };
    has(
        &rows[0],
        &[
            r#"chunk: 0, headings: ["A", "B"], tokens: 1, start: 3, end: 4, "#,
            r#"text: "b""#,
            r#"id: "a.warc:9#0""#,
        ],
    );
    has(
        &rows[1],
        &["chunk: 1, headings: [], tokens: 1, start: 9, end: 10, ", r#"text: "c""#, r#"id: "a.warc:9#1""#],
    );

    let (_folder, path) = write(OutputFormat::Arrow, "a.arrow");
    let mut file = arrow_ipc::reader::FileReader::try_new(File::open(path).unwrap(), None).unwrap();
    let batch = file.next().unwrap().unwrap();
    let headings = batch.column_by_name("headings").unwrap().as_list::<i32>();
    let lists: Vec<Vec<String>> = headings
        .iter()
        .map(|list| list.unwrap().as_string::<i32>().iter().flatten().map(str::to_owned).collect())
        .collect();
    assert_eq!(lists, [vec!["A", "B"], vec![], vec!["A", "B"], vec![]]);
    assert_eq!(batch.num_rows(), 4);
}

#[test]
fn conversions_name_the_record_that_they_were_made_of() {
    let warc = written(OutputFormat::Warc, "a.warc", &[page(6, "six"), page(7, "seven")]);
    let warc = String::from_utf8(warc).unwrap();
    let fields: Vec<&str> = warc.lines().filter(|line| line.starts_with("WARC-Refers-To")).collect();
    assert_eq!(fields, ["WARC-Refers-To: <urn:uuid:7>"]);
}

#[test]
fn pages_are_cleaned() {
    let html = b"<title>T</title><nav>menu</nav><p>caf\xe9 <b>au lait</b>";
    let charset = charset::find(b"", Some("text/html; charset=latin1"));
    let page = Page { charset, ..Page::new("https://example.com/", html) };
    let nav = Region::new(Span::new(16, 31), TemplateHash(1), 2);
    let clean = |format| CleanPage::new(&page, &PageParser::new().open(&page), &[nav], format);
    let text = clean(BodyFormat::Text);
    assert_eq!(text.body, Body::Text("café au lait".to_owned()));
    assert_eq!((text.title.as_deref(), text.volume.html.template), (Some("T"), 15));
    assert_eq!(
        clean(BodyFormat::Markdown(RenderOptions::default())).body,
        Body::Markdown("café **au lait**".to_owned())
    );
    let html = clean(BodyFormat::Html).body;
    assert_eq!(*html.bytes(), *b"<title>T</title><p>caf\xe9 <b>au lait</b>");
    assert_eq!(html.text(), "<title>T</title><p>café <b>au lait</b>");
    assert_eq!(html.content_type(), "text/html; charset=windows-1252");

    let line = label_line(&page, &[nav], Evidence::Site, text.volume).unwrap();
    let expected = concat!(
        r#"{"url":"https://example.com/","site":"example.com","date":null,"bytes":53,"#,
        r#""evidence":"site","regions":[{"start":16,"end":31,"template":"0000000000000001","pages":2,"kind":"repeated"}],"#,
        r#""volume":{"html":{"template":15,"total":53},"text":{"template":4,"total":16},"#,
        r#""links":{"template":0,"total":0}}}"#,
        "\n"
    );
    assert_eq!(String::from_utf8(line).unwrap(), expected);
}

#[test]
fn lines_of_json() {
    let file = written(OutputFormat::Jsonl, "a.jsonl", &[page(1, "a\n\"b\""), page(2, "")]);
    let expected = concat!(
        r#"{"url":"https://example.com/1","site":"example.com","date":null,"title":null,"text":"a\n\"b\"","#,
        r#""evidence":"site","volume":{"html":{"template":1,"total":2},"text":{"template":3,"total":4},"links":{"template":5,"total":1}},"#,
        r#""headline":null,"author":null,"published":null,"modified":null,"description":null,"site_name":null,"language":null,"canonical":null,"page_type":null,"license":null,"language_declared":null,"language_detected":null,"comments":null,"page_kind":null,"page_kind_confidence":null}"#,
        "\n",
        r#"{"url":"https://example.com/2","site":"example.com","date":"2026-01-31T12:00:00Z","title":"Page 2","text":"","#,
        r#""evidence":"site","volume":{"html":{"template":1,"total":2},"text":{"template":3,"total":4},"links":{"template":5,"total":2}},"#,
        r#""headline":null,"author":"Ann Lee","published":null,"modified":null,"description":null,"site_name":null,"language":null,"canonical":null,"page_type":null,"license":null,"language_declared":null,"language_detected":null,"comments":null,"page_kind":"article","page_kind_confidence":0.93}"#,
        "\n",
    );
    assert_eq!(String::from_utf8(file).unwrap(), expected);
}

#[test]
fn text_and_markdown() {
    let pages = [page(1, "a\nb"), CleanPage { url: "x:-->\n".to_owned(), ..page(2, "c\u{c}") }];
    let text = written(OutputFormat::Text, "a.txt", &pages);
    assert_eq!(String::from_utf8(text).unwrap(), "https://example.com/1\na\nb\n\u{c}\nx:--> \nc \n");
    let markdown = written(OutputFormat::Markdown, "a.md", &pages);
    let expected = "<!-- https://example.com/1 -->\n\na\nb\n\u{c}\n<!-- x:--%3E  -->\n\nc \n";
    assert_eq!(String::from_utf8(markdown).unwrap(), expected);
}

#[test]
fn a_folder_of_files() {
    let html = |url: &str, site: &str, bytes: &[u8]| CleanPage {
        url: url.to_owned(),
        site: site.to_owned(),
        body: Body::Html { bytes: bytes.to_vec(), charset: charset::find(bytes, None) },
        ..page(2, "")
    };
    let pages = [
        html("https://example.com/a/b?c", "example.com", b"<p>one"),
        html("https://example.com/a/b?c", "example.com", b"<p>two"),
        html("https://example.com/A/b-c", "example.com", b"<p>three"),
        html("x:///../../etc", "../..", b"<p>four"),
        html("http://index.jsonl/", "index.jsonl", b"<p>five"),
    ];
    let (folder, path) = write_all(OutputFormat::Html, "out", &pages);
    let index = fs::read_to_string(path.join("index.jsonl")).unwrap();
    let files: Vec<String> = index
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["file"].as_str().unwrap().to_owned()
        })
        .collect();
    let shown: Vec<&str> = files.iter().map(|file| file.trim_end_matches(|c| c != '-')).collect();
    let expected = [
        "pages/example.com/a-b-c-",
        "pages/example.com/a-b-c-aabe51bf3b2dd6f0-",
        "pages/example.com/A-b-c-",
        "pages/site/etc-",
        "pages/index.jsonl/index-",
    ];
    assert_eq!(shown, expected);
    for (file, page) in files.iter().zip(&pages) {
        assert_eq!(fs::read(path.join(file)).unwrap(), *page.body.bytes());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing lies beside the folder");
    let first = index.lines().next().unwrap();
    assert!(first.ends_with(concat!(
        r#"","url":"https://example.com/a/b?c","site":"example.com","date":"2026-01-31T12:00:00Z","#,
        r#""title":"Page 2","charset":"UTF-8","evidence":"site","volume":{"html":{"template":1,"total":2},"#,
        r#""text":{"template":3,"total":4},"links":{"template":5,"total":2}}}"#
    )));
    assert!(create(OutputFormat::Html, &path).is_err(), "the folder is not empty");
    assert!(create(OutputFormat::Html, &path.join("index.jsonl")).is_err(), "it is a file");
    assert!(to_writer(OutputFormat::Html, Box::new(Vec::new())).is_err());
}

#[test]
fn simple_html() {
    let html = b"<title>T</title><p onclick=a()>one <a href=two>two</a>";
    let page = Page::new("https://example.com/a/b", html);
    let mut parser = PageParser::new();
    let parsed = parser.open(&page);
    let clean = CleanPage::new(&page, &parsed, &[], OutputFormat::SimpleHtml.body());
    let content = "<p>one <a href=\"https://example.com/a/two\">two</a></p>";
    assert_eq!(clean.body, Body::SimpleHtml(content.to_owned()));
    assert_eq!(clean.body.content_type(), "text/html; charset=UTF-8");
    let (_folder, path) = write_all(OutputFormat::SimpleHtml, "out", &[clean]);
    let index = fs::read_to_string(path.join("index.jsonl")).unwrap();
    let line: serde_json::Value = serde_json::from_str(&index).unwrap();
    assert_eq!(line["charset"], "UTF-8");
    let file = fs::read_to_string(path.join(line["file"].as_str().unwrap())).unwrap();
    assert_eq!(file, format!("<!DOCTYPE html>\n<meta charset=\"UTF-8\">\n<title>T</title>\n{content}\n"));
}

#[test]
fn records_of_conversions() {
    let markdown = CleanPage { body: Body::Markdown("*é*".to_owned()), ..page(2, "") };
    let file = String::from_utf8(written(OutputFormat::Warc, "a.warc", &[markdown, page(1, "a")])).unwrap();
    let records: Vec<&str> = file.split("WARC/1.1\r\n").skip(1).collect();
    assert_eq!(records.len(), 3);
    assert!(records[0].starts_with("WARC-Type: warcinfo\r\n"));
    assert!(records[0].contains("WARC-Date: 2026-01-31T12:00:00Z\r\n"));
    assert!(records[0].contains("software: unframe "));
    assert!(records[1].starts_with("WARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:"));
    let expected = "WARC-Date: 2026-01-31T12:00:00Z\r\nWARC-Target-URI: https://example.com/2\r\n\
                    Content-Type: text/markdown; charset=UTF-8\r\n\
                    WARC-Block-Digest: sha1:JRVWIX2RPCDHLBZHQJPELZTPIIQDQLSH\r\n\
                    Content-Length: 4\r\n\r\n*é*\r\n\r\n";
    assert_eq!(
        records[1].split_once("WARC-Date").map(|(_, rest)| format!("WARC-Date{rest}")).unwrap(),
        expected
    );
    assert!(records[2].contains("WARC-Date: 1970-01-01T00:00:00Z\r\n"));
    assert!(records[2].contains("Content-Type: text/plain; charset=UTF-8\r\n"));
    let empty = String::from_utf8(written(OutputFormat::Warc, "a.warc", &[])).unwrap();
    assert!(empty.starts_with("WARC/1.1\r\nWARC-Type: warcinfo\r\n"));
    assert!(written(OutputFormat::Warc, "a.warc.gz", &[]).starts_with(b"\x1f\x8b"));
}

#[test]
fn records_of_wet() {
    let mut page = page(7, "seven");
    page.date = Some("2026-01-31T12:00:00.75Z".parse().unwrap());
    let file = String::from_utf8(written(OutputFormat::Wet, "a.wet", &[page])).unwrap();
    let records: Vec<&str> = file.split("WARC/1.0\r\n").skip(1).collect();
    assert!(records[0].starts_with("WARC-Type: warcinfo\r\n") && records[0].contains("WARC File Format 1.0"));
    assert!(records[1].starts_with("WARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:"));
    let expected = "2026-01-31T12:00:00Z\r\nWARC-Target-URI: https://example.com/7\r\n\
                    WARC-Refers-To: <urn:uuid:7>\r\nWARC-Identified-Payload-Type: text/plain\r\n\
                    Content-Type: text/plain\r\n\
                    WARC-Block-Digest: sha1:UAF34VQONMHVEY7D43F2J7Z7XGTP5HXQ\r\n\
                    Content-Length: 5\r\n\r\nseven\r\n\r\n";
    assert_eq!(records[1].split_once("WARC-Date: ").unwrap().1, expected);
    assert!(written(OutputFormat::Wet, "a.wet.gz", &[]).starts_with(b"\x1f\x8b"));
}

#[test]
fn rows_of_parquet() {
    let (_folder, path) = write_all(OutputFormat::Parquet, "a.parquet", &[page(1, "é"), page(2, "")]);
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    let expected = [
        r#"{url: "https://example.com/1", site: "example.com", date: null, title: null, headline: null, author: null, published: null, modified: null, description: null, site_name: null, language: null, canonical: null, page_type: null, license: null, language_declared: null, language_detected: null, comments: null, page_kind: null, text: "é", evidence: "site", html_template: 1, html_total: 2, text_template: 3, text_total: 4, links_template: 5, links_total: 1, id: "https://example.com/1", warc_id: null, file_path: null, offset: null, page_kind_confidence: null}"#,
        r#"{url: "https://example.com/2", site: "example.com", date: 2026-01-31 12:00:00.000000 +00:00, title: "Page 2", headline: null, author: "Ann Lee", published: null, modified: null, description: null, site_name: null, language: null, canonical: null, page_type: null, license: null, language_declared: null, language_detected: null, comments: null, page_kind: "article", text: "", evidence: "site", html_template: 1, html_total: 2, text_template: 3, text_total: 4, links_template: 5, links_total: 2, id: "a.warc:9", warc_id: null, file_path: "a.warc", offset: 9, page_kind_confidence: 0.93}"#,
    ];
    assert_eq!(rows, expected);
    assert!(written(OutputFormat::Parquet, "a.parquet", &[]).starts_with(b"PAR1"));
}

#[test]
fn batches_of_arrow_have_the_columns_of_parquet() {
    let pages = [page(1, "é"), page(7, "seven")];
    let (_folder, path) = write_all(OutputFormat::Arrow, "a.arrows", &pages);
    let mut reader = arrow_ipc::reader::StreamReader::try_new(File::open(path).unwrap(), None).unwrap();
    let batch = reader.next().unwrap().unwrap();
    assert!(reader.next().is_none());
    let (_folder, path) = write_all(OutputFormat::Arrow, "a.arrow", &pages);
    let mut file = arrow_ipc::reader::FileReader::try_new(File::open(path).unwrap(), None).unwrap();
    assert_eq!(file.next().unwrap().unwrap(), batch, "`.arrow` is the format of files");
    let (_folder, path) = write_all(OutputFormat::Parquet, "a.parquet", &pages);
    let parquet = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let schema = parquet.metadata().file_metadata().schema_descr();
    let columns: Vec<(&str, bool)> =
        schema.columns().iter().map(|column| (column.name(), column.self_type().is_optional())).collect();
    let schema = batch.schema();
    let fields: Vec<(&str, bool)> =
        schema.fields().iter().map(|field| (field.name().as_str(), field.is_nullable())).collect();
    assert_eq!(fields, columns);
    let texts = |name| {
        let column = batch.column_by_name(name).unwrap().as_string::<i32>();
        column.iter().map(|text| text.map(str::to_owned)).collect::<Vec<Option<String>>>()
    };
    assert_eq!(texts("text"), [Some("é".to_owned()), Some("seven".to_owned())]);
    assert_eq!(texts("warc_id"), [None, Some("<urn:uuid:7>".to_owned())]);
    let dates = batch.column_by_name("date").unwrap().as_primitive::<TimestampMicrosecondType>();
    assert_eq!((dates.is_null(0), dates.timezone()), (true, Some("UTC")));
}

#[test]
fn batches_are_bounded() {
    use crate::limits::{ARROW_BATCH_BYTES_MAX, ARROW_BATCH_ROWS_MAX};
    let rows = |pages: &[CleanPage]| {
        let (_folder, path) = write_all(OutputFormat::Arrow, "a", pages);
        let reader = arrow_ipc::reader::StreamReader::try_new(File::open(path).unwrap(), None).unwrap();
        reader.map(|batch| batch.unwrap().num_rows()).collect::<Vec<usize>>()
    };
    let many: Vec<CleanPage> = (0..=ARROW_BATCH_ROWS_MAX as u32).map(|number| page(number, "")).collect();
    assert_eq!(rows(&many), [ARROW_BATCH_ROWS_MAX, 1]);
    let large = "a".repeat(ARROW_BATCH_BYTES_MAX / 2);
    assert_eq!(rows(&[page(0, &large), page(1, &large), page(2, &large)]), [2, 1]);
    assert_eq!(rows(&[]), [] as [usize; 0]);
}

#[test]
fn lines_for_search_engines() {
    let options = WriteOptions { index: Some("pages".parse().unwrap()), ..OutputFormat::Bulk.into() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ndjson");
    let mut writer = create(options, &path).unwrap();
    writer.write(&page(1, "a\nb")).unwrap();
    writer.finish().unwrap();
    let file = fs::read_to_string(path).unwrap();
    let document = String::from_utf8(clean_line(&page(1, "a\nb")).unwrap()).unwrap();
    let action = r#"{"index":{"_index":"pages","_id":"https://example.com/1"}}"#;
    assert_eq!(file, format!("{action}\n{document}"));
    let without_name = String::from_utf8(written(OutputFormat::Bulk, "a", &[page(1, "")])).unwrap();
    assert!(without_name.starts_with("{\"index\":{\"_id\":\"https://example.com/1\"}}\n{\"url\":"));
}

/// A page of a site of its own.
fn page_of(site: usize) -> CleanPage {
    CleanPage { site: format!("s{site}.example"), ..page(2, "text") }
}

#[test]
fn partitions_are_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let options = |by| WriteOptions { partition_by: Some(by), ..OutputFormat::Jsonl.into() };
    let mut writer = create(options(PartitionBy::Site), &path).unwrap();
    [0, 1, 0].iter().for_each(|site| writer.write(&page_of(*site)).unwrap());
    assert!(!path.exists());
    writer.finish().unwrap();
    let lines = |file: &str| fs::read_to_string(path.join(file)).unwrap().lines().count();
    assert_eq!((lines("site=s0.example/part-0.jsonl"), lines("site=s1.example/part-0.jsonl")), (2, 1));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

    let error = create(options(PartitionBy::Site), &path).err().unwrap().to_string();
    assert_eq!(error, "the folder is not empty");
    let html = WriteOptions { partition_by: Some(PartitionBy::Site), ..OutputFormat::Html.into() };
    assert!(create(html, &folder.path().join("html")).is_err());
    assert!(to_writer(options(PartitionBy::Hash(2)), Box::new(Vec::new())).is_err());
}

#[test]
fn so_many_partitions_are_open_and_no_more() {
    use crate::limits::OPEN_PARTITIONS_MAX;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let options = WriteOptions { partition_by: Some(PartitionBy::Site), ..OutputFormat::Text.into() };
    let mut writer = create(options, &path).unwrap();
    (0..=OPEN_PARTITIONS_MAX).for_each(|site| writer.write(&page_of(site)).unwrap());
    // The first file had to be closed, and the second one is closed next.
    writer.write(&page_of(0)).unwrap();
    writer.finish().unwrap();
    let files = |site: usize| fs::read_dir(path.join(format!("site=s{site}.example"))).unwrap().count();
    assert_eq!((files(0), files(1), files(OPEN_PARTITIONS_MAX)), (2, 1, 1));
}

#[test]
fn row_groups_are_bounded() {
    use crate::limits::{ROW_GROUP_BYTES_MAX, ROW_GROUP_ROWS_MAX};
    let count = |pages: &mut dyn Iterator<Item = CleanPage>| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let mut writer = create(OutputFormat::Parquet, &path).unwrap();
        pages.for_each(|page| writer.write(&page).unwrap());
        writer.finish().unwrap();
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let rows = |group: &::parquet::file::metadata::RowGroupMetaData| group.num_rows();
        reader.metadata().row_groups().iter().map(rows).collect::<Vec<i64>>()
    };
    let rows = ROW_GROUP_ROWS_MAX as u32 + 1;
    assert_eq!(count(&mut (0..rows).map(|number| page(number, ""))), [i64::from(rows) - 1, 1]);
    let large = "a".repeat(ROW_GROUP_BYTES_MAX / 2);
    assert_eq!(count(&mut (0..5).map(|number| page(number, &large))), [2, 2, 1]);
}

#[test]
fn nothing_has_its_name_before_it_is_complete() {
    for format in OutputFormat::ALL {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut writer = create(format, &path).unwrap();
        writer.write(&page(1, "a")).unwrap();
        assert!(!path.exists(), "{format}");
        let unfinished = writer.unfinished().unwrap().to_owned();
        assert_eq!(unfinished.parent(), path.parent());
        assert!(unfinished.exists(), "{format}");
        drop(writer);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{format}");

        let mut writer = create(format, &path).unwrap();
        writer.write(&page(1, "a")).unwrap();
        writer.finish().unwrap();
        assert!(path.exists() && !unfinished.exists(), "{format}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{format}");
    }
}

#[test]
fn an_old_file_stays_until_the_new_one_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    fs::write(&path, "old").unwrap();
    drop(create(OutputFormat::Text, &path).unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    create(OutputFormat::Text, &path).unwrap().finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"");
    assert!(create(OutputFormat::Text, folder.path()).is_err(), "a folder is not replaced");
}

#[test]
fn the_same_pages_give_the_same_bytes() {
    let pages: Vec<CleanPage> = (0..100).map(|number| page(number, "a b c")).collect();
    for format in [OutputFormat::Jsonl, OutputFormat::Warc, OutputFormat::Wet, OutputFormat::Parquet] {
        // Parquet files are compressed internally.
        let end = if format == OutputFormat::Parquet { "parquet" } else { "gz" };
        let [a, b] = ["a", "b"].map(|name| written(format, &format!("{name}.{end}"), &pages));
        assert_eq!(a, b, "{format}");
    }
}

#[test]
fn names_say_formats() {
    let format = |name: &str| OutputFormat::of_name(Path::new(name));
    assert_eq!(format("a/pages.JSONL.gz"), Some(OutputFormat::Jsonl));
    assert_eq!(format("a.warc.wet.gz"), Some(OutputFormat::Wet));
    assert_eq!(format("a.parquet"), Some(OutputFormat::Parquet));
    assert_eq!(["pages", "a.b/pages", "a.gz", "-", "a.xyz"].map(format), [None; 5]);
    for format in OutputFormat::ALL {
        let named = OutputFormat::of_name(Path::new(&format!("a.{}", format.extension())));
        assert!(named.is_some_and(|named| format.can_be_named(named)), "{format}");
    }
    assert!(!OutputFormat::Jsonl.can_be_named(OutputFormat::Parquet));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn text_splits_back_into_pages(texts in prop::collection::vec("(.|\n|\u{c}){0,30}", 1..6)) {
        let pages: Vec<CleanPage> = texts.iter().enumerate().map(|(number, text)| page(number as u32, text)).collect();
        let file = String::from_utf8(written(OutputFormat::Text, "a", &pages)).unwrap();
        let found: Vec<(&str, &str)> = file.split("\u{c}\n").map(|page| page.split_once('\n').unwrap()).collect();
        let expected: Vec<(String, String)> =
            pages.iter().map(|page| (page.url.clone(), page.body.text().replace('\u{c}', " ") + "\n")).collect();
        prop_assert!(found.into_iter().eq(expected.iter().map(|(url, text)| (url.as_str(), text.as_str()))));
    }
}

#[test]
fn comments_and_languages_stand_beside_the_content() {
    let html = "<html lang=en><p>Der Tee zieht drei Minuten, dann nimmt man die Blätter heraus und trinkt ihn heiß. Wer mag, gibt noch etwas Zucker \
                oder Zitrone dazu, und wer Zeit hat, setzt sich damit ans Fenster.</p>\
                <div id=comments><p>Nice tea!</p><p>Too hot &amp; too strong.</p></div>";
    let at = html.find("<div").unwrap() as u32;
    let comments = Region::new(Span { start: at, end: html.len() as u32 }, TemplateHash(1), 1)
        .with_kind(RegionKind::Clutter)
        .with_sort(Sort::Comments);
    let page = Page::new("http://a.example/", html);
    let [mut parser, mut other_parser] = [PageParser::new(), PageParser::new()];
    let parsed = parser.open(&page);
    let clean =
        CleanPage::new(&page, &parsed, &[comments], BodyFormat::Text).with_metadata(&parsed, &[comments]);
    assert_eq!(clean.comments.as_deref(), Some("Nice tea!\nToo hot & too strong."));
    let language =
        ["language", "language_declared", "language_detected"].map(|name| clean.metadata_value(name));
    assert_eq!(language, [Some("de"), Some("en"), Some("de")]);
    assert!(clean.metadata_value("page_kind").is_some() && clean.kind_confidence() > Some(0.0));
    let repeated = comments.with_kind(RegionKind::Repeated);
    let clean =
        CleanPage::new(&page, &parsed, &[repeated], BodyFormat::Text).with_metadata(&parsed, &[repeated]);
    assert_eq!(clean.comments, None, "what other pages have is no comment");
    let labels = Page::new("http://a.example/", "<div id=comments><p>3 comments</p><p>Reply</p></div>");
    let parsed_labels = other_parser.open(&labels);
    let all = Region::new(Span { start: 0, end: labels.payload.len() as u32 }, TemplateHash(1), 1)
        .with_kind(RegionKind::Clutter)
        .with_sort(Sort::Comments);
    let clean_labels = CleanPage::new(&labels, &parsed_labels, &[all], BodyFormat::Text)
        .with_metadata(&parsed_labels, &[all]);
    assert_eq!(clean_labels.comments, None, "labels are no comments");
    let whole = CleanPage::new(&page, &parsed, &[], BodyFormat::Text).with_metadata(&parsed, &[]);
    assert_eq!(whole.comments, None, "what is content is no comment");
}
