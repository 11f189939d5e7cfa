"""A stage for NeMo Curator: batches of documents with `url` and `html` get the `text` of their pages.

    Pipeline("clean", stages=[ParquetReader("crawl/"), UnframeStage("all.model"), ParquetWriter("texts/")]).run()

The sites must have been learned before, with `unframe learn` or `Model.learn`: a batch holds only some pages of a site.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, List, Optional, Tuple

from nemo_curator.stages.base import ProcessingStage
from nemo_curator.tasks import DocumentBatch

from .. import Model
from . import load


@dataclass
class UnframeStage(ProcessingStage[DocumentBatch, DocumentBatch]):
    """Cleans batches. `model` is a model file or a folder of them, which each worker loads once."""

    model: str
    format: str = "text"
    metadata: bool = True
    name: str = "unframe"
    _loaded: Optional[Model] = field(default=None, init=False, repr=False)

    def inputs(self) -> Tuple[List[str], List[str]]:
        return ["data"], ["url", "html"]

    def outputs(self) -> Tuple[List[str], List[str]]:
        return ["data"], ["url", "text"]

    def setup(self, worker_metadata: Any = None) -> None:
        self._loaded = load(self.model)

    def process(self, task: DocumentBatch) -> DocumentBatch:
        if self._loaded is None:
            self.setup()
        assert self._loaded is not None
        pages = task.to_pyarrow().select(["url", "html"])
        cleaned = self._loaded.clean_arrow(pages, format=self.format, metadata=self.metadata, threads=1)
        return DocumentBatch(
            dataset_name=task.dataset_name, data=cleaned, _metadata=task._metadata, _stage_perf=task._stage_perf
        )
