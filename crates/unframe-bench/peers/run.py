"""One run of another program on a .warc.gz: run.py NAME FILE [TEXTS]

Does what NAME says with all HTML pages of FILE and prints {"pages", "seconds"}. The seconds are those of the work: Python's start and its
imports are not in them. Those that find content write it to TEXTS, a JSON line a page, as `unframe clean` does.

    python run.py            the names
    python run.py versions   {package: version} of what is installed
"""

import importlib.metadata
import json
import sys
import time

PACKAGES = ["FastWARC", "jusText", "readability-lxml", "Resiliparse", "selectolax", "trafilatura", "warcio"]


def is_page(status, content_type):
    return str(status) == "200" and (content_type or "").lower().startswith("text/html")


def fastwarc_records():
    from fastwarc.warc import ArchiveIterator

    def records(stream):
        for _ in ArchiveIterator(stream, parse_http=False):
            yield None, None, None

    return records


def fastwarc_pages():
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    def pages(stream):
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, auto_decode="all"):
            headers = record.http_headers
            if headers is not None and is_page(headers.status_code, headers.get("Content-Type")):
                yield record.headers["WARC-Target-URI"], record.reader.read(), record.http_charset

    return pages


def warcio_pages():
    from warcio.archiveiterator import ArchiveIterator

    def pages(stream):
        for record in ArchiveIterator(stream):
            headers = record.http_headers
            if record.rec_type == "response" and is_page(headers.get_statuscode(), headers.get_header("Content-Type")):
                yield record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read(), None

    return pages


def selectolax():
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser


def trafilatura():
    from trafilatura import extract

    return lambda html: extract(html) or ""


def resiliparse_main_content():
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: extract_plain_text(html, main_content=True)


def resiliparse_plain_text():
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: extract_plain_text(html)


def justext():
    import justext as library

    stop_words = library.get_stoplist("English")
    # justext rejects text with an encoding declaration, but accepts bytes.
    return lambda html: "\n".join(
        paragraph.text for paragraph in library.justext(html.encode("utf-8", "replace"), stop_words, encoding="utf-8") if not paragraph.is_boilerplate
    )


def readability_lxml():
    from lxml.html import fromstring
    from readability import Document

    return lambda html: fromstring(Document(html).summary()).text_content()


READERS = {"fastwarc-records": fastwarc_records, "fastwarc": fastwarc_pages, "warcio": warcio_pages}
PARSERS = {"selectolax": selectolax}
EXTRACTORS = {
    "trafilatura": trafilatura,
    "resiliparse-main-content": resiliparse_main_content,
    "resiliparse-plain-text": resiliparse_plain_text,
    "justext": justext,
    "readability-lxml": readability_lxml,
}


def attempt(extract, html):
    try:
        return extract(html)
    except Exception:  # A page that a library can't read has no content for it.
        return ""


def read_all(stream, reader):
    return sum(1 for _ in reader(stream))


def parse_all(stream, parse):
    pages = 0
    for _, payload, _ in fastwarc_pages()(stream):
        parse(payload)
        pages += 1
    return pages


def extract_all(stream, extract, texts):
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    pages = 0
    for url, payload, charset in fastwarc_pages()(stream):
        html = bytes_to_str(payload, charset or detect_encoding(payload))
        # A lone surrogate cannot be encoded as UTF-8.
        text = attempt(extract, html).encode("utf-8", "replace").decode("utf-8")
        texts.write(json.dumps({"url": url, "text": text}) + "\n")
        pages += 1
    return pages


def main(name="", path=None, texts=None):
    if name == "versions":
        print(json.dumps({package: importlib.metadata.version(package) for package in PACKAGES}))
        return
    if path is None:
        print(*READERS, *PARSERS, *EXTRACTORS)
        return
    if name in READERS:
        work = read_all, READERS[name]()
    elif name in PARSERS:
        work = parse_all, PARSERS[name]()
    else:
        work = extract_all, EXTRACTORS[name](), open(texts, "w", encoding="utf-8")
    act, *arguments = work
    start = time.perf_counter()
    with open(path, "rb") as stream:
        pages = act(stream, *arguments)
    print(json.dumps({"pages": pages, "seconds": time.perf_counter() - start}))


main(*sys.argv[1:])
