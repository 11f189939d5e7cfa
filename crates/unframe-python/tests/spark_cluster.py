"""A standalone cluster from the pip package on this machine: a master and workers, each a process that can be killed."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Mapping

import pyspark

HOME = Path(pyspark.__file__).parent
ADDRESS = "127.0.0.1"

#: Options for Java programs that run for seconds: fast compilation, and garbage collection in one thread.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"


def spark_environment(folder: Path) -> dict:
    return {
        **os.environ,
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": ADDRESS,
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "JDK_JAVA_OPTIONS": QUICK_JAVA,
    }


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind((ADDRESS, 0))
        return listener.getsockname()[1]


class Cluster:
    """A master with workers of one core each."""

    def __init__(self, folder: Path, workers: int = 2, environment: Mapping[str, str] = {}):
        self.folder, self.environment = folder, {**spark_environment(folder), **environment}
        port, self.ui = free_port(), free_port()
        self.master = f"spark://{ADDRESS}:{port}"
        folder.mkdir(parents=True, exist_ok=True)
        self.processes = [self._start("master.Master", "--host", ADDRESS, "--port", port, "--webui-port", self.ui)]
        self._wait_for("ALIVE")
        for number in range(workers):
            #: The worker that `kill_worker` kills; its folder has the same name.
            self.last_worker = f"worker-{number}"
            options = ("--host", ADDRESS, "--cores", 1, "--memory", "1g", "--work-dir", folder / self.last_worker)
            self.processes.append(self._start("worker.Worker", *options, "--webui-port", free_port(), self.master))
        self._wait_for(f'"aliveworkers" : {workers}')

    def _start(self, name: str, *options) -> subprocess.Popen:
        command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", *options]
        log = open(self.folder / f"{name}-{len(os.listdir(self.folder))}.log", "wb")
        return subprocess.Popen(list(map(str, command)), env=self.environment, stdout=log, stderr=log,
                                start_new_session=True)

    def _wait_for(self, text: str) -> None:
        for _ in range(480):
            try:
                with urllib.request.urlopen(f"http://{ADDRESS}:{self.ui}/json/", timeout=2) as answer:
                    if text in answer.read().decode():
                        return
            except OSError:
                pass
            time.sleep(0.25)
        raise TimeoutError(f"the cluster did not come up; its logs are in {self.folder}")

    def submit(self, *arguments, **settings) -> subprocess.Popen:
        """Starts a job of `python -m unframe.spark`."""
        import unframe.spark

        program = Path(unframe.spark.__file__).parent / "__main__.py"
        settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.executor.memory": "900m", **settings}
        options = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
        command = [HOME / "bin" / "spark-submit", "--master", self.master, *options, program, *arguments]
        log = open(self.folder / "driver.log", "wb")
        return subprocess.Popen(list(map(str, command)), env=self.environment, stdout=log, stderr=log,
                                start_new_session=True)

    def kill_worker(self) -> None:
        """Kills the last worker and all its child processes with SIGKILL."""
        os.killpg(self.processes.pop().pid, signal.SIGKILL)

    def stop(self, *jobs: subprocess.Popen) -> None:
        for process in (*jobs, *self.processes):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
