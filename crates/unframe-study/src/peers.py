"""Extracts the content of pages with the libraries that are installed, for `unframe eval --peers`.

Writes the names of the libraries as a JSON list on the first line, or what is wrong with one of them as a JSON string. Then reads pages, each as its length in 4 bytes (little endian) and
its text in UTF-8, and answers each with a JSON list of [text, seconds], one for each library.
"""

import importlib.metadata
import json
import struct
import sys
import time


def trafilatura():
    from trafilatura import extract

    return lambda html: extract(html) or ""


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: extract_plain_text(html, main_content=True)


def installed():
    for make in (trafilatura, resiliparse):
        try:
            name = f"{make.__name__} {importlib.metadata.version(make.__name__)}"
        except importlib.metadata.PackageNotFoundError:
            continue
        try:
            yield name, make()
        except ImportError as error:  # Without it, a table would look as if nobody had asked for it.
            print(json.dumps(f"{name} is installed, but cannot be imported: {error}"), flush=True)
            sys.exit(1)


def answer(extract, html):
    start = time.perf_counter()
    try:
        text = extract(html)
    except Exception:  # A page that a library can't read has no content for it.
        text = ""
    return [text, time.perf_counter() - start]


def main():
    peers = list(installed())
    print(json.dumps([name for name, _ in peers]), flush=True)
    pages = sys.stdin.buffer
    while header := pages.read(4):
        (length,) = struct.unpack("<I", header)
        html = pages.read(length).decode("utf-8", "replace")
        # Half of a surrogate pair cannot be written as text.
        answers = [answer(extract, html) for _, extract in peers]
        print(json.dumps(answers), flush=True)


main()
