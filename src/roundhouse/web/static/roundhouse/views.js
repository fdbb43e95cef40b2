// Views that follow the game: what the round is about gets the room, unless somebody keeps another
// view. What is chosen is kept in this browser, with the layout that shows the map largest.

import { kept } from "./kept.js";
import { turnTo } from "./panes.js";
import { refresh } from "./update.js";
import { readable } from "./sizes.js";
import { lined } from "./strips.js";
import { letter } from "./type.js";

const PARTS = {
  map: ["map", "market"], shares: ["shares", "market"], auction: ["auction"], cards: ["cards"],
  sheet: ["sheet"], trains: ["trains"], result: ["result"], about: ["about"],
};
const BESIDE = 440;
const LINE = 21;
const GAP = 6.4; // from the map's tools to the rim
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
export function show(name) {
  const parts = PARTS[name] ?? PARTS.map;
  columns().dataset.view = name;
  columns().classList.toggle("beside", besides.has(name));
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

/** Open a view somebody asks for, whatever a small screen shows now. */
export function open(name) {
  turnTo("stage");
  return bring(name);
}

/** Show a view and fetch what it lacks. */
function bring(name) {
  if (!PARTS[name]) return undefined;
  if (pinned) pin(name);
  show(name);
  readable();
  return refresh();
}

function pin(name) {
  pinned = name;
  kept.write(`pin-${table}`, name);
  const button = document.querySelector("[data-pin]");
  button.setAttribute("aria-pressed", String(Boolean(name)));
}

/** Turn to what the round is about, once it is about something else; whether there is another view. */
let suggested = "";
function follow() {
  const now = bar().dataset.suggested;
  const turned = now !== suggested && !pinned && now !== opened();
  suggested = now;
  if (turned) show(now);
  if (lacking()) refresh();
  return turned;
}

let moving = 0;
const besides = new Set(); // views that had the strips beside them: laid out so at once when they are shown again

/** Whether a market is clearly larger beside the grid of shares than beneath it, where the grid has room for words. */
function asideIsLarger([wide, high], width, height) {
  columns().classList.remove("tall-market");
  const grid = document.querySelector("#pane-shares")?.getBoundingClientRect().height ?? 0;
  const strips = document.querySelector(".stage > .strips")?.getBoundingClientRect().height ?? 0;
  const beneath = Math.min(width / wide, (height - grid - strips - 24) / high);
  return Math.min((0.43 * width) / wide, (height - strips - 16) / high) > 1.15 * beneath;
}

const weighed = new Map();

/** Put the market where it is larger; tried out only where something has a size it had not before. */
function placeMarket(width, height, lines) {
  const market = boxOf(document.querySelector("#panel-market svg"), "0 0 1 0");
  const rows = document.querySelectorAll("#panel-shares tr").length;
  const offers = document.querySelector("#panel-shares td.offer") !== null;
  const now = `${opened()} ${width} ${height} ${market} ${lines} ${rows} ${offers}`;
  if (!weighed.has(now)) weighed.set(now, opened() === "shares" && asideIsLarger(market, width, height));
  columns().classList.toggle("tall-market", weighed.get(now));
}

/** Where the grid of shares is wider than its place: the column in which something may be done, and none
 * cut, as half a number is another one. */
function offered() {
  const grid = document.getElementById("panel-shares");
  if (!grid || grid.scrollWidth <= grid.clientWidth) return;
  const heads = [...grid.querySelectorAll(".grid:not(.merger) thead th")];
  const [stay, others] = [true, false].map((kept) => heads.filter((head) => (getComputedStyle(head).left !== "auto") === kept));
  grid.style.setProperty("--names", `${heads[0].offsetWidth}px`); // beside which the prices stay, on a phone
  const names = stay.reduce((sum, head) => sum + head.offsetWidth, 0);
  grid.style.scrollPaddingLeft = `${names}px`;
  const cell = grid.querySelector("td.offer");
  if (!cell) return;
  const zero = grid.getBoundingClientRect().left - grid.scrollLeft;
  const start = (element) => element.getBoundingClientRect().left - zero - names;
  const over = start(cell) + names + cell.offsetWidth - grid.clientWidth;
  if (over > 0) grid.scrollLeft = Math.min(start(cell), others.map(start).find((at) => at >= over) ?? over);
}

/** Width and height of a drawing, in its own lengths. */
const boxOf = (drawing, none = "") => (drawing?.dataset.whole ?? drawing?.getAttribute("viewBox") ?? none).split(/[ ,]+/).slice(2).map(Number);

/** Put the strips where the map is largest. */
function arrange() {
  const { width, height } = document.getElementById("stage").getBoundingClientRect();
  const drawing = document.querySelector("#panel-map svg");
  const mapped = opened() === "map" && drawing && width;
  const lines = lined(width);
  placeMarket(width, height, lines);
  const [w, h] = boxOf(drawing);
  const beneath = Math.min(width / w, (height - 14 - LINE * (lines + 2)) / h);
  const beside = mapped && innerWidth >= 1100 && Math.min((width - BESIDE - 6) / w, height / h) > beneath;
  columns().classList.toggle("beside", Boolean(beside));
  if (beside) besides.add(opened());
  else besides.delete(opened());
  if (opened() === "shares") offered();
  clearTimeout(moving);
  if (mapped) moving = setTimeout(corner, 160, drawing); // once the map has its new size
}

/** After anything was put into the page: the view, and where its parts lie. */
export function adapt() {
  if (!follow()) arrange();
}

/** The map's tools stand in a corner in which there is no hex; else where they lie on the least that is written. */
function corner(drawing) {
  const tools = document.querySelector(".map-tools");
  const around = tools.parentElement.getBoundingClientRect();
  const { offsetWidth: w, offsetHeight: h } = tools;
  const boxes = (css) => [...drawing.querySelectorAll(css)].map((part) => part.getBoundingClientRect());
  const [hexes, written] = [boxes(".rh-field"), boxes(".rh-type text, .rh-names text")];
  const count = (all, x, y) => all.filter((b) => b.right > x && b.left < x + w && b.bottom > y && b.top < y + h).length;
  const [left, right, high, low] = [around.left + GAP, around.right - w - GAP, around.top + GAP, around.bottom - h - GAP];
  const places = { "low left": [left, low], "low right": [right, low], "high left": [left, high], "high right": [right, high] };
  const covered = (place) => hexes.length * count(written, ...places[place]) + count(hexes, ...places[place]);
  const best = Object.keys(places).reduce((a, b) => (covered(b) < covered(a) ? b : a));
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
  if (pinned && pinned !== opened()) bring(pinned);
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
  addEventListener("resize", () => { arrange(); readable(); });
}
