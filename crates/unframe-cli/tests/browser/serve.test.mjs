// Starts `unframe serve` and uses the explorer as a reader would: every view, the upload, the keyboard, a phone, the dark; and pages
// that attack it. `cargo xtask test --only browser` installs what it needs and runs it with UNFRAME, CHROMIUM and PLAYWRIGHT set.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT);

const PAGES = 10_000;
// One page is unlike the others of its site, and the other site has ten.
const ADDRESSES = PAGES + 1 + 10;
const folder = mkdtempSync(path.join(tmpdir(), "unframe-serve-"));
let [browser, service, outside, base] = [];
let asked = 0;

const page = (number, title, menu) => `<html><head><title>${title} ${number}</title></head><body><ul id=menu><li><a href=/>Home page</a></li><li>${menu}</li></ul>`
  + `<h1>Heading ${number}</h1><p>${"apple pear ".repeat(number % 7)} only${number} here</p><div id=foot>Imprint and contact</div></body></html>`;
const line = (url, html, date) => `${JSON.stringify({ url, html, date })}\n`;
const usual = (number) => line(`http://large.example/${number}`, page(number, "Page", "Latest news"));
const dated = (number) => line(`http://dated.example/${number % 10}`, page(number, "Dated", number < 10 ? "Old menu" : "New menu"), number < 10 ? "2001-05-01" : "2009-05-01");

/** Asks until the answer is as wanted. */
async function wait(what, address, isWanted) {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(base + address);
    if (answer.ok && isWanted(await answer.json())) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`${what}: not after a minute`);
}

const learned = (site) => wait(`${site} is learned`, `api/v1/sites/${site}`, (known) => known.learned && !known.learned.is_stale);
// Pages that arrive while the index is written are in the next one.
const indexed = () => wait("all addresses are in the index", "api/v1/search?q=page", (found) => found.pages === ADDRESSES);

const post = async (lines) => (await fetch(`${base}api/v1/crawls`, { method: "POST", body: lines })).text();

before(async () => {
  // Whatever reaches this server was loaded by a page that should load nothing.
  outside = http.createServer((_, answer) => { asked += 1; answer.end("no"); });
  await new Promise((ready) => { outside.listen(0, "127.0.0.1", ready); });
  service = spawn(process.env.UNFRAME, ["serve", "--state", path.join(folder, "state"), "--listen", "127.0.0.1:0", "--log", "none", "--learn-after", "1"]);
  base = await new Promise((resolve) => service.stdout.once("data", (data) => resolve(String(data).match(/http\S+/)[0])));
  await post(Array.from({ length: 20 }, (_, number) => dated(number)).join(""));
  await post(Array.from({ length: PAGES }, (_, number) => usual(number)).join("") + line("http://large.example/odd", "<title>Odd</title><p>nothing of the others"));
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
  await Promise.all([learned("large.example"), learned("dated.example")]);
}, { timeout: 120_000 });

