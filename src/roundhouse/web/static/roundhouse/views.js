// Views that follow the game: what the round is about gets the room, unless somebody keeps another
// view. What is chosen is kept in this browser, with the layout that shows the map largest.

import { kept } from "./kept.js";
import { refresh } from "./update.js";
import { readable } from "./sizes.js";
import { letter } from "./type.js";

const PARTS = {
  map: ["map", "market"], shares: ["shares", "market"], auction: ["auction"], cards: ["cards"],
  sheet: ["sheet"], trains: ["trains"], result: ["result"], about: ["about"],
};
const BESIDE = 440;
const LINE = 21;
const columns = () => document.getElementById("columns");
const bar = () => document.getElementById("panel-bar");
const tabs = () => [...document.querySelectorAll(".views [role=tab]")];
const table = location.pathname.match(/\d+/)?.[0] ?? "";

let pinned = kept.read(`pin-${table}`);

/** The view that is open. */
export const opened = () => columns().dataset.view;

/** Whether the view follows the game. */
export const following = () => !pinned;

/** Show a view. */
function show(name) {
  const parts = PARTS[name] ?? PARTS.map;
  columns().dataset.view = name;
  for (const pane of document.querySelectorAll(".stage > [id^=pane-]")) {
    pane.hidden = !parts.includes(pane.id.slice(5));
  }
  for (const tab of tabs()) {
    const on = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
  }
  arrange();
}

/** Whether something of a view on show has not been fetched. */
const lacking = () =>
  [...document.querySelectorAll(".stage [id^=panel-]")].some((p) => !p.closest("[hidden]") && !p.dataset.digest);

/** Open a view somebody asks for. */
export function open(name) {
  if (!PARTS[name]) return undefined;
  if (pinned) pin(name);
  show(name);
  return refresh();
}

function pin(name) {
  pinned = name;
  kept.write(`pin-${table}`, name);
  const button = document.querySelector("[data-pin]");
  button.setAttribute("aria-pressed", String(Boolean(name)));
}

/** Turn to what the round is about, once it is about something else. */
let suggested = "";
function follow() {
  const now = bar().dataset.suggested;
  const turned = now !== suggested;
  suggested = now;
  if (turned && !pinned && now !== opened()) show(now);
  if (lacking()) refresh();
}

let moving = 0;

/** As many columns of strips as leave every line whole; how many. */
function columned(list, most) {
  const whole = () => [...list.querySelectorAll(".sl, .sl-name, .sl-name b, .sl-facts, .sl-who")].every((e) => e.scrollWidth <= e.clientWidth);
  for (let count = most; count; count -= 1) {
    list.style.setProperty("--columns", count);
    if (count === 1 || whole()) return count;
  }
  return 1;
}

/** Every line of the strips can be read to its end; how many rows they take. */
function lined(width) {
  let rows = 0;
  for (const list of document.querySelectorAll(".strip-companies, .strip-players")) {
    rows += Math.ceil(list.childElementCount / columned(list, Math.max(1, Math.floor(width / 240))));
  }
  return rows;
}

/** Whether a market is larger beside the grid of shares than beneath it. */
function asideIsLarger(wide, high, width, height) {
  columns().classList.remove("tall-market");
  const grid = document.querySelector("#pane-shares")?.getBoundingClientRect().height ?? 0;
  const strips = document.querySelector(".stage > .strips")?.getBoundingClientRect().height ?? 0;
  const beneath = Math.min(width / wide, (height - grid - strips - 24) / high);
  return Math.min((0.43 * width) / wide, (height - strips - 16) / high) > beneath;
}

/** Where the grid of shares is wider than its place: the column in which something may be done. */
function offered() {
  const grid = document.getElementById("panel-shares");
  const cell = grid?.querySelector("td.offer");
  if (!cell || grid.scrollWidth <= grid.clientWidth) return;
  const over = cell.getBoundingClientRect().right - grid.getBoundingClientRect().right;
  if (over > 0) grid.scrollLeft += over;
}

