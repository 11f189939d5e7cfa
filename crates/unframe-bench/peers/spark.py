"""The job on Spark against the program: spark.py TESTS PROGRAM FILES…

A standalone cluster of this machine runs `clean` with one, two and four workers of a core each, and with four of which one is killed. Processor
time is that of all processes of the cluster's sessions, read from /proc; bytes and memory are taken from Spark's event log. Tasks take
longer by the clock if there are more workers than cores; their processor time does not.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
#: Seconds after the start of the job at which a worker is killed.
KILLED_AFTER = 60


class ProcessorTime:
    """Samples the processor time of all processes in some sessions, by program."""

    def __init__(self, sessions):
        self.sessions, self.of_process, self.done = set(sessions), {}, threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self):
        while not self.done.wait(0.2):
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    name, rest = (folder / "stat").read_text().split("(", 1)[1].rsplit(") ", 1)
                except OSError:
                    continue
                fields = rest.split()
                if int(fields[3]) in self.sessions:
                    self.of_process[folder.name, fields[19]] = name, (int(fields[11]) + int(fields[12])) / TICKS

    def stop(self):
        """The seconds of Python and of everything else, which is Java."""
        self.done.set()
        self.thread.join()
        seconds = [0.0, 0.0]
        for name, of_process in self.of_process.values():
            seconds[not name.startswith("python")] += of_process
        return seconds


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


def comparison(job, program):
    """What the job wrote beside what the program wrote. Models that are joined with their pages put these in another order."""
    if job == program:
        return "the same bytes"
    assert sorted(job.splitlines()) == sorted(program.splitlines()), "the results differ"
    return "the same lines in another order"


def main(tests, program, *files):
    sys.path.insert(0, tests)
    from spark_cluster import Cluster
    import unframe

    pages = sum(1 for _ in unframe.read(*files))
    print(f"{pages} pages in {len(files)} files")
    with tempfile.TemporaryDirectory() as name:
        texts = Path(name) / "texts.jsonl"
        start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "clean", *files, "-q", "--threads", "1", "-o", texts], check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        alone = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"the program in one thread: {time.monotonic() - start:.1f} s, {alone:.1f} s of processor time")
        print(f"{'workers':10}{'job s':>8}{'tasks s':>9}{'Python s':>10}{'ratio':>7}{'JVMs s':>8}{'bytes/page':>12}{'Python MB':>11}{'JVM MB':>8}")
        for workers, is_killed in ((1, False), (2, False), (4, False), (4, True)):
            one_job(Cluster, workers, is_killed, files, pages, alone, texts.read_bytes())


def one_job(new_cluster, workers, is_killed, files, pages, alone, expected):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "events").mkdir()
        cluster = new_cluster(folder / "cluster", workers)
        try:
            job = cluster.submit("clean", "--all", "--input", *files, "--output", folder / "texts", **{
                "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file:{folder}/events",
                "spark.eventLog.compress": "false", "spark.eventLog.logStageExecutorMetrics": "true",
                "spark.executor.processTreeMetrics.enabled": "true", "spark.executor.metrics.pollingInterval": "200",
            })
            processor = ProcessorTime([job.pid, *(process.pid for process in cluster.processes)])
            if is_killed:
                time.sleep(KILLED_AFTER)
                assert job.poll() is None, "the job was done before a worker was killed"
                cluster.kill_worker()
            assert job.wait() == 0, (folder / "cluster/driver.log").read_text()[-3000:]
            python, java = processor.stop()
        finally:
            cluster.stop(job)
        result = comparison(b"".join(part.read_bytes() for part in sorted((folder / "texts").glob("part-*"))), expected)
        shuffled, seconds, memory, between = figures(folder / "events")
        states = sum(file.stat().st_size for file in (folder / "texts.work/states").glob("*.parquet"))
        models = sum(file.stat().st_size for file in (folder / "texts.work/models").glob("*.parquet"))
        print(f"{f'{workers}, 1 killed' if is_killed else workers:<10}{between:8.1f}{seconds:9.1f}{python:10.1f}{python / alone:7.2f}{java:8.1f}{shuffled / pages:12.0f}"
              f"{memory['ProcessTreePythonRSSMemory'] / 1e6:11.0f}{memory['ProcessTreeJVMRSSMemory'] / 1e6:8.0f}")
        print(f"          {result}; states {states / pages:.0f} bytes a page, models {models / pages:.0f} bytes a page", flush=True)


main(*sys.argv[1:])
