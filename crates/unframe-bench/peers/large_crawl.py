"""A crawl that is larger than memory: real pages under the names of many sites, and how a verb of unframe reads it.

    large_crawl.py make FOLDER SITES OUT.jsonl.gz      # FOLDER: WARC files; three pages for each of SITES sites
                   --large PAGES --large-sites COUNT   # and one or more sites of so many pages
                   --page-bytes-max BYTES              # only of pages of at most so many bytes
                   --files COUNT                       # several files, OUT-00.jsonl.gz and so on
    large_crawl.py run OUT.jsonl.gz COMMAND ...        # for example: unframe clean OUT.jsonl.gz --memory 1G -q
    large_crawl.py draw RESULTS.jsonl OUT.svg          # the lines that several runs printed

`make` writes each page as three members of a gzip file, the large one compressed only once, so that millions of pages take minutes. Each page ends with a
paragraph of its own. The three pages of a site are far apart. `run` prints a line of JSON: seconds, processor time, memory at most with and without files that
are mapped into memory, and how fast the command read each tenth of the file, each time that it read it: by the clock, and by processor time, which other programs
on the machine disturb less.
"""

import argparse
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import time
from glob import glob

from warcio.archiveiterator import ArchiveIterator

PAGES = 3
PAGE_BYTES_MAX = 200_000


