"""Reading a .warc.gz on one thread: `unframe pages` against FastWARC, in interleaved runs, on the same file.

    cargo xtask bench read FILES...

The files are joined into one. FastWARC iterates over all records in its usual way, and once more with what unframe does
for every page: the HTTP headers parsed and the body read. `unframe pages` does all of its work, a JSON line for every page
included. Prints the median of each in megabytes of uncompressed records a second, with the slowest and the fastest.
"""

import gzip
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from fastwarc.warc import ArchiveIterator, WarcRecordType

ROUNDS = 11
PROGRAM = sys.argv[1]


def unframe_pages(path):
    command = [PROGRAM, "pages", "--jsonl", "--threads", "1", path]
    return subprocess.run(command, check=True, capture_output=True).stdout.count(b"\n")


def fastwarc_iterating(path):
    with open(path, "rb") as stream:
        return sum(1 for _ in ArchiveIterator(stream, parse_http=False))


def fastwarc_pages(path):
    found = 0
    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
            found += len(record.reader.read()) > 0
    return found


def main():
    with tempfile.NamedTemporaryFile(suffix=".warc.gz") as joined:
        for path in sys.argv[2:]:
            joined.write(pathlib.Path(path).read_bytes())
        joined.flush()
        with gzip.open(joined.name) as stream:
            size = sum(len(piece) for piece in iter(lambda: stream.read(1 << 20), b""))
        readers = [unframe_pages, fastwarc_iterating, fastwarc_pages]
        times = {reader: [] for reader in readers}
        counts = {}
        for round_number in range(ROUNDS):
            for offset in range(len(readers)):
                reader = readers[(round_number + offset) % len(readers)]
                start = time.perf_counter()
                counts[reader] = reader(joined.name)
                times[reader].append(time.perf_counter() - start)
    print(f"{size / 1e6:.0f} MB of records, {ROUNDS} rounds, one thread\n")
    print("| reader | MB/s | slowest–fastest | found |\n|---|---|---|---|")
    for reader in readers:
        rates = sorted(size / 1e6 / seconds for seconds in times[reader])
        name = reader.__name__.replace("_", " ")
        print(f"| {name} | {statistics.median(rates):.0f} | {rates[0]:.0f}–{rates[-1]:.0f} | {counts[reader]} |")


main()
