"""A function for Ray Data: batches of pages in, batches of their content out.

    pages = ray.data.read_parquet("crawl/", columns=["url", "html"])
    pages.map_batches(UnframeCleaner, fn_constructor_args=("all.model",), batch_format="pyarrow", concurrency=4).write_parquet("texts/")

Each actor loads the model once. The sites must have been learned before, with `unframe learn` or `Model.learn`: a batch
holds only some pages of a site.
"""

from __future__ import annotations

from typing import Any

from . import Models, load


class UnframeCleaner:
    """Cleans batches: Arrow tables with `url` and `html`. `model` is a `Model`, a model file, or a folder of them."""

    def __init__(self, model: Models, *, format: str = "text", metadata: bool = True):
        self.model, self.format, self.metadata = load(model), format, metadata

    def __call__(self, batch: Any) -> Any:
        pages = batch.select(["url", "html"])
        # Each actor uses one thread, because there are as many actors as cores to use.
        return self.model.clean_arrow(pages, format=self.format, metadata=self.metadata, threads=1)
