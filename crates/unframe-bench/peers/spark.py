"""The job on Spark against the program on the same cores: spark.py TESTS PROGRAM FILES…

A standalone cluster of this machine with one worker, then with two (a core each), runs `clean`; the program runs with as many
threads, interleaved. Bytes and memory are taken from Spark's event log.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def events(folder):
    for file in Path(folder).rglob("*"):
        if file.is_file() and not file.name.startswith((".", "appstatus")):
            yield from map(json.loads, file.read_text().splitlines())


def figures(folder):
    """Shuffled bytes, total seconds of tasks, the peak of each memory metric of an executor, and the seconds from the first task to the last."""
    shuffled, seconds, memory, first, last = 0, 0.0, {}, float("inf"), 0.0
    for event in events(folder):
        if event["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in event:
            metrics, info = event["Task Metrics"], event["Task Info"]
            shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            seconds += metrics["Executor Run Time"] / 1000
            first, last = min(first, info["Launch Time"] / 1000), max(last, info["Finish Time"] / 1000)
        if event["Event"] == "SparkListenerStageExecutorMetrics":
            for name in ("JVMHeapMemory", "ProcessTreePythonRSSMemory", "ProcessTreeJVMRSSMemory"):
                memory[name] = max(memory.get(name, 0), event["Executor Metrics"][name])
    return shuffled, seconds, memory, last - first


def main(tests, program, *files):
    sys.path.insert(0, tests)
    from spark_cluster import Cluster
    import unframe

    pages = sum(1 for _ in unframe.read(*files))
    print(f"{pages} pages in {len(files)} files")
    print(f"{'cores':6}{'program s':>10}{'job s':>8}{'tasks s':>9}{'whole s':>9}{'ratio':>7}{'bytes/page':>12}{'Python MB':>11}{'JVM MB':>8}")
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "events").mkdir()
            start = time.monotonic()
            subprocess.run([program, "clean", *files, "-q", "--threads", str(workers), "-o", folder / "texts.jsonl"], check=False)
            alone = time.monotonic() - start
            cluster = Cluster(folder / "cluster", workers)
            try:
                start = time.monotonic()
                job = cluster.submit("clean", "--all", "--input", *files, "--output", folder / "texts", **{
                    "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file:{folder}/events",
                    "spark.eventLog.compress": "false", "spark.eventLog.logStageExecutorMetrics": "true",
                    "spark.executor.processTreeMetrics.enabled": "true", "spark.executor.metrics.pollingInterval": "200",
                })
                assert job.wait() == 0, (folder / "cluster/driver.log").read_text()[-3000:]
                whole = time.monotonic() - start
            finally:
                cluster.stop(job)
            found = b"".join(part.read_bytes() for part in sorted((folder / "texts").glob("part-*")))
            assert found == (folder / "texts.jsonl").read_bytes(), "the results differ"
            shuffled, seconds, memory, between = figures(folder / "events")
            states = sum(file.stat().st_size for file in (folder / "texts.work/states").glob("*.parquet"))
            models = sum(file.stat().st_size for file in (folder / "texts.work/models").glob("*.parquet"))
            print(f"{workers:<6}{alone:10.1f}{between:8.1f}{seconds:9.1f}{whole:9.1f}{between / alone:7.2f}{shuffled / pages:12.0f}"
                  f"{memory['ProcessTreePythonRSSMemory'] / 1e6:11.0f}{memory['ProcessTreeJVMRSSMemory'] / 1e6:8.0f}")
            print(f"      states {states / pages:.0f} bytes a page, models {models / pages:.0f} bytes a page")


main(*sys.argv[1:])
