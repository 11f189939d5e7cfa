// All sites: how much of each is template, and how that changes from page to page.

import { api, ask, query } from "./ask.js";
import { bytes, count, make, pages, path, percent, spark } from "./make.js";
import { rows } from "./rows.js";

export async function sites(view) {
  const first = await ask(api("sites") + query({ limit: 1 }));
  if (first.total === 0) {
    view.append(make("h1", {}, "No pages yet"), make("div", { class: "empty" },
      make("p", {}, "Drop a WARC file anywhere on this page, or choose one:"), make("a", { class: "button", href: "#/jobs" }, "Upload a crawl")));
    return;
  }
  // The service pages by name; the list pages by number. What was skipped is remembered.
  let filter = "";
  let after = [""];
  async function load(offset, limit) {
    const number = offset / limit;
    while (after.length <= number) {
      const found = await ask(api("sites") + query({ after: after.at(-1), q: filter, limit }));
      if (!found.next) return { rows: [], total: found.total };
      after.push(found.next);
    }
    const found = await ask(api("sites") + query({ after: after[number], q: filter, limit }));
    if (found.next) after[number + 1] = found.next;
    return { rows: found.sites, total: found.total };
  }
  const list = rows({ load, link: (site) => path("site", site.site), draw, height: 56, label: "Sites", kind: "wide" });
  const input = make("input", { type: "search", placeholder: "Filter sites", "aria-label": "Filter sites", oninput: () => {
    filter = input.value.trim();
    after = [""];
    list.again();
  } });
  view.append(make("div", { class: "bar" }, make("h1", {}, `${count(first.total)} ${first.total === 1 ? "site" : "sites"}`), input), list);
  list.focus({ preventScroll: true });
}

function draw(site) {
  const learned = site.learned ? `${count(site.learned.templates)} templates${site.learned.is_stale ? ", newer pages wait to be learned" : ""}` : "not learned yet";
  return [
    make("span", { class: "main" }, site.site),
    spark(site.shares),
    make("span", { class: "share" }, percent(site.share), make("small", {}, "template")),
    make("span", { class: "more" }, `${pages(site.pages)}, ${bytes(site.bytes)}, ${learned}`),
  ];
}