after(async () => {
  await browser?.close();
  outside?.close();
  service?.kill("SIGTERM");
  await new Promise((resolve) => (service ? service.once("exit", resolve) : resolve()));
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a view; a script that fails or is forbidden fails the test. */
async function open(hash, options = {}) {
  const tab = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
  tab.faults = [];
  tab.on("pageerror", (error) => tab.faults.push(error.message));
  await tab.goto(base + hash);
  return tab;
}

async function close(tab) {
  assert.deepEqual(tab.faults, []);
  await tab.close();
}

const isWide = (tab) => tab.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test("sites are listed with their share and a line", async () => {
  const tab = await open("#/");
  const row = tab.locator(".row", { hasText: "large.example" });
  assert.match(await row.textContent(), /\d+ %.*10,001 pages/);
  assert.equal(await row.locator("svg polyline").count(), 1);
  await tab.getByLabel("Filter sites").fill("dated");
  await tab.waitForFunction(() => document.querySelectorAll(".row").length === 1);
  await close(tab);
});

test("everything can be reached with the keyboard", async () => {
  const tab = await open("#/");
  await tab.locator(".row").first().waitFor();
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("Enter");
  await tab.locator("h1", { hasText: "large.example" }).waitFor();
  await tab.locator("canvas").focus();
  await tab.locator(".now", { hasText: "10,001 pages" }).waitFor();
  await tab.keyboard.press("ArrowDown");
  assert.match(await tab.locator(".now").textContent(), /template, schema/);
  await tab.keyboard.press("Enter");
  await tab.locator("iframe").waitFor();
  await tab.keyboard.press("/");
  await tab.keyboard.type("only77");
  await tab.keyboard.press("Enter");
  await tab.locator("h1", { hasText: "only77" }).waitFor();
  await tab.keyboard.press("Escape");
  await tab.locator("#view").focus();
  await tab.keyboard.press("g");
  await tab.locator("h1", { hasText: "2 sites" }).waitFor();
  await close(tab);
});

test("the picture of 10,000 pages is quick and zooms", async () => {
  const begin = Date.now();
  const tab = await open("#/site/large.example");
  await tab.locator(".now", { hasText: "all 10,001 pages" }).waitFor();
  assert.ok(Date.now() - begin < 10_000);
  const colours = await tab.evaluate(() => {
    const canvas = document.querySelector("canvas");
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const found = new Set();
    for (let at = 0; at < data.length; at += 4 * 97) found.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
    return found.size;
  });
  assert.ok(colours > 2, `${colours} colours`);
  await tab.getByRole("button", { name: "Zoom in" }).click();
  await tab.locator(".now", { hasText: "of 10,001" }).waitFor();
  await tab.locator("canvas").click({ position: { x: 40, y: 40 } });
  await tab.locator("h1", { hasText: "Page" }).waitFor();
  await close(tab);
});

test("the list of 10,000 pages holds only what is seen", async () => {
  const tab = await open("#/site/large.example/pages");
  await tab.locator(".row").first().waitFor();
  const list = tab.getByRole("listbox", { name: "Pages" });
  await list.focus();
  await tab.keyboard.press("End");
  await tab.waitForFunction(() => [...document.querySelectorAll(".row")].some((row) => row.id === "row-10000"));
  assert.ok((await tab.locator(".row").count()) < 60);
  await tab.getByLabel("Filter pages").fill("odd");
  await tab.locator(".row", { hasText: "Odd" }).click();
  await tab.locator("h1", { hasText: "Odd" }).waitFor();
  await close(tab);
});

test("templates have texts, selectors and pages; schemas have outliers", async () => {
  const tab = await open("#/site/large.example/templates");
  assert.match(await tab.locator(".row", { hasText: "Imprint and contact" }).first().textContent(), /pages, \d+ %/);
  await tab.locator(".row", { hasText: "Imprint and contact" }).first().click();
  await tab.locator("code", { hasText: "#foot" }).first().waitFor();
  await tab.locator(".row", { hasText: "http://large.example/" }).first().waitFor();
  await tab.goto(`${base}#/site/large.example/schemas`);
  const outlier = tab.locator(".outlier");
  await outlier.first().waitFor();
  assert.match(await outlier.first().textContent(), /Odd/);
  await tab.goto(`${base}#/site/large.example/clusters`);
  await tab.locator(".card", { hasText: "pages" }).first().waitFor();
  await close(tab);
});

test("a page is shown with its regions, in the page and in the source", async () => {
  const tab = await open("#/page/30");
  const inside = tab.frameLocator("iframe");
  await inside.locator("[data-unframe-template]").first().waitFor();
  assert.match(await inside.locator("body").textContent(), /Imprint and contact/);
  const background = await inside.locator("[data-unframe-template]").first().evaluate((element) => getComputedStyle(element).backgroundColor).catch(() => "no script");
  assert.notEqual(background, "rgba(0, 0, 0, 0)");
  const clean = tab.locator(".beside pre", { hasText: "only" });
  await clean.waitFor();
  assert.doesNotMatch(await clean.textContent(), /Imprint/);
  await tab.getByRole("link", { name: "Source", exact: true }).click();
  await tab.locator(".region", { hasText: "Imprint and contact" }).waitFor();
  await tab.getByRole("link", { name: "Content", exact: true }).click();
  const text = tab.locator("pre", { hasText: "only" });
  await text.waitFor();
  assert.doesNotMatch(await text.textContent(), /Imprint/);
  await tab.getByRole("link", { name: "Regions", exact: true }).click();
  await tab.locator("td", { hasText: "repeated" }).first().waitFor();
  await close(tab);
});

test("a site with several dates has a timeline", async () => {
  const tab = await open("#/site/dated.example/timeline");
  await tab.locator("td", { hasText: "2009" }).waitFor();
  assert.equal(await tab.locator(".chart polyline").count(), 3);
  await tab.goto(`${base}#/site/large.example/timeline`);
  await tab.getByText("All pages of this site have about the same date").waitFor();
  await close(tab);
});

test("search shows both sides", async () => {
  await indexed();
  const tab = await open("#/search/imprint");
  const sides = tab.locator(".sides h2");
  await sides.nth(1).waitFor();
  assert.match(await sides.nth(0).textContent(), /Without templates: 0 pages/);
  assert.match(await sides.nth(1).textContent(), /With templates: 10,0\d\d pages/);
  await tab.locator("#query").fill("only4321");
  await tab.keyboard.press("Enter");
  await tab.locator(".hit mark", { hasText: "only4321" }).first().waitFor();
  await tab.locator(".hit a").first().click();
  await tab.locator("h1", { hasText: "Page 4321" }).waitFor();
  await close(tab);
});

test("a crawl is uploaded by drag and drop", async () => {
  const file = Array.from({ length: 12 }, (_, number) => line(`http://dropped.example/${number}`, page(number, "Dropped", "Menu"))).join("");
  const tab = await open("#/");
  await tab.locator(".row").first().waitFor();
  const data = await tab.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "dropped.jsonl"));
    return transfer;
  }, file);
  await tab.dispatchEvent("body", "dragenter", { dataTransfer: data });
  await tab.locator("#drop").waitFor({ state: "visible" });
  await tab.dispatchEvent("body", "drop", { dataTransfer: data });
  const card = tab.locator(".card", { hasText: "dropped.jsonl" });
  await card.locator(".state", { hasText: "done" }).waitFor();
  assert.match(await card.textContent(), /pages 12/);
  await learned("dropped.example");
  // By choice as well.
  writeFileSync(path.join(folder, "chosen.jsonl"), line("http://chosen.example/", page(1, "Chosen", "Menu")));
  await tab.locator("#files").setInputFiles(path.join(folder, "chosen.jsonl"));
  await tab.locator(".card", { hasText: "chosen.jsonl" }).locator(".state", { hasText: "done" }).waitFor();
  await close(tab);
});

