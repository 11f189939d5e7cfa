"""Structure of pages: fingerprints, clusters, known templates."""

import json

import pytest
import unframe

LIST, TABLE = "<ul><li>{}<li></ul><p>", "<table><tr><td>{}</table><hr><form>"


def test_clusters_and_their_state(tmp_path):
    pages = [LIST.format("tea"), TABLE.format("milk"), LIST.format("water")]
    one, other, third = unframe.cluster(pages)
    assert one == third != other
    clusters = unframe.Clusters()
    number = clusters.add_fingerprint(unframe.fingerprint(pages[0]))
    clusters.save(tmp_path / "state")
    assert unframe.Clusters.load(tmp_path / "state").names()[number] == one
    assert len(clusters) == 1


def test_clusters_within_sites():
    pages = [("http://a.example/", LIST), ("http://b.example/", LIST), ("http://a.example/2", LIST)]
    one, other, third = unframe.cluster(pages, within_sites=True)
    assert one == third != other


def test_known_templates(tmp_path):
    known = unframe.Classifier()
    known.add("list", LIST)
    known.add("table", TABLE)
    known.save(tmp_path / "known")
    known = unframe.Classifier.load(tmp_path / "known")
    assert known.templates == ["list", "table"]
    assert known.classify(TABLE.format("tea")) == "table"
    assert known.classify("<h1>") is None


def test_errors():
    with pytest.raises(unframe.SettingError):
        unframe.fingerprint("", method="magic")
    with pytest.raises(unframe.SettingError, match="no fingerprints"):
        unframe.fingerprint("", method="rtdm")
    with pytest.raises(unframe.InputError, match="is not a fingerprint"):
        unframe.Clusters().add_fingerprint("tea")


def test_the_same_as_the_program(program, crawl):
    lines = [json.loads(line) for line in program("fingerprint", crawl, "-q").splitlines()]
    assert [line["fingerprint"] for line in lines] == [unframe.fingerprint(page.html) for page in unframe.read(crawl)]
    lines = [json.loads(line) for line in program("cluster", crawl, "-q").splitlines()]
    assert [line["cluster"] for line in lines] == unframe.cluster(unframe.read(crawl))
