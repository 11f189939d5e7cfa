"""Converts WCXB, the Web Content eXtraction Benchmark (Foley 2026, CC BY 4.0), to gold folders for `unframe eval` and `cargo xtask fit`.

    python wcxb.py WCXB/dev OUT
    python wcxb.py WCXB/test OUT --without WCXB/dev
    python wcxb.py WCXB/dev OUT --by-host

reads `html/ID.html.gz` and `ground-truth/ID.json`, and writes the pages in files of twenty, shuffled. The pages are of many
sites, so each is a single page to the extractor (`unframe eval OUT --curve 1`). With `--without`, pages whose bytes are in the other
folder are left out: 139 of the 511 test pages are development pages, byte for byte. With `--by-host`, only the pages of hosts that have
several are written, a file for each host (`unframe eval OUT --peers`).
"""

import argparse
import gzip
import hashlib
import io
import json
import random
import uuid
from pathlib import Path
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

PAGES_OF_A_FILE = 20
SEED = 7


def pages(folder):
    """(address, bytes of the page, content, kind of page) of every page. Some have no address, and some share one."""
    for path in sorted((folder / "ground-truth").glob("*.json")):
        page = json.loads(path.read_text(encoding="utf-8"))
        html = gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes())
        host = urlsplit(page.get("url") or "").hostname or f"page-{path.stem}.test"
        kind = page["_internal"]["page_type"]["primary"]
        yield f"https://{host}/{path.stem}", html, page["ground_truth"].get("main_content") or "", kind


def write(name, pages):
    """Writes a crawl and its gold texts. The output is deterministic."""
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
    lines = []
    with open(f"{name}.warc.gz", "wb") as crawl:
        writer = WARCWriter(crawl, gzip=True)
        for url, html, text, kind in pages:
            fixed = {"WARC-Date": "2026-01-01T00:00:00Z", "WARC-Record-ID": f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>"}
            record = writer.create_warc_record(
                url, "response", payload=io.BytesIO(html), http_headers=headers, warc_headers_dict=fixed
            )
            writer.write_record(record)
            lines.append(json.dumps({"url": url, "text": text, "page_type": kind}) + "\n")
    Path(f"{name}.gold.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


def write_hosts(out, pages):
    """Writes a crawl for each host that has several pages with gold texts."""
    hosts = {}
    for page in pages:
        host = urlsplit(page[0]).hostname.removeprefix("www.")
        if page[2].strip():
            hosts.setdefault(host, []).append(page)
    several = {host: pages for host, pages in hosts.items() if len(pages) > 1}
    for host, pages in several.items():
        write(out / host, pages)
    print(f"{sum(map(len, several.values()))} pages of {len(several)} hosts")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without", type=Path, help="leave out pages that this folder has, too")
    parser.add_argument("--by-host", action="store_true", help="write the pages of each host that has several")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    digest = lambda html: hashlib.sha256(html).digest()
    others = {digest(html) for _, html, _, _ in pages(arguments.without)} if arguments.without else set()
    every = list(pages(arguments.folder))
    kept = [page for page in every if digest(page[1]) not in others]
    if arguments.by_host:
        return write_hosts(arguments.out, kept)
    random.Random(SEED).shuffle(kept)
    for first in range(0, len(kept), PAGES_OF_A_FILE):
        write(arguments.out / f"pages-{first // PAGES_OF_A_FILE:03}", kept[first : first + PAGES_OF_A_FILE])
    print(f"{len(kept)} pages, {len(every) - len(kept)} left out")


if __name__ == "__main__":
    main()
