"""Page by page, with state on disk."""

import json

import pytest
import unframe


def test_templates_are_known_after_some_pages(pages, tmp_path):
    with unframe.Follower(tmp_path / "state", method="segments", df=3) as follower:
        found = [follower.visit(html, url) for url, html in pages]
        assert [bool(one.regions) for one in found] == [False, False, True, True, True, True]
        assert len(found[2].became) > 0 and found[0].change == "new"
        assert found[5].clean().text == "soup is no drink"
        follower.commit()
        assert follower.status()["pages"] == 6
        with pytest.raises(unframe.StateError, match="in use"):
            unframe.Follower(tmp_path / "state", method="segments", df=3)
    with unframe.Follower(tmp_path / "state", method="segments", df=3) as follower:
        again = follower.visit(pages[0][1], pages[0][0])
        assert (again.change, again.clean().text) == ("unchanged", "tea is hot")
    with pytest.raises(unframe.StateError, match="is closed"):
        follower.commit()
    with pytest.raises(unframe.StateError, match="cannot be changed"):
        unframe.Follower(tmp_path / "state", df=4)
    with pytest.raises(unframe.SettingError, match="needs all pages of a site at once"):
        unframe.Follower(tmp_path / "other", method="dom")


def test_the_default_method_judges_the_first_page_by_itself(tmp_path):
    prose = "<p>Ship {0} left harbour {0}, with a crew of {0}, and nobody knows when it will come back to us.</p>"
    page = "<main><h1>Ship {0}</h1>" + prose * 3 + "<p>We sell tickets for every ship, and our readers save on each of them, as always.</p></main>"
    with unframe.Follower(tmp_path / "state") as follower:
        texts = [follower.visit(page.format(number), f"http://a.example/{number}").clean().text for number in range(8)]
    assert "We sell tickets" in texts[0] and "We sell tickets" not in texts[7]
    assert all(f"Ship {number} left" in text for number, text in enumerate(texts))


def test_the_same_as_the_program(program, crawl, tmp_path):
    lines = program("follow", "--state", tmp_path / "program", crawl, "-q").splitlines()
    with unframe.Follower(tmp_path / "python") as follower:
        for line, page in zip(lines, unframe.read(crawl, unique=False)):
            expected = [(region["start"], region["end"], region["template"]) for region in json.loads(line)["regions"]]
            found = follower.visit(page).regions
            assert [(region.start, region.end, region.template) for region in found] == expected
