//! Tests files written by the parquet library, then damaged ones.

use std::sync::Arc;

use ::parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use ::parquet::data_type::{
    ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type, Int96, Int96Type,
};
use ::parquet::file::properties::{WriterProperties, WriterVersion};
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;
use bytes::Bytes;
use proptest::prelude::*;

use super::*;

/// A column's values and its definition levels: 1 for a value, 0 for null.
struct Values<T>(Vec<T>, Option<Vec<i16>>);

fn required<T>(values: Vec<T>) -> Values<T> {
    Values(values, None)
}

fn optional<T>(values: Vec<Option<T>>) -> Values<T> {
    let levels = values.iter().map(|value| i16::from(value.is_some())).collect();
    Values(values.into_iter().flatten().collect(), Some(levels))
}

fn texts(values: &[&str]) -> Values<ByteArray> {
    required(values.iter().map(|text| ByteArray::from(*text)).collect())
}

fn write<T: DataType>(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, values: &Values<T::T>) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(&values.0, values.1.as_deref(), None).unwrap();
    column.close().unwrap();
}

type Writer = SerializedFileWriter<Vec<u8>>;

fn writer(schema: &str, properties: WriterProperties) -> Writer {
    let schema = parse_message_type(&format!("message pages {{ {schema} }}")).unwrap();
    SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap()
}

