"""unframe inside other large programs, which take minutes to install: `cargo xtask test --only integrations`."""

import json
import os
import subprocess
import sys
import threading
from http.server import ThreadingHTTPServer

import pytest
import unframe
from conftest import DRINKS
from test_adapters import Site

pytestmark = pytest.mark.integrations


@pytest.fixture
def crawl_and_model(pages, tmp_path):
    """A folder of Parquet files with the columns `url` and `html`, and the model of their site."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    (tmp_path / "crawl").mkdir()
    for part in range(2):
        urls, html = zip(*pages[part::2])
        columns = {"url": urls, "html": html, "status": [200] * len(urls)}
        parquet.write_table(pa.table(columns), tmp_path / "crawl" / f"{part}.parquet")
    unframe.Model.learn(pages).save(tmp_path / "tea.model")
    return str(tmp_path / "crawl"), str(tmp_path / "tea.model")


def texts_of(folder):
    import pyarrow.parquet as parquet

    rows = [row for file in folder.rglob("*.parquet") for row in parquet.read_table(file).to_pylist()]
    return {row["url"]: row["text"] for row in rows}


def test_ray_data(crawl_and_model, pages, tmp_path):
    import ray
    from unframe.adapters.ray import UnframeCleaner

    crawl, model = crawl_and_model
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        data = ray.data.read_parquet(crawl)
        data = data.map_batches(UnframeCleaner, fn_constructor_args=(model,), batch_format="pyarrow", concurrency=1)
        data.write_parquet(str(tmp_path / "texts"))
    finally:
        ray.shutdown()
    assert texts_of(tmp_path / "texts") == dict(zip([url for url, _ in pages], DRINKS))


def test_nemo_curator(crawl_and_model, pages, tmp_path):
    import ray
    from nemo_curator.backends.xenna import XennaExecutor
    from nemo_curator.pipeline import Pipeline
    from nemo_curator.stages.text.io.reader import ParquetReader
    from nemo_curator.stages.text.io.writer import ParquetWriter
    from unframe.adapters.nemo_curator import UnframeStage

    crawl, model = crawl_and_model
    stages = [ParquetReader(crawl, fields=["url", "html"]), UnframeStage(model), ParquetWriter(str(tmp_path / "texts"))]
    # The stages run one after the other, because running all at once needs more cores than a small machine has.
    try:
        Pipeline(name="clean", stages=stages).run(XennaExecutor({"execution_mode": "batch"}))
    finally:
        ray.shutdown()
    assert texts_of(tmp_path / "texts") == dict(zip([url for url, _ in pages], DRINKS))


# ArchiveBox refuses to run as root, but tests in containers run as root.
ARCHIVEBOX = "import os; os.getuid = os.geteuid = lambda: 1000; from archivebox.cli import main; main()"


def test_archivebox(tmp_path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    addresses = [f"http://127.0.0.1:{server.server_port}/{number}" for number in range(len(DRINKS))]
    environment = {**os.environ, "LOGNAME": "archivebox", "HOME": str(tmp_path), "SAVE_ARCHIVE_DOT_ORG": "False"}
    for arguments in (["init"], ["add", "--extract", "wget", *addresses]):
        command = [sys.executable, "-c", ARCHIVEBOX, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=300)
        assert done.returncode == 0, (done.stdout + done.stderr).decode()
    server.shutdown()
    command = [sys.executable, "-m", "unframe.adapters.archivebox"]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("6 snapshots of 1 sites")
    texts = {}
    for index in tmp_path.glob("archive/*/index.json"):
        written = index.parent / "unframe"
        assert json.loads((written / "article.json").read_text())["url"] == json.loads(index.read_text())["url"]
        texts[json.loads(index.read_text())["url"]] = (written / "content.md").read_text().strip()
    assert texts == dict(zip(addresses, DRINKS))
    done = subprocess.run([*command, str(tmp_path / "sources")], capture_output=True, text=True)
    assert done.returncode == 1 and "there is no folder `archive` in it" in done.stderr
