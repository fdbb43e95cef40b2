// The line to the server. The server tells the version of the table and how much else was told about
// it, when it opens, when one of them is new, and again in every heartbeat; a page that shows less
// catches up. If nothing is heard for too long, or the browser is offline, the page says so and keeps
// trying. An action that could not be sent is kept and offered again.

import { refresh } from "./update.js";

const QUIET = 40_000;
const SLOW = 1_500;
const LONGEST = 8_000;
const UNSEEN = 60_000;
const $ = (id) => document.getElementById(id);
const stream = () => $("stream");
const table = location.pathname.match(/\d+/)?.[0] ?? "";

let source = null;
let quiet = 0;
let again = 0;
let pause = 500;
let sending = 0;
let slow = 0;
let away = false;
let leaving = 0;
let told = [0, 0];

// hearing

function connect() {
  clearTimeout(again);
  source?.close();
  source = new EventSource(`${stream().dataset.stream}${away ? "?away=1" : ""}`);
  source.addEventListener("version", (event) => heard(event.data));
  source.addEventListener("error", lost);
}

/** A page nobody has looked at for a minute says so: then its owner is told in other ways. */
function seen() {
  clearTimeout(leaving);
  if (document.hidden) leaving = setTimeout(() => { away = true; connect(); }, UNSEEN);
  else if (away || source?.readyState === 2) { away = false; connect(); }
}

function heard(news) {
  pause = 500;
  say("");
  clearTimeout(quiet);
  quiet = setTimeout(lost, QUIET);
  told = news.split(".").map(Number);
  if (!sending) catchUp(); // else the answer brings the page up to date
}

function catchUp() {
  const { version, others } = $("panel-bar").dataset;
  if (told[0] > Number(version) || told[1] > Number(others)) refresh();
}

function lost() {
  source?.close();
  clearTimeout(quiet);
  clearTimeout(again);
  say(navigator.onLine ? "The line to the server is cut; trying again." : "This device is offline.");
  again = setTimeout(connect, pause);
  pause = Math.min(LONGEST, pause * 2);
}

function say(text) {
  const box = $("connection");
  box.hidden = !text;
  if (text) box.textContent = text;
  if (!text) offer();
}

// sending

const key = `unsent-${table}`;
const acts = (form) => form?.matches?.("form[hx-post]") && /\/(act|say)\/$/.test(form.getAttribute("action"));

const stored = () => {
  try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; }
};
let kept = stored(); // asked for once: this page alone writes it, and looks at it after every action

function keep(value) {
  kept = value;
  try {
    if (value) sessionStorage.setItem(key, JSON.stringify(value));
    else sessionStorage.removeItem(key);
  } catch { /* a browser may forbid it */ }
  offer();
}

/** What was not sent, offered again once there is a line. */
function offer() {
  const waiting = kept;
  const box = $("unsent");
  box.hidden = !waiting;
  if (waiting) box.querySelector("b").textContent = waiting.label;
  box.querySelector("[data-send]").disabled = !$("connection").hidden;
}

function unsent(form) {
  const button = form.querySelector(".go, button:not([type=button])");
  const fields = Object.fromEntries(new FormData(form));
  const said = button?.getAttribute("aria-label") ?? `${form.querySelector(".label")?.textContent ?? ""} ${button?.textContent ?? ""}`;
  const label = (fields.say ?? said).replace(/\s+/g, " ").trim();
  keep({ fields, label, url: form.getAttribute("action") });
}

let resent = null;

async function sendAgain() {
  const waiting = kept;
  if (!waiting) return;
  resent = waiting;
  keep(null);
  await htmx.ajax("POST", waiting.url, { values: waiting.fields, source: "#unsent", swap: "none" });
}

const sends = (form) => acts(form) || form?.id === "unsent";

/** An action is on its way: if its answer takes long, that is said. */
function begun(event) {
  if (!sends(event.detail.ctx?.sourceElement)) return;
  sending += 1;
  clearTimeout(slow);
  slow = setTimeout(() => say("The server has not answered yet; the action is on its way."), SLOW);
}

function finished(event) {
  if (!sends(event.detail.ctx?.sourceElement)) return;
  sending = Math.max(0, sending - 1);
  clearTimeout(slow);
  if (source?.readyState === 1) say("");
  if (!sending) catchUp();
}

function failed(event) {
  const form = event.detail.ctx?.sourceElement;
  const status = event.detail.ctx?.response?.raw?.status ?? 0;
  const again = form?.id === "unsent";
  if (!(again || acts(form)) || (status && status < 500)) return;
  if (again) keep(resent);
  else unsent(form);
  if (!status) lost();
}

/** Wire the line. */
export function startLine() {
  document.addEventListener("htmx:before:request", begun);
  document.addEventListener("htmx:finally:request", finished);
  document.addEventListener("htmx:error", failed);
  document.addEventListener("htmx:response:error", failed);
  addEventListener("offline", lost);
  addEventListener("online", connect);
  addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  document.addEventListener("visibilitychange", seen);
  $("unsent").addEventListener("click", (event) => {
    if (event.target.closest("[data-send]")) sendAgain();
    if (event.target.closest("[data-drop]")) keep(null);
  });
  offer();
  connect();
}
