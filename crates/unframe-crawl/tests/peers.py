"""Counts the HTML pages that warcio and FastWARC read in each file, and writes them into the table of expected counts.

    pip install warcio fastwarc brotli
    python peers.py DATA/warc data/warc-counts.tsv

The rule is that of unframe as far as the peers' interfaces go: `response` and `resource` records (all records of ARC files),
HTTP status 200 or none, HTML by content type or by the first bytes. Repeats count. Where a peer stops with an error, what it
has read until then counts. The columns `ours` and `reason` are left as they are; new files get empty ones.
"""

import io
import pathlib
import re
import sys
import zipfile
import zlib

HTML = {"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml", "text/xhtml"}
XML = {"application/xml", "text/xml"}
UNKNOWN = {"", "text/plain", "application/octet-stream", "binary/octet-stream", "unknown/unknown", "application/unknown"}
BINARY = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b\x08")
PROLOG = re.compile(rb"^(?:\xef\xbb\xbf)?\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*", re.S)
DOCUMENT = re.compile(
    rb"<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|frameset)[\s>/]",
    re.I,
)


def is_html(content_type, body):
    essence = re.split(r"[;\s]", (content_type or "").strip())[0].lower()
    start = body[:8192]
    rest = start[PROLOG.match(start).end():]
    if essence in HTML:
        return not start.startswith(BINARY) and not re.match(rb"<(?:rss|feed|rdf:rdf)[\s>]", rest, re.I)
    if essence in XML:
        return bool(re.match(rb"<(?:!doctype\s+html|html)[\s>]", rest, re.I))
    if essence in UNKNOWN or "/" not in essence:
        return bool(DOCUMENT.match(rest)) or start.lstrip().startswith(b"<!--")
    return False


def streams(path):
    """The file itself, or the WARC files in a WACZ."""
    data = path.read_bytes()
    if not data.startswith(b"PK"):
        return [data]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [archive.read(name) for name in sorted(archive.namelist()) if name.startswith("archive/")]


def warcio_pages(data):
    from warcio.archiveiterator import ArchiveIterator

    for record in ArchiveIterator(io.BytesIO(data), arc2warc=True):
        if record.rec_type not in ("response", "resource"):
            continue
        http = record.http_headers
        status = http.get_statuscode() if http else None
        content_type = http.get_header("Content-Type") if http else record.rec_headers.get_header("Content-Type")
        if record.rec_type == "resource":
            status, content_type = None, record.rec_headers.get_header("Content-Type")
        if status not in (None, "", "200"):
            continue
        yield content_type, record.content_stream().read()


def fastwarc_pages(data):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    wanted = WarcRecordType.response | WarcRecordType.resource
    # Its own decoding is left off: with it, the iterator stops after the first chunked record.
    records = ArchiveIterator(
        io.BytesIO(data), record_types=wanted, parse_http=True, auto_decode="none", strict_mode=False
    )
    for record in records:
        http = record.http_headers
        status = http.status_code if http else None
        content_type = http.get("Content-Type") if http else record.headers.get("Content-Type")
        if status not in (None, 200):
            continue
        body = record.reader.read()
        if http and "chunked" in (http.get("Transfer-Encoding") or "").lower():
            body = first_chunk(body)
        if http and http.get("Content-Encoding"):
            body = first_decoded(body, http.get("Content-Encoding").lower())
        yield content_type, body


def first_chunk(body):
    """Enough of a chunked body to look into it."""
    size = re.match(rb"\s*([0-9a-fA-F]+)[^\n]*\n", body)
    return body[size.end():][: int(size[1], 16)] if size else body


def first_decoded(body, coding):
    """Enough of a coded body to look into it."""
    try:
        if "br" in coding:
            import brotli

            return brotli.Decompressor().process(body)
        return zlib.decompressobj(47).decompress(body) if "gzip" in coding or "deflate" in coding else body
    except Exception:
        return body


def count(pages, path):
    found = 0
    try:
        for data in streams(path):
            for content_type, body in pages(data):
                found += is_html(content_type, body)
    except Exception as error:  # Peers give up in many ways; what they read until then counts.
        print(f"{path}: {pages.__name__}: {type(error).__name__}: {error}", file=sys.stderr)
    return found


def main():
    folder, table = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    lines = table.read_text().splitlines() if table.exists() else []
    known = {line.split("\t")[0]: line.split("\t") for line in lines if line and not line.startswith("#")}
    rows = [line for line in lines if line.startswith("#")] or ["# file\tours\twarcio\tfastwarc\treason"]
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        old = known.get(name, [name, "", "", "", ""])
        rows.append("\t".join([name, old[1], str(count(warcio_pages, path)), str(count(fastwarc_pages, path)), old[4]]))
    table.write_text("\n".join(rows) + "\n")


main()
