// What the reader does: addresses behind `#`, keys, the mouse.

const view = { piece: null };

const go = (where) => { location.hash = where; };

/** Shows what the address says. */
function route() {
  const [name, value] = location.hash.slice(1).split("=");
  const known = Object.hasOwn(views, name) ? name : "groups";
  const number = Number.parseInt(value, 10);
  for (const tab of $("tabs").children) {
    if (tab.hash === `#${known}`) tab.setAttribute("aria-current", "page"); else tab.removeAttribute("aria-current");
  }
  picture.chosenPieces = picture.hovered = null;
  if (known === "piece" && model.pieces[number]) picture.chosenPieces = new Set([number]);
  if (known === "template" && model.templates[number]) picture.chosenPieces = new Set(model.templates[number].pieces);
  picture.found = null;
  if (known === "pages" && $("search").value) find();
  if (known === "group" && model.groups[number]) picture.found = new Set(model.groups[number].pages);
  if (known === "page" && model.pages[number]) moveTo(picture.rows.indexOf(number));
  $("view").replaceChildren(...views[known](number));
  $("view").scrollTop = 0;
  if (known !== "page") view.piece = null;
  draw();
}

function find() {
  const words = $("search").value.trim().toLowerCase();
  const found = model.pages.filter((page) => page.url.toLowerCase().includes(words)).map((page) => page.number);
  picture.found = words ? new Set(found) : null;
}

function search() {
  if (location.hash === "#pages") route(); else go("pages");
}

function setTheme() {
  const chosen = $("theme").value;
  const isDark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

function legend() {
  const inks = palette();
  const classes = model.classes[$("color-by").value];
  const has = (kind) => model.pages.some((page) => page.marks.some((mark, at) => at % 4 === 3 && mark === kind));
  const entries = [["content", inks.content], ...(has(MARKUP) ? [["markup", inks.markup]] : []), ...(has(CLUTTER) ? [["clutter", inks.clutter]] : []),
    ...classes.map((words, at) => [words, colors()[at]])];
  const chip = (ink) => { const square = make("span", { class: "chip" }); square.style.background = ink; return square; };
  $("legend").replaceChildren(...entries.map(([words, ink]) => make("span", {}, chip(ink), words)));
}

function repaint() {
  setTheme();
  legend();
  route();
}

function head() {
  $("site").textContent = model.site;
  const { html, text, links } = model.volume;
  const drawn = model.pages.length < model.allPages ? `${count(model.pages.length)} of ${plural(model.allPages, "page")}, spread evenly by length` : plural(model.allPages, "page");
  const cut = model.cutTexts ? `; ${count(model.cutTexts)} texts are cut` : "";
  $("figures").textContent = `${drawn}${cut} · template: ${percent(html)} of the HTML, ${percent(text)} of the text, ${percent(links)} of the links · ${model.knowsPlaces ? "" : `${plural(model.pieces.length, "repeated piece")} in `}${plural(model.templates.length, "template")}, found by ${model.method}`;
}

function listen() {
  const scroller = $("scroller");
  scroller.addEventListener("scroll", draw);
  $("canvas").addEventListener("mousemove", showTip);
  $("canvas").addEventListener("mouseleave", () => { $("tip").hidden = true; });
  $("canvas").addEventListener("click", (event) => {
    const found = under(event);
    if (!found) return;
    view.piece = found.piece;
    if (location.hash === `#page=${found.page.number}`) route(); else go(`page=${found.page.number}`);
  });
  scroller.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 1.25 : 0.8, event.clientY - scroller.getBoundingClientRect().top);
  }, { passive: false });
  $("zoom-in").addEventListener("click", () => zoomBy(1.6));
  $("zoom-out").addEventListener("click", () => zoomBy(1 / 1.6));
  $("zoom-fit").addEventListener("click", () => zoomBy(1e-9));
  $("order").addEventListener("change", () => { orderRows(); draw(); });
  $("palette").addEventListener("change", repaint);
  $("color-by").addEventListener("change", repaint);
  $("theme").addEventListener("change", repaint);
  $("search").addEventListener("input", search);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  addEventListener("hashchange", route);
  new ResizeObserver(resize).observe(scroller);
  addEventListener("keydown", onKey);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target, key } = event;
  if (key === "Escape") {
    $("search").value = "";
    $("scroller").focus();
    go("groups");
  } else if (target.matches("input, select")) {
    return;
  } else if (key === "/") {
    $("search").focus();
  } else if (key === "+" || key === "=") {
    zoomBy(1.6);
  } else if (key === "-") {
    zoomBy(1 / 1.6);
  } else if (key === "0") {
    zoomBy(1e-9);
  } else if ((target !== $("scroller") && target !== document.body) || !pictureKey(key)) {
    return;
  }
  event.preventDefault();
}

async function start() {
  await load();
  $("palette").value = model.palette;
  $("color-by").value = model.colorBy;
  setTheme();
  head();
  orderRows();
  resize();
  legend();
  listen();
  route();
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  document.body.textContent = `This file cannot be shown: ${error.message}. A newer browser may be needed.`;
});
