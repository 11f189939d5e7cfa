"""Crawls as lists of files, which executors read by themselves: one task a file, or a part of one."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple
from urllib.parse import unquote, urlparse

from .. import read

#: The schema of a data frame of files. `skip` has the offsets of pages that are duplicates.
FILES = "number long, path string, start long, end long, skip array<long>"

#: The schema of an index: the file and offset of each page.
INDEX = "file string, offset long"

BATCH_ROWS = 256
BATCH_BYTES = 8 << 20

Split = Tuple[int, str, int, Optional[int], List[int]]


def files(session: Any, inputs: Sequence[str], *, index: Optional[Any] = None, split_bytes: int = 256 << 20) -> Any:
    """A data frame of the files that the inputs name, in their order; patterns such as `s3a://crawl/*.warc.gz` are followed.

    Every file is one task. With an `index`, a data frame with the columns `file` and `offset` of records (as `index` makes it,
    or a CDX index with these names), files longer than `split_bytes` are cut at records.
    """
    paths = [path for pattern in inputs for path in _glob(session, pattern)]
    cuts = boundaries(index, split_bytes) if index is not None else {}
    rows: List[Split] = []
    for path in paths:
        starts = [0, *_cuts_of(path, cuts)]
        ends = [*starts[1:], None]
        rows.extend((len(rows) + at, path, start, end, []) for at, (start, end) in enumerate(zip(starts, ends)))
    return frame(session, rows)


def _cuts_of(path: str, cuts: Dict[str, List[int]]) -> List[int]:
    """The cuts of a file. The index may name the file without its host or bucket, so suffixes of the path match too."""
    parts = unquote(urlparse(path).path).split("/")
    names = ("/".join(parts[at:]) for at in range(len(parts)))
    return next((cuts[name] for name in (path, *names) if name in cuts), [])


def frame(session: Any, rows: Sequence[Split]) -> Any:
    """A data frame with a partition for each row, in their order: results come out in the order of the input."""
    return session.createDataFrame(session.sparkContext.parallelize(rows, max(1, len(rows))), FILES)


def boundaries(index: Any, split_bytes: int) -> Dict[str, List[int]]:
    """The offsets at which each file is cut: the first record in each section of `split_bytes`, except the first section."""
    from pyspark.sql import functions as f

    part = f.floor(f.col("offset") / f.lit(split_bytes))
    first = index.groupBy("file", part.alias("part")).agg(f.min("offset").alias("offset")).where("part > 0")
    cuts: Dict[str, List[int]] = {}
    for row in first.orderBy("file", "offset").toLocalIterator():
        cuts.setdefault(row["file"], []).append(row["offset"])
    return cuts


def index(crawl: Any) -> Any:
    """The file and offset of every page of a data frame of files, to cut large files by later."""
    return crawl.mapInArrow(_index, INDEX)


def _index(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in pages(batches, {}):
        yield batch.select(["file", "offset"])


def is_files(crawl: Any) -> bool:
    """Whether a data frame is one of files, not of pages."""
    return "path" in crawl.columns and "html" not in crawl.columns


def pages(batches: Iterable[Any], reading: Dict[str, Any]) -> Iterator[Any]:
    """Runs in an executor and yields batches of pages: the given ones, or pages read from the files that the rows name."""
    for batch in batches:
        if "path" not in batch.schema.names:
            # Spark limits batches by rows, however long the pages are. Slices share the memory of the batch.
            yield from (batch.slice(at, BATCH_ROWS) for at in range(0, batch.num_rows, BATCH_ROWS))
            continue
        for row in batch.to_pylist():
            yield from _pages_of(row, reading)


def _pages_of(row: Dict[str, Any], reading: Dict[str, Any]) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    source = open_input(row["path"])
    found = read(source, start=row["start"], end=row["end"], threads=1, **reading)
    skip = pa.array(row["skip"], pa.int64()) if row["skip"] else None
    while (batch := found.next_batch(rows=BATCH_ROWS, bytes=BATCH_BYTES)) is not None:
        yield batch if skip is None else batch.filter(pc.invert(pc.is_in(batch["offset"], skip)))
    for file, offset, code, message in found.problems:
        # The message goes to the log of the task. The job continues, as the program does.
        print(f"unframe: {file or row['path']} at {offset}: {code}: {message}", flush=True)


def open_input(path: str) -> Any:
    """A path for the Rust reader, or a file object for what is not on this machine."""
    address = urlparse(path)
    if address.scheme in ("", "file"):
        return unquote(address.path) if address.scheme else path
    from pyarrow import fs

    # Spark names S3 after a Java class; pyarrow expects `s3`.
    uri = "s3" + path[3:] if address.scheme in ("s3a", "s3n") else path
    system, inside = fs.FileSystem.from_uri(uri)
    return system.open_input_file(inside)


def _glob(session: Any, pattern: str) -> List[str]:
    """The files that match a pattern, sorted, with addresses that executors can open."""
    if "://" not in pattern and not pattern.startswith("file:"):
        pattern = "file:" + os.path.abspath(pattern)
    jvm, conf = session.sparkContext._jvm, session.sparkContext._jsc.hadoopConfiguration()
    path = jvm.org.apache.hadoop.fs.Path(pattern)
    found = path.getFileSystem(conf).globStatus(path)
    if not found:
        raise FileNotFoundError(f"no file matches {pattern}")
    return sorted(status.getPath().toString() for status in found)
