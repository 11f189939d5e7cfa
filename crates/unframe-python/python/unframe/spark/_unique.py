"""Pages that come more than once, with the same address and the same bytes."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, Iterator, List

from ._files import frame, is_files, pages

KEYS = "one long, other long, number long, offset long"


def unique(crawl: Any, reading: Dict[str, Any]) -> Any:
    """The crawl without repeats. Of files, the first page stays, as in the program; of rows, that with the earliest date.

    One pass over the crawl, in which 16 bytes a page are shuffled. Only pages that are repeated are moved themselves.
    """
    return _unique_files(crawl, reading) if is_files(crawl) else _unique_rows(crawl)


def _unique_files(crawl: Any, reading: Dict[str, Any]) -> Any:
    from pyspark.sql import functions as f

    keys = crawl.mapInArrow(_keys(reading), KEYS)
    position = f.struct("number", "offset")
    # The reader has already left out duplicates within a part of a file.
    repeats = keys.groupBy("one", "other").agg(f.sort_array(f.collect_list(position)).alias("positions"))
    repeats = repeats.where(f.size("positions") > 1).select(f.explode(f.slice("positions", 2, 1 << 30)).alias("position"))
    skips: Dict[int, List[int]] = {}
    for row in repeats.select("position.number", "position.offset").toLocalIterator():
        skips.setdefault(row["number"], []).append(row["offset"])
    if not skips:
        return crawl
    rows = sorted(tuple(row) for row in crawl.collect())
    return frame(crawl.sparkSession, [(*row[:4], sorted(skips.get(row[0], []))) for row in rows])


def _keys(reading: Dict[str, Any]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    def stage(batches: Iterable[Any]) -> Iterator[Any]:
        import hashlib

        import pyarrow as pa

        kinds = [pa.int64()] * 4
        for batch in batches:
            for row in batch.to_pylist():
                for found in pages([pa.RecordBatch.from_pylist([row], schema=batch.schema)], reading):
                    digests = [
                        hashlib.blake2b(html.as_buffer(), digest_size=16, key=hashlib.md5(url.as_buffer()).digest())
                        for url, html in zip(found["url"], found["html"])
                    ]
                    halves = [(digest.digest()[:8], digest.digest()[8:]) for digest in digests]
                    one = [int.from_bytes(half[0], "little", signed=True) for half in halves]
                    other = [int.from_bytes(half[1], "little", signed=True) for half in halves]
                    numbers = [row["number"]] * len(one)
                    columns = [one, other, numbers, found["offset"].to_pylist()]
                    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds)]
                    yield pa.RecordBatch.from_arrays(arrays, names=["one", "other", "number", "offset"])

    return stage


def _unique_rows(crawl: Any) -> Any:
    from pyspark.sql import functions as f

    keyed = crawl.withColumn("_one", f.xxhash64("url")).withColumn("_other", f.xxhash64("html"))
    repeats = keyed.groupBy("_one", "_other").count().where("count > 1").select("_one", "_other")
    if repeats.isEmpty():
        return crawl
    repeats = f.broadcast(repeats)
    single = keyed.join(repeats, ["_one", "_other"], "left_anti").select(crawl.columns)
    several = keyed.join(repeats, ["_one", "_other"], "left_semi").select(crawl.columns)
    same = ["url", "html"]
    others = [name for name in crawl.columns if name not in same]
    if not others:
        return single.unionByName(several.dropDuplicates(same))
    # A whole row is chosen, so that its values belong together. A row without a date comes last.
    date = [f.isnull("date").alias("undated"), "date"] if "date" in others else []
    first = f.min(f.struct(*date, f.struct(*others).alias("row"))).alias("first")
    several = several.groupBy(*same).agg(first).select(*same, "first.row.*")
    return single.unionByName(several.select(crawl.columns))
