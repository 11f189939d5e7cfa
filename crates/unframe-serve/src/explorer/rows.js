// A list of any length: only the rows that are seen are there, and they are asked for when they come into view.

import { make } from "./make.js";

const PER_REQUEST = 100;

// `load(offset, limit)` gives {rows, total}; `draw(row)` gives the parts of an element, `open(row)` where it leads.
export function rows({ load, draw, link, height = 52, label, kind = "" }) {
  const room = make("div", { class: "room" });
  const list = make("div", { class: "rows", tabindex: 0, role: "listbox", "aria-label": label, onscroll: later, onkeydown: key }, room);
  const parts = new Map();
  const shown = new Map();
  let total = 0;
  let current = -1;
  let waiting = false;

  async function part(number) {
    if (!parts.has(number)) {
      parts.set(number, null);
      try {
        const found = await load(number * PER_REQUEST, PER_REQUEST);
        parts.set(number, found.rows);
        total = found.total;
        room.style.height = `${total * height}px`;
      } catch (error) {
        parts.delete(number);
        room.replaceChildren(make("p", { class: "bad" }, error.message));
        return;
      }
      update();
    }
  }

  function later() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      update();
    });
  }

  function update() {
    const first = Math.max(0, Math.floor(list.scrollTop / height) - 4);
    const last = Math.min(total, Math.ceil((list.scrollTop + list.clientHeight) / height) + 4);
    for (const [at, element] of shown) {
      if (at < first || at >= last) {
        element.remove();
        shown.delete(at);
      }
    }
    for (let at = first; at < last; at++) {
      const number = Math.floor(at / PER_REQUEST);
      const row = parts.get(number)?.[at % PER_REQUEST];
      if (row === undefined) part(number);
      else if (!shown.has(at)) {
        const element = make("a", { class: `row ${kind}`, href: link(row), role: "option", tabindex: -1, id: `row-${at}` }, draw(row));
        element.style.top = `${at * height}px`;
        element.style.height = `${height}px`;
        room.append(element);
        shown.set(at, element);
      }
    }
    for (const [at, element] of shown) element.classList.toggle("current", at === current);
    if (current >= 0) list.setAttribute("aria-activedescendant", `row-${current}`);
  }

  function key(event) {
    const page = Math.max(1, Math.floor(list.clientHeight / height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -total, End: total, j: 1, k: -1 };
    if (event.key === "Enter" && shown.has(current)) {
      shown.get(current).click();
    } else if (event.key in steps && total > 0) {
      current = Math.min(total - 1, Math.max(0, current + steps[event.key]));
      if (current * height < list.scrollTop) list.scrollTop = current * height;
      if ((current + 1) * height > list.scrollTop + list.clientHeight) list.scrollTop = (current + 1) * height - list.clientHeight;
      update();
    } else return;
    event.preventDefault();
  }

  list.again = () => {
    parts.clear();
    shown.forEach((element) => element.remove());
    shown.clear();
    current = -1;
    list.scrollTop = 0;
    part(0);
  };
  part(0);
  new ResizeObserver(later).observe(list);
  return list;
}
