"""Learning, labelling and cleaning, one page or many."""

import concurrent.futures
import json
import os
import pickle
import threading
from datetime import datetime, timezone

import pytest
import unframe
from conftest import DRINKS, FOOTER, MENU, page


def test_many_pages_are_cleaned_by_each_other(pages):
    cleaned = unframe.clean(pages)
    assert [one.text for one in cleaned] == DRINKS
    assert cleaned[0].site == "tea.example"
    assert cleaned[0].title == "tea is hot"
    assert cleaned[0].evidence == "site"
    assert cleaned[0].volume["links"] == {"template": 2, "total": 2}


def test_one_page_is_judged_alone():
    cleaned = unframe.clean(b"<p>Tea is hot and good.")
    assert (cleaned.text, cleaned.evidence) == ("Tea is hot and good.", "page")


def test_regions_are_bytes_of_the_page(pages):
    model = unframe.Model.learn(pages, "dom")
    html = page("smoothies are für alle")
    regions = model.label(html, "http://tea.example/new")
    assert [html.encode()[region.start:region.end].decode() for region in regions] == [MENU, FOOTER]
    assert regions[0].pages == 6 and len(regions[0].template) == 16 and regions[0].kind == "repeated"


def test_bytes_and_text_of_the_same_page_are_the_same(pages):
    model = unframe.Model.learn(pages)
    for html in (page("grüner Tee"), page("grüner Tee").encode(), bytearray(page("grüner Tee").encode()),
                 memoryview(page("grüner Tee").encode())):
        assert model.clean(html, "http://tea.example/x").text == "grüner Tee"


def test_text_is_text_whatever_it_declares():
    assert unframe.clean("<meta charset=gb2312><p>grüner Tee").text == "grüner Tee"
    assert unframe.clean("<p>half a pair: \ud800").text == "half a pair: ?"


def test_the_charset_of_bytes_is_found():
    assert unframe.clean("<meta charset=gb2312><p>绿茶".encode("gb2312")).text == "绿茶"
    named = unframe.Page("http://a.example/", "<p>绿茶".encode("gb2312"), charset="gb2312")
    assert named.charset == "GBK"
    assert unframe.Model().clean(named).text == "绿茶"


def test_chunks():
    html = "<h1>Tea</h1><p>Tea is hot.<h2>Iced</h2><p>This one is cold."
    cleaned = unframe.clean(html, format="chunks")
    first, second = cleaned.chunks
    assert first == {"headings": ["Tea"], "text": "Tea is hot.", "tokens": 3, "start": 15, "end": 26}
    assert (second["headings"], second["text"]) == (["Tea", "Iced"], "This one is cold.")
    assert html[second["start"]:second["end"]] == second["text"]
    assert cleaned.text == "Tea is hot.\nThis one is cold."
    assert json.loads(cleaned.json())["chunks"] == [first, second]
    assert len(unframe.clean(html, format="chunks", chunk_tokens=3).chunks) > 2
    assert unframe.clean(html).chunks is None


def test_metadata_of_many_pages():
    html = '<html lang=de><title>Tee</title><meta name=author content="Ann Lee"><p>Tee ist heiß.'
    assert unframe.clean(html, metadata=True).author == "Ann Lee"
    assert [page.author for page in unframe.clean([("http://a.example/", html)], metadata=True)] == ["Ann Lee"]
    assert unframe.clean(html).author is None


def test_formats(pages):
    model = unframe.Model.learn(pages)
    assert model.clean(page("tea"), format="markdown").text.strip() == "tea"
    linked = b"<p>see <a href=ice>iced tea</a>"
    clean = unframe.Model().clean
    assert clean(linked, "http://a.example/b/", format="markdown").text == "see [iced tea](http://a.example/b/ice)"
    assert clean(linked, "http://a.example/b/", format="markdown", links="text").text == "see iced tea"
    assert clean(linked, format="simple-html").text == '<p>see <a href="ice">iced tea</a></p>'
    with pytest.raises(unframe.SettingError, match="need the format markdown"):
        clean(linked, links="text")
    with pytest.raises(unframe.SettingError, match="choose keep, alt or drop"):
        clean(linked, format="markdown", images="none")
    with pytest.raises(unframe.SettingError, match="chunk_tokens needs the format chunks, not text"):
        clean(linked, chunk_tokens=9)
    html = model.clean(page("tea"), format="html")
    assert b"<p>tea</p>" in bytes(html) and b"About us" not in bytes(html)


def test_order_and_split_do_not_matter(pages):
    whole = unframe.Model.learn(pages)
    one, other = unframe.Model.learn(pages[4:]), unframe.Model.learn(reversed(pages[:4]), threads=2)
    one.merge(other)
    assert one.to_bytes() == whole.to_bytes()
    again = unframe.Model.learn(pages[:4])
    again.merge(unframe.Model.learn(pages[4:]).to_bytes())
    assert again.to_bytes() == whole.to_bytes()


def test_learning_goes_on_after_loading_and_merging(pages, tmp_path):
    model = unframe.Model.learn(pages[:3])
    model.save(tmp_path / "a.model")
    model = unframe.Model.load(tmp_path / "a.model")
    for url, html in pages[3:]:
        model.observe(html, url)
    assert model.to_bytes() == unframe.Model.learn(pages).to_bytes()
    assert (model.sites, model.pages) == (["tea.example"], 6)
    assert pickle.loads(pickle.dumps(model)).to_bytes() == model.to_bytes()


