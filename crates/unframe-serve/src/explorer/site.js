// One site: its picture, pages, templates, schemas, timeline and clusters.

import { api, ask, query } from "./ask.js";
import { bytes, count, day, facts, make, path, percent, tabs, titled } from "./make.js";
import { picture } from "./picture.js";
import { rows } from "./rows.js";
import { timeline } from "./timeline.js";

const TABS = [["picture", "Picture"], ["pages", "Pages"], ["templates", "Templates"], ["schemas", "Schemas"], ["timeline", "Timeline"], ["clusters", "Clusters"]];

export async function site(view, name, tab = "picture", detail) {
  const known = await ask(api("sites", name));
  const learned = known.learned;
  view.append(make("h1", {}, name), facts(
    ["pages", count(known.pages)], ["bytes", bytes(known.bytes)], ["template, HTML", percent(known.share)],
    ...(learned ? [["text", percent(learned.text)], ["links", percent(learned.links)], ["templates", count(learned.templates)]] : []),
    ...(known.oldest ? [["dates", day(known.oldest) === day(known.newest) ? day(known.oldest) : `${day(known.oldest)} to ${day(known.newest)}`]] : [])));
  view.append(tabs(TABS, tab, (key) => path("site", name, key)));
  if (!learned) {
    view.append(waiting(name));
    if (tab !== "pages") return;
  }
  const shows = { picture: showPicture, pages: showPages, templates: showTemplates, schemas: showSchemas, timeline, clusters: showClusters };
  await (shows[tab] ?? showPicture)(view, name, detail);
}

function waiting(name) {
  const button = make("button", { type: "button", onclick: learn }, "Learn it now");
  async function learn() {
    button.disabled = true;
    let job = await ask(api("sites", name, "learn"), { method: "POST" });
    while (job.state === "queued" || job.state === "running") {
      button.textContent = `Learning: ${job.done} of ${job.total}`;
      await new Promise((resolve) => setTimeout(resolve, 300));
      job = await ask(api("jobs", job.job));
    }
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  }
  return make("p", { class: "bar" }, "This site is not learned yet. ", button);
}

async function showPicture(view, name) {
  view.append(await picture(name));
}

function showPages(view, name, schema) {
  let [q, sort] = ["", "length"];
  const load = async (offset, limit) => {
    const found = await ask(api("sites", name, "pages") + query({ q, sort, schema, limit, offset }));
    return { rows: found.pages, total: found.total };
  };
  const list = rows({ load, draw: pageRow, link: (page) => path("page", page.page), label: "Pages" });
  const filter = make("input", { type: "search", placeholder: "Filter by address or title", "aria-label": "Filter pages", oninput: () => { q = filter.value.trim(); list.again(); } });
  const order = make("select", { "aria-label": "Order", onchange: () => { sort = order.value; list.again(); } },
    [["length", "by length"], ["share", "by template share"], ["url", "by address"], ["new", "newest first"]].map(([value, text]) => make("option", { value }, text)));
  view.append(make("div", { class: "bar" }, filter, order, schema === undefined ? null : make("a", { href: path("site", name, "pages") }, `only schema ${schema}: show all`)), list);
}

export function pageRow(page) {
  return [
    make("span", { class: "main" }, page.title || page.url),
    make("span", { class: "side" }, percent(page.share)),
    make("span", { class: "more" }, `${page.url}, ${bytes(page.bytes)}${page.date ? `, ${day(page.date)}` : ""}`),
  ];
}

/** A template inside of others stands further to the right. */
function indented(depth, element) {
  element.style.paddingLeft = `${18 * Math.min(depth, 5)}px`;
  return element;
}

function showTemplates(view, name) {
  let q = "";
  const load = async (offset, limit) => {
    const found = await ask(api("sites", name, "templates") + query({ q, limit, offset }));
    return { rows: found.templates, total: found.total };
  };
  const draw = (one) => [
    indented(one.depth, make("span", { class: "main" }, one.sort ? make("b", {}, `${titled(one.sort)}  `) : "", one.text || "(no text)")),
    make("span", { class: "side" }, `${count(one.pages)} pages, ${percent(one.share)}`),
    indented(one.depth, make("span", { class: "more" }, `${one.links ? `${count(one.links)} ${one.links === 1 ? "link" : "links"}, ` : ""}${one.pieces > 1 ? `${count(one.pieces)} pieces, ` : ""}${bytes(one.bytes)} in all, ${one.template}`)),
  ];
  const list = rows({ load, draw, link: (one) => path("site", name, "template", one.template), label: "Templates" });
  const filter = make("input", { type: "search", placeholder: "Filter by text", "aria-label": "Filter templates", oninput: () => { q = filter.value.trim(); list.again(); } });
  view.append(make("div", { class: "bar" }, filter), list);
}

async function showSchemas(view, name) {
  const { schemas } = await ask(api("sites", name, "schemas"));
  view.append(make("p", { class: "sub" }, "Pages with the same templates in the same order. Outliers, at a red line, are groups of few pages."));
  for (const one of schemas) {
    const templates = one.templates.map((template) => make("a", { class: "id", href: path("site", name, "template", template.template), title: template.template }, template.text.slice(0, 40) || template.template));
    const examples = one.examples.map((page) => make("li", {}, make("a", { href: path("page", page.page) }, page.title || page.url)));
    view.append(make("section", { class: `card ${one.is_outlier ? "outlier" : ""}` },
      make("a", { href: path("site", name, "pages", one.schema) }, `Schema ${one.schema}: ${count(one.pages)} ${one.pages === 1 ? "page" : "pages"}${one.is_outlier ? ", outlier" : ""}`),
      make("div", {}, templates.length ? templates : "no template"), make("ul", {}, examples)));
  }
}

async function showClusters(view, name) {
  const { clusters, total } = await ask(api("sites", name, "clusters") + query({ limit: 200 }));
  view.append(make("p", { class: "sub" }, `${count(total)} clusters of pages whose tags have nearly the same fingerprint.`));
  for (const one of clusters) {
    const examples = one.examples.map((page) => make("li", {}, make("a", { href: path("page", page.page) }, page.url)));
    view.append(make("section", { class: "card" }, make("b", {}, `${count(one.pages)} pages `), make("span", { class: "id" }, one.cluster), make("ul", {}, examples)));
  }
}
