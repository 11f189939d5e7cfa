"""The same job on Spark: the same bytes as the program's, whatever the partitioning and whoever is killed."""

import json
import os
import time
from pathlib import Path

import pytest
import unframe

pyspark = pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")

import unframe.spark as jobs  # noqa: E402
from spark_cluster import Cluster, spark_environment  # noqa: E402
from unframe.spark import __main__ as program_of_jobs  # noqa: E402
from unframe.spark import _files, _jobs  # noqa: E402

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    os.environ.update(spark_environment(tmp_path_factory.mktemp("spark")))
    builder = pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    for name, value in program_of_jobs.SESSION.items():
        builder = builder.config(name, value)
    session = builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def crawls(crawl):
    """Two WARC files; the pages of the second are also in the first."""
    part = crawl.with_name("part.warc.gz")
    pages = list(unframe.read(crawl))
    part.write_bytes(crawl.read_bytes()[pages[5].offset:pages[40].offset])
    return [crawl, part]


def lines(frame):
    return [row["value"] for row in frame.collect()]


def test_lines_come_in_the_order_of_the_program(session, program, crawls):
    files = jobs.files(session, [str(file) for file in crawls])
    for verb, job in (("clean", jobs.clean), ("label", jobs.label)):
        expected = program(verb, *crawls, "-q").decode().splitlines()
        assert lines(job(files, lines=True)) == expected


def test_files_are_cut_at_records(session, program, crawls):
    files = jobs.files(session, [str(crawls[0])])
    offsets = jobs.index(files)
    cut = jobs.files(session, [str(crawls[0])], index=offsets, split_bytes=20_000)
    assert files.rdd.getNumPartitions() == 1 and cut.rdd.getNumPartitions() > 4
    assert lines(jobs.clean(cut, lines=True)) == program("clean", crawls[0], "-q").decode().splitlines()


def test_models_are_those_of_the_program(session, program, crawls, tmp_path, monkeypatch):
    program("learn", *crawls, "-o", tmp_path / "program.model", "-q")
    expected = (tmp_path / "program.model").read_bytes()
    files = jobs.files(session, [str(file) for file in crawls])
    assert jobs.model(jobs.learn(files)).to_bytes() == expected
    # Huge sites are merged in several tasks first. Here, every site with two states counts as huge.
    monkeypatch.setattr(_jobs, "STATES_AT_ONCE", 1)
    cut = jobs.files(session, [str(crawls[0])], index=jobs.index(files), split_bytes=10_000)
    assert jobs.model(jobs.learn(cut, work=f"file:{tmp_path}/salted")).to_bytes() == expected
    assert (tmp_path / "salted" / "parts").exists()


@pytest.mark.parametrize("partitions", [1, 7])
def test_rows_of_pages_in_any_partitions(session, program, crawls, tmp_path, partitions):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_batches(unframe.read_arrow(*crawls, unique=False)).drop_columns(["file", "offset", "charset"])
    pq.write_table(table, tmp_path / "pages.parquet")
    pages = session.read.parquet(f"file:{tmp_path}/pages.parquet").repartition(partitions)
    expected = program("clean", tmp_path / "pages.parquet", "-q").decode().splitlines()
    assert sorted(lines(jobs.clean(pages, lines=True))) == sorted(expected)
    rows = {row["url"]: row for row in jobs.clean(pages).collect()}
    first = json.loads(expected[0])
    row = rows[first["url"]]
    assert (row["text"], row["title"], row["text_total"]) == (first["text"], first["title"], first["volume"]["text"]["total"])


def test_of_equal_rows_the_earliest_stays_as_it_is(session):
    columns = ["url", "html", "date", "charset"]
    rows = [
        ("http://a.example/", "<p>Tea", "2024-05-06", "big5"),
        ("http://a.example/", "<p>Tea", None, "gbk"),
        ("http://a.example/", "<p>Tea", "2024-01-02", "utf-8"),
        ("http://a.example/", "<p>Milk", "2020-01-02", None),
    ]
    pages = session.createDataFrame(rows, columns)
    assert sorted(tuple(row) for row in jobs.unique(pages, {}).collect()) == sorted(rows[2:])
    without_date = jobs.unique(pages.select("charset", "url", "html"), {}).collect()
    assert sorted(row["charset"] or "" for row in without_date) == ["", "big5"]
    assert jobs.unique(pages.select("url", "html"), {}).count() == 2


def test_models_that_are_too_large_for_all_meet_their_pages(session, program, crawls, monkeypatch):
    monkeypatch.setattr(_jobs, "PAGES_AT_ONCE", 5)
    files = jobs.files(session, [str(file) for file in crawls])
    joined = jobs.label(files, lines=True, broadcast_bytes=0)
    assert sorted(lines(joined)) == sorted(program("label", *crawls, "-q").decode().splitlines())


