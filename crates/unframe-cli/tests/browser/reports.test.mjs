// Opens what `unframe draw` and `unframe evolve` write in a browser and uses it as a reader would.
// `cargo xtask test --only browser` installs what it needs and runs it with UNFRAME, CHROMIUM and PLAYWRIGHT set.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT);

const folder = mkdtempSync(path.join(tmpdir(), "unframe-browser-"));
const file = (name) => path.join(folder, name);
const unframe = (...words) => execFileSync(process.env.UNFRAME, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

let browser;
let server;
let asked = 0;

before(async () => {
  // Whatever reaches this server was loaded by a page that should load nothing.
  server = http.createServer((_, answer) => { asked += 1; answer.end("no"); });
  await new Promise((ready) => { server.listen(0, "127.0.0.1", ready); });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const MENU = "<ul id='menu'><li><a href='/'>Home page</a></li><li><a href='/news'>Latest news</a></li><li><a href='/about'>About us</a></li></ul>";
const FOOT = "<div id='foot'><p>Imprint and contact of this site</p></div>";
const words = (number) => Array.from({ length: 5 + (number % 40) }, (_, at) => `word${number}x${at}`).join(" ");
const line = (url, html, date) => `${JSON.stringify({ url, html, date })}\n`;
const usual = (number) => line(`http://a.example/page/${number}`, `<title>Page ${number}</title>${MENU}<h1>Heading ${number}</h1><p>${words(number)}</p>${FOOT}`);
const outlier = line("http://a.example/odd", `<title>Odd</title><p>${words(77)} nothing that the others have</p>`);

/** Pages that try to run scripts and to load things, in every place that a report shows. */
function hostile() {
  const to = `http://127.0.0.1:${server.address().port}`;
  const attack = `</script><script>window.pwned=1</script><img src="${to}/i" onerror="window.pwned=1"><iframe src="${to}/f"></iframe><svg onload="window.pwned=1">`;
  const shown = attack.replaceAll("<", "&lt;");
  const page = (number) => line(
    `http://h.example/${number}?q=</script><script>window.pwned=1</script>"'><img src=${to}/u onerror=window.pwned=1>`,
    `<title>${shown}</title><ul><li><a href="javascript:window.pwned=1">${shown} menu</a></li><li><a href="/x</script><script>window.pwned=1</script>">Second link ${shown}</a></li></ul>`
      + `<p>${shown} ${words(number)}</p>${attack}`,
    `20${10 + (number % 3)}-0${1 + (number % 9)}-01T00:00:00Z`,
  );
  return Array.from({ length: 24 }, (_, number) => page(number)).join("");
}

/** Opens a file and remembers everything that should not happen. */
async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1300, height: 800 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) faults.push(message.text()); });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("dialog", (dialog) => { faults.push("a dialog"); dialog.dismiss(); });
  page.on("request", (request) => { if (!/^(file|blob|data):/.test(request.url())) faults.push(`a request of ${request.url()}`); });
  await page.goto(pathToFileURL(file(name)).href);
  return { page, context, faults };
}

async function explorer(name, options) {
  const opened = await open(name, options);
  await opened.page.waitForSelector("html[data-ready=yes]");
  return opened;
}

async function close({ page, context, faults }) {
  assert.deepEqual(faults, []);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  await context.close();
}

/** A point of the picture: a row, and a share of the longest page. */
async function clickBar(page, row, share) {
  const at = await page.evaluate(([wanted, part]) => {
    const box = document.getElementById("canvas").getBoundingClientRect();
    return { x: box.left + part * wide(), y: box.top + (wanted + 0.4) * pitch() - document.getElementById("scroller").scrollTop };
  }, [row, share]);
  await page.mouse.move(at.x, at.y);
  await page.mouse.click(at.x, at.y);
}

