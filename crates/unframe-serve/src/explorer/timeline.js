// A site over time: the share of its templates, and what changed from snapshot to snapshot.

import { api, ask } from "./ask.js";
import { count, drawn, make, percent } from "./make.js";

const LINES = [["html", "#2f74c0", "HTML"], ["text", "#45a54c", "text"], ["links", "#d63027", "links"]];

export async function timeline(view, name) {
  const { bucket, snapshots } = await ask(api("sites", name, "timeline"));
  if (snapshots.length < 2) {
    view.append(make("p", { class: "empty" }, "All pages of this site have about the same date. Post or upload pages with other dates to see how its templates change."));
    return;
  }
  view.append(
    make("p", { class: "sub" }, `${count(snapshots.length)} snapshots, by ${bucket}. Lines: share of template. Bars: pages that changed since their version before.`),
    make("div", { class: "legend" }, LINES.map(([, colour, label]) => make("span", {}, chip(colour), label)), make("span", {}, chip("var(--content)"), "pages changed")),
    chart(snapshots), table(snapshots));
}

function chip(colour) {
  const element = make("span", { class: "chip" });
  element.style.background = colour;
  return element;
}

function chart(snapshots) {
  const [width, height, left, bottom] = [1000, 320, 44, 28];
  const years = snapshots.map((one) => one.year);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  const x = (year) => left + ((year - first) / Math.max(1e-9, last - first)) * (width - left - 20);
  const y = (share) => 10 + (1 - share) * (height - bottom - 10);
  const svg = drawn("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Share of template over time" });
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(drawn("line", { class: "grid", x1: left, x2: width - 10, y1: y(share), y2: y(share) }), drawn("text", { x: 4, y: y(share) + 4 }, percent(share)));
  }
  const changed = (one) => one.changed.template + one.changed.content + one.changed.both;
  const most = Math.max(1, ...snapshots.map(changed));
  for (const one of snapshots) {
    const bar = (changed(one) / most) * (height - bottom - 10) * 0.4;
    const rect = drawn("rect", { x: x(one.year) - 4, y: height - bottom - bar, width: 8, height: bar });
    rect.style.fill = "var(--content)";
    rect.append(drawn("title", {}, `${one.bucket}: ${changed(one)} pages changed`));
    svg.append(rect);
  }
  for (const [key, colour] of LINES) {
    svg.append(drawn("polyline", { points: snapshots.map((one) => `${x(one.year)},${y(one[key])}`).join(" "), fill: "none", stroke: colour, "stroke-width": 2 }));
    for (const one of snapshots) {
      svg.append(drawn("circle", { cx: x(one.year), cy: y(one[key]), r: 3, fill: colour }, drawn("title", {}, `${one.bucket}: ${percent(one[key])} of ${key}`)));
    }
  }
  const every = Math.ceil(snapshots.length / 10);
  snapshots.forEach((one, at) => at % every === 0 && svg.append(drawn("text", { x: x(one.year) - 14, y: height - 8 }, one.bucket)));
  return svg;
}

function table(snapshots) {
  const head = ["snapshot", "pages", "HTML", "text", "links", "template changed", "content changed", "both"];
  const row = (one) => [one.bucket, count(one.pages), percent(one.html), percent(one.text), percent(one.links), one.changed.template, one.changed.content, one.changed.both];
  return make("div", { class: "scroll" }, make("table", {},
    make("tr", {}, head.map((name) => make("th", {}, name))), snapshots.map((one) => make("tr", {}, row(one).map((cell) => make("td", {}, String(cell)))))));
}
