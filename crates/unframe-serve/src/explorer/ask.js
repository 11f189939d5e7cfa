// Asks the service. Errors have a code and a sentence; a missing key is asked for once.

import { make } from "./make.js";

export const api = (...parts) => "/api/v1/" + parts.map((part) => encodeURIComponent(part)).join("/");

export function query(parameters) {
  const wanted = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return "?" + new URLSearchParams(wanted.map(([name, value]) => [name, String(value)]));
}

export async function ask(address, options = {}) {
  const answer = await fetch(address, options);
  if (answer.status === 401 && (await askKey())) return ask(address, options);
  if (answer.status === 204) return null;
  const type = answer.headers.get("content-type") || "";
  const value = type.includes("json") ? await answer.json() : null;
  if (!answer.ok) {
    const error = new Error(value?.error?.message || `the service answered ${answer.status}`);
    error.code = value?.error?.code;
    throw error;
  }
  return value;
}

// The key becomes a cookie that no script can read; it is kept nowhere else.
let asking = null;
function askKey() {
  asking ??= new Promise((resolve) => {
    const input = make("input", { type: "password", autocomplete: "off", "aria-label": "Key", required: true });
    const wrong = make("p", { class: "bad" });
    const dialog = make("dialog", {}, make("form", { method: "dialog", onsubmit: send },
      make("p", {}, "This service needs a key."), input, wrong, make("button", {}, "Use this key")));
    async function send(event) {
      event.preventDefault();
      const answer = await fetch("/api/v1/session", { method: "POST", headers: { Authorization: `Bearer ${input.value}` } });
      if (!answer.ok) {
        const told = answer.status === 429 ? await answer.json().catch(() => null) : null;
        wrong.textContent = told?.error?.message || "The key is not known.";
        return;
      }
      dialog.close();
      dialog.remove();
      asking = null;
      resolve(true);
    }
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}
