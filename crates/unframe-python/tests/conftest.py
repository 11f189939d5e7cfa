"""Made-up pages, and the program to compare with."""

import os
import subprocess
from pathlib import Path

import pytest

MENU = '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul>'
FOOTER = "<footer>All rights reserved, Tea House Ltd.</footer>"
NEEDS_REAL_DATA = "needs real data: set UNFRAME_DATA and run with -m real_data"
DRINKS = ["tea is hot", "milk is cold", "water is wet", "juice is sweet", "coffee is bitter", "soup is no drink"]


def page(text: str) -> str:
    return f"<html><head><title>{text}</title></head><body>{MENU}<div><p>{text}</p></div>{FOOTER}</body></html>"


def pytest_collection_modifyitems(config, items):
    """Skips tests on real data unless they are selected."""
    if "real_data" not in config.option.markexpr:
        for item in items:
            if "real_data" in item.keywords:
                item.add_marker(pytest.mark.skip(reason=NEEDS_REAL_DATA))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of the real data: `$UNFRAME_DATA`, or beside the checkout."""
    folder = Path(os.environ.get("UNFRAME_DATA", Path(__file__).parents[4] / "shared" / "data"))
    assert folder.is_dir(), f"there is no {folder}: {NEEDS_REAL_DATA}"
    return folder


@pytest.fixture
def pages():
    return [(f"http://www.tea.example/{number}", page(text)) for number, text in enumerate(DRINKS)]


@pytest.fixture(scope="session")
def program():
    """Runs the program `unframe`, which UNFRAME_PROGRAM names, and returns what it prints."""
    path = os.environ.get("UNFRAME_PROGRAM")
    if not path:
        pytest.skip("UNFRAME_PROGRAM does not name the program to compare with")

    def run(*arguments, codes=(0,)):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True)
        assert done.returncode in codes, done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture(scope="session")
def crawl(program, tmp_path_factory) -> Path:
    """The crawl of synthetic sites that the program makes, and the first of its WARC files."""
    folder = tmp_path_factory.mktemp("demo") / "crawl"
    program("demo", folder, "--pages", "12", "--quiet")
    return sorted(folder.glob("*.warc*"))[0]
