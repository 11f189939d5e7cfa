"""Columns in, columns out."""

import json
from datetime import datetime, timezone

import pytest
import unframe
from conftest import DRINKS

pa = pytest.importorskip("pyarrow")


@pytest.fixture
def table(pages):
    date = datetime(2024, 5, 6, tzinfo=timezone.utc)
    return pa.table({"url": [url for url, _ in pages], "html": [html for _, html in pages], "date": [date] * 6})


def learned(data, **options):
    model = unframe.Model(**options)
    model.observe_arrow(data)
    return model


def test_the_same_as_page_by_page(pages, table):
    model = learned(table)
    assert model.to_bytes() == unframe.Model.learn(pages).to_bytes()
    cleaned = model.clean_arrow(table)
    assert isinstance(cleaned, pa.Table)
    assert cleaned["text"].to_pylist() == DRINKS
    one = model.clean(pages[0][1], pages[0][0])
    row = cleaned.to_pylist()[0]
    assert row["links_template"] == one.volume["links"]["template"] == 2
    assert (row["title"], row["evidence"], row["date"].year) == ("tea is hot", "site", 2024)
    regions = model.label_arrow(table)["regions"].to_pylist()
    expected = model.label(pages[1][1], pages[1][0])
    assert [(region["start"], region["end"], region["template"]) for region in regions[1]] == \
        [(region.start, region.end, region.template) for region in expected]


def test_a_batch_is_answered_by_a_batch(table):
    batch = table.to_batches()[0]
    cleaned = learned(batch).clean_arrow(batch)
    assert isinstance(cleaned, pa.RecordBatch) and cleaned["text"].to_pylist() == DRINKS
    cleaned.validate(full=True)
    learned(batch).label_arrow(batch).validate(full=True)


def test_slices_and_all_layouts(pages, table):
    model = learned(table)
    expected = DRINKS[2:5]
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()):
        html = pa.array([html for _, html in pages], pa.string()).cast(kind)
        batch = pa.record_batch({"url": [url for url, _ in pages], "html": html}).slice(2, 3)
        assert model.clean_arrow(batch)["text"].to_pylist() == expected, kind


def test_rows_without_a_page_are_left_out(table):
    holes = pa.table({"url": ["http://a.example/", None, " ", "http://b.example/"], "html": ["<p>a", "<p>b", "<p>c", None]})
    assert learned(table).clean_arrow(holes)["url"].to_pylist() == ["http://a.example/"]
    nothing = pa.table({"url": pa.array([], pa.string()), "html": pa.array([], pa.binary())})
    assert learned(nothing).clean_arrow(nothing).num_rows == 0


def test_dates_of_all_kinds():
    kinds = [pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")] + [pa.string()]
    for kind in kinds:
        date = "2024-05-06 00:00:00" if kind == pa.string() else datetime(2024, 5, 6)
        batch = pa.record_batch({"url": ["http://a.example/"], "html": ["<p>a"], "date": pa.array([date], kind)})
        found = unframe.Model().clean_arrow(batch)["date"].to_pylist()
        assert found == [datetime(2024, 5, 6, tzinfo=timezone.utc)], kind


def test_what_is_wrong_is_reported(table):
    with pytest.raises(unframe.InputError, match="no column `html`; the columns are url"):
        unframe.Model().observe_arrow(pa.table({"url": ["http://a.example/"]}))
    with pytest.raises(unframe.InputError, match="`html` contains Int64"):
        unframe.Model().observe_arrow(pa.table({"url": ["http://a.example/"], "html": [7]}))
    with pytest.raises(unframe.InputError, match="not list"):
        unframe.Model().observe_arrow([1])


def test_threads_change_nothing(table):
    many = pa.concat_tables([table] * 20)
    model = learned(many)
    assert model.clean_arrow(many, threads=1).equals(model.clean_arrow(many, threads=4))


def test_lines_are_those_of_the_program(program, crawl):
    batches = list(unframe.read_arrow(crawl))
    model = learned(pa.Table.from_batches(batches))
    for verb, made in (("clean", model.clean_arrow), ("label", model.label_arrow)):
        lines = [line for batch in batches for line in made(batch, lines=True)["value"].to_pylist()]
        assert "\n".join(lines) + "\n" == program(verb, crawl, "-q").decode()
        assert "url" in json.loads(lines[0])


def test_pandas_and_polars(pages, table):
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    model = learned(table)
    frame = pandas.DataFrame({"url": [url for url, _ in pages], "html": [html for _, html in pages]})
    assert list(model.clean_arrow(frame).to_pandas()["text"]) == DRINKS
    frame = polars.DataFrame({"url": [url for url, _ in pages], "html": [html for _, html in pages]})
    assert polars.from_arrow(model.clean_arrow(frame))["text"].to_list() == DRINKS


def test_fingerprints(pages, table):
    found = unframe.fingerprint_arrow(table)
    assert found["fingerprint"].to_pylist() == [unframe.fingerprint(html) for _, html in pages]
