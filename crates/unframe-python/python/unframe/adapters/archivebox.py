"""The content of every snapshot of an ArchiveBox collection, written beside the snapshot's other files.

    python -m unframe.adapters.archivebox /path/to/collection

writes `unframe/content.md` and `unframe/article.json` into each folder of `archive/`, as `readability/` and `mercury/` are. Snapshots of
one site are compared with each other, so run it again when some were added. Of a snapshot, the page as the browser left it
(`output.html`) is read, or else the one in its WARC files, or else `singlefile.html`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Iterator, List, Optional, Tuple

from .. import InputError, Model, Page, read


def pages(collection: Path) -> Iterator[Tuple[Path, Page]]:
    """The snapshots that have a page."""
    for index in sorted(collection.glob("archive/*/index.json")):
        url = json.loads(index.read_text(encoding="utf-8")).get("url") or ""
        page = page_of(index.parent, url)
        if page is not None:
            yield index.parent, page


def page_of(snapshot: Path, url: str) -> Optional[Page]:
    """The page of a snapshot."""
    rendered, single = snapshot / "output.html", snapshot / "singlefile.html"
    if rendered.is_file():
        return Page(url, rendered.read_bytes())
    archived = list(read(*sorted(snapshot.glob("warc/*.warc*")))) if any(snapshot.glob("warc/*.warc*")) else []
    # After a redirect, no page has the address itself; the first page is then the one that a reader would see.
    own = [page for page in archived if page.url == url] or archived
    if own:
        return own[0]
    return Page(url, single.read_bytes()) if single.is_file() else None


def write(snapshot: Path, model: Model, page: Page) -> None:
    """Writes the content of a page into the folder of its snapshot."""
    folder = snapshot / "unframe"
    folder.mkdir(exist_ok=True)
    cleaned = model.clean(page, format="markdown", metadata=True)
    (folder / "content.md").write_text(cleaned.text, encoding="utf-8")
    (folder / "article.json").write_text(cleaned.json(), encoding="utf-8")


def main(arguments: Optional[List[str]] = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m unframe.adapters.archivebox", description=__doc__.split("\n")[0])
    parser.add_argument("collection", type=Path, help="the folder that `archivebox init` made")
    collection: Path = parser.parse_args(arguments).collection
    if not (collection / "archive").is_dir():
        raise InputError(f"{collection}: there is no folder `archive` in it; give the folder of an ArchiveBox collection")
    # The pages are read twice, so that they need not all be in memory at once.
    model = Model.learn(page for _, page in pages(collection))
    count = 0
    for snapshot, page in pages(collection):
        write(snapshot, model, page)
        count += 1
    print(f"{count} snapshots of {len(model.sites)} sites: unframe/content.md and unframe/article.json in each")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputError as error:
        sys.exit(str(error))
