"""Page by page, with state on disk."""

import json

import pytest
import unframe


def test_templates_are_known_after_some_pages(pages, tmp_path):
    with unframe.Follower(tmp_path / "state", df=3) as follower:
        found = [follower.visit(html, url) for url, html in pages]
        assert [bool(one.regions) for one in found] == [False, False, True, True, True, True]
        assert len(found[2].became) > 0 and found[0].change == "new"
        assert found[5].clean().text == "soup is no drink"
        follower.commit()
        assert follower.status()["pages"] == 6
        with pytest.raises(unframe.StateError, match="in use"):
            unframe.Follower(tmp_path / "state", df=3)
    with unframe.Follower(tmp_path / "state", df=3) as follower:
        again = follower.visit(pages[0][1], pages[0][0])
        assert (again.change, again.clean().text) == ("unchanged", "tea is hot")
    with pytest.raises(unframe.StateError, match="is closed"):
        follower.commit()
    with pytest.raises(unframe.StateError, match="cannot be changed"):
        unframe.Follower(tmp_path / "state", df=4)


def test_the_same_as_the_program(program, crawl, tmp_path):
    lines = program("follow", "--state", tmp_path / "program", crawl, "-q").splitlines()
    with unframe.Follower(tmp_path / "python") as follower:
        for line, page in zip(lines, unframe.read(crawl, unique=False)):
            expected = [(region["start"], region["end"], region["template"]) for region in json.loads(line)["regions"]]
            found = follower.visit(page).regions
            assert [(region.start, region.end, region.template) for region in found] == expected