def test_a_saved_model(session, program, crawls, tmp_path):
    program("learn", crawls[0], "-o", tmp_path / "a.model", "-q", "--compact")
    model = unframe.Model.load(tmp_path / "a.model")
    files = jobs.files(session, [str(crawls[1])])
    expected = program("clean", crawls[1], "--model", tmp_path / "a.model", "-q").decode().splitlines()
    assert lines(jobs.clean(files, model, lines=True)) == expected


def test_fingerprints_and_clusters(session, program, crawls):
    files = jobs.files(session, [str(file) for file in crawls])
    for verb, job, options in (("fingerprint", jobs.fingerprint, {}), ("cluster", jobs.cluster, {}),
                               ("cluster", jobs.cluster, {"within_sites": True})):
        flags = ["--within-sites"] if options else []
        expected = [json.loads(line) for line in program(verb, *crawls, "-q", *flags).splitlines()]
        found = [row.asDict() for row in job(files, **options).collect()]
        key = lambda row: row["url"]  # noqa: E731
        assert sorted(found, key=key) == sorted(expected, key=key)


def test_what_is_wrong_is_reported(session, crawls):
    files = jobs.files(session, [str(crawls[0])])
    with pytest.raises(unframe.UnframeError, match="needs the pages of a site in order"):
        jobs.clean(files, method="segments")
    with pytest.raises(unframe.SettingError, match="no parameter"):
        jobs.learn(files, tea=1)
    with pytest.raises(FileNotFoundError, match="no file matches"):
        jobs.files(session, ["/nowhere/*.warc.gz"])
    for arguments in (["clean"], ["clean", "--input", "a.warc.gz"], ["dance"], ["clean", "--set", "sample"]):
        with pytest.raises(SystemExit, match="2"):
            program_of_jobs.main(arguments)


def test_files_elsewhere_are_streamed(crawls, monkeypatch):
    """Files on another machine are read through pyarrow. In this test, a local file stands for a remote one."""
    from pyarrow import fs

    class Elsewhere:
        @staticmethod
        def from_uri(uri):
            assert uri.startswith("s3://bucket/")
            return fs.LocalFileSystem(), uri[len("s3://bucket"):]

    monkeypatch.setattr(fs, "FileSystem", Elsewhere)
    source = _files.open_input(f"s3a://bucket{crawls[0]}")
    assert [page.url for page in unframe.read(source)] == [page.url for page in unframe.read(crawls[0])]


def check_a_killed_worker_changes_nothing(program, files, folder):
    """Kills a worker while one of its tasks is running, others are done, and others have not started."""
    expected = program("clean", *files, "-q", codes=(0, 1))
    texts, gate, log = folder / "texts", folder / "gate", folder / "cluster" / "driver.log"
    gate.mkdir()
    hold = {"UNFRAME_HELD_STAGE": f"{texts}.work/states", "UNFRAME_HELD_GATE": str(gate),
            "PYTHONPATH": str(Path(__file__).parent)}
    cluster = Cluster(folder / "cluster", environment=hold)
    settings = {"spark.python.daemon.module": "held_daemon", "spark.python.worker.reuse": "false",
                "spark.sql.shuffle.partitions": "4"}
    job = cluster.submit("clean", "--input", *files, "--output", texts, **settings)
    try:
        deadline = time.monotonic() + 300
        while not (gate / cluster.last_worker).exists():
            assert job.poll() is None and time.monotonic() < deadline, log.read_text()[-3000:]
            time.sleep(0.05)
        assert not Path(f"{texts}.work/states/_SUCCESS").exists()
        cluster.kill_worker()
        (gate / "open").touch()
        assert job.wait(400) == 0, log.read_text()[-3000:]
    finally:
        cluster.stop(job)
    found = b"".join(part.read_bytes() for part in sorted(texts.glob("part-*")))
    assert found == expected
    assert b"Lost executor" in log.read_bytes()


def test_a_killed_worker_changes_nothing(program, crawl, tmp_path):
    pages = list(unframe.read(crawl))
    offsets = [page.offset for page in pages[::12]] + [crawl.stat().st_size]
    assert len(pages) == 84 and len(offsets) == 8
    files = [tmp_path / f"part-{number}.warc.gz" for number in range(7)]
    for file, start, end in zip(files, offsets, offsets[1:]):
        file.write_bytes(crawl.read_bytes()[start:end])
    check_a_killed_worker_changes_nothing(program, files, tmp_path)


@pytest.mark.real_data
def test_real_data_a_killed_worker_changes_nothing(program, real_data, tmp_path):
    files = sorted((real_data / "sites").glob("*.warc.gz"), key=lambda file: file.stat().st_size)[:16]
    assert len(files) == 16
    check_a_killed_worker_changes_nothing(program, files, tmp_path)
