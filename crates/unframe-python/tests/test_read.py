"""Reading crawls."""

import json

import pytest
import unframe


def test_any_input(tmp_path):
    (tmp_path / "a.html").write_text("<p>tea")
    (tmp_path / "b.jsonl").write_text(json.dumps({"url": "http://b.example/", "html": "<p>milk"}) + "\nrubbish\n")
    pages = unframe.read(tmp_path / "a.html", str(tmp_path / "b.jsonl"))
    found = [(page.url.split("/")[2], page.html) for page in pages]
    assert found == [("", b"<p>tea"), ("b.example", b"<p>milk")]
    assert [problem[2] for problem in pages.problems] == ["bad-line"] and pages.problem_count == 1


def test_an_input_that_is_not_there(tmp_path):
    with pytest.raises(unframe.InputError, match="nowhere"):
        unframe.read(tmp_path / "nowhere")


def test_file_objects(crawl):
    with open(crawl, "rb") as file:
        from_file = [(page.url, page.offset) for page in unframe.read(file)]
    assert from_file == [(page.url, page.offset) for page in unframe.read(crawl)]


def test_a_file_in_parts(crawl):
    whole = [(page.url, page.offset) for page in unframe.read(crawl)]
    middle = whole[len(whole) // 2][1]
    parts = [unframe.read(crawl, end=middle), unframe.read(crawl, start=middle, threads=1)]
    assert [(page.url, page.offset) for part in parts for page in part] == whole
    with open(crawl, "rb") as file:
        assert [page.offset for page in unframe.read(file, start=middle)][0] == middle


def test_batches(crawl):
    pytest.importorskip("pyarrow")
    batches = list(unframe.read_arrow(crawl, rows=10))
    assert max(batch.num_rows for batch in batches) == 10
    pages = list(unframe.read(crawl))
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert [(row["url"], row["html"], row["offset"]) for row in rows] == \
        [(page.url, page.html, page.offset) for page in pages]
    assert rows[0]["date"] == pages[0].date


def test_an_iterator_can_be_dropped(crawl):
    for _ in range(3):
        next(unframe.read(crawl))
