"use strict";
// The data of the file, and small things that all parts use.

const $ = (id) => document.getElementById(id);

/** A new element. Strings become text nodes: nothing that came from a page is ever read as HTML. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const count = (number) => number.toLocaleString("en");
const plural = (number, thing) => `${count(number)} ${thing}${number === 1 ? "" : "s"}`;
const percent = (share) => {
  const value = share * 100;
  return `${value > 0.05 && value < 0.95 ? value.toFixed(1) : value.toFixed(0)} %`;
};

/** Unpacks JSON that was deflated and written in base64. */
async function unpack(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

const model = { pages: [], pieces: [], templates: [], groups: [], keyPages: [] };

/** Reads everything but the texts. */
async function load() {
  const packed = JSON.parse($("data").textContent);
  const main = await unpack(packed.main);
  Object.assign(model, main, { packs: packed.texts, pagesPerPack: packed.pagesPerPack, opened: new Map() });
  model.pieces = main.pieces.map(([id, occurrences, pages, sort, within, template, text]) => (
    { id, occurrences, pages, sort, within, template, text }));
  model.keyPages = main.keyPages.map(([url, text, inTemplates, inContent, piece, page]) => (
    { url, text, inTemplates, inContent, piece, page }));
  model.pages = main.pages.urls.map((url, at) => ({
    number: at, url, title: main.pages.titles[at], bytes: main.pages.bytes[at],
    share: main.pages.shares[at] / 1000, marks: spread(main.pages.marks[at]), group: 0,
  }));
  model.groups.forEach((group, number) => group.pages.forEach((page) => { model.pages[page].group = number; }));
  model.bytesMax = 1;
  for (const page of model.pages) model.bytesMax = Math.max(model.bytesMax, page.bytes);
  // As in the picture: a few pages that are far longer than all others go on past the right edge.
  model.bytesShown = main.bytesShown;
}

/** What is in a region, by the number that says so. */
const KINDS = ["repeated", "changing", "markup", "clutter"];
const [REPEATED, CHANGING, MARKUP, CLUTTER] = [0, 1, 2, 3];

/** From differences to places: four numbers a region, start, end, piece, kind. */
function spread(marks) {
  const places = new Uint32Array(marks.length);
  let end = 0;
  for (let at = 0; at < marks.length; at += 4) {
    places[at] = end + marks[at];
    end = places[at + 1] = places[at] + marks[at + 1];
    places[at + 2] = marks[at + 2];
    places[at + 3] = marks[at + 3];
  }
  return places;
}

/** The text of a page: parts with `text` and, in regions, `piece` and `kind`. */
async function textOf(number) {
  const pack = Math.floor(number / model.pagesPerPack);
  if (!model.opened.has(pack)) model.opened.set(pack, await unpack(model.packs[pack]));
  return model.opened.get(pack)[number % model.pagesPerPack].map((part) => {
    if (typeof part === "string") return { text: part, piece: null };
    const { marks } = model.pages[number];
    const [piece, kind] = [marks[4 * part[0] + 2], marks[4 * part[0] + 3]];
    return { text: part.length > 1 ? part[1] : model.pieces[piece].text, piece, kind };
  });
}

/** The pages that have one of these pieces. */
function pagesWith(pieces) {
  const wanted = new Set(pieces);
  return model.pages.filter((page) => {
    for (let at = 2; at < page.marks.length; at += 4) if (wanted.has(page.marks[at])) return true;
    return false;
  });
}

/** The piece at a byte of a page, or null; of markup, its kind is enough. */
function pieceAt(page, byte) {
  for (let at = 0; at < page.marks.length; at += 4) {
    if (page.marks[at] <= byte && byte < page.marks[at + 1]) return page.marks[at + 2];
  }
  return null;
}

const colors = () => model.palettes[$("palette").value];

/** The number of a piece's colour. */
function colorClass(piece) {
  if ($("color-by").value === "times") return Math.min(5, Math.floor(Math.log10(Math.max(1, piece.occurrences))));
  const share = Math.floor(100 * piece.pages / Math.max(1, model.pages.length));
  return [10, 25, 50, 75, 90].filter((least) => share >= least).length;
}

/** All colours that a picture needs; what changes inside of a template is lighter. */
function palette() {
  const inks = model.inks[document.documentElement.dataset.theme === "dark" ? "dark" : "light"];
  const repeated = colors();
  return {
    ...inks,
    of(piece, kind) {
      if (kind === MARKUP) return inks.markup;
      if (kind === CLUTTER) return inks.clutter;
      const ink = repeated[colorClass(model.pieces[piece])];
      return kind === CHANGING ? `color-mix(in srgb, ${ink} 50%, ${inks.background})` : ink;
    },
  };
}

/** What a piece is called. */
function nameOf(piece) {
  const name = piece.sort || "box";
  return name[0].toUpperCase() + name.slice(1);
}
const themeColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