def test_labels_follow_what_is_learned(pages):
    model = unframe.Model("dom")
    model.observe(pages[0][1], pages[0][0])
    assert model.label(pages[0][1]) == []
    model.observe_all(pages[1:])
    html = pages[0][1]
    assert MENU in [html[region.start:region.end] for region in model.label(html)]


def test_a_compact_model_labels_and_learns_no_more(pages):
    model = unframe.Model.learn(pages)
    compact = unframe.Model.from_bytes(model.to_bytes(compact=True))
    assert compact.label(page("tea")) == model.label(page("tea"))
    with pytest.raises(unframe.ModelError, match="without its sample"):
        compact.observe(page("tea"), "http://tea.example/")
    assert compact.sites == ["tea.example"]
    with pytest.raises(unframe.ModelError):
        compact.merge(model)
    assert compact.label(page("tea")) == model.label(page("tea"))


def test_errors_are_our_own(pages, tmp_path):
    with pytest.raises(unframe.SettingError, match="no method `magic`: choose one of places"):
        unframe.Model("magic")
    with pytest.raises(unframe.SettingError, match="no parameter `tea`"):
        unframe.Model(tea=1)
    with pytest.raises(unframe.SettingError, match="choose host, domain, prefix or all"):
        unframe.Model(site_by="hosts")
    with pytest.raises(unframe.ModelError, match="not a model file"):
        unframe.Model.from_bytes(b"rubbish!")
    with pytest.raises(unframe.ModelError, match="nowhere.model"):
        unframe.Model.load(tmp_path / "nowhere.model")
    with pytest.raises(unframe.ModelError, match="cannot be merged"):
        unframe.Model.learn(pages).merge(unframe.Model.learn(pages, "dom"))
    with pytest.raises(TypeError, match="bytes or str, not int"):
        unframe.clean([("http://a.example/", 7)])
    with pytest.raises(TypeError, match="a page must be a Page"):
        unframe.clean([7])
    assert issubclass(unframe.ModelError, unframe.UnframeError)


def test_rubbish_is_data():
    for rubbish in (b"", b"\0\xff<", b"<" * 5000, "<p" * 5000, b"<!--", b"<script>"):
        assert isinstance(unframe.clean(rubbish).text, str)
        assert unframe.fingerprint(rubbish) is not None


def test_dates():
    date = datetime(2024, 5, 6, 7, 8, 9, tzinfo=timezone.utc)
    for given in (date, "2024-05-06T07:08:09Z", date.replace(tzinfo=None), "20240506070809"):
        assert unframe.Page("http://a.example/", b"", given).date == date
    assert unframe.Page("http://a.example/", b"", "tea time").date is None


def test_threads_share_a_model(pages):
    model = unframe.Model()
    many = [(f"{url}?{number}", html) for number in range(40) for url, html in pages]

    def work(part):
        for url, html in part:
            model.observe(html, url)
            model.label(html, url)

    threads = [threading.Thread(target=work, args=(many[start::4],)) for start in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert model.to_bytes() == unframe.Model.learn(many).to_bytes()


def test_the_file_is_that_of_the_program(program, crawl, tmp_path):
    program("learn", crawl, "-o", tmp_path / "program.model", "-q")
    model = unframe.Model.learn(unframe.read(crawl))
    model.save(tmp_path / "python.model")
    assert (tmp_path / "python.model").read_bytes() == (tmp_path / "program.model").read_bytes()
    lines = program("clean", crawl, "--model", tmp_path / "python.model", "-q").decode()
    assert "".join(model.clean(page).json() for page in unframe.read(crawl)) == lines


@pytest.fixture(params=["model", "clusters", "classifier"])
def savable(request, pages):
    """Something with a method `save`, and a function that lets it learn more."""
    if request.param == "model":
        model = unframe.Model.learn(pages[:3])
        return model, lambda: model.observe(pages[3][1], pages[3][0])
    if request.param == "clusters":
        clusters = unframe.Clusters()
        return clusters, lambda: clusters.add("<ul><li><li></ul>")
    known = unframe.Classifier()
    return known, lambda: known.add("list", "<ul><li><li></ul>")


def test_saving_that_fails_leaves_what_was_there(savable, tmp_path):
    resource = pytest.importorskip("resource")
    value, learn = savable
    value.save(tmp_path / "state")
    before = (tmp_path / "state").read_bytes()
    learn()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, limits[1]))
    try:
        with pytest.raises(unframe.ModelError, match="cannot write"):
            value.save(tmp_path / "state")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (tmp_path / "state").read_bytes() == before
    (tmp_path / "folder").mkdir()
    with pytest.raises(unframe.ModelError, match="cannot write"):
        value.save(tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "state"]
    value.save(tmp_path / "state")
    assert (tmp_path / "state").read_bytes() != before


@pytest.mark.skipif(os.name != "posix", reason="there are no such links and pipes")
def test_saving_to_links_and_pipes(savable, tmp_path):
    value, _ = savable
    value.save(tmp_path / "state")
    (tmp_path / "link").symlink_to(tmp_path / "state")
    value.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    os.mkfifo(tmp_path / "pipe")
    with concurrent.futures.ThreadPoolExecutor() as threads:
        read = threads.submit((tmp_path / "pipe").read_bytes)
        value.save(tmp_path / "pipe")
        assert read.result() == (tmp_path / "state").read_bytes()
    assert (tmp_path / "pipe").is_fifo()
