// Uploads, by drag and drop or by choice, and the jobs that they become.

import { api, ask, query } from "./ask.js";
import { bytes, count, make, path } from "./make.js";

const uploads = new Set();

export function watchDrops() {
  const cover = document.getElementById("drop");
  let depth = 0;
  const show = (by) => {
    depth = Math.max(0, depth + by);
    cover.hidden = depth === 0;
  };
  addEventListener("dragenter", (event) => event.dataTransfer?.types.includes("Files") && show(1));
  addEventListener("dragleave", (event) => event.dataTransfer?.types.includes("Files") && show(-1));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    cover.hidden = true;
    send([...event.dataTransfer.files]);
  });
}

function send(files) {
  for (const file of files) uploads.add(begin(file));
  if (location.hash !== "#/jobs") location.hash = "#/jobs";
  else window.dispatchEvent(new HashChangeEvent("hashchange"));
}

// A request that tells how far it is; `fetch` does not.
function begin(file) {
  const bar = make("progress", { max: Math.max(1, file.size), value: 0, "aria-label": `Upload of ${file.name}` });
  const told = make("span", { class: "muted" }, "sending");
  const request = new XMLHttpRequest();
  const cancel = make("button", { type: "button", onclick: () => request.abort() }, "Cancel");
  const card = make("section", { class: "card upload" }, make("div", { class: "bar" }, make("b", {}, file.name), bytes(file.size), told, cancel), bar);
  const end = (text, kind) => {
    cancel.remove();
    told.textContent = text;
    told.className = kind;
  };
  request.upload.onprogress = (event) => {
    bar.value = event.loaded;
    told.textContent = `${bytes(event.loaded)} sent`;
  };
  request.onload = () => {
    if (request.status === 202) {
      uploads.delete(card);
      card.remove();
      return;
    }
    let message = `the service answered ${request.status}`;
    try {
      message = JSON.parse(request.responseText).error.message;
    } catch { /* The status is all there is. */ }
    end(message, "bad");
  };
  request.onerror = () => end("the connection broke off", "bad");
  request.onabort = () => end("cancelled", "muted");
  request.open("POST", api("crawls") + query({ mode: "job", name: file.name.slice(0, 200) }));
  request.send(file);
  return card;
}

export async function jobs(view, _, signal) {
  const input = make("input", { type: "file", multiple: true, id: "files", onchange: () => send([...input.files]) });
  const list = make("div", {});
  view.append(make("h1", {}, "Upload a crawl"),
    make("div", { class: "empty" }, make("p", {}, "Drop WARC, ARC, WACZ, JSONL or Parquet files anywhere on this page, or choose some:"), input),
    make("div", {}, [...uploads]), make("h2", {}, "Jobs"), list);
  while (!signal.aborted) {
    const found = await ask(api("jobs") + query({ limit: 50 }));
    const focused = document.activeElement?.dataset?.job;
    list.replaceChildren(...found.jobs.map(card));
    if (focused) list.querySelector(`[data-job="${focused}"]`)?.focus();
    const isOpen = found.jobs.some((job) => job.state === "queued" || job.state === "running") || uploads.size > 0;
    await new Promise((resolve) => setTimeout(resolve, isOpen ? 400 : 2000));
  }
}

function card(job) {
  const isOpen = job.state === "queued" || job.state === "running";
  const names = { crawl: "Upload", learn: "Learn", index: "Index", delete: "Delete", forget: "Remove from the index" };
  const cancel = async () => ask(api("jobs", job.job), { method: "DELETE" }).catch(() => {});
  const told = job.error ? make("span", { class: "bad" }, job.error.message) : job.result ? Object.entries(job.result).map(([name, value]) => `${name} ${typeof value === "number" && value < 1 && value > 0 ? value.toFixed(3) : count(value)}`).join(", ") : "";
  return make("section", { class: "card" },
    make("div", { class: "bar" }, make("b", {}, `${names[job.kind]} ${job.name ?? ""}`), job.site ? make("a", { href: path("site", job.site) }, job.site) : null,
      make("span", { class: "muted state" }, job.state), told, isOpen ? make("button", { type: "button", "data-job": job.job, onclick: cancel }, "Cancel") : null),
    isOpen ? make("progress", { max: Math.max(1, job.total), value: job.done, "aria-label": `Progress of ${job.kind}` }) : null);
}
