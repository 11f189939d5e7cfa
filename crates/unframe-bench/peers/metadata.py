"""Compares authors and dates with the gold values of WCXB, the Web Content eXtraction Benchmark (Foley 2026, CC BY 4.0).

    python metadata.py WCXB/dev --unframe target/release/unframe [--metascraper FOLDER] [--errors author|date]

reads `html/ID.html.gz` and `ground-truth/ID.json`, and asks every program for the author and the date of publication of each page:
`unframe clean --metadata`, trafilatura, and metascraper if a folder is given where it is installed with npm. A page without an
address gets one that says nothing.

An author is right if the first name is that of the gold data, or if all names are: case, accents, punctuation, titles, and what
follows a comma (degrees, posts) do not count. A date is right if year, month and day are. Recall counts all values of the gold
data; precision counts all values found, also where the gold data have none.
"""

import argparse
import gzip
import json
import re
import subprocess
import tempfile
import unicodedata
from pathlib import Path
from urllib.parse import urlsplit

METASCRAPER = """
import metascraper from 'metascraper'; import author from 'metascraper-author'; import date from 'metascraper-date';
import readline from 'node:readline';
const scrape = metascraper([author(), date()]);
for await (const line of readline.createInterface({ input: process.stdin })) {
  const page = JSON.parse(line);
  let found = {};
  try { found = await scrape({ html: page.html, url: page.url }); } catch {}
  console.log(JSON.stringify({ author: found.author, date: found.date }));
}
"""


def pages(folder):
    """(id, address, bytes, author, date) of every page; a value missing from the gold data is None."""
    for path in sorted((folder / "ground-truth").glob("*.json")):
        page = json.loads(path.read_text(encoding="utf-8"))
        html = gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes())
        url = page.get("url") or ""
        url = url if urlsplit(url).hostname else f"https://page-{path.stem}.test/"
        gold = page["ground_truth"]
        yield path.stem, url, html, gold.get("author") or None, gold.get("publish_date") or None


def of_unframe(program, method, found):
    """The values that unframe finds. Each address gets a unique fragment, because some pages share an address."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pages.jsonl"
        with open(file, "w", encoding="utf-8") as out:
            for name, url, html, _, _ in found:
                line = {"url": f"{url.split('#')[0]}#{name}", "html": html.decode("utf-8", "replace")}
                out.write(json.dumps(line) + "\n")
        command = [program, "clean", "--method", method, "--metadata", "-q", str(file)]
        lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
    of_page = {}
    for line in map(json.loads, lines):
        of_page[line["url"].rpartition("#")[2]] = (line.get("author"), line.get("published"))
    return [of_page.get(name, (None, None)) for name, *_ in found]


def of_trafilatura(found):
    from trafilatura.metadata import extract_metadata

    values = []
    for _, url, html, _, _ in found:
        try:
            page = extract_metadata(html, default_url=url)
            values.append((page.author, page.date) if page else (None, None))
        except Exception:
            values.append((None, None))
    return values


def of_metascraper(folder, found):
    lines = (json.dumps({"url": url, "html": html.decode("utf-8", "replace")}) + "\n" for _, url, html, _, _ in found)
    command = ["node", "--input-type=module", "-e", METASCRAPER]
    run = subprocess.run(command, cwd=folder, check=True, capture_output=True, input="".join(lines).encode())
    values = map(json.loads, run.stdout.splitlines())
    return [(value.get("author"), value.get("date")) for value in values]


def plain(name):
    letters = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(re.findall(r"\w+", letters))


def names(author):
    """Splits a list of names and removes titles."""
    parts = re.split(r";|,| and | & |\|", author)
    return [name for name in (re.sub(r"^(dr|prof) ", "", plain(part)) for part in parts) if name]


def is_author(gold, found):
    if plain(gold) == plain(found):
        return True
    gold, found = names(gold), names(found)
    return bool(gold and found) and (gold[0] == found[0] or set(gold) == set(found))


def is_date(gold, found):
    return found[:10].startswith(gold[:10])


def score(gold, found, is_right):
    pairs = list(zip(gold, found))
    right = sum(1 for want, have in pairs if want and have and is_right(want, have))
    wanted = sum(1 for want, _ in pairs if want)
    given = sum(1 for _, have in pairs if have)
    invented = sum(1 for want, have in pairs if have and not want)
    precision, recall = right / max(given, 1), right / max(wanted, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return wanted, right, given, invented, precision, recall, f1


def row(name, what, total, wanted, right, given, invented, precision, recall, f1):
    no_gold = f"{invented} of {total - wanted}"
    return f"| {what} | {name} | {recall:.3f} | {precision:.3f} | {f1:.3f} | {no_gold} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--unframe", default="target/release/unframe")
    parser.add_argument("--method", default="none", help="how unframe compares the pages of a host; by default not at all")
    parser.add_argument("--metascraper", type=Path, help="a folder where metascraper is installed")
    parser.add_argument("--errors", choices=["author", "date"], help="print the errors of unframe instead of the table")
    parser.add_argument("--alone", action="store_true", help="unframe only")
    arguments = parser.parse_args()
    found = list(pages(arguments.folder))
    programs = {"unframe": of_unframe(arguments.unframe, arguments.method, found)}
    if not arguments.alone and not arguments.errors:
        programs["trafilatura"] = of_trafilatura(found)
        if arguments.metascraper:
            programs["metascraper"] = of_metascraper(arguments.metascraper, found)
    if arguments.errors:
        return print_errors(found, programs["unframe"], arguments.errors)
    print(f"{len(found)} pages\n")
    print("| value | program | recall | precision | F1 | found where the gold data have none |\n|---|---|---|---|---|---|")
    for what, at, is_right in [("author", 0, is_author), ("date", 1, is_date)]:
        gold = [page[3 + at] for page in found]
        for name, values in programs.items():
            print(row(name, what, len(found), *score(gold, [value[at] for value in values], is_right)))


def print_errors(found, values, what):
    at, is_right = (0, is_author) if what == "author" else (1, is_date)
    for page, value in zip(found, values):
        gold, have = page[3 + at], value[at]
        is_error = bool(gold) != bool(have) or (gold and have and not is_right(gold, have))
        if is_error:
            print(f"{page[0]}\tgold {gold!r}\tfound {have!r}\t{page[1]}")


if __name__ == "__main__":
    main()
