// The lists: groups of pages, templates, key pages, pages.

const ROWS_SHOWN = 100;

/** A list that shows more when it is asked to. */
function rows(items, makeRow) {
  const list = make("ul", { class: "rows" });
  const more = make("button", { onclick: () => grow() }, "");
  let shown = 0;
  function grow() {
    for (const item of items.slice(shown, shown + ROWS_SHOWN)) list.append(make("li", {}, makeRow(item)));
    shown = Math.min(items.length, shown + ROWS_SHOWN);
    more.hidden = shown === items.length;
    more.textContent = `show more (${count(items.length - shown)} left)`;
  }
  grow();
  return make("div", {}, list, more);
}

/** A page as a small picture of its own. */
function strip(page) {
  const canvas = make("canvas", { class: "strip", width: 600, height: 8 });
  const context = canvas.getContext("2d");
  const scale = 600 / model.bytesShown;
  const inks = palette();
  context.fillStyle = inks.content;
  context.fillRect(0, 0, Math.max(1, page.bytes * scale), 8);
  for (let at = 0; at < page.marks.length; at += 4) {
    context.fillStyle = inks.of(page.marks[at + 2], page.marks[at + 3]);
    context.fillRect(page.marks[at] * scale, 0, Math.max(0.5, (page.marks[at + 1] - page.marks[at]) * scale), 8);
  }
  return canvas;
}

function pageRow(page) {
  return make("a", { class: "row", href: `#page=${page.number}`, title: page.title },
    make("span", { class: "main" }, page.url),
    make("span", { class: "side" }, `${count(page.bytes)} B · ${percent(page.share)}`),
    strip(page));
}

/** What hovering or focusing an element does: the pieces stand out in the picture, and in the page that is open. */
function marking(pieces) {
  const mark = (isOn) => {
    const chosen = new Set(pieces);
    picture.hovered = isOn ? chosen : null;
    for (const span of document.querySelectorAll("#view [data-piece]")) {
      span.classList.toggle("chosen", isOn && chosen.has(Number(span.dataset.piece)));
    }
    draw();
  };
  return { onmouseenter: () => mark(true), onmouseleave: () => mark(false), onfocus: () => mark(true), onblur: () => mark(false) };
}

const templateName = (number) => (model.knowsPlaces ? nameOf(model.pieces[model.templates[number].pieces[0]]) : `T${number + 1}`);

/** How many templates have each name. */
let namesakes = null;

/** The name of a template; if others have the same name, with the beginning of its text. */
function fullName(number) {
  namesakes ??= model.templates.map((_, one) => templateName(one)).reduce((counts, name) => counts.set(name, (counts.get(name) || 0) + 1), new Map());
  const name = templateName(number);
  return name === "Box" || namesakes.get(name) > 1 ? `${name} “${shortened(firstText(model.templates[number]), 16)}”` : name;
}

const templateTag = (number) => make("a", { class: "tag", href: `#template=${number}`, title: firstText(model.templates[number]), ...marking(model.templates[number].pieces) }, fullName(number));

/** The first characters of a text. */
function shortened(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most).join("").trimEnd()}…` : text;
}

/** All templates with the number of those around them; a template inside of another comes right behind it. Of those side by side, the one that is on most pages, or has one inside that is, comes first. */
function nested() {
  const inside = new Map();
  const numbers = new Map(model.templates.map((one, number) => [model.pieces[one.pieces[0]].id, number]));
  const placed = new Set();
  for (let number of model.templates.keys()) {
    while (number !== -1 && !placed.has(number)) {
      placed.add(number);
      const around = numbers.get(model.pieces[model.templates[number].pieces[0]].within) ?? -1;
      inside.set(around, [...(inside.get(around) || []), number]);
      number = around;
    }
  }
  const list = [];
  const add = (number, depth) => { list.push({ number, depth }); (inside.get(number) || []).forEach((one) => add(one, depth + 1)); };
  (inside.get(-1) || []).forEach((one) => add(one, 0));
  return list;
}

const firstText = (template) => {
  const piece = template.pieces.find((one) => model.pieces[one].text);
  return piece === undefined ? "(no text)" : model.pieces[piece].text.slice(0, 160).replace(/\s+/g, " ").trim();
};

/** Groups are counted without outliers, which come first. */
const groupName = (number) => {
  const outliers = model.groups.filter((group) => group.outlier).length;
  return number < outliers ? "an outlier" : `Group ${number - outliers + 1}`;
};

function groupSection(group, number) {
  const share = percent(group.pages.length / Math.max(1, model.pages.length));
  const tags = group.schema.length ? group.schema.slice(0, 24).map(templateTag) : ["no common template"];
  return make("section", { class: "group" },
    make("h3", {}, `${groupName(number)}: ${plural(group.pages.length, "page")} (${share})`),
    make("p", {}, "Templates in their order: ", ...tags, group.schema.length > 24 ? " …" : ""),
    rows(group.pages.slice(0, 5).map((page) => model.pages[page]), pageRow),
    group.pages.length > 5 ? make("p", {}, make("a", { href: `#group=${number}` }, `all ${plural(group.pages.length, "page")} of this group`)) : "");
}