def real_sites(folder, page_bytes_max):
    """The pages of each WARC file, as gzip members that hold a JSON line from the end of the address to the end of the page."""
    sites, sizes = [], []
    for name in sorted(glob(os.path.join(folder, "*.warc.gz"))):
        pages = []
        with open(name, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type != "response":
                    continue
                body = record.content_stream().read()
                try:
                    html = body.decode("utf-8")
                except UnicodeDecodeError:
                    continue
                if len(body) <= page_bytes_max:
                    sizes.append(len(body))
                    line = '","html":' + json.dumps(html, ensure_ascii=False).removesuffix('"')
                    pages.append(gzip.compress(line.encode(), 6, mtime=0))
        if len(pages) >= PAGES:
            sites.append(pages)
    print(f"{len(sites)} sites, {len(sizes)} pages of {sum(sizes) // len(sizes)} bytes", file=sys.stderr)
    return sites


def make(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("sites", type=int)
    parser.add_argument("out")
    parser.add_argument("--large", type=int, default=0)
    parser.add_argument("--large-sites", type=int, default=1)
    parser.add_argument("--page-bytes-max", type=int, default=PAGE_BYTES_MAX)
    parser.add_argument("--files", type=int, default=1)
    options = parser.parse_args(arguments)
    sites = real_sites(options.folder, options.page_bytes_max)
    chosen = random.Random(7)
    picks = [chosen.sample(range(len(sites[site % len(sites)])), PAGES) for site in range(options.sites)]
    pages = [(site, number, picks[site][number]) for number in range(PAGES) for site in mixed(range(options.sites), number)]
    # A large site is a real site again and again, between the pages of the others.
    for large in range(options.large_sites):
        site = options.sites + large
        pages += [(site, number, number % len(sites[site % len(sites)])) for number in range(options.large)]
    if options.large:
        pages = mixed(pages, PAGES)
    for number in range(options.files):
        name = options.out if options.files == 1 else f"{options.out.removesuffix('.jsonl.gz')}-{number:02}.jsonl.gz"
        with open(name, "wb") as file:
            for site, page, pick in pages[number * len(pages) // options.files : (number + 1) * len(pages) // options.files]:
                start = f'{{"url":"http://s{site}.example/p{page}'
                end = f'<p>This is copy {page} for site {site}.</p>"}}\n'
                file.write(gzip.compress(start.encode(), 0, mtime=0))
                file.write(sites[site % len(sites)][pick])
                file.write(gzip.compress(end.encode(), 0, mtime=0))


def mixed(items, seed):
    items = list(items)
    random.Random(seed).shuffle(items)
    return items


def position(pid, path):
    """The offset up to which a process has read a file; None while the file is not open."""
    far = None
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            if os.path.realpath(f"/proc/{pid}/fd/{fd}") == path:
                with open(f"/proc/{pid}/fdinfo/{fd}") as info:
                    far = max(far or 0, int(info.readline().split()[1]))
    except OSError:
        pass
    return far


def anonymous_kilobytes(pid):
    """The memory of a process without files that are mapped into memory."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return max((int(line.split()[1]) for line in status if line.startswith("RssAnon:")), default=0)
    except OSError:
        return 0


def processor_seconds(pid):
    """The processor time that a process has taken."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def paces(samples, size):
    """For each pass over the file, the megabytes a second in each tenth of the file."""
    passes = [[]]
    for at, where in samples:
        if passes[-1] and where < passes[-1][-1][1]:
            passes.append([])
        passes[-1].append((at, where))

    def pace(one, tenth):
        inside = [(at, where) for at, where in one if tenth * size <= where * 10 <= (tenth + 1) * size]
        if len(inside) < 3 or inside[-1][0] == inside[0][0]:
            return None
        return round((inside[-1][1] - inside[0][1]) / (inside[-1][0] - inside[0][0]) / 1e6, 2)

    found = [[pace(one, tenth) for tenth in range(10)] for one in passes]
    return [one for one in found if None not in one]


def run(crawl, command):
    path, size = os.path.realpath(crawl), os.path.getsize(crawl)
    before, started, samples, anonymous = resource.getrusage(resource.RUSAGE_CHILDREN), time.time(), [], 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        where = position(process.pid, path)
        if where is not None:
            samples.append((time.time() - started, processor_seconds(process.pid), where))
        anonymous = max(anonymous, anonymous_kilobytes(process.pid))
        time.sleep(0.2)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        json.dumps(
            {
                "command": " ".join(command[1:3]),
                "exit": process.returncode,
                "seconds": round(time.time() - started),
                "cpu": round(cpu),
                "megabytes": after.ru_maxrss * 1024 // 1_000_000,
                "anonymous_megabytes": anonymous * 1024 // 1_000_000,
                "megabytes_a_second": paces([(clock, where) for clock, _, where in samples], size),
                "megabytes_a_processor_second": paces([(processor, where) for _, processor, where in samples], size),
            }
        ),
        flush=True,
    )


COLORS = {
    "learn": "#1b6ca8", "clean": "#d1495b", "label": "#2e8b57", "templates": "#b8860b", "volume": "#6a4c93",
    "index": "#444444", "cluster": "#008080", "follow": "#c71585",
}  # fmt: skip
LEFT, TOP, WIDE, HIGH, APART, MOST = 46, 34, 190, 170, 26, 1.5


def draw(results, out):
    """Draws a panel for each crawl, with a line for each pass of a command over it: the pace in each tenth, by processor time, the first tenth being 1."""
    panels = {}
    with open(results, encoding="utf-8") as file:
        for run in (json.loads(line) for line in file if line.startswith("{")):
            verb, crawl = run["command"].split()
            panels.setdefault(os.path.basename(crawl).split(".")[0], []).append((verb, run["megabytes_a_processor_second"]))
    width, height = LEFT + len(panels) * (WIDE + APART) + 90, TOP + HIGH + 50
    y = lambda pace: TOP + HIGH * (1 - min(pace, MOST) / MOST)
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        "<title>Pace of reading by tenths of the crawl, the first being 1</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for mark in (0, 0.5, 0.85, 1, 1.5):
        svg.append(f'<text x="{LEFT - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark}</text>')
    for number, (crawl, runs) in enumerate(panels.items()):
        left = LEFT + number * (WIDE + APART)
        x = lambda tenth, left=left: left + WIDE * (tenth + 0.5) / 10
        svg.append(f'<text x="{left}" y="{TOP - 14}" font-weight="bold">{crawl}</text>')
        for mark in (0, 0.5, 0.85, 1, 1.5):
            svg.append(f'<path d="M{left} {y(mark):.1f}h{WIDE}" stroke="{"#c33" if mark == 0.85 else "#ddd"}"/>')
        for tenth in range(10):
            svg.append(f'<text x="{x(tenth):.1f}" y="{TOP + HIGH + 18}" text-anchor="middle">{tenth + 1}</text>')
        for verb, passes in runs:
            for last, paces in [(number == len(passes), paces) for number, paces in enumerate(passes, 1)]:
                points = " ".join(f"{x(tenth):.1f},{y(pace / paces[0]):.1f}" for tenth, pace in enumerate(paces))
                dashes = "" if last else ' stroke-dasharray="4 3"'
                svg.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[verb]}" stroke-width="1.5"{dashes}/>')
    svg.append(f'<text x="{LEFT}" y="{TOP + HIGH + 40}">tenths of the crawl, in the order of the file; dashed: earlier passes of a verb</text>')
    for number, (verb, color) in enumerate(COLORS.items()):
        svg.append(f'<text x="{width - 80}" y="{TOP + 12 + 18 * number}" fill="{color}">{verb}</text>')
    svg.append("</svg>")
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(svg) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2:])
    elif sys.argv[1] == "draw":
        draw(sys.argv[2], sys.argv[3])
    else:
        run(sys.argv[2], sys.argv[3:])
