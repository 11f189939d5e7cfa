// Which view is shown, and the keys that work everywhere.

import { make, path } from "./make.js";
import { page } from "./page.js";
import { address, search } from "./search.js";
import { site } from "./site.js";
import { sites } from "./sites.js";
import { template } from "./template.js";
import { jobs, watchDrops } from "./upload.js";

const view = document.getElementById("view");
const input = document.getElementById("query");
let leaving = new AbortController();

async function show() {
  // The link that skips the header leads to the view that is there.
  if (location.hash === "#view") return view.focus();
  leaving.abort();
  leaving = new AbortController();
  const signal = leaving.signal;
  const [name = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  for (const link of document.querySelectorAll("[data-nav]")) {
    const isHere = link.dataset.nav === (name === "jobs" ? "jobs" : name === "" || name === "site" || name === "page" ? "sites" : "");
    link.toggleAttribute("aria-current", isHere);
  }
  // A view that was left while it waited for an answer shows nothing more.
  const box = { append: (...children) => signal.aborted || view.append(...children.flat().filter(Boolean)) };
  view.replaceChildren();
  view.scrollTop = 0;
  document.title = ["unframe", ...[name, ...rest].filter(Boolean)].join(" · ");
  try {
    if (name === "site" && rest[1] === "template") await template(box, rest[0], rest[2]);
    else if (name === "site") await site(box, ...rest);
    else if (name === "page") await page(box, ...rest);
    else if (name === "search") await search(box, rest[0] ?? "");
    else if (name === "address") await address(box, ...rest);
    else if (name === "jobs") await jobs(box, undefined, signal);
    else await sites(box);
  } catch (error) {
    box.append(make("p", { class: "bad", role: "alert" }, error.message));
  }
}

document.getElementById("find").addEventListener("submit", (event) => {
  event.preventDefault();
  if (input.value.trim()) location.hash = path("search", input.value.trim());
});

addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { "/": () => input.focus(), g: () => (location.hash = "#/"), u: () => (location.hash = "#/jobs"), Backspace: () => history.back() };
  if (event.key in keys) {
    event.preventDefault();
    keys[event.key]();
  }
});

const theme = document.getElementById("theme");
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  dispatchEvent(new Event("resize"));
});

addEventListener("hashchange", show);
watchDrops();
show();
