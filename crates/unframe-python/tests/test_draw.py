"""The picture of a site, as the program draws it."""

import pytest
import unframe

PAGES = [(f"http://example.org/{n}", f"<ul><li>Home<li>About us</ul><p>{'word ' * n}of page {n}") for n in range(12)]


def test_formats_and_files(tmp_path):
    svg = unframe.draw(PAGES)
    assert svg.startswith(b"<svg") and b"example.org" in svg and b"12 pages" in svg
    assert unframe.draw(PAGES, tmp_path / "site.png") == (tmp_path / "site.png").read_bytes()
    assert (tmp_path / "site.png").read_bytes().startswith(b"\x89PNG")
    assert b"Content-Security-Policy" in unframe.draw(PAGES, str(tmp_path / "site.html"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["site.html", "site.png"]


def test_a_model_draws_pages_of_an_iterator_with_any_threads():
    model = unframe.Model.learn(PAGES, "dom")
    one = unframe.draw(iter(PAGES), model=model, threads=1)
    assert one == unframe.draw(iter(PAGES), model=model, threads=4)
    assert one != unframe.draw(PAGES, model=model, dark=True)
    assert one != unframe.draw(PAGES, model=model, palette="safe")


def test_mistakes_are_named():
    with pytest.raises(unframe.SettingError, match="svg, png, html or jsonl"):
        unframe.draw(PAGES, "site.gif")
    with pytest.raises(unframe.SettingError, match="rainbow or safe"):
        unframe.draw(PAGES, palette="grey")
    with pytest.raises(unframe.InputError, match="no page"):
        unframe.draw([])
    others = [("http://example.net/1", "<p>other"), *PAGES]
    with pytest.raises(unframe.InputError, match="2 sites.*example.net"):
        unframe.draw(others)
    assert b"example.org" in unframe.draw(others, site="example.org")
    with pytest.raises(unframe.InputError, match="nowhere"):
        unframe.draw(others, site="nowhere")
