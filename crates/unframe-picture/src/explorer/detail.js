// One page, one template, one piece.

/** A link to the page itself, if its address is one of the web. */
function outside(url) {
  const isWeb = /^https?:\/\//i.test(url);
  return isWeb ? make("a", { href: url, target: "_blank", rel: "noopener noreferrer", class: "url" }, url) : make("span", { class: "url" }, url);
}

function region(part) {
  const piece = model.pieces[part.piece];
  const times = `${plural(piece.occurrences, "time")} on ${plural(piece.pages, "page")}`;
  const label = model.knowsPlaces ? piece.sort || "box" : piece.id;
  const id = make("a", { class: "id", href: `#piece=${part.piece}`, title: `${KINDS[part.kind]}, ${times}`, ...marking([part.piece]) }, label);
  const span = make("span", { class: `region ${KINDS[part.kind]}`, "data-piece": part.piece }, part.text, id);
  span.style.setProperty("--ink", palette().of(part.piece, part.kind));
  return span;
}

views.page = (number) => {
  const page = model.pages[number];
  if (!page) return views.pages();
  const text = make("div", { class: "text", id: "page-text" }, "…");
  const clean = make("div", { class: "text", id: "clean-text" }, "…");
  const counts = make("p", { class: "muted", id: "counts" });
  textOf(number).then((parts) => {
    text.replaceChildren(...parts.map((part) => (part.piece === null ? part.text : region(part))));
    if (!parts.length) text.textContent = "(no text)";
    clean.textContent = parts.filter((part) => part.piece === null).map((part) => part.text).join("").trim() || "(nothing is left)";
    counts.replaceChildren(...shares(parts));
    const chosen = view.piece === null ? null : text.querySelector(`[data-piece="${view.piece}"]`);
    if (chosen) { chosen.classList.add("chosen"); chosen.scrollIntoView({ block: "center" }); }
  });
  return [
    make("h2", {}, page.title || "(no title)"),
    make("p", {}, outside(page.url)),
    make("p", { class: "muted" }, `${count(page.bytes)} bytes, ${percent(page.share)} template, ${plural(page.marks.length / 4, "region")} · `,
      make("a", { href: `#group=${page.group}` }, groupName(page.group))),
    strip(page),
    counts,
    onPage(page),
    make("div", { class: "sides" },
      make("div", {}, make("h3", {}, "Text, templates and clutter shaded"), text),
      make("div", {}, make("h3", {}, "Clean"), clean)),
  ];
};

/** How much of a text is content, template, clutter. */
function shares(parts) {
  const sums = { content: 0, template: 0, clutter: 0 };
  for (const { piece, kind, text } of parts) {
    sums[piece === null ? "content" : kind === CLUTTER ? "clutter" : "template"] += text.replace(/\s+/g, "").length;
  }
  const all = Math.max(1, sums.content + sums.template + sums.clutter);
  return Object.entries(sums).map(([name, chars]) => make("span", { class: `share ${name}` }, `${name} ${count(chars)} characters (${percent(chars / all)})  `));
}

/** The templates of a page: hovering one marks it in the text. */
function onPage(page) {
  const numbers = new Set();
  for (let at = 0; at < page.marks.length; at += 4) {
    const { template } = model.pieces[page.marks[at + 2]];
    if (template !== null && page.marks[at + 3] < MARKUP) numbers.add(template);
  }
  return make("p", {}, "Templates: ", ...(numbers.size ? [...numbers].slice(0, 40).map(templateTag) : ["none"]));
}

function pieceBlock(number) {
  const piece = model.pieces[number];
  const span = make("div", { class: "text region" }, piece.text || "(no text: markup, scripts or styles)");
  span.style.setProperty("--ink", palette().of(number, REPEATED));
  return make("section", {},
    make("p", {}, make("a", { class: "id", href: `#piece=${number}` }, piece.id), ` ${plural(piece.occurrences, "time")} on ${plural(piece.pages, "page")}`),
    span);
}

views.template = (number) => {
  const template = model.templates[number];
  if (!template) return views.templates();
  const pages = template.pages.map((page) => model.pages[page]);
  return [
    make("h2", {}, model.knowsPlaces ? templateName(number) : `Template T${number + 1}`),
    make("p", { class: "muted" }, model.knowsPlaces
      ? `on ${count(pages.length)} of ${plural(model.pages.length, "page")}, ${plural(template.links, "link")}, ${count(template.bytes)} bytes in all`
      : `${plural(template.pieces.length, "piece")} that occur together on ${plural(pages.length, "page")}, ${count(template.bytes)} bytes in all`),
    ...template.pieces.slice(0, 60).map(pieceBlock),
    template.pieces.length > 60 ? make("p", { class: "muted" }, `and ${plural(template.pieces.length - 60, "more piece")}`) : "",
    make("h3", {}, `Every page that has it (${count(pages.length)})`),
    rows(pages, pageRow),
  ];
};

views.piece = (number) => {
  const piece = model.pieces[number];
  if (!piece) return views.templates();
  const pages = pagesWith([number]);
  return [
    make("h2", {}, `Piece ${piece.id}`),
    make("p", {}, piece.template === null ? "" : make("span", {}, "part of ", templateTag(piece.template))),
    pieceBlock(number),
    make("h3", {}, `Every page that has it (${count(pages.length)})`),
    rows(pages, pageRow),
  ];
};