test("a bar opens its page, an id its template, a template its pages", async () => {
  writeFileSync(file("a.jsonl"), Array.from({ length: 60 }, (_, number) => usual(number)).join("") + outlier);
  unframe("draw", "a.jsonl", "-o", "a.html", "-q");
  const opened = await explorer("a.html");
  const { page } = opened;
  assert.match(await page.textContent("#figures"), /^61 pages · template: \d+ % of the HTML/);
  await clickBar(page, 30, 0.03);
  await page.waitForSelector("#page-text .region");
  assert.match(await page.textContent("#view h2"), /^Page \d+$/);
  assert.match(await page.textContent("#page-text"), /word\d+x0 /);
  assert.match(await page.textContent("#tip"), /http:\/\/a\.example\/page/);
  const piece = await page.getAttribute("#page-text .region .id", "href");
  assert.match(piece, /^#piece=\d+$/);
  assert.match(await page.textContent("#page-text .region"), /Home page/);
  await page.click("#page-text .region .id");
  await page.waitForFunction(() => /^Piece [0-9a-f]{16}$/.test(document.querySelector("#view h2").textContent));
  assert.match(await page.textContent("#view"), /Every page that has it \(60\)/);
  await page.click("#tabs a[href='#templates']");
  assert.match(await page.textContent("#view .row >> nth=0"), /(Navigation|Header|Footer|Box).*60 of 61 pages/);
  await page.click("#view .row", { has: page.locator("text=Home page") });
  await page.waitForSelector("#view .region");
  assert.match(await page.textContent("#view h2"), /^(Navigation|Header|Footer|Box)$/);
  assert.match(await page.textContent("#view"), /Home page/);
  assert.equal(await page.locator("#view ul.rows .row").count(), 60);
  await close(opened);
});

test("a page has three shades with counts, a clean text beside it, and templates that can be pointed at", async () => {
  const opened = await explorer("a.html");
  const { page } = opened;
  await page.goto(`${page.url().split("#")[0]}#page=30`);
  await page.waitForSelector("#page-text .region");
  assert.match(await page.textContent("#counts"), /content [\d,]+ characters.*template [\d,]+ characters.*clutter/);
  assert.doesNotMatch(await page.textContent("#clean-text"), /Home page/);
  assert.match(await page.textContent("#clean-text"), /word\d+x0 /);
  const tag = page.locator("#view .tag").first();
  await tag.hover();
  await page.waitForSelector("#page-text .region.chosen");
  await page.mouse.move(2, 2);
  await page.waitForFunction(() => !document.querySelector("#page-text .region.chosen"));
  await tag.focus();
  await page.waitForSelector("#page-text .region.chosen");
  await close(opened);
});

test("menus of one site are told apart by their texts", async () => {
  const second = "<div id='sections' class='nav'><ul><li><a href='/green'>Green tea</a></li><li><a href='/black'>Black tea</a></li><li><a href='/cups'>Cups and pots</a></li></ul></div>";
  const pages = Array.from({ length: 12 }, (_, number) => line(
    `http://n.example/${number}`, `<title>Page ${number}</title>${MENU}${second}<h1>Heading ${number}</h1><p>${words(number)}</p>${FOOT}`));
  writeFileSync(file("n.jsonl"), pages.join(""));
  unframe("draw", "n.jsonl", "-o", "n.html", "-q");
  const opened = await explorer("n.html");
  const { page } = opened;
  await page.goto(`${page.url().split("#")[0]}#page=3`);
  await page.waitForSelector("#page-text .region");
  const tags = await page.locator("#view .tag").allTextContents();
  assert.deepEqual(tags.filter((tag) => tag.startsWith("Navigation")), ["Navigation “Home page Latest…”", "Navigation “Green tea Black…”"]);
  assert.ok(tags.includes("Footer"), tags.join(", "));
  await close(opened);
});

test("outliers come first, key pages are found, pages are found by address", async () => {
  const opened = await explorer("a.html");
  const { page } = opened;
  const headings = await page.locator("#view h3").allTextContents();
  assert.match(headings[0], /^Outliers: 1 page/);
  assert.match(await page.textContent("#view .outliers .row .main"), /a\.example\/odd$/);
  assert.match(headings[1], /^Group 1: \d+ pages/);
  await page.click("#tabs a[href='#key']");
  const keys = await page.locator("#view .row .main").allTextContents();
  assert.deepEqual(keys.slice(0, 3).sort(), ["About us", "Home page", "Latest news"]);
  await page.fill("#search", "page/7");
  await page.waitForFunction(() => document.querySelector("#view h2").textContent.includes("“page/7”"));
  assert.equal(await page.locator("#view .row").count(), 1);
  await close(opened);
});

test("everything can be done with the keyboard", async () => {
  const opened = await explorer("a.html");
  const { page } = opened;
  await page.focus("#scroller");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  assert.match(await page.textContent("#current"), /http:\/\/a\.example\/.* bytes/);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#page-text");
  const before = await page.evaluate(() => pitch());
  await page.keyboard.press("+");
  assert.ok(await page.evaluate(() => pitch()) > before);
  await page.keyboard.press("0");
  assert.equal(await page.evaluate(() => pitch()), before);
  await page.keyboard.press("/");
  await page.keyboard.type("odd");
  await page.waitForFunction(() => document.querySelectorAll("#view .row").length === 1);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#view .outliers");
  await page.selectOption("#order", "group");
  await page.selectOption("#palette", "safe");
  await page.selectOption("#theme", "dark");
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(21, 24, 29)");
  await close(opened);
});

test("hostile pages run nothing and load nothing", async () => {
  writeFileSync(file("h.jsonl"), hostile());
  for (const method of ["dom", "places"]) unframe("draw", "h.jsonl", "--method", method, "-o", `h-${method}.html`, "-q");
  unframe("draw", "h.jsonl", "--method", "dom", "-o", "h.svg", "-q");
  unframe("draw", "h.jsonl", "--all", "-o", "all", "-q");
  unframe("evolve", "h.jsonl", "-o", "over-time", "-q");
  unframe("clean", "h.jsonl", "--report", "removed.html", "-o", "h-texts.jsonl", "-q");
  for (const name of ["h-dom.html", "h-places.html", "all/h.example.html"]) {
    const opened = await explorer(name);
    const { page } = opened;
    for (const view of ["groups", "templates", "key", "pages", "page=3", "template=0", "piece=0"]) {
      await page.evaluate((where) => { location.hash = where; }, view);
      await page.waitForTimeout(60);
      const added = await page.evaluate(() => document.querySelectorAll("#view script, #view img, #view iframe, #view svg, #view [onerror], #view [onload], a[href^='javascript']").length);
      assert.equal(added, 0, view);
    }
    await page.evaluate(() => { location.hash = "page=3"; });
    await page.waitForFunction(() => (document.getElementById("page-text")?.textContent ?? "").includes("<script>window.pwned=1"));
    assert.equal(await page.locator("script").count(), 2);
    await close(opened);
  }
  for (const name of ["h.svg", "all/index.html", "over-time/report.html", "over-time/links.svg", "removed.html"]) {
    const opened = await open(name);
    await opened.page.waitForTimeout(100);
    assert.equal(await opened.page.evaluate(() => document.querySelectorAll("script, img, iframe, foreignObject").length), 0, name);
    await close(opened);
  }
  assert.equal(asked, 0, "nothing was loaded");
});

test("scripts that are not ours are stopped by the policy", async () => {
  const { page, context, faults } = await explorer("a.html");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.pwned = 1";
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", "<p onclick='window.pwned=1' id=trap>trap</p>");
    document.getElementById("trap").click();
  });
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.ok(faults.some((fault) => fault.includes("Content Security Policy")), faults.join("\n"));
  await context.close();
});

