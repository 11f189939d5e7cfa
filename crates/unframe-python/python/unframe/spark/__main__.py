"""`python -m unframe.spark`: the jobs as a program, alone or by spark-submit."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Dict, List, Optional

from unframe import Model, UnframeError
from unframe import spark as unframe_spark

EXAMPLES = """examples:
  python -m unframe.spark clean --input 'crawl/*.warc.gz' --output texts
  spark-submit $(python -m unframe.spark where) clean --input 's3a://crawl/*.warc.gz' --work s3a://scratch/1 \\
    --output s3a://crawl/texts
"""

#: Settings for Spark: small batches for Python, because pages are long rows, and timestamps in UTC.
SESSION = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(16 << 20),
    "spark.sql.session.timeZone": "UTC",
}


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a job; exit codes are those of the program: 2 for wrong usage or when nothing could be done."""
    args = parser().parse_args(arguments)
    if args.job == "where":
        print(__file__)
        return 0
    if not args.input:
        parser().error("name the crawl with --input")
    if not args.output and not (args.job == "learn" and args.model and args.work):
        parser().error("name a folder for the results with --output (learn: or --model and --work)")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(f"unframe {args.job}")
    for name, value in SESSION.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        run(session, args)
    except (UnframeError, FileNotFoundError) as error:
        print(f"unframe: {error}", file=sys.stderr)
        return 2
    finally:
        session.stop()
    return 0


def run(session: Any, args: argparse.Namespace) -> None:
    crawl = _crawl(session, args)
    common: Dict[str, Any] = {"unique": not args.all, "site_by": args.site_by, "any_status": args.any_status}
    if args.job == "index":
        unframe_spark.index(crawl).write.mode(args.mode).parquet(args.output)
        return
    if args.job in ("fingerprint", "cluster"):
        job: Any = unframe_spark.fingerprint
        if args.job == "cluster":
            job, common["work"] = unframe_spark.cluster, _work(args)
            common["within_sites"] = args.within_sites
        _write(job(crawl, method=args.method or "fingerprint", **common), args)
        return
    common.update(work=_work(args), method=args.method or "places", seed=args.seed, **dict(args.set))
    if args.job == "learn":
        models = unframe_spark.learn(crawl, compact=args.compact, **common)
        if args.model:
            unframe_spark.model(models).save(args.model)
        else:
            models.write.mode(args.mode).parquet(args.output)
        return
    models = _models(session, args.model)
    job = unframe_spark.clean if args.job == "clean" else unframe_spark.label
    lines = args.format == "jsonl"
    _write(job(crawl, models, lines=lines, broadcast_bytes=args.broadcast_mb << 20, **common), args)


def _crawl(session: Any, args: argparse.Namespace) -> Any:
    if all(".parquet" in path for path in args.input):
        crawl = session.read.parquet(*args.input)
        return crawl.select([name for name in ("url", "html", "date", "charset") if name in crawl.columns])
    index = session.read.parquet(args.index) if args.index else None
    return unframe_spark.files(session, args.input, index=index, split_bytes=args.split_mb << 20)


def _models(session: Any, path: Optional[str]) -> Any:
    if path is None:
        return None
    return session.read.parquet(path) if ".parquet" in path else Model.load(path)


def _work(args: argparse.Namespace) -> Optional[str]:
    return args.work or (args.output.rstrip("/") + ".work" if args.output else None)


def _write(frame: Any, args: argparse.Namespace) -> None:
    if args.format == "parquet":
        frame.write.mode(args.mode).parquet(args.output)
    elif frame.columns == ["value"]:
        frame.write.mode(args.mode).text(args.output)
    else:
        frame.write.mode(args.mode).json(args.output)


def _pair(text: str) -> "tuple[str, str]":
    name, separator, value = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"`{text}` is not NAME=VALUE")
    return name, value


def parser() -> argparse.ArgumentParser:
    jobs = ("clean", "learn", "label", "fingerprint", "cluster", "index", "where")
    parser = argparse.ArgumentParser(
        prog="python -m unframe.spark", description="The jobs of unframe on Apache Spark.", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("job", choices=jobs, help="the job to run; `where` prints the path of the file to give to spark-submit")
    parser.add_argument("--input", nargs="+", default=[], metavar="PATH",
                        help="files or patterns: WARC and everything else that unframe reads, or .parquet")
    parser.add_argument("--output", metavar="FOLDER", help="folder for the results")
    parser.add_argument("--work", metavar="FOLDER", help="folder for files between stages, which all executors can reach (default: OUTPUT.work)")
    parser.add_argument("--format", choices=("jsonl", "parquet"), default="jsonl", help="format of the results (default: jsonl)")
    parser.add_argument("--mode", choices=("error", "overwrite"), default="error", help="what to do if the output exists (default: error)")
    parser.add_argument("--model", metavar="FILE",
                        help="clean, label: use this model (a model file, or .parquet); learn: write one model file")
    parser.add_argument("--index", metavar="PARQUET", help="table with the columns file and offset, to split large files at records")
    parser.add_argument("--split-mb", type=int, default=256, metavar="MB", help="with --index: size of the parts in megabytes (default: 256)")
    parser.add_argument("--broadcast-mb", type=int, default=64, metavar="MB",
                        help="models larger than this are joined with their pages instead of broadcast (default: 64)")
    parser.add_argument("--method", help="places, dom or text; for fingerprints: fingerprint, fingerprint+, md5, mdh5")
    parser.add_argument("--set", type=_pair, action="append", default=[], metavar="NAME=VALUE",
                        help="a parameter of the method, such as sample=50")
    parser.add_argument("--seed", type=int, default=0, help="seed of the choice of pages that are compared on a large site (default: 0)")
    parser.add_argument("--site-by", choices=("host", "domain", "prefix", "all"), default="host",
                        help="how pages are grouped into sites (default: host)")
    parser.add_argument("--any-status", action="store_true", help="read pages with any HTTP status, not only 200")
    parser.add_argument("--all", action="store_true", help="keep repeated pages, which saves a pass")
    parser.add_argument("--compact", action="store_true", help="learn: keep only what labelling needs")
    parser.add_argument("--within-sites", action="store_true", help="cluster: never mix sites")
    return parser


if __name__ == "__main__":
    sys.exit(main())
