// The picture: all pages as bars, of which only those in sight are drawn.

const picture = {
  rows: [],          // numbers of pages, from top to bottom
  zoom: 1,
  current: -1,       // row with the keyboard's cursor
  chosenPieces: null, // pieces that stand out
  hovered: null,     // pieces that stand out for a moment
  found: null,       // pages that stand out
};

/** Height of a row: all rows fit at zoom 1, but none is higher than 14 pixels. */
function pitch() {
  const fit = Math.min(14, picture.view.height / Math.max(1, picture.rows.length));
  return Math.min(24, fit * picture.zoom);
}

const wide = () => picture.view.width * Math.max(1, Math.min(20, Math.sqrt(picture.zoom)));

function orderRows() {
  const pages = model.pages.map((page) => page.number);
  if ($("order").value === "group") {
    pages.sort((a, b) => model.pages[a].group - model.pages[b].group || a - b);
  }
  picture.rows = pages;
  picture.current = -1;
}

function resize() {
  const scroller = $("scroller");
  picture.view = { width: Math.max(50, scroller.clientWidth), height: Math.max(50, scroller.clientHeight) };
  $("spacer").style.width = `${wide() * model.bytesMax / model.bytesShown}px`;
  $("spacer").style.height = `${Math.max(picture.view.height, pitch() * picture.rows.length)}px`;
  const canvas = $("canvas");
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(picture.view.width * ratio);
  canvas.height = Math.round(picture.view.height * ratio);
  canvas.style.width = `${picture.view.width}px`;
  canvas.style.height = `${picture.view.height}px`;
  draw();
}

function draw() {
  const context = $("canvas").getContext("2d");
  const ratio = window.devicePixelRatio || 1;
  const { width, height } = picture.view;
  const { scrollTop, scrollLeft } = $("scroller");
  const step = pitch();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = { inks: palette(), accent: themeColor("--accent"), scale: wide() / model.bytesShown, left: scrollLeft, width };
  // With more rows than pixels, each line of pixels shows one page.
  const lineStep = Math.max(1, step);
  const lines = Math.ceil(Math.min(height, picture.rows.length * step) / lineStep) + 1;
  const first = step >= 1 ? Math.floor(scrollTop / step) : 0;
  for (let line = 0; line <= lines; line += 1) {
    const row = step >= 1 ? first + line : Math.floor((scrollTop + line) / step);
    if (row >= picture.rows.length) break;
    const y = step >= 1 ? row * step - scrollTop : line;
    drawRow(context, row, y, step >= 8 ? step - 2.5 : step >= 4 ? step - 1 : lineStep, style);
  }
}

function drawRow(context, row, y, height, style) {
  const page = model.pages[picture.rows[row]];
  const isFound = !picture.found || picture.found.has(page.number);
  context.globalAlpha = isFound ? 1 : 0.18;
  context.fillStyle = style.inks.content;
  context.fillRect(-style.left, y, page.bytes * style.scale, height);
  for (let at = 0; at < page.marks.length; at += 4) {
    const x = page.marks[at] * style.scale - style.left;
    const end = page.marks[at + 1] * style.scale - style.left;
    if (end < 0 || x > style.width) continue;
    const piece = page.marks[at + 2];
    const chosen = picture.hovered || picture.chosenPieces;
    const isChosen = !chosen || chosen.has(piece);
    context.globalAlpha = isFound && isChosen ? 1 : 0.18;
    context.fillStyle = style.inks.of(piece, page.marks[at + 3]);
    context.fillRect(x, y, Math.max(0.4, end - x), height);
  }
  context.globalAlpha = 1;
  if (row === picture.current) {
    context.strokeStyle = style.accent;
    context.lineWidth = 2;
    context.strokeRect(1, y - 1, style.width - 2, Math.max(4, height + 2));
  }
}

/** The page and the piece under a point of the window. */
function under(event) {
  const box = $("canvas").getBoundingClientRect();
  const y = event.clientY - box.top + $("scroller").scrollTop;
  const row = Math.floor(y / pitch());
  if (row < 0 || row >= picture.rows.length) return null;
  const page = model.pages[picture.rows[row]];
  const byte = (event.clientX - box.left + $("scroller").scrollLeft) / (wide() / model.bytesShown);
  return { row, page, piece: pieceAt(page, byte) };
}

function describe(page, piece) {
  let words = `${page.url}\n${count(page.bytes)} bytes, ${percent(page.share)} template`;
  if (piece !== null) {
    const known = model.pieces[piece];
    words += `\n${model.knowsPlaces && known.sort ? `${nameOf(known)} ` : ""}${known.id}: ${plural(known.occurrences, "time")} on ${plural(known.pages, "page")}`;
    if (known.text) words += `\n“${known.text.slice(0, 120).replace(/\s+/g, " ")}${known.text.length > 120 ? "…" : ""}”`;
  }
  return words;
}

function showTip(event) {
  const found = under(event);
  const tip = $("tip");
  tip.hidden = !found;
  if (!found) return;
  tip.textContent = describe(found.page, found.piece);
  const right = event.clientX + 18 + tip.offsetWidth > window.innerWidth;
  tip.style.left = `${right ? Math.max(4, event.clientX - 14 - tip.offsetWidth) : event.clientX + 18}px`;
  tip.style.top = `${Math.min(event.clientY + 16, window.innerHeight - tip.offsetHeight - 6)}px`;
}

/** Zooms, and keeps what is at `y` of the view where it is. */
function zoomBy(factor, y) {
  const scroller = $("scroller");
  const at = y === undefined ? picture.view.height / 2 : y;
  const row = (scroller.scrollTop + at) / pitch();
  const most = Math.max(1, 24 / Math.min(14, picture.view.height / Math.max(1, picture.rows.length)));
  picture.zoom = Math.min(most, Math.max(1, picture.zoom * factor));
  resize();
  scroller.scrollTop = row * pitch() - at;
  draw();
}

function moveTo(row) {
  picture.current = Math.max(0, Math.min(picture.rows.length - 1, row));
  const top = picture.current * pitch();
  const scroller = $("scroller");
  if (top < scroller.scrollTop + 20) scroller.scrollTop = top - 40;
  if (top > scroller.scrollTop + picture.view.height - 30) scroller.scrollTop = top - picture.view.height + 60;
  const page = model.pages[picture.rows[picture.current]];
  if (page) $("current").textContent = describe(page, null).replace("\n", " — ");
  draw();
}

/** Keys of the picture; whether the key was one. */
function pictureKey(key) {
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 25, PageUp: -25, Home: -1e9, End: 1e9 };
  if (key in moves) moveTo(picture.current + moves[key]);
  else if (key === "Enter" && picture.current >= 0) go(`page=${picture.rows[picture.current]}`);
  else return false;
  return true;
}
