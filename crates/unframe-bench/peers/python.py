"""What calling from Python over Arrow costs, against the program on the same pages: python.py PROGRAM FILES…

Both read the same Parquet file twice (to learn, to clean), with one thread, and write the same lines of JSON. They take
turns; the table has medians. The ratio is that of the medians of time by the clock, without what it takes to start Python and
import the packages, which has a row of its own.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 7

# Batches of about 2 MB: pages are long rows, and what is read is still in the cache of the processor when it is worked on.
BATCH = 64

# NumPy, which pyarrow imports, would start threads that wait for work and take time from the other core.
ENVIRONMENT = os.environ | {"OPENBLAS_NUM_THREADS": "1"}

JOB = f"""
import sys
import pyarrow.parquet as pq
import unframe

pages, out = sys.argv[1:]
batches = lambda: pq.ParquetFile(pages).iter_batches(batch_size={BATCH})
model = unframe.Model()
for batch in batches():
    model.observe_arrow(batch, threads=1)
with open(out, "w", encoding="utf-8") as file:
    for batch in batches():
        file.write("\\n".join(model.clean_arrow(batch, lines=True, threads=1)["value"].to_pylist()) + "\\n")
"""


def timed(command):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(list(map(str, command)), check=True, env=ENVIRONMENT)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(program, *files):
    import pyarrow as pa
    import pyarrow.parquet as pq
    import unframe

    with tempfile.TemporaryDirectory() as folder:
        pages, texts = Path(folder) / "pages.parquet", [Path(folder) / name for name in ("program", "python")]
        batches = unframe.read_arrow(*files)
        table = pa.Table.from_batches(batches).select(["url", "html", "date"])
        pq.write_table(table, pages, compression="zstd", row_group_size=1000)
        print(f"{table.num_rows} pages, {table.nbytes / 1e6:.0f} MB")
        commands = {
            "program": [program, "clean", pages, "--threads", "1", "-q", "-o", texts[0]],
            "Python over Arrow": [sys.executable, "-c", JOB, pages, texts[1]],
            "Python, imports only": [sys.executable, "-c", "import pyarrow.parquet, unframe"],
        }
        times = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                times[name].append(timed(command))
        assert texts[0].read_bytes() == texts[1].read_bytes(), "the results differ"
        medians = {name: [statistics.median(column) for column in zip(*rounds)] for name, rounds in times.items()}
        imports = medians["Python, imports only"][0]
        print(f"{'':22}{'wall s':>8}{'fastest':>9}{'slowest':>9}{'CPU s':>8}{'ratio':>8}")
        for name, (wall, cpu) in medians.items():
            walls = [wall for wall, _ in times[name]]
            print(f"{name:22}{wall:8.2f}{min(walls):9.2f}{max(walls):9.2f}{cpu:8.2f}", end="")
            own = wall - imports if name == "Python over Arrow" else wall
            print(f"{own / medians['program'][0]:8.3f}")


main(*sys.argv[1:])
