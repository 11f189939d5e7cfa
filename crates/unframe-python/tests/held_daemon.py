"""Spark's daemon of Python workers, whose tasks wait in the middle of a stage until the test lets them go on.

It is named by `spark.python.daemon.module`, with `spark.python.worker.reuse=false`, so that each task begins with `worker`. As
soon as one task of the stage is committed, all that begin later wait: some of the stage is done then and some is not, for as
long as the test needs.
"""

import os
import time
from pathlib import Path

from pyspark import daemon

#: The output folder of the stage; the folder of committed tasks is below it.
STAGE = Path(os.environ["UNFRAME_HELD_STAGE"])
#: The folder in which tasks report that they wait, and in which the test lets them continue.
GATE = Path(os.environ["UNFRAME_HELD_GATE"])

work = daemon.worker


def worker(sock, authenticated):
    while any(STAGE.glob("_temporary/0/task_*")) and not (GATE / "open").exists():
        # The working directory of an executor is below the folder of its worker, such as `worker-1/app-…/0`.
        (GATE / Path.cwd().parts[-3]).touch()
        time.sleep(0.05)
    return work(sock, authenticated)


if __name__ == "__main__":
    daemon.worker = worker
    daemon.manager()
