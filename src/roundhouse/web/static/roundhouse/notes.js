// One's own notes of a table. They are the account's where there is one; what could not be sent
// stays in the browser, as do the notes of who is not signed in.

import { kept } from "./kept.js";

const PAUSE = 600;
const token = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

/** Wire the field for notes. */
export function startNotes() {
  const field = document.querySelector("[data-notes]");
  const name = `notes-${location.pathname.match(/\d+/)?.[0] ?? ""}`;
  let timer = 0;
  async function send() {
    clearTimeout(timer);
    const text = field.value;
    if (!field.dataset.notes || text === field.defaultValue) return;
    const body = new URLSearchParams({ text });
    const headers = { "X-CSRFToken": token(), Accept: "application/json" };
    const answer = await fetch(field.dataset.notes, { method: "POST", headers, body, keepalive: true }).catch(() => null);
    if (!answer?.ok) return;
    field.defaultValue = text;
    if (field.value === text) kept.forget(name);
  }
  field.value = kept.read(name) ?? field.defaultValue;
  field.addEventListener("input", () => {
    kept.write(name, field.value);
    clearTimeout(timer);
    timer = setTimeout(send, PAUSE);
  });
  field.addEventListener("change", send);
  addEventListener("pagehide", send);
  send();
}
