// Makes elements. Everything that comes from pages goes into text nodes and attributes that mean nothing, never into markup.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function drawn(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export const path = (...parts) => "#/" + parts.map((part) => encodeURIComponent(part)).join("/");

export const count = (number) => Number(number).toLocaleString("en");

export const pages = (number) => `${count(number)} ${number === 1 ? "page" : "pages"}`;

export const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

export function bytes(number) {
  if (number < 1000) return `${number} B`;
  if (number < 1e6) return `${(number / 1e3).toFixed(1)} kB`;
  if (number < 1e9) return `${(number / 1e6).toFixed(1)} MB`;
  return `${(number / 1e9).toFixed(2)} GB`;
}

/** A name at the beginning of a line. */
export const titled = (name) => name[0].toUpperCase() + name.slice(1);

export const day = (date) => (date ? date.slice(0, 10) : "");

export function facts(...pairs) {
  return make("div", { class: "facts" }, pairs.map(([name, value]) => make("div", {}, make("small", {}, name), value instanceof Node ? value : String(value))));
}

export function tabs(names, current, link) {
  const tab = ([key, name]) => make("a", { href: link(key), "aria-current": key === current ? "page" : null }, name);
  return make("div", { class: "tabs", role: "navigation", "aria-label": "Views" }, names.map(tab));
}

// A small line of shares from 0 to 100.
export function spark(shares) {
  const svg = drawn("svg", { class: "spark", viewBox: "0 0 120 30", preserveAspectRatio: "none", role: "img", "aria-label": "template share of its pages" });
  if (shares.length === 0) return svg;
  // One page is a level line.
  if (shares.length === 1) shares = [shares[0], shares[0]];
  const x = (at) => (120 * at) / (shares.length - 1);
  const points = shares.map((share, at) => `${x(at).toFixed(1)},${(29 - share * 0.28).toFixed(1)}`);
  const area = drawn("polygon", { points: `0,30 ${points.join(" ")} 120,30`, fill: "#2f74c0", opacity: "0.18" });
  const line = drawn("polyline", { points: points.join(" "), fill: "none", stroke: "#2f74c0", "stroke-width": "1.5", "vector-effect": "non-scaling-stroke" });
  svg.append(area, line);
  return svg;
}
