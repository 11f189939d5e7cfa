// One page: as it looks, as it is written, what is left of it, and its regions.

import { api, ask, query } from "./ask.js";
import { bytes, count, day, facts, make, path, percent, tabs } from "./make.js";

const TABS = [["look", "Rendered"], ["source", "Source"], ["text", "Content"], ["regions", "Regions"]];

export async function page(view, id, tab = "look") {
  const known = await ask(api("pages", id));
  const share = ({ template, total }) => percent(total ? template / total : 0);
  view.append(
    make("h1", {}, known.title || known.url),
    make("p", { class: "sub" }, known.url, ", ", make("a", { href: path("site", known.site) }, known.site)),
    facts(["bytes", bytes(known.bytes)], ["template, HTML", share(known.volume.html)], ["text", share(known.volume.text)], ["links", share(known.volume.links)],
      ["charset", known.charset], ["judged by", known.labelled_by === "model" ? "the site's model" : "the pages before it"], ...(known.date ? [["date", day(known.date)]] : [])),
    tabs(TABS, tab, (key) => path("page", id, key)));
  const shows = { look, source, text, regions };
  await (shows[tab] ?? look)(view, id, known);
}

// The page is a document of its own, without scripts, network or any origin; its answer forbids them a second time.
async function look(view, id, known) {
  const clean = make("pre", { class: "text source", tabindex: 0, "aria-label": "Clean" });
  ask(api("pages", id, "clean") + query({ as: "markdown" })).then((found) => { clean.textContent = found.text || "(nothing is left)"; });
  view.append(
    make("div", { class: "bar" }, make("span", { class: "legend" }, "Templates are shaded blue, clutter is shaded yellow. Images, scripts and style sheets from elsewhere are not loaded."),
      make("a", { class: "button", href: api("pages", id, "html"), download: `page-${id}.html` }, "Save the HTML")),
    make("div", { class: "beside" },
      make("iframe", { class: "frame", sandbox: "", src: api("pages", id, "view"), title: `The page ${known.url}`, referrerpolicy: "no-referrer" }),
      clean));
}

async function source(view, id, known) {
  const text = make("pre", { class: "text source", tabindex: 0 });
  view.append(text);
  let from = 0;
  async function more() {
    const found = await ask(api("pages", id, "source") + query({ from }));
    for (const part of found.parts) {
      const region = part.template && { class: `region ${part.kind}`, href: path("site", known.site, "template", part.template), title: `${part.sort ? `${part.sort}, ` : ""}${part.kind}, ${part.template}, on ${part.pages} pages` };
      text.append(region ? make("a", region, part.text) : part.text);
    }
    from = found.to;
    if (from < found.page.bytes) view.append(make("button", { type: "button", onclick: (event) => { event.target.remove(); more(); } }, `More: ${bytes(found.page.bytes - from)} left`));
  }
  await more();
}

async function text(view, id) {
  const found = await ask(api("pages", id, "clean") + query({ as: "markdown" }));
  view.append(make("pre", { class: "text source", tabindex: 0 }, found.text || "(nothing is left)"));
}

function regions(view, id, known) {
  const row = (one) => make("tr", {},
    make("td", {}, `${one.start}–${one.end}`), make("td", {}, count(one.pages)), make("td", {}, one.kind), make("td", {}, one.sort ?? ""),
    make("td", {}, one.confidence === undefined ? "" : percent(one.confidence)),
    make("td", {}, make("a", { class: "id", href: path("site", known.site, "template", one.template) }, one.template)));
  view.append(make("div", { class: "scroll" }, make("table", {},
    make("tr", {}, ["bytes", "pages", "kind", "sort", "confidence", "template"].map((name) => make("th", {}, name))), known.regions.map(row))));
}
