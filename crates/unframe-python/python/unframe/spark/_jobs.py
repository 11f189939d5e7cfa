"""The jobs: which stages run, and what they hand to each other."""

from __future__ import annotations

import tempfile
import uuid
from typing import Any, List, Optional

from .. import Clusters, Model, UnframeError
from . import _stages as stages
from ._stages import Settings
from ._unique import unique as without_repeats

#: If all models together are at most this large, they are broadcast to every executor; otherwise they are joined with their pages.
BROADCAST_BYTES = 64 << 20
#: If a site has more states than this, several tasks merge them in a first step.
STATES_AT_ONCE = 256
#: If a site has more pages than this, several tasks of a join label them.
PAGES_AT_ONCE = 20_000


def learn(crawl: Any, *, work: Optional[str] = None, compact: bool = False, unique: bool = True, method: str = "places",
          seed: int = 0, site_by: str = "host", any_status: bool = False, **parameters: Any) -> Any:
    """What is learned of each site: a data frame of `site`, `pages` and `state`, a model file of that site.

    `compact` keeps only what labelling needs. `unique=False` saves a pass over a crawl without repeats.
    """
    settings = _settings(method, seed, site_by, any_status, parameters)
    crawl = without_repeats(crawl, settings.reading()) if unique else crawl
    return _learn(crawl, _work(crawl.sparkSession, work), compact, settings)


def model(models: Any) -> Model:
    """The models of a data frame as one `Model`, whose file is that of the program. It has to fit into the driver."""
    rows = models.orderBy("site").select("state").toLocalIterator()
    first = next(rows, None)
    merged = Model() if first is None else Model.from_bytes(bytes(first["state"]))
    for row in rows:
        merged.merge(bytes(row["state"]))
    return merged


def clean(crawl: Any, models: Optional[Any] = None, *, format: str = "text", lines: bool = False,
          work: Optional[str] = None, unique: bool = True, broadcast_bytes: int = BROADCAST_BYTES,
          method: str = "places", seed: int = 0, site_by: str = "host", any_status: bool = False,
          **parameters: Any) -> Any:
    """What is left of every page: rows as `Model.clean_arrow` makes them, or with `lines` the program's lines of JSON.

    Without `models` (a data frame that `learn` made, or a `Model`), every site is learned from the crawl first.
    """
    settings = _settings(method, seed, site_by, any_status, parameters)
    act, schema = stages.cleaning(format, lines), stages.LINES if lines else stages.CLEAN
    return _apply(crawl, models, act, schema, settings, work, unique, broadcast_bytes)


def label(crawl: Any, models: Optional[Any] = None, *, lines: bool = False, work: Optional[str] = None,
          unique: bool = True, broadcast_bytes: int = BROADCAST_BYTES, method: str = "places", seed: int = 0,
          site_by: str = "host", any_status: bool = False, **parameters: Any) -> Any:
    """The template regions of every page: rows as `Model.label_arrow` makes them, or the program's lines of JSON."""
    settings = _settings(method, seed, site_by, any_status, parameters)
    act, schema = stages.labelling(lines), stages.LINES if lines else stages.LABEL
    return _apply(crawl, models, act, schema, settings, work, unique, broadcast_bytes)


def fingerprint(crawl: Any, *, unique: bool = True, method: str = "fingerprint", length: Optional[int] = None,
                site_by: str = "host", any_status: bool = False) -> Any:
    """The fingerprint of every page: rows of `url`, `site` and `fingerprint`."""
    settings = Settings(site_by=site_by, any_status=any_status)
    crawl = without_repeats(crawl, settings.reading()) if unique else crawl
    return crawl.mapInArrow(stages.fingerprints(settings, method, length), stages.FINGERPRINTS)


def cluster(crawl: Any, *, work: Optional[str] = None, unique: bool = True, method: str = "fingerprint",
            length: Optional[int] = None, within_sites: bool = False, site_by: str = "host", any_status: bool = False) -> Any:
    """The cluster of every page: rows of `url`, `site` and `cluster`.

    Clusters are the connected parts of the fingerprints that differ in one number at most. Pages are never compared:
    the different fingerprints, which are few, are clustered by the driver, at about 200 bytes each.
    """
    from pyspark.sql import functions as f

    session, folder = crawl.sparkSession, _work(crawl.sparkSession, work)
    pages = fingerprint(crawl, unique=unique, method=method, length=length, site_by=site_by, any_status=any_status)
    pages = _durable(pages, f"{folder}/fingerprints")
    scope = f.col("site") if within_sites else f.lit("")
    pages = pages.withColumn("scope", scope)
    clusters = Clusters(method=method, length=length)
    keys = []
    for row in pages.select("scope", "fingerprint").distinct().toLocalIterator():
        number = clusters.add_fingerprint(row["fingerprint"], site=row["scope"] if within_sites else None)
        keys.append((row["scope"], row["fingerprint"], number))
    names = clusters.names()
    rows = [(scope, value, names[number]) for scope, value, number in keys]
    named = session.createDataFrame(rows, "scope string, fingerprint string, cluster string")
    return pages.join(named, ["scope", "fingerprint"]).select("url", "site", "cluster")


