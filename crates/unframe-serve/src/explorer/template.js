// One template: its text, its pieces with their selectors, and its pages.

import { api, ask, query } from "./ask.js";
import { bytes, count, facts, make, path, percent, titled } from "./make.js";
import { rows } from "./rows.js";
import { pageRow } from "./site.js";

export async function template(view, site, name) {
  const found = await ask(api("sites", site, "templates", name) + query({ limit: 1 }));
  view.append(
    make("h1", {}, `${found.sort ? titled(found.sort) : "Template"} ${found.template}`), make("p", { class: "sub" }, "of ", make("a", { href: path("site", site, "templates") }, site)),
    facts(["pages", `${count(found.pages)} (${percent(found.share)})`], ...(found.links ? [["links", count(found.links)]] : []), ...(found.within ? [["inside of", make("a", { class: "id", href: path("site", site, "template", found.within) }, found.within)]] : []), ["occurrences", count(found.occurrences)], ["bytes in all", bytes(found.bytes)], ["pieces", count(found.pieces)], ["selectors tried on", `${count(found.selector_pages)} pages`]),
    make("h2", {}, "Text"), make("pre", { class: "text" }, found.text || "(no text)"), make("h2", {}, "Pieces and how to select them"));
  for (const piece of found.piece_list) view.append(card(piece));
  const load = async (offset, limit) => {
    const more = await ask(api("sites", site, "templates", name) + query({ limit, offset }));
    return { rows: more.page_list, total: more.pages };
  };
  view.append(make("h2", {}, `Its ${count(found.pages)} pages`), rows({ load, draw: pageRow, link: (page) => path("page", page.page), label: "Pages with this template" }));
}

function card(piece) {
  const selectors = piece.selectors.map((one) => [make("code", { title: "CSS" }, one.css), make("code", { title: "XPath" }, one.xpath)]);
  const how = piece.elements === 0 ? "" : `; the selectors find ${count(piece.selected)} of its ${count(piece.elements)} elements, and no content`;
  return make("section", { class: "card" },
    make("div", {}, piece.text || "(no text)"),
    make("div", { class: "muted" }, make("span", { class: "id" }, piece.hash), ` ${count(piece.occurrences)} times on ${count(piece.pages)} pages${how}`),
    make("div", {}, selectors.length ? selectors : make("span", { class: "muted" }, "no selector finds it without content")));
}
