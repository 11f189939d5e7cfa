"""Finds the template of every page of a crawl: menus, headers, footers, everything that a site repeats.

Pages of a site are compared with each other, because repetition is the evidence:

>>> import unframe
>>> page = "<ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul><p>{}</p><footer>All rights reserved</footer>"
>>> pages = [(f"http://example.org/{n}", page.format(text)) for n, text in
...          enumerate(["Tea is hot.", "Milk is cold.", "Water is wet.", "Ice is both."])]
>>> [cleaned.text for cleaned in unframe.clean(pages)]
['Tea is hot.', 'Milk is cold.', 'Water is wet.', 'Ice is both.']

`Model` learns from one crawl and works on others; `read` iterates the pages of WARC, JSONL, Parquet and folders;
`Model.clean_arrow` and its like work on whole columns; `unframe.spark` does the same job on a cluster.

HTML is given as bytes, or as str, which stands for its UTF-8. Positions count bytes. The interpreter's lock is released
during work, so threads help. All exceptions of this package are `UnframeError`.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union, overload

from . import _native
from ._native import (
    METHODS,
    Classifier,
    CleanPage,
    Clusters,
    Followed,
    Follower,
    InputError,
    Model,
    ModelError,
    Page,
    Pages,
    Region,
    SettingError,
    StateError,
    UnframeError,
    fingerprint,
    fingerprint_arrow,
    read,
    site_of,
)

__version__: str = _native.__version__

__all__ = [
    "METHODS",
    "Classifier",
    "CleanPage",
    "Clusters",
    "Followed",
    "Follower",
    "InputError",
    "Model",
    "ModelError",
    "Page",
    "Pages",
    "Region",
    "SettingError",
    "StateError",
    "UnframeError",
    "classify",
    "clean",
    "cluster",
    "draw",
    "fingerprint",
    "fingerprint_arrow",
    "read",
    "read_arrow",
    "site_of",
]

_Html = Union[bytes, bytearray, memoryview, str]


@overload
def clean(html_or_pages: _Html, *, url: Optional[str] = ..., method: str = ..., format: str = ..., seed: int = ...,
          site_by: str = ..., threads: int = ..., keep: Sequence[str] = ..., metadata: bool = ..., links: Optional[str] = ...,
          images: Optional[str] = ..., chunk_tokens: Optional[int] = ..., **settings: Any) -> CleanPage: ...
@overload
def clean(html_or_pages: Iterable[Any], *, url: Optional[str] = ..., method: str = ..., format: str = ...,
          seed: int = ..., site_by: str = ..., threads: int = ..., keep: Sequence[str] = ..., metadata: bool = ...,
          links: Optional[str] = ..., images: Optional[str] = ..., chunk_tokens: Optional[int] = ...,
          **settings: Any) -> List[CleanPage]: ...
def clean(html_or_pages: Any, *, url: Optional[str] = None, method: str = "places", format: str = "text", seed: int = 0,
          site_by: str = "host", threads: int = 0, keep: Sequence[str] = (), metadata: bool = False,
          links: Optional[str] = None, images: Optional[str] = None, chunk_tokens: Optional[int] = None,
          **settings: Any) -> Any:
    """What is left of one page, or of many pages, whose sites are learned from them.

    A single page is scored on its own, which is much less reliable than comparing the pages of a site:

    >>> clean("<title>Tea</title><p>Tea is hot.").text
    'Tea is hot.'

    Many pages are `Page` objects, pairs `(url, html)` or dicts, and are kept in memory until all are read. For a crawl that
    does not fit, learn first and read again:

    >>> model = Model.learn(read("crawl.warc.gz"))  # doctest: +SKIP
    >>> for page in read("crawl.warc.gz"):  # doctest: +SKIP
    ...     print(model.clean(page).json(), end="")

    `keep` names what stays though it is not content: `clutter`, or sorts of it such as `comments` and `byline`. `metadata` adds what
    the pages say of themselves: author, dates and the like. `format` is `text`, `markdown`, `html`, `simple-html` or `chunks`. In
    Markdown and simple HTML, `links` is `keep` or `text`, and `images` is `keep`, `alt` or `drop`. `chunk_tokens` limits chunks, to
    500 tokens by default. `settings` are parameters of the method, as the program has them.
    """
    body = {"format": format, "keep": list(keep), "metadata": metadata, "links": links, "images": images,
            "chunk_tokens": chunk_tokens}
    if isinstance(html_or_pages, (bytes, bytearray, memoryview, str)):
        return Model(method, seed=seed, site_by=site_by, **settings).clean(
            html_or_pages, url or "", **body)
    pages = list(html_or_pages)
    model = Model.learn(pages, method, seed=seed, site_by=site_by, threads=threads, **settings)
    return model.clean_all(pages, threads=threads, **body)


def cluster(pages: Iterable[Any], *, method: str = "fingerprint", length: Optional[int] = None, threshold: Optional[float] = None,
            within_sites: bool = False, site_by: str = "host") -> List[str]:
    """The name of each page's cluster, in the order of the pages, which are as in `clean`, or HTML alone.

    >>> one, other, third = cluster(["<ul><li><li></ul><p>a", "<ul><li><li></ul><p>b", "<table><tr><td></table><hr>"])
    >>> one == other, one == third
    (True, False)
    """
    clusters = Clusters(method=method, length=length, threshold=threshold)
    numbers = []
    for page in pages:
        url, html = _url_and_html(page)
        site = site_of(url, site_by) if within_sites else None
        numbers.append(clusters.add(html, site=site))
    names = clusters.names()
    return [names[number] for number in numbers]


def classify(pages: Iterable[Any], examples: Dict[str, Iterable[_Html]], *, method: str = "fingerprint",
             length: Optional[int] = None) -> List[Optional[str]]:
    """The template of each page, or None, by examples of pages of each template.

    >>> classify(["<ul><li>tea<li>milk</ul>", "<h1>"], {"list": ["<ul><li><li></ul>"]})
    ['list', None]
    """
    known = Classifier(method=method, length=length)
    for template, htmls in examples.items():
        for html in htmls:
            known.add(template, html)
    return [known.classify(_url_and_html(page)[1]) for page in pages]


def draw(pages: Iterable[Any], output: Union[str, "os.PathLike[str]", None] = None, *, model: Optional[Model] = None,
         format: Optional[str] = None, site: Optional[str] = None, palette: str = "rainbow", color_by: str = "share", dark: bool = False,
         method: str = "places", site_by: str = "host", threads: int = 0, **settings: Any) -> bytes:
    """The picture of a site: every page a bar, every template where it lies. Returns the file, and writes it to `output`.

    The ending of `output`, or `format`, decides: `svg`, `png`, or `html`, one file to explore. Without a `model` the pages are
    learned from first, and kept in memory for that. If they are of several sites, `site` names one.

    >>> pages = [(f"http://example.org/{n}", f"<ul><li>Home<li>About us</ul><p>{n} cups") for n in range(5)]
    >>> draw(pages)[:4]
    b'<svg'
    """
    if format is None:
        format = os.path.splitext(output)[1][1:].lower() if output is not None else "svg"
    if model is None:
        pages = list(pages)
        model = Model.learn(pages, method, site_by=site_by, threads=threads, **settings)
    picture = _native.draw(model, pages, format=format, site=site, palette=palette, color_by=color_by, dark=dark, threads=threads)
    if output is not None:
        part = f"{os.fspath(output)}.{os.getpid()}.part"
        with open(part, "wb") as file:
            file.write(picture)
        os.replace(part, output)
    return picture


def read_arrow(*inputs: Any, rows: int = 1000, bytes: int = 16 << 20, **options: Any) -> Iterator[Any]:
    """The pages of a crawl as batches of Arrow with the columns `url`, `html`, `date`, `charset`, `file` and `offset`.

    A batch has at most `rows` pages, and ends when it has so many `bytes`. The options are those of `read`.
    """
    pages = read(*inputs, **options)
    while (batch := pages.next_batch(rows=rows, bytes=bytes)) is not None:
        yield batch


def _url_and_html(page: Any) -> "tuple[str, Any]":
    if isinstance(page, Page):
        return page.url, page.html
    if isinstance(page, dict):
        return page["url"], page["html"]
    if isinstance(page, (tuple, list)):
        return page[0], page[1]
    return "", page


def _model_from_bytes(data: bytes, site_by: str) -> Model:
    """Restores a model for `pickle`."""
    return Model.from_bytes(data, site_by=site_by)