/** Put the strips where the map is largest. */
function arrange() {
  const stage = document.getElementById("stage");
  const drawing = document.querySelector("#panel-map svg");
  const [, , wide, high] = (document.querySelector("#panel-market svg")?.getAttribute("viewBox") ?? "0 0 1 0").split(/[ ,]+/).map(Number);
  const { width, height } = stage.getBoundingClientRect();
  columns().classList.toggle("tall-market", opened() === "shares" && asideIsLarger(wide, high, width, height));
  columns().classList.remove("beside");
  const lines = lined(width);
  readable();
  offered();
  if (opened() !== "map" || !drawing || !width) return;
  const [w, h] = (drawing.dataset.whole ?? drawing.getAttribute("viewBox")).split(/[ ,]+/).slice(2).map(Number);
  const beneath = Math.min(width / w, (height - 14 - LINE * (lines + 2)) / h);
  const beside = Math.min((width - BESIDE - 6) / w, height / h);
  if (beside > beneath && innerWidth >= 1100) {
    columns().classList.add("beside");
    lined(BESIDE);
    readable();
  }
  clearTimeout(moving);
  moving = setTimeout(corner, 160, drawing); // once the map has its new size
}

/** The map's tools stand in a corner in which there is no hex. */
function corner(drawing) {
  const tools = document.querySelector(".map-tools");
  const around = tools.parentElement.getBoundingClientRect();
  const { offsetWidth: w, offsetHeight: h } = tools;
  const hexes = [...drawing.querySelectorAll(".rh-field")].map((hex) => hex.getBoundingClientRect());
  const covers = (x, y) => hexes.filter((b) => b.right > x && b.left < x + w && b.bottom > y && b.top < y + h).length;
  const [right, low] = [around.right - w - 8, around.bottom - h - 8];
  const places = { "low left": [around.left + 8, low], "low right": [right, low], "high left": [around.left + 8, around.top + 8], "high right": [right, around.top + 8] };
  const best = Object.keys(places).reduce((a, b) => (covers(...places[b]) < covers(...places[a]) ? b : a));
  tools.className = `map-tools ${best}`;
}

function full(on) {
  document.body.classList.toggle("full-map", on);
  document.querySelector("[data-full]").setAttribute("aria-pressed", String(on));
  kept.write(`full-${table}`, on);
  if (on && opened() !== "map") open("map");
  arrange();
  letter();
}

function key(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input:not([type=radio]), select, textarea")) return;
  if (event.key === "f") return void full(!document.body.classList.contains("full-map"));
  if (event.key === "Escape" && document.body.classList.contains("full-map")) full(false);
  const tab = tabs().find((t) => t.dataset.key === event.key);
  if (tab) open(tab.id.slice(4));
}

function step(event) {
  if (!event.target.closest(".views [role=tab]") || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  const all = tabs();
  const by = event.key === "ArrowRight" ? 1 : all.length - 1;
  const next = all[(all.indexOf(event.target.closest("[role=tab]")) + by) % all.length];
  open(next.id.slice(4));
  next.focus();
}

/** Wire the views. */
export function startViews() {
  suggested = bar().dataset.suggested;
  document.querySelector("[data-pin]").setAttribute("aria-pressed", String(Boolean(pinned)));
  if (pinned && pinned !== opened()) open(pinned);
  else arrange();
  if (kept.read(`full-${table}`)) full(true);
  document.addEventListener("click", (event) => {
    const tab = event.target.closest(".views [role=tab]");
    if (tab) open(tab.id.slice(4));
    const look = event.target.closest("[data-look]");
    if (look) open(look.dataset.look);
    if (event.target.closest("[data-pin]")) pin(pinned ? "" : opened());
    if (event.target.closest("[data-full]")) full(!document.body.classList.contains("full-map"));
  });
  document.addEventListener("keydown", step);
  document.addEventListener("keydown", key);
  document.addEventListener("htmx:after:swap", () => { follow(); arrange(); });
  addEventListener("resize", arrange);
}