test("a phone and the dark are fine", async () => {
  for (const hash of ["#/", "#/site/large.example", "#/site/large.example/pages", "#/page/30", "#/search/apple", "#/jobs", "#/site/dated.example/timeline"]) {
    const tab = await open(hash, { viewport: { width: 360, height: 700 }, colorScheme: "dark" });
    await tab.locator("h1").waitFor();
    await tab.waitForLoadState("networkidle").catch(() => {});
    assert.equal(await isWide(tab), false, `${hash} is too wide`);
    assert.equal(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(21, 24, 29)");
    await close(tab);
  }
  const tab = await open("#/");
  await tab.getByRole("button", { name: "Light or dark" }).click();
  assert.equal(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(21, 24, 29)");
  await close(tab);
});

test("pages that attack the explorer get nowhere", async () => {
  const to = `http://127.0.0.1:${outside.address().port}`;
  const attack = `<script>parent.pwned=1;fetch("${to}/s")</script><img src="${to}/i" onerror="parent.pwned=1"><iframe src="${to}/f"></iframe><svg onload="parent.pwned=1"><image href="${to}/v"/></svg>`
    + `<style>@import "${to}/c";body{background:url(${to}/b)}</style><object data="${to}/o"></object><embed src="${to}/e"><video src="${to}/w" autoplay></video><input autofocus onfocus="parent.pwned=1">`;
  const head = `<base href="${to}/"><meta http-equiv="refresh" content="0;url=${to}/m"><link rel=stylesheet href="${to}/l"><link rel=prefetch href="${to}/p">`;
  const shown = attack.replaceAll("<", "&lt;");
  const hostile = (number) => line(`http://h.example/${number}?<script>pwned=1</script>"'><img src=x onerror=pwned=1>`,
    `<html><head><title>${shown}</title>${head}</head><body onload="parent.pwned=1"><ul><li>${shown} menu</li><li>second</li></ul>${attack}<form action="${to}/form"><button>Send</button></form><a id=out href="${to}/a" target=_top>away</a><p>words ${number}</p></body></html>`);
  await post(Array.from({ length: 12 }, (_, number) => hostile(number)).join(""));
  await learned("h.example");
  const { pages } = await (await fetch(`${base}api/v1/sites/h.example/pages`)).json();
  const { templates } = await (await fetch(`${base}api/v1/sites/h.example/templates`)).json();
  const views = ["#/", "#/site/h.example", "#/site/h.example/pages", "#/site/h.example/templates", "#/site/h.example/schemas", "#/site/h.example/clusters", "#/search/menu", "#/search/<img src=x onerror=pwned=1>",
    `#/site/h.example/template/${templates[0].template}`, ...["look", "source", "text", "regions"].map((view) => `#/page/${pages[0].page}/${view}`)];
  for (const hash of views) {
    const tab = await open(hash);
    await tab.locator("h1, .bad").first().waitFor();
    await tab.waitForTimeout(200);
    assert.equal(await tab.evaluate(() => window.pwned), undefined, hash);
    assert.ok(tab.url().startsWith(base), tab.url());
    await close(tab);
  }
  const tab = await open(`#/page/${pages[0].page}`);
  const inside = tab.frameLocator("iframe");
  await inside.locator("#out").click({ force: true });
  await inside.getByRole("button", { name: "Send" }).click({ force: true }).catch(() => {});
  await tab.waitForTimeout(300);
  assert.ok(tab.url().startsWith(base), tab.url());
  await close(tab);
  // Opened by itself, the page may do no more than in its frame.
  const alone = await open(`api/v1/pages/${pages[0].page}/view`);
  await alone.waitForTimeout(300);
  assert.equal(await alone.evaluate(() => window.pwned).catch(() => undefined), undefined);
  await alone.close();
  assert.equal(asked, 0, "something was loaded from outside");
});
