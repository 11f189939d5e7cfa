"""Reading a .warc.gz on one thread: unframe against FastWARC, in turns, on the same file.

    pip install fastwarc
    cargo build --release -p unframe-crawl --example count
    python against_fastwarc.py DATA/sites/*.warc.gz

The files are joined into one. FastWARC iterates over all records in its usual way, and once more with what unframe does for
every page: the HTTP headers parsed and the body read. unframe does all of its work: records, HTTP, HTML or not, charset, site,
repeats. Prints the median of each, in megabytes of uncompressed records a second, with the lowest and the highest.
"""

import gzip
import pathlib
import os
import statistics
import subprocess
import sys
import tempfile
import time

from fastwarc.warc import ArchiveIterator, WarcRecordType

ROUNDS = 15
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))


def fastwarc_iterate(path):
    with open(path, "rb") as stream:
        return sum(1 for _ in ArchiveIterator(stream, parse_http=False))


def fastwarc_pages(path):
    found = 0
    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
            found += len(record.reader.read()) > 0
    return found


def unframe(path):
    command = [TARGET / "release/examples/count", "--threads", "1", path]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(output.split("pages: ")[1].split(",")[0])


def main():
    with tempfile.NamedTemporaryFile(suffix=".warc.gz") as joined:
        for path in sys.argv[1:]:
            joined.write(pathlib.Path(path).read_bytes())
        joined.flush()
        with gzip.open(joined.name) as stream:
            size = sum(len(piece) for piece in iter(lambda: stream.read(1 << 20), b""))
        readers = [unframe, fastwarc_iterate, fastwarc_pages]
        times = {reader: [] for reader in readers}
        counts = {}
        for _ in range(ROUNDS):
            for reader in readers:
                start = time.perf_counter()
                counts[reader] = reader(joined.name)
                times[reader].append(time.perf_counter() - start)
    print(f"{size / 1e6:.0f} MB of records, {ROUNDS} rounds")
    for reader in readers:
        rates = sorted(size / 1e6 / seconds for seconds in times[reader])
        median = statistics.median(rates)
        print(f"{reader.__name__:18} {median:6.0f} MB/s  ({rates[0]:.0f} to {rates[-1]:.0f})  {counts[reader]} records")


main()
