"""Makes gold folders of WCXB, the Web Content eXtraction Benchmark (Foley 2026, CC BY 4.0), for `unframe eval` and `unframe-fit`.

    python wcxb.py WCXB/test OUT

reads `html/ID.html.gz` and `ground-truth/ID.json`, and writes the pages in files of twenty, shuffled: they are of many sites, and
have nothing to do with each other, so that each is to be looked at alone (`unframe eval OUT --method places --curve 1`).
"""

import gzip
import io
import json
import random
import sys
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

PAGES_OF_A_FILE = 20
SEED = 7


def pages(folder):
    """(id, bytes of the page, content) of every page; some have no address, and some share one."""
    for path in sorted((folder / "ground-truth").glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        html = gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes())
        yield path.stem, html, told["ground_truth"].get("main_content") or ""


def write(name, pages):
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
    with open(f"{name}.warc.gz", "wb") as crawl, gzip.open(f"{name}.gold.jsonl.gz", "wt", encoding="utf-8") as gold:
        writer = WARCWriter(crawl, gzip=True)
        for number, html, text in pages:
            url = f"https://page-{number}.test/"
            record = writer.create_warc_record(url, "response", payload=io.BytesIO(html), http_headers=headers)
            writer.write_record(record)
            gold.write(json.dumps({"url": url, "text": text}) + "\n")


def main():
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    every = list(pages(folder))
    random.Random(SEED).shuffle(every)
    for first in range(0, len(every), PAGES_OF_A_FILE):
        write(out / f"pages-{first // PAGES_OF_A_FILE:03}", every[first : first + PAGES_OF_A_FILE])
    print(f"{len(every)} pages")


if __name__ == "__main__":
    main()
