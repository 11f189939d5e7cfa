"""unframe inside real pipelines of others."""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import unframe
from conftest import DRINKS, page


def test_datatrove(pages, tmp_path):
    pytest.importorskip("datatrove")
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter
    from unframe.adapters.datatrove import UnframeExtractor, UnframeFilter, UnframeLearner

    (tmp_path / "crawl").mkdir()
    for part in range(2):
        lines = [json.dumps({"id": url, "url": url, "html": html}) for url, html in pages[part::2]]
        (tmp_path / "crawl" / f"{part}.jsonl").write_text("\n".join(lines))
    empty = json.dumps({"id": "e", "url": "http://www.tea.example/e", "html": page("")})
    (tmp_path / "crawl" / "0.jsonl").open("a").write("\n" + empty)

    def run(*blocks, name):
        steps = [JsonlReader(str(tmp_path / "crawl"), text_key="html"), *blocks]
        LocalPipelineExecutor(steps, tasks=2, workers=1, logging_dir=str(tmp_path / name)).run()

    run(UnframeLearner(tmp_path / "models"), name="learn")
    assert len(list((tmp_path / "models").iterdir())) == 2
    writer = JsonlWriter(str(tmp_path / "texts"), compression=None)
    run(UnframeFilter(tmp_path / "models"), UnframeExtractor(tmp_path / "models"), writer, name="extract")
    lines = [json.loads(line) for file in (tmp_path / "texts").iterdir() for line in file.read_text().splitlines()]
    assert sorted(line["text"] for line in lines) == sorted(DRINKS)
    assert {line["metadata"]["title"] for line in lines} == set(DRINKS)


SPIDER = """
import sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Tea(scrapy.Spider):
    name = "tea"
    start_urls = [sys.argv[1]]

    def parse(self, response):
        number = int(response.url.rsplit("/", 1)[-1])
        yield {"url": response.url, "html": response.body}
        if number < 5:
            yield response.follow(f"/{number + 1}")

process = CrawlerProcess({
    "ITEM_PIPELINES": {"unframe.adapters.scrapy.UnframePipeline": 300},
    "UNFRAME_STATE" if sys.argv[3].endswith("state") else "UNFRAME_MODEL": sys.argv[3],
    "UNFRAME_DROP_HTML": True,
    "FEEDS": {sys.argv[2]: {"format": "jsonlines"}},
    "LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": False,
})
process.crawl(Tea)
process.start()
"""


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        body = page(DRINKS[int(self.path.rsplit("/", 1)[-1])]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_scrapy(pages, tmp_path):
    pytest.importorskip("scrapy")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    model = unframe.Model.learn((f"{address}/{number}", html) for number, (_, html) in enumerate(pages))
    model.save(tmp_path / "tea.model")
    for knowledge in ("tea.model", "state"):
        out = tmp_path / f"{knowledge}.jsonl"
        command = [sys.executable, "-c", SPIDER, f"{address}/0", str(out), str(tmp_path / knowledge)]
        done = subprocess.run(command, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        texts = [json.loads(line)["text"] for line in out.read_text().splitlines()]
        # With page-by-page learning, templates are known from the fifth page on.
        assert (texts if knowledge == "tea.model" else texts[4:]) == (DRINKS if knowledge == "tea.model" else DRINKS[4:])
        assert "html" not in json.loads(out.read_text().splitlines()[0])
    server.shutdown()
