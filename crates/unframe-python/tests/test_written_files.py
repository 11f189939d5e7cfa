"""Files that the program writes, read by other libraries."""

import datetime
import json

import pytest


@pytest.fixture(scope="module")
def lines(program, crawl):
    """The same pages as lines of JSON."""
    return [json.loads(line) for line in program("clean", crawl, "-q").splitlines()]


@pytest.mark.parametrize("name", ["texts.warc", "texts.warc.gz"])
def test_warcio_reads_the_records(program, crawl, lines, tmp_path, name):
    warcio = pytest.importorskip("warcio.archiveiterator")
    program("clean", crawl, "--format", "warc", "-q", "-o", tmp_path / name)
    records = []
    with open(tmp_path / name, "rb") as file:
        for record in warcio.ArchiveIterator(file, check_digests="raise"):
            headers, body = record.rec_headers, record.content_stream().read()
            assert headers.get_header("WARC-Block-Digest")
            records.append((record.rec_type, headers.get_header("WARC-Target-URI"), headers.get_header("Content-Type"), body))
    assert records[0][:3] == ("warcinfo", None, "application/warc-fields")
    expected = [("conversion", line["url"], "text/plain; charset=UTF-8", line["text"].encode()) for line in lines]
    assert len(expected) == 84 and records[1:] == expected


def test_pyarrow_reads_the_rows(program, crawl, lines, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    program("clean", crawl, "--format", "parquet", "-q", "-o", tmp_path / "texts.parquet")
    table = pq.read_table(tmp_path / "texts.parquet")
    assert [str(table.schema.field(name).type) for name in ("date", "text")] == ["timestamp[us, tz=UTC]", "string"]
    rows = table.to_pylist()
    found = [(row["url"], row["title"], row["text"], row["links_total"]) for row in rows]
    assert found == [(line["url"], line["title"], line["text"], line["volume"]["links"]["total"]) for line in lines]
    assert rows[0]["date"] == datetime.datetime(2024, 1, 8, tzinfo=datetime.timezone.utc)


def test_duckdb_queries_the_files(program, crawl, lines, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    sites = sorted({line["site"] for line in lines})
    program("clean", crawl, "--metadata", "--format", "parquet", "--partition-by", "site", "-q", "-o", tmp_path / "pages")
    files = f"read_parquet('{tmp_path}/pages/*/*.parquet', hive_partitioning = true)"
    rows = duckdb.sql(f"select site, count(*), min(page_kind_confidence) from {files} group by site order by site").fetchall()
    assert [(site, count) for site, count, _ in rows] == [(site, sum(line["site"] == site for line in lines)) for site in sites]
    assert all(0 < confidence <= 1 for _, _, confidence in rows)
    kinds = duckdb.sql(f"select distinct page_kind from {files}").fetchall()
    assert {kind for (kind,) in kinds} <= {"article", "listing", "product", "forum", "documentation", "service", "other"}


def test_duckdb_reads_the_stream(program, crawl, lines, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    ipc = pytest.importorskip("pyarrow.ipc")
    program("clean", crawl, "--format", "arrow", "-q", "-o", tmp_path / "pages.arrows")
    with open(tmp_path / "pages.arrows", "rb") as file:
        pages = ipc.open_stream(file).read_all()  # DuckDB finds the table by this name
    longest = duckdb.sql("select url, length(text) from pages order by 2 desc, 1 limit 1").fetchall()[0]
    expected = min(lines, key=lambda line: (-len(line["text"]), line["url"]))
    assert pages.num_rows == len(lines) and longest == (expected["url"], len(expected["text"]))