/// A file with one row group, whose columns `fill` writes.
fn file(
    schema: &str,
    properties: WriterProperties,
    fill: impl FnOnce(&mut SerializedRowGroupWriter<'_, Vec<u8>>),
) -> Vec<u8> {
    let mut writer = writer(schema, properties);
    let mut group = writer.next_row_group().unwrap();
    fill(&mut group);
    group.close().unwrap();
    writer.into_inner().unwrap()
}

fn read_all(file: Vec<u8>) -> Vec<RowResult> {
    let mut found = Vec::new();
    read(Bytes::from(file), |page| {
        found.push(page);
        ControlFlow::Continue(())
    });
    found
}

/// Describes the result of a row: `row url|html|date|codes of problems`, or `row code` for a problem.
fn describe(found: &RowResult) -> String {
    match found {
        Ok(page) => {
            let codes: Vec<_> = page.problems.iter().map(|problem| problem.code).collect();
            let date = page.date.map(|date| date.to_string()).unwrap_or_default();
            let html = String::from_utf8_lossy(&page.payload);
            format!("{} {}|{html}|{date}|{}", page.offset, page.url, codes.join(","))
        }
        Err(misread) => format!("{} {}", misread.offset, misread.problem.code),
    }
}

#[track_caller]
fn check(file: Vec<u8>, expected: &[&str]) {
    assert_eq!(read_all(file).iter().map(describe).collect::<Vec<_>>(), expected);
}

const PLAIN: &str = "required binary url (STRING); required binary html (STRING);";

fn codecs() -> [Compression; 6] {
    [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ]
}

/// Many rows in three row groups and many pages, in the given form.
fn large_file(properties: WriterProperties) -> Vec<u8> {
    let mut writer = writer(PLAIN, properties);
    for group in 0..3 {
        let mut rows = writer.next_row_group().unwrap();
        let url = |row: usize| format!("http://site/{}", group * 100 + row);
        let html = |row: usize| format!("<p>{}", "word ".repeat((group * 100 + row) % 50));
        write::<ByteArrayType>(
            &mut rows,
            &required((0..100).map(|row| ByteArray::from(url(row).as_str())).collect()),
        );
        write::<ByteArrayType>(
            &mut rows,
            &required((0..100).map(|row| ByteArray::from(html(row).as_str())).collect()),
        );
        rows.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn large_pages() -> Vec<String> {
    (0..300).map(|row| format!("{row} http://site/{row}|<p>{}||", "word ".repeat(row % 50))).collect()
}

#[test]
fn all_codecs_encodings_and_versions() {
    for codec in codecs() {
        for encoding in [Encoding::PLAIN, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
            for (version, dictionary) in
                [(WriterVersion::PARQUET_1_0, true), (WriterVersion::PARQUET_2_0, false)]
            {
                let properties = WriterProperties::builder()
                    .set_compression(codec)
                    .set_encoding(encoding)
                    .set_dictionary_enabled(dictionary)
                    .set_data_page_size_limit(300)
                    .set_write_batch_size(10)
                    .set_writer_version(version);
                let found = read_all(large_file(properties.build()));
                let found: Vec<_> = found.iter().map(describe).collect();
                assert_eq!(found, large_pages(), "{codec:?} {encoding} {version:?}");
            }
        }
    }
}

#[test]
fn text_is_utf8_and_bytes_are_not_known() {
    let content_type = |html: &str, bytes: &[u8]| {
        let schema = format!("required binary url (STRING); required binary {html};");
        let file = file(&schema, WriterProperties::default(), |group| {
            write::<ByteArrayType>(group, &texts(&["u"]));
            write::<ByteArrayType>(group, &required(vec![ByteArray::from(bytes.to_vec())]));
        });
        let page = read_all(file).remove(0).unwrap();
        assert_eq!(page.payload, bytes);
        page.content_type
    };
    assert_eq!(content_type("html (STRING)", "é".as_bytes()).as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(content_type("html (UTF8)", b"e").as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(content_type("html (STRING)", b"\xe9"), None);
    assert_eq!(content_type("html", b"e"), None);
}

#[test]
fn nulls_are_problems_of_their_rows() {
    let schema = "optional binary url (STRING); optional binary html; optional binary date (STRING);";
    let text = |text: &'static str| Some(ByteArray::from(text));
    let file = file(schema, WriterProperties::default(), |group| {
        write::<ByteArrayType>(group, &optional(vec![text("u"), None, text("v"), text(" "), text("w")]));
        write::<ByteArrayType>(group, &optional(vec![text("h"), text("h"), None, text("h"), text("")]));
        write::<ByteArrayType>(group, &optional(vec![text("2016"), None, None, None, text("soon")]));
    });
    let missing = ["1 missing-field", "2 missing-field", "3 missing-field"];
    check(file, &[&["0 u|h|2016-01-01T00:00:00Z|"][..], &missing, &["4 w|||bad-date"]].concat());
}

/// A file with one page and a date column of this type.
fn dated<T: DataType>(column: &str, value: T::T) -> Vec<u8> {
    file(&format!("optional {column}; {PLAIN}"), WriterProperties::default(), |group| {
        write::<T>(group, &optional(vec![Some(value)]));
        write::<ByteArrayType>(group, &texts(&["u"]));
        write::<ByteArrayType>(group, &texts(&["h"]));
    })
}

#[test]
fn dates_of_all_types() {
    let expected = &["0 u|h|2016-02-03T04:05:06Z|"];
    let second = 1_454_472_306_i64;
    check(dated::<ByteArrayType>("binary date (STRING)", "2016-02-03 04:05:06".into()), expected);
    check(dated::<ByteArrayType>("binary warc_date", "2016-02-03T04:05:06Z".into()), expected);
    check(dated::<Int64Type>("int64 date (TIMESTAMP(MILLIS,true))", second * 1000), expected);
    check(dated::<Int64Type>("int64 date (TIMESTAMP(MICROS,false))", second * 1_000_000), expected);
    check(dated::<Int64Type>("int64 date (TIMESTAMP(NANOS,true))", second * 1_000_000_000), expected);
    check(dated::<Int64Type>("int64 date (TIMESTAMP_MILLIS)", second * 1000), expected);
    check(dated::<Int64Type>("int64 date (TIMESTAMP_MICROS)", second * 1_000_000), expected);
    check(dated::<Int64Type>("int64 timestamp", second), expected);
    check(dated::<Int32Type>("int32 date", second as i32), expected);
    check(dated::<DoubleType>("double date", second as f64), expected);
    let mut time = Int96::new();
    let nanoseconds = (4 * 3600 + 5 * 60 + 6) * 1_000_000_000_u64;
    time.set_data(nanoseconds as u32, (nanoseconds >> 32) as u32, 2_457_422);
    check(dated::<Int96Type>("int96 date", time), expected);
    check(dated::<Int32Type>("int32 date (DATE)", 16834), &["0 u|h|2016-02-03T00:00:00Z|"]);
    check(dated::<Int64Type>("int64 date (TIMESTAMP(MILLIS,true))", i64::MAX), &["0 u|h||bad-date"]);
    check(dated::<::parquet::data_type::BoolType>("boolean date", true), &["0 bad-column", "0 u|h||"]);
}

#[test]
fn columns_go_by_other_names_and_in_any_order() {
    let schema = "required int32 id; required binary raw_html; required binary uri (STRING); required binary URL (STRING);";
    let file = file(schema, WriterProperties::default(), |group| {
        write::<Int32Type>(group, &required(vec![1]));
        write::<ByteArrayType>(group, &texts(&["h"]));
        write::<ByteArrayType>(group, &texts(&["x"]));
        write::<ByteArrayType>(group, &texts(&["u"]));
    });
    check(file, &["0 u|h||"]);
}

#[test]
fn missing_columns_are_named_with_those_that_are_there() {
    let message = |schema: &str| {
        let found = read_all(writer(schema, WriterProperties::default()).into_inner().unwrap());
        assert_eq!(found.len(), 1);
        let problem = found[0].clone().unwrap_err().problem;
        format!("{}: {}", problem.code, problem.message)
    };
    assert_eq!(
        message("required binary url (STRING); required int32 id;"),
        "missing-column: there is no column html; the columns are url, id"
    );
    assert_eq!(
        message("required binary html (STRING); required group page { required binary url (STRING); }"),
        "missing-column: there is no column url; the columns are html, page.url"
    );
    assert_eq!(
        message("required int64 url; required binary html;"),
        "bad-column: the column url contains INT64, not text or bytes"
    );
}

#[test]
fn a_file_without_rows_has_no_pages() {
    check(writer(PLAIN, WriterProperties::default()).into_inner().unwrap(), &[]);
}

#[test]
fn what_is_not_parquet_is_a_problem() {
    for file in [&b""[..], b"PAR1", b"PAR1PAR1", b"PAR1\0\0\0\0PAR1", b"PAR1\xff\xff\xff\x7fPAR1", b"<html>"]
    {
        check(file.to_vec(), &["0 bad-parquet"]);
    }
}

#[test]
fn footers_that_claim_billions_of_elements_are_refused() {
    // A list of two billion values `true`, in an unknown field.
    let footer = [0x99, 0xf1, 0xff, 0xff, 0xff, 0xff, 7, 0];
    let file = [b"PAR1", &footer[..], &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat();
    let [Err(misread)] = &read_all(file)[..] else { panic!("one problem") };
    assert_eq!(misread.problem.message, "lists in the footer are longer than the footer");
}

#[test]
fn codecs_that_are_not_read_are_named() {
    // Written by pyarrow: the writer here has no Brotli either.
    const BROTLI: &[u8] = b"PAR1\x15\0\x15\x16\x15\x1e,\x15\x02\x15\0\x15\x06\x15\x06\x1c\0\0\0\x1b\x0a\0\0\xa4\x01\x02\x04\xea\x86@\x014\xacp\x15\0\x15\x16\x15\x1e,\x15\x02\x15\0\x15\x06\x15\x06\x1c\0\0\0\x1b\x0a\0\0\xa4\x01\x02\x04\xd0\x86@\x014\xacp\x15\x04\x19<5\0\x18\x06schema\x15\x04\0\x15\x0c%\x02\x18\x03url%\0L\x1c\0\0\0\x15\x0c%\x02\x18\x04html%\0L\x1c\0\0\0\x16\x02\x19\x1c\x19,&\0\x1c\x15\x0c\x19%\x06\0\x19\x18\x03url\x15\x08\x16\x02\x16<\x16D&\x08I\x1c\x15\0\x15\0\x15\x02\0<\x16\x02\x19\x06\x19&\0\x02\0\0\0&\0\x1c\x15\x0c\x19%\x06\0\x19\x18\x04html\x15\x08\x16\x02\x16<\x16D&LI\x1c\x15\0\x15\0\x15\x02\0<\x16\x02\x19\x06\x19&\0\x02\0\0\0\x16x\x16\x02&\x08\x16\x88\x01\0( parquet-cpp-arrow version 26.0.1\x19,\x1c\0\0\x1c\0\0\0\xca\0\0\0PAR1";
    let [Err(misread)] = &read_all(BROTLI.to_vec())[..] else { panic!("one problem") };
    assert_eq!(misread.problem.code, "bad-column");
    assert_eq!(
        misread.problem.message,
        "the column url is compressed with Brotli, which unframe cannot read; write the file with zstd or snappy"
    );
}

#[test]
fn the_row_groups_around_a_damaged_one_survive() {
    let properties = || WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut file = large_file(properties());
    let reader = SerializedFileReader::new(Bytes::from(file.clone())).unwrap();
    let (start, length) = reader.metadata().row_group(1).column(1).byte_range();
    file[start as usize..(start + length) as usize].fill(0xee);
    let found: Vec<_> = read_all(file).iter().map(describe).collect();
    let expected = large_pages();
    assert_eq!(found[..100], expected[..100]);
    assert_eq!(found[100], "100 bad-row-group");
    assert_eq!(found[101..], expected[200..]);
}

#[test]
fn the_caller_can_stop() {
    let mut count = 0;
    read(Bytes::from(large_file(WriterProperties::default())), |_| {
        count += 1;
        if count == 150 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(count, 150);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_files_do_not_panic(
        codec in prop::sample::select(codecs().to_vec()),
        changes in prop::collection::vec((0.0..1.0, any::<u8>()), 1..20),
        near_end: bool,
        cut in prop::option::of(0.0..1.0),
    ) {
        let mut file = large_file(WriterProperties::builder().set_compression(codec).set_data_page_size_limit(500).build());
        let from = if near_end { file.len() - file.len() / 10 } else { 0 };
        for (at, value) in changes {
            let at = from + ((file.len() - from) as f64 * at) as usize;
            file[at] = value;
        }
        if let Some(cut) = cut {
            let footer = file.split_off(file.len() - 8);
            file.truncate((file.len() as f64 * cut) as usize);
            file.extend(footer);
        }
        read_all(file);
    }

    #[test]
    fn pages_come_back(pages in prop::collection::vec((".{1,20}", prop::collection::vec(any::<u8>(), 0..300)), 0..30)) {
        let file = file("required binary url (STRING); required binary html;", WriterProperties::default(), |group| {
            let urls = pages.iter().map(|(url, _)| ByteArray::from(format!("u{url}").as_str())).collect();
            write::<ByteArrayType>(group, &required(urls));
            write::<ByteArrayType>(group, &required(pages.iter().map(|(_, html)| ByteArray::from(html.clone())).collect()));
        });
        let found: Vec<_> = read_all(file).into_iter().map(|page| page.map(|page| (page.url, page.payload))).collect();
        let expected: Vec<_> = pages.into_iter().map(|(url, html)| Ok((format!("u{url}"), html))).collect();
        prop_assert_eq!(found, expected);
    }
}