def _settings(method: str, seed: int, site_by: str, any_status: bool, parameters: Any) -> Settings:
    if method == "segments":
        raise UnframeError("`segments` needs the pages of a site in order, which Spark does not keep: choose another method")
    settings = Settings(method, seed, site_by, parameters, any_status)
    settings.model()  # Says at once what is wrong with a parameter.
    return settings


def _apply(crawl: Any, models: Optional[Any], act: stages.Act, schema: str, settings: Settings, work: Optional[str],
           unique: bool, broadcast_bytes: int) -> Any:
    session = crawl.sparkSession
    crawl = without_repeats(crawl, settings.reading()) if unique else crawl
    if models is None:
        models = _learn(crawl, _work(session, work), True, settings)
    if isinstance(models, Model):
        data = models.to_bytes(compact=True)
    else:
        size = models.selectExpr("coalesce(sum(length(state)), 0) as size").first()["size"]
        if size > broadcast_bytes:
            return _join(crawl, models, act, schema, settings)
        data = model(models).to_bytes(compact=True) if size else settings.model().to_bytes()
    shared = session.sparkContext.broadcast(data)
    return crawl.mapInArrow(stages.with_broadcast(shared, settings, act), schema)


def _learn(crawl: Any, folder: str, compact: bool, settings: Settings) -> Any:
    """Learns states from pages, and merges the states of each site. The states of huge sites are merged in several tasks first."""
    from pyspark.sql import functions as f

    states = _durable(crawl.mapInArrow(stages.observe(settings), stages.STATES), f"{folder}/states")
    counts = states.groupBy("site").count().where(f.col("count") > STATES_AT_ONCE)
    huge = f.broadcast(counts.withColumn("salts", f.ceil(f.sqrt("count"))).select("site", "salts"))
    salted = states.join(huge, "site").withColumn("salt", f.expr("pmod(origin, salts)"))
    parts = _merged(salted, ["site", "salt"], False)
    if not counts.isEmpty():
        parts = _durable(parts, f"{folder}/parts")
        states = states.join(huge, "site", "left_anti").unionByName(parts)
    return _durable(_merged(states, ["site"], compact), f"{folder}/models").select("site", "pages", "state")


def _merged(states: Any, keys: List[str], compact: bool) -> Any:
    """Merges the states with equal keys into one."""
    sorted_states = states.repartition(*keys).sortWithinPartitions(*keys, "origin")
    return sorted_states.select("site", "pages", "origin", "state").mapInArrow(stages.merge(compact), stages.STATES)


def _join(crawl: Any, models: Any, act: stages.Act, schema: str, settings: Settings) -> Any:
    """Joins pages and models by site. The pages of a huge site go to several tasks, each with a copy of the model."""
    from pyspark.sql import functions as f

    tasks = f.ceil(f.col("pages") / f.lit(PAGES_AT_ONCE))
    huge = f.broadcast(models.where(f.col("pages") > PAGES_AT_ONCE).select("site", tasks.alias("tasks")))
    tasks = f.coalesce(f.col("tasks"), f.lit(1))
    pages = crawl.mapInArrow(stages.page_rows(settings), stages.PAGE_ROWS).join(huge, "site", "left")
    pages = pages.withColumn("task", f.pmod(f.xxhash64("url"), tasks)).drop("tasks")
    pages = pages.withColumn("state", f.lit(None).cast("binary"))
    rows = models.select("site", "state").join(huge, "site", "left")
    rows = rows.withColumn("task", f.explode(f.sequence(f.lit(0).cast("long"), tasks - 1))).drop("tasks")
    both = pages.unionByName(rows, allowMissingColumns=True)
    both = both.withColumn("is_page", f.col("state").isNull())
    both = both.repartition("site", "task").sortWithinPartitions("site", "task", "is_page", "url")
    both = both.select("site", "url", "html", "date", "charset", "state")
    return both.mapInArrow(stages.with_sorted(settings, act), schema)


def _durable(frame: Any, path: str) -> Any:
    """Writes a data frame and reads it back, so that later stages do not depend on results stored in an executor, which may be lost."""
    frame.write.mode("overwrite").parquet(path)
    return frame.sparkSession.read.schema(frame.schema).parquet(path)


def _work(session: Any, work: Optional[str]) -> str:
    if work is not None:
        return work.rstrip("/")
    if not session.sparkContext.master.startswith("local"):
        raise UnframeError("name a folder with work=… that all executors can reach: stages pass their results through it")
    return "file:" + tempfile.mkdtemp(prefix=f"unframe-{uuid.uuid4().hex[:8]}-")
