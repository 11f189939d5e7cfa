"""The same job on Apache Spark: `clean`, `learn`, `label`, `fingerprint`, `cluster`.

    from pyspark.sql import SparkSession
    from unframe import spark as unframe_spark

    session = SparkSession.builder.getOrCreate()
    pages = unframe_spark.files(session, ["s3a://crawl/*.warc.gz"])      # or session.read.parquet(…)
    texts = unframe_spark.clean(pages, work="s3a://scratch/job-1")
    texts.write.parquet("s3a://crawl/texts")

A crawl is a data frame of pages (columns `url`, `html` and, if there are, `date` and `charset`), or one of files as `files`
makes it, whose pages are read in the executors and never leave them. Results are the same as those of the program
`unframe`, byte for byte, however the crawl is cut into partitions. `work` is a folder that all executors see: what one
stage hands to the next is written there, so that a lost machine costs the tasks that ran on it and nothing else.

`python -m unframe.spark` is the same as a program, for spark-submit; docs/spark.md has the plan, figures and costs.
"""

from ._files import boundaries, files, index
from ._jobs import clean, cluster, fingerprint, label, learn, model
from ._unique import unique

__all__ = ["boundaries", "clean", "cluster", "files", "fingerprint", "index", "label", "learn", "model", "unique"]
