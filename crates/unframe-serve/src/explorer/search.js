// Search, with and without templates, side by side.

import { api, ask, query } from "./ask.js";
import { count, make, path } from "./make.js";

export async function search(view, words) {
  document.getElementById("query").value = words;
  view.append(make("h1", {}, `“${words}”`));
  const find = (in_templates) => ask(api("search") + query({ q: words, in_templates, limit: 20 }));
  const [clean, whole] = await Promise.all([find(false), find(true)]);
  if (clean.pages === 0) {
    view.append(make("p", { class: "empty" }, "The index has no pages yet: it is updated when no new page has arrived for a few seconds."));
    return;
  }
  const urls = (found) => new Set(found.hits.map((hit) => hit.url));
  const [cleanUrls, wholeUrls] = [urls(clean), urls(whole)];
  view.append(make("p", { class: "sub" }, `${count(clean.pages)} pages in the index. A line marks what only one side has among its first 20.`),
    make("div", { class: "sides" }, side("Without templates", clean, wholeUrls), side("With templates", whole, cleanUrls)));
}

function side(title, found, others) {
  const hits = found.hits.map((hit) => make("article", { class: `hit ${others.has(hit.url) ? "" : "only"}` },
    make("a", { href: path("address", hit.site, hit.url) }, hit.title || hit.url),
    make("div", { class: "muted" }, hit.url), make("div", {}, marked(hit.snippet, hit.highlights))));
  return make("section", {}, make("h2", {}, `${title}: ${count(found.total)} ${found.total === 1 ? "page" : "pages"}`), hits);
}

// Places of words are in bytes of UTF-8.
function marked(text, places) {
  const bytes = new TextEncoder().encode(text);
  const part = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  const parts = [];
  let at = 0;
  for (const [start, end] of places) {
    parts.push(part(at, start), make("mark", {}, part(start, end)));
    at = end;
  }
  return [...parts, part(at, bytes.length)];
}

// A hit names an address; the site's list of pages knows its number.
export async function address(view, site, url) {
  const found = await ask(api("sites", site, "pages") + query({ q: url.slice(0, 200), limit: 100 }));
  const page = found.pages.find((one) => one.url === url) ?? found.pages[0];
  if (page) location.replace(path("page", page.page));
  else view.append(make("p", { class: "bad" }, `${url} is not kept any more.`));
}
