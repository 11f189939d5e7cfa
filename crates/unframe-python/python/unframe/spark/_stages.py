"""What executors do with the batches of a partition. Each stage streams: none holds a partition, nor a site."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, Iterator, Optional

from .. import Model, fingerprint_arrow
from ._files import pages

#: The learned state of a site, from a part of the crawl or from all of it. `origin` distinguishes parts.
STATES = "site string, pages long, origin long, state binary"
CLEAN = (
    "url string, site string, date timestamp, title string, headline string, author string, published string, modified string, "
    "description string, site_name string, language string, canonical string, page_type string, license string, "
    "language_declared string, language_detected string, comments string, page_kind string, "
    "text string, evidence string, html_template long, "
    "html_total long, text_template long, text_total long, links_template long, links_total long, "
    "page_kind_confidence double"
)
REGIONS = (
    "regions array<struct<start: long, end: long, template: string, pages: long, kind: string, confidence: double, sort: string, within: string>>"
)
LABEL = (
    f"url string, site string, date timestamp, bytes long, evidence string, {REGIONS}, html_template long, "
    "html_total long, text_template long, text_total long, links_template long, links_total long"
)
LINES = "value string"
FINGERPRINTS = "url string, site string, fingerprint string"

#: Number of pages after which a task emits its states, so that its memory is bounded: about 20 KB a page at most.
STATE_PAGES = 4000
#: Number of states in a batch.
STATE_ROWS = 64


@dataclass(frozen=True)
class Settings:
    """The settings of learning and reading. They are small, because they are sent to every task."""

    method: str = "places"
    seed: int = 0
    site_by: str = "host"
    parameters: Dict[str, Any] = field(default_factory=dict)
    any_status: bool = False

    def reading(self) -> Dict[str, Any]:
        return {"site_by": self.site_by, "any_status": self.any_status}

    def model(self) -> Model:
        return Model(self.method, seed=self.seed, site_by=self.site_by, **self.parameters)


def observe(settings: Settings) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Learns states from pages: one for each site of a partition, or several if the partition has very many pages."""

    def stage(batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        origin = context.partitionId() if context else 0
        model, count = settings.model(), 0
        for batch in pages(batches, settings.reading()):
            model.observe_arrow(batch, threads=1)
            count += batch.num_rows
            if count >= STATE_PAGES:
                yield from _states(model, origin)
                model, count = settings.model(), 0
        if count:
            yield from _states(model, origin)

    return stage


def _states(model: Model, origin: int) -> Iterator[Any]:
    import pyarrow as pa

    states = model.states_arrow()
    origins = pa.array([origin] * states.num_rows, pa.int64())
    states = pa.RecordBatch.from_arrays(
        [states["site"], states["pages"], origins, states["state"]], names=["site", "pages", "origin", "state"]
    )
    yield from (states.slice(at, STATE_ROWS) for at in range(0, states.num_rows, STATE_ROWS))


def merge(compact: bool) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Merges states, sorted by `site` and `origin`, into one for each site. Only two states of one site are in memory at a time."""

    def stage(batches: Iterable[Any]) -> Iterator[Any]:
        site: Optional[str] = None
        model: Optional[Model] = None
        for batch in batches:
            for row in zip(batch["site"].to_pylist(), batch["origin"].to_pylist(), batch["state"].to_pylist()):
                if model is not None and row[0] == site:
                    model.merge(row[2])
                    continue
                if model is not None:
                    yield _merged(site, model, compact)
                site, model = row[0], Model.from_bytes(row[2])
        if model is not None:
            yield _merged(site, model, compact)

    return stage


def _merged(site: Optional[str], model: Model, compact: bool) -> Any:
    import pyarrow as pa

    values = [[site], [model.pages], [0], [model.to_bytes(compact=compact)]]
    types = [pa.string(), pa.int64(), pa.int64(), pa.binary()]
    arrays = [pa.array(value, kind) for value, kind in zip(values, types)]
    return pa.RecordBatch.from_arrays(arrays, names=["site", "pages", "origin", "state"])


#: Processes a batch of pages with their model.
Act = Callable[[Model, Any], Any]


def cleaning(format: str, lines: bool) -> Act:
    return lambda model, batch: model.clean_arrow(batch, format=format, lines=lines, threads=1)


def labelling(lines: bool) -> Act:
    return lambda model, batch: model.label_arrow(batch, lines=lines, threads=1)


def with_broadcast(models: Any, settings: Settings, act: Act) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Processes pages with broadcast models. Partitions and the order of pages do not change."""

    def stage(batches: Iterable[Any]) -> Iterator[Any]:
        model = _decoded(models.value, settings.site_by)
        for batch in pages(batches, settings.reading()):
            yield act(model, batch)

    return stage


@functools.lru_cache(maxsize=1)
def _decoded(data: bytes, site_by: str) -> Model:
    """Decodes a model. The result is cached, because workers live longer than tasks."""
    return Model.from_bytes(data, site_by=site_by)


def page_rows(settings: Settings) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Adds the site to pages, so that they can be joined with models."""

    def stage(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        from .. import site_of

        for batch in pages(batches, settings.reading()):
            urls = batch["url"].to_pylist()
            sites = pa.array([site_of(url or "", settings.site_by) for url in urls], pa.string())
            empty = pa.nulls(batch.num_rows)
            columns = [batch["url"], batch["html"]]
            for name, kind in (("date", pa.timestamp("us", "UTC")), ("charset", pa.string())):
                columns.append(batch[name] if name in batch.schema.names else empty.cast(kind))
            # HTML that Spark holds as text becomes UTF-8, whatever charset the page declares.
            if pa.types.is_string(columns[1].type) or pa.types.is_large_string(columns[1].type):
                columns[1] = columns[1].cast(pa.binary())
                columns[3] = pa.array(["UTF-8"] * batch.num_rows, pa.string())
            yield pa.RecordBatch.from_arrays([sites, *columns], names=["site", "url", "html", "date", "charset"])

    return stage


PAGE_ROWS = "site string, url string, html binary, date timestamp, charset string"


def with_sorted(settings: Settings, act: Act) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Processes rows sorted by site, with the model of each site before its pages. Only one model is in memory at a time."""

    def stage(batches: Iterable[Any]) -> Iterator[Any]:
        site: Optional[str] = None
        model = settings.model()
        for batch in batches:
            sites, states = batch["site"].to_pylist(), batch["state"]
            at = 0
            while at < batch.num_rows:
                if sites[at] != site:
                    # A site without a model was never observed; its pages are labelled as single pages.
                    site, model = sites[at], settings.model()
                if states[at].is_valid:
                    model = Model.from_bytes(states[at].as_py(), site_by=settings.site_by)
                    at += 1
                    continue
                end = at + 1
                while end < batch.num_rows and sites[end] == site and not states[end].is_valid:
                    end += 1
                yield act(model, batch.slice(at, end - at).select(["url", "html", "date", "charset"]))
                at = end

    return stage


def fingerprints(settings: Settings, method: str, length: Optional[int]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Computes the fingerprints of pages."""

    def stage(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in pages(batches, settings.reading()):
            yield fingerprint_arrow(batch, method=method, length=length, site_by=settings.site_by, threads=1)

    return stage
