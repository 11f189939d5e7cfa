// The picture of a site: a bar for each page, templates where they lie. Zooming asks for the pages in between.

import { api, ask, query } from "./ask.js";
import { bytes, count, make, path, percent } from "./make.js";

const PALETTES = {
  rainbow: ["#d63027", "#f28722", "#f3c916", "#45a54c", "#2f74c0", "#7d3fa6"],
  safe: ["#f5e626", "#fba238", "#e56b5d", "#bd3786", "#7e03a8", "#2a0593"],
};
const GAP = 6;
/** Kinds of regions with a colour of their own. */
const OTHERS = ["markup", "clutter"];

export async function picture(site) {
  const canvas = make("canvas", { tabindex: 0, role: "img", "aria-label": `Picture of ${site}: arrow keys choose a page, + and - zoom, Enter opens` });
  const now = make("p", { class: "now", "aria-live": "polite" });
  const legend = make("div", { class: "legend" });
  const state = { from: 0, to: 0, total: 0, pages: [], chosen: -1, palette: PALETTES.rainbow, right: 1 };
  let asked = 0;

  async function load() {
    const mine = ++asked;
    const rows = Math.max(20, Math.min(1000, Math.floor(canvas.clientHeight || 500)));
    const wanted = state.total ? { from: state.from, to: state.to } : {};
    const found = await ask(api("sites", site, "picture") + query({ ...wanted, rows }));
    if (mine !== asked) return;
    Object.assign(state, { from: found.from, to: found.to, total: found.total, pages: found.pages, classes: found.classes });
    state.bytesMax = Math.max(1, ...found.pages.map((page) => page.bytes));
    state.chosen = Math.min(state.chosen, found.pages.length - 1);
    draw();
  }

  function draw() {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    pen.scale(scale, scale);
    pen.fillStyle = style.getPropertyValue("--ground");
    pen.fillRect(0, 0, width, height);
    const step = height / Math.max(1, state.pages.length);
    const thick = Math.max(1, Math.min(step - (step > 3 ? 1 : 0), 40));
    const across = (width - 2 * GAP) / state.bytesMax;
    const content = style.getPropertyValue("--content");
    state.pages.forEach((page, at) => {
      const y = at * step;
      pen.fillStyle = content;
      pen.fillRect(GAP, y, page.bytes * across, thick);
      for (const [start, end, shade, , kind] of page.marks) {
        pen.globalAlpha = kind === "changing" ? 0.5 : 1;
        pen.fillStyle = OTHERS.includes(kind) ? style.getPropertyValue(`--${kind}`) : state.palette[shade];
        pen.fillRect(GAP + start * across, y, Math.max(0.6, (end - start) * across), thick);
      }
      pen.globalAlpha = 1;
    });
    if (state.chosen >= 0) {
      pen.strokeStyle = style.getPropertyValue("--accent");
      pen.lineWidth = 2;
      pen.strokeRect(1, state.chosen * step, width - 2, Math.max(thick, 3));
    }
    legend.replaceChildren(
      ...state.classes.map((name, at) => make("span", {}, chip(state.palette[at]), name)), ...["content", ...OTHERS].map((name) => make("span", {}, chip(`var(--${name})`), name)));
    tell();
  }

  function chip(colour) {
    const element = make("span", { class: "chip" });
    element.style.background = colour;
    return element;
  }

  function tell(mark) {
    const page = state.pages[state.chosen];
    const shown = state.to - state.from === state.total ? `all ${count(state.total)} pages` : `pages ${count(state.from + 1)} to ${count(state.to)} of ${count(state.total)}`;
    now.textContent = page
      ? `${page.title || page.url} (${page.url}), ${bytes(page.bytes)}, ${percent(page.share)} template, schema ${page.schema}${mark ? `; template ${mark[3]}, bytes ${mark[0]} to ${mark[1]}` : ""}`
      : `${shown}, the shortest first${state.pages.length < state.to - state.from ? `, ${count(state.pages.length)} of them drawn` : ""}. Colours say which share of the pages has a template; what changes inside of one is lighter.`;
  }

  function zoom(factor, middle = (state.from + state.to) / 2) {
    const span = Math.max(5, Math.min(state.total, Math.round((state.to - state.from) * factor)));
    const share = (middle - state.from) / Math.max(1, state.to - state.from);
    move(Math.round(middle - share * span), span);
  }

  function move(from, span = state.to - state.from) {
    from = Math.max(0, Math.min(state.total - span, from));
    if (from === state.from && from + span === state.to) return;
    Object.assign(state, { from, to: Math.min(state.total, from + span), chosen: -1 });
    load();
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / box.height) * state.pages.length);
    const byte = ((event.clientX - box.left - GAP) / (box.width - 2 * GAP)) * state.bytesMax;
    const page = state.pages[row];
    return { row, page, mark: page?.marks.find(([start, end]) => start <= byte && byte < end) };
  }

  canvas.addEventListener("mousemove", (event) => {
    const found = at(event);
    if (found.row !== state.chosen && found.page) {
      state.chosen = found.row;
      draw();
    }
    tell(found.mark);
  });
  canvas.addEventListener("click", (event) => {
    const { page, mark } = at(event);
    if (page) location.hash = event.shiftKey && mark ? path("site", site, "template", mark[3]) : path("page", page.page);
  });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && state.to - state.from === state.total && event.deltaY > 0) return;
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 0.6 : 1.6, state.from + ((event.clientY - box.top) / box.height) * (state.to - state.from));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const last = state.pages.length - 1;
    const span = state.to - state.from;
    const keys = {
      ArrowDown: () => (state.chosen >= last && state.to < state.total ? move(state.from + Math.ceil(span / 2)) : choose(state.chosen + 1)),
      ArrowUp: () => (state.chosen <= 0 && state.from > 0 ? move(state.from - Math.ceil(span / 2)) : choose(state.chosen - 1)),
      "+": () => zoom(0.5, state.pages[state.chosen]?.at), "=": () => zoom(0.5, state.pages[state.chosen]?.at), "-": () => zoom(2),
      PageDown: () => move(state.from + span), PageUp: () => move(state.from - span), 0: () => zoom(Infinity),
      Enter: () => state.chosen >= 0 && (location.hash = path("page", state.pages[state.chosen].page)),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  function choose(row) {
    state.chosen = Math.max(0, Math.min(state.pages.length - 1, row));
    draw();
  }

  const colours = make("select", { "aria-label": "Colours", onchange: () => { state.palette = PALETTES[colours.value]; draw(); } },
    make("option", { value: "rainbow" }, "rainbow"), make("option", { value: "safe" }, "light to dark"));
  const button = (text, label, act) => make("button", { type: "button", "aria-label": label, onclick: act }, text);
  const saved = (format) => make("a", { class: "button", href: api("sites", site, "draw") + query({ format }), download: `${site.replace(/[^\w.-]/g, "_")}.${format}` }, format.toUpperCase());
  const box = make("div", { class: "canvas" }, canvas);
  const figure = make("div", { class: "figure" }, make("div", { class: "bar" },
    button("+", "Zoom in", () => zoom(0.5)), button("−", "Zoom out", () => zoom(2)), button("All", "Show all pages", () => zoom(Infinity)),
    button("▲", "Up", () => move(state.from - Math.ceil((state.to - state.from) / 2))), button("▼", "Down", () => move(state.from + Math.ceil((state.to - state.from) / 2))),
    colours, saved("svg"), saved("png"), saved("html")), legend, box, now);
  requestAnimationFrame(() => load().catch((error) => (now.textContent = error.message)));
  new ResizeObserver(() => state.pages.length && draw()).observe(box);
  return figure;
}
