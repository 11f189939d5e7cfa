"""What warcio and FastWARC read out of WARC files: a line for each HTML page, with its address and the hash of its payload.

    python records.py warcio|fastwarc FILES
"""

import hashlib
import sys


def is_page(kind, status, content_type):
    return kind == "response" and status == "200" and (content_type or "").lower().startswith("text/html")


def warcio_pages(path):
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream):
            headers = record.http_headers
            if headers is None or record.rec_type != "response":
                continue
            if is_page("response", headers.get_statuscode(), headers.get_header("Content-Type")):
                yield record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()


def fastwarc_pages(path):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, auto_decode="all"):
            headers = record.http_headers
            if headers is None:
                continue
            if is_page("response", str(headers.status_code), headers.get("Content-Type")):
                yield record.headers.get("WARC-Target-URI"), record.reader.read()


def main():
    pages = {"warcio": warcio_pages, "fastwarc": fastwarc_pages}[sys.argv[1]]
    for path in sys.argv[2:]:
        try:
            for url, payload in pages(path):
                print(path, url, hashlib.sha1(payload).hexdigest(), len(payload), sep="\t")
        except Exception as error:  # One reader gives up where another goes on; that is a result, too.
            print(path, "ERROR", type(error).__name__, str(error)[:100].replace("\n", " "), sep="\t")


main()
