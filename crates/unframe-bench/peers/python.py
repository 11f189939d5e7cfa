"""What calling from Python over Arrow costs, against the program on the same pages: python.py PROGRAM FILES…

Twice: on the crawl itself, which both read with our reader, and on the same pages in Parquet, which pyarrow reads for Python. Every job reads its
input twice (to learn, to clean) and writes the same lines of JSON, on one core and with one thread for the work. The runs of the jobs are interleaved. Ratios are
those of neighbouring runs, since machines change their speed, without what it takes to start Python and import the packages, which has a row of its own.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 25

# Batches of about 2 MB, because pages are long rows, and a small batch is still in the processor cache when it is processed.
BYTES, ROWS = 2 << 20, 64

# NumPy, which pyarrow imports, would start idle threads.
ENVIRONMENT = os.environ | {"OPENBLAS_NUM_THREADS": "1"}

JOB = """
import sys
import pyarrow.parquet as pq
import unframe

out, *inputs = sys.argv[1:]
batches = lambda: BATCHES
model = unframe.Model()
for batch in batches():
    model.observe_arrow(batch, threads=1)
with open(out, "w", encoding="utf-8") as file:
    for batch in batches():
        file.write("\\n".join(model.clean_arrow(batch, lines=True, threads=1)["value"].to_pylist()) + "\\n")
"""
FROM_CRAWL = JOB.replace("BATCHES", f"unframe.read_arrow(*inputs, bytes={BYTES})")
FROM_PARQUET = JOB.replace("BATCHES", f"pq.ParquetFile(inputs[0]).iter_batches(batch_size={ROWS})")
IMPORTS = "imports only"


def timed(command):
    start = time.monotonic()
    subprocess.run(list(map(str, command)), check=True, env=ENVIRONMENT)
    return time.monotonic() - start


def measured(commands):
    times = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(timed(command))
    return times


def show(times, beside):
    """Prints a line for each job. For jobs in Python it includes the ratio of their time to that of the program in the same round."""
    imports = min(times[IMPORTS])
    print(f"{'':34}{'median s':>9}{'fastest':>9}{'slowest':>9}{'ratio':>9}{'lowest–highest':>16}")
    for name, runs in times.items():
        print(f"{name:34}{statistics.median(runs):9.2f}{min(runs):9.2f}{max(runs):9.2f}", end="")
        if program := beside.get(name):
            ratios = [(python - imports) / ours for python, ours in zip(runs, times[program])]
            print(f"{statistics.median(ratios):9.3f}{min(ratios):9.3f}–{max(ratios):.3f}", end="")
        print()


def main(program, *files):
    import pyarrow as pa
    import pyarrow.parquet as pq
    import unframe

    if hasattr(os, "sched_setaffinity"):
        # The jobs are pinned to one core, so that a thread that reads ahead gives Python no advantage over the program.
        os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages.parquet"
        table = pa.Table.from_batches(unframe.read_arrow(*files)).select(["url", "html", "date"])
        pq.write_table(table, pages, compression="zstd", row_group_size=1000)
        print(f"{table.num_rows} pages, {table.nbytes / 1e6:.0f} MB, {ROUNDS} runs on one core")
        del table
        outs = [Path(folder) / name for name in ("crawl", "crawl-python", "parquet", "parquet-python")]
        clean = [program, "clean", "--threads", "1", "-q", "-o"]
        commands = {
            "crawl: the program": [*clean, outs[0], *files],
            "crawl: Python over Arrow": [sys.executable, "-c", FROM_CRAWL, outs[1], *files],
            "Parquet: the program": [*clean, outs[2], pages],
            "Parquet: pyarrow, then over Arrow": [sys.executable, "-c", FROM_PARQUET, outs[3], pages],
            IMPORTS: [sys.executable, "-c", "import pyarrow.parquet, unframe"],
        }
        times = measured(commands)
        for ours, python in (outs[:2], outs[2:]):
            assert ours.read_bytes() == python.read_bytes(), "the results differ"
        names = list(commands)
        show(times, {names[1]: names[0], names[3]: names[2]})


main(*sys.argv[1:])