const views = {
  groups() {
    const outliers = model.groups.filter((group) => group.outlier);
    const pages = outliers.flatMap((group) => group.pages).map((page) => model.pages[page]);
    const usual = model.groups.map((group, number) => [group, number]).filter(([group]) => !group.outlier);
    return [
      make("h2", {}, "Pages by template schema"),
      make("p", { class: "muted" }, "A group is the pages whose templates stand in the same order, or nearly."),
      pages.length ? make("section", { class: "outliers" }, make("h3", {}, `Outliers: ${plural(pages.length, "page")} unlike the others`), rows(pages, pageRow)) : "",
      ...usual.slice(0, 50).map(([group, number]) => groupSection(group, number)),
      usual.length > 50 ? make("p", { class: "muted" }, `and ${plural(usual.length - 50, "smaller group")}`) : "",
    ];
  },
  group(number) {
    const group = model.groups[number];
    return group ? [make("h2", {}, groupName(number)), rows(group.pages.map((page) => model.pages[page]), pageRow)] : views.groups();
  },
  templates() {
    const listed = model.knowsPlaces ? nested() : model.templates.map((_, number) => ({ number, depth: 0 }));
    const what = model.knowsPlaces ? "Places of the site that show the same on several pages" : "Pieces that occur together are one template";
    return [
      make("h2", {}, plural(listed.length, "template")),
      make("p", { class: "muted" }, `${what}; the most widely used first.`),
      rows(listed, ({ number, depth }) => {
        const template = model.templates[number];
        const links = template.links ? `, ${plural(template.links, "link")}` : "";
        const pieces = model.knowsPlaces ? "" : `${plural(template.pieces.length, "piece")}, `;
        const row = make("a", { class: "row", href: `#template=${number}`, ...marking(template.pieces) },
          make("span", { class: "main" }, make("b", {}, templateName(number)), `  ${firstText(template)}`),
          make("span", { class: "side" }, `${count(template.pages.length)} of ${plural(model.pages.length, "page")}`),
          make("span", { class: "more" }, `${pieces}${count(template.bytes)} bytes in all${links}`));
        row.style.paddingLeft = `${4 + depth * 18}px`;
        return row;
      }),
    ];
  },
  key() {
    const keyRow = (key) => {
      const to = key.page === null ? `#piece=${key.piece}` : `#page=${key.page}`;
      const note = key.page === null ? " · not in the crawl" : "";
      return make("a", { class: "row", href: to },
        make("span", { class: "main" }, key.text || "(no text)"),
        make("span", { class: "side" }, `${percent(key.inTemplates / Math.max(1, model.pages.length))} of pages`),
        make("span", { class: "more" }, `${key.url} · in templates of ${count(key.inTemplates)}, in the content of ${plural(key.inContent, "page")}${note}`));
    };
    return [
      make("h2", {}, "Key pages"),
      make("p", { class: "muted" }, "Where the links lead that stand in templates on most pages."),
      model.keyPages.length ? rows(model.keyPages, keyRow) : make("p", {}, "No template has links on two pages or more."),
    ];
  },
  pages() {
    const words = $("search").value.trim().toLowerCase();
    const found = model.pages.filter((page) => page.url.toLowerCase().includes(words));
    const heading = words ? `${plural(found.length, "page")} with “${words}” in the address` : plural(found.length, "page");
    return [make("h2", {}, heading), found.length ? rows(found, pageRow) : make("p", {}, "Nothing found.")];
  },
  help() {
    const keys = [["↑ ↓", "one page up or down"], ["Page Up, Page Down, Home, End", "further"], ["Enter", "open the page"],
      ["+ − 0", "zoom in, zoom out, all pages"], ["/", "find pages by address"], ["Esc", "back to the groups"], ["Tab", "through everything else"]];
    return [
      make("h2", {}, "How to read the picture"),
      make("p", {}, "Each bar is a page, as long as the page has bytes. Grey is what only this page has. Colours are templates, drawn where they lie, by the share of the site's pages that have them; a lighter colour is a part that changes from page to page. Pale blue is repeated markup that nobody reads, sand is clutter: neither template nor content, such as teasers."),
      make("p", {}, "Click a bar to read the page with its templates shaded; click the id of a template to see every page that has it. Hover a template in a list to see where it stands."),
      make("table", {}, ...keys.map(([key, what]) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, what)))),
    ];
  },
};