test("one page, and thousands", async () => {
  writeFileSync(file("one.jsonl"), usual(1));
  unframe("draw", "one.jsonl", "-o", "one.html", "-q");
  const one = await explorer("one.html");
  assert.match(await one.page.textContent("#figures"), /^1 page ·/);
  await clickBar(one.page, 0, 0.5);
  await one.page.waitForSelector("#page-text");
  await close(one);
  writeFileSync(file("many.jsonl"), Array.from({ length: 20_000 }, (_, number) => usual(number)).join(""));
  unframe("draw", "many.jsonl", "-o", "many.html", "-q");
  const many = await explorer("many.html", { colorScheme: "dark" });
  assert.match(await many.page.textContent("#figures"), /^20,000 pages ·/);
  await many.page.evaluate(() => { location.hash = "page=19999"; });
  await many.page.waitForSelector("#page-text .region");
  await many.page.focus("#scroller");
  for (let step = 0; step < 6; step += 1) await many.page.keyboard.press("+");
  await many.page.keyboard.press("End");
  assert.match(await many.page.textContent("#current"), /a\.example/);
  await close(many);
});

test("the index leads to the sites, the report shows its figures", async () => {
  const index = await open("all/index.html");
  assert.equal(await index.page.locator("li svg").count(), 1);
  await index.page.click("li a");
  await index.page.waitForSelector("html[data-ready=yes]");
  await close(index);
  const report = await open("over-time/report.html", { colorScheme: "dark" });
  assert.equal(await report.page.locator("figure svg").count(), 6);
  assert.match(await report.page.textContent("body"), /Shares by period[^]*before [^]*Trends/);
  await close(report);
});
