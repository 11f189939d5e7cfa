"""Blocks for datatrove: learn the sites of a crawl in one pipeline, take their templates out in the next.

    LocalPipelineExecutor([JsonlReader("crawl", text_key="html"), UnframeLearner("models")], tasks=8).run()
    LocalPipelineExecutor([JsonlReader("crawl", text_key="html"), UnframeExtractor("models"), JsonlWriter("texts")]).run()

The text of a document is its HTML, and `metadata["url"]` its address, as datatrove's readers of WARC and JSONL make them.
Each task of the first pipeline writes a model; the second merges them, which gives the model of the whole crawl.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional, Union

from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.utils.typeshelper import StatHints

from .. import Model
from . import Models, load


class UnframeLearner(PipelineStep):
    """Learns the sites of the documents that go by, and writes `FOLDER/RANK.model` at their end."""

    name = "🖼 unframe learner"
    type = "🛢 - EXTRAC"

    def __init__(self, folder: Union[str, Path], method: str = "places", *, url_key: str = "url", **settings: Any):
        super().__init__()
        self.folder, self.method, self.url_key, self.settings = Path(folder), method, url_key, settings

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        model = Model(self.method, **self.settings)
        for document in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                model.observe(document.text, document.metadata.get(self.url_key, ""))
            yield document
        self.folder.mkdir(parents=True, exist_ok=True)
        model.save(self.folder / f"{rank:05}.model")


class UnframeExtractor(BaseExtractor):
    """Replaces the HTML of documents by what is left without the templates of their site; empty ones are dropped.

    `model` is a `Model`, a model file, or the folder that `UnframeLearner` wrote.
    """

    name = "🖼 unframe"
    _requires_dependencies = ["unframe"]

    def __init__(self, model: Models, *, format: str = "text", url_key: str = "url", timeout: float = 1):
        super().__init__(timeout)
        self.model, self.format, self.url_key = model, format, url_key
        self._loaded: Optional[Model] = None

    def extract(self, text: str) -> str:
        return self._clean(text, "").text

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        # This replaces the base method for two reasons: the parser has its own limits and needs no killable process, and it needs the address.
        for document in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                page = self._clean(document.text, document.metadata.get(self.url_key, ""))
            document.text = page.text
            for key in ("title", "author", "published", "language", "license"):
                value = getattr(page, key)
                if value is not None:
                    document.metadata.setdefault(key, value)
            if document.text:
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document
            else:
                self.stat_update(StatHints.dropped)

    def _clean(self, html: str, url: str) -> Any:
        if self._loaded is None:
            self._loaded = load(self.model)
        return self._loaded.clean(html, url, format=self.format, metadata=True)


class UnframeFilter(BaseFilter):
    """Drops documents (HTML) of whose text more than a share is template: lists, log-in pages, errors."""

    name = "🖼 unframe filter"
    _requires_dependencies = ["unframe"]

    def __init__(self, model: Models, max_template: float = 0.95, *, url_key: str = "url", exclusion_writer: Any = None):
        super().__init__(exclusion_writer)
        self.model, self.max_template, self.url_key = model, max_template, url_key
        self._loaded: Optional[Model] = None

    def filter(self, doc: Any) -> Any:
        if self._loaded is None:
            self._loaded = load(self.model)
        text = self._loaded.clean(doc.text, doc.metadata.get(self.url_key, "")).volume["text"]
        is_kept = text["template"] <= self.max_template * text["total"] and text["total"] > 0
        return is_kept or (False, "template")
