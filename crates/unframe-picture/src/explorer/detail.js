// One page, one template, one piece.

/** A link to the page itself, if its address is one of the web. */
function outside(url) {
  const isWeb = /^https?:\/\//i.test(url);
  return isWeb ? make("a", { href: url, target: "_blank", rel: "noopener noreferrer", class: "url" }, url) : make("span", { class: "url" }, url);
}

function region(part) {
  const piece = model.pieces[part.piece];
  const id = make("a", { class: "id", href: `#piece=${part.piece}`, title: `${plural(piece.occurrences, "time")} on ${plural(piece.pages, "page")}` }, piece.id);
  const span = make("span", { class: "region", "data-piece": part.piece }, part.text, id);
  span.style.setProperty("--ink", colors()[piece.kind]);
  return span;
}

views.page = (number) => {
  const page = model.pages[number];
  if (!page) return views.pages();
  const text = make("div", { class: "text", id: "page-text" }, "…");
  textOf(number).then((parts) => {
    text.replaceChildren(...parts.map((part) => (part.piece === null ? part.text : region(part))));
    if (!parts.length) text.textContent = "(no text)";
    const chosen = view.piece === null ? null : text.querySelector(`[data-piece="${view.piece}"]`);
    if (chosen) { chosen.classList.add("chosen"); chosen.scrollIntoView({ block: "center" }); }
  });
  return [
    make("h2", {}, page.title || "(no title)"),
    make("p", {}, outside(page.url)),
    make("p", { class: "muted" }, `${count(page.bytes)} bytes, ${percent(page.share)} template, ${plural(page.marks.length / 3, "template region")} · `,
      make("a", { href: `#group=${page.group}` }, groupName(page.group))),
    strip(page),
    make("h3", {}, "Text, templates shaded"),
    text,
  ];
};

function pieceBlock(number) {
  const piece = model.pieces[number];
  const span = make("div", { class: "text region" }, piece.text || "(no text: markup, scripts or styles)");
  span.style.setProperty("--ink", colors()[piece.kind]);
  return make("section", {},
    make("p", {}, make("a", { class: "id", href: `#piece=${number}` }, piece.id), ` ${plural(piece.occurrences, "time")} on ${plural(piece.pages, "page")}`),
    span);
}

views.template = (number) => {
  const template = model.templates[number];
  if (!template) return views.templates();
  const pages = template.pages.map((page) => model.pages[page]);
  return [
    make("h2", {}, `Template T${number + 1}`),
    make("p", { class: "muted" }, `${plural(template.pieces.length, "piece")} that occur together on ${plural(pages.length, "page")}, ${count(template.bytes)} bytes in all`),
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
