// Pan and zoom of the map, by pointer, wheel, buttons and keys; hexes as places to click.

import { openSpot } from "./spot.js";
import { kept } from "./kept.js";
import { readable } from "./sizes.js";
import { letterSoon } from "./type.js";
import { moment } from "./update.js";

// A hex has sides of 100 and is 173 wide; nearer than this to its middle the pointer is well within it.
const WELL = 74;
const HEX = 173.2;
const MIN = 0.1;
const SMALL = 48; // a hex of fewer pixels: the map opens on the part that matters
const NEAR = 60; // … with hexes of so many
let view = null; // null: the whole map
let drawn = null; // as the server draws it
let begun = false; // once it has been in sight
let shown = "";
let turn = null; // what somebody here was asked when the map was last turned to it; "": others are
let above = null; // a hex that is kept in sight above what covers the lower part of the map

const panel = () => document.getElementById("panel-map");
const svg = () => panel()?.querySelector("svg");
const table = location.pathname.match(/\d+/)?.[0] ?? "";

/** The whole map in the shape of its place. */
function whole() {
  const { clientWidth: width, clientHeight: height } = panel();
  const scale = Math.min(width / drawn.w, height / drawn.h) || 1;
  const [w, h] = [width / scale, height / scale];
  return { x: drawn.x - (w - drawn.w) / 2, y: drawn.y - (h - drawn.h) / 2, w, h, scale };
}

/** A part of the map in the shape of its place: as wide as it was, about the same middle, so that hexes
 * keep their size where the place becomes lower. */
function shaped({ x, y, w, h }) {
  const high = (w * panel().clientHeight) / panel().clientWidth;
  return { x, y: y + (h - high) / 2, w, h: high };
}

function show() {
  const drawing = svg();
  if (!drawing || !drawn || !panel().clientWidth) return;
  if (!begun) begin();
  follow();
  const { x, y, w, h } = lifted(part());
  shown = `${x} ${y} ${w} ${h}`;
  if (drawing.getAttribute("viewBox") !== shown) drawing.setAttribute("viewBox", shown);
  letterSoon();
}

/** The part of the map that is looked at. */
const part = () => (view ? shaped(view) : whole());

/** A part moved so far that the hex somebody has opened is in what is left of the map. */
function lifted(seen) {
  if (!above) return seen;
  const { clientWidth, clientHeight } = panel();
  const [pixels, hex] = [clientWidth / seen.w, centerOf(above.hex)];
  const moved = (at, from, size) => {
    const [there, rim] = [(at - from) * pixels, (HEX / 1.7) * pixels];
    return there < rim || there > size - rim ? at - size / 2 / pixels : from;
  };
  return { ...seen, x: moved(hex.x, seen.x, clientWidth), y: moved(hex.y, seen.y, clientHeight - above.height) };
}

/** Keep a hex in sight above the lower part of the map, so many pixels high; without one, look where one did. */
export function keepAbove(hex, height) {
  above = hex ? { hex, height } : null;
  show();
}

/** After the map was drawn anew: look at the same part of it. */
export function keepView() {
  const drawing = svg();
  if (!drawing) return;
  const given = drawing.getAttribute("viewBox");
  if (given !== shown) {
    const [x, y, w, h] = given.split(/[ ,]+/).map(Number);
    drawn = { x, y, w, h };
    drawing.dataset.whole = given;
  }
  show();
}

/** Whether the whole map can be read in its place, so that nothing need be chosen to look at. */
export const roomy = () => Boolean(drawn && panel().clientWidth && whole().scale * HEX >= SMALL);

/** Where somebody left the map; else, if the whole of it would be too small, the part that matters. */
function begin() {
  begun = true;
  turn = asked();
  view = kept.read(`zoom-${table}`);
  if (!view && !roomy()) focus();
}

/** What somebody at this page has to do now. */
function asked() {
  const now = document.querySelector("#panel-now.mine .sentence");
  return now ? now.textContent : "";
}

/** One's own new step, on a map that cannot be seen whole: look at the part that matters, wherever the map
 * was left before; what is moved from then on stays where it is. */
function follow() {
  const now = asked();
  if (now === turn) return;
  turn = now;
  if (!now || roomy() || moment() !== null) return;
  kept.forget(`zoom-${table}`);
  focus();
}

/** Look at where the company at work may do something, or others, or where it is, or what has changed; in a new
 * game, among the cities. */
function focus() {
  const scale = NEAR / HEX;
  const [w, h] = [panel().clientWidth / scale, panel().clientHeight / scale];
  const found = places();
  if (!found.length || (view && found.every((p) => within(p, shaped(view))))) return;
  const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const at = { x: middle(found.map((p) => p.x)), y: middle(found.map((p) => p.y)) };
  move({ x: at.x - w / 2, y: at.y - h / 2, w, h });
}

/** Whether all of the hex about a point is in a part of the map. */
function within(point, seen) {
  const rim = HEX / 2;
  const inside = (at, from, size) => at - rim >= from && at + rim <= from + size;
  return inside(point.x, seen.x, seen.w) && inside(point.y, seen.y, seen.h);
}

/** The hexes on which the one at work, and no private company beside it, may do something. */
const own = () => [...document.querySelectorAll("#panel-now [data-own] :is([data-spot], [data-hex-hint])")]
  .map(({ dataset }) => dataset.spot ?? dataset.hexHint);

function places() {
  const mine = own().filter((hex) => svg().querySelector(`[data-hex="${CSS.escape(hex)}"]`));
  if (mine.length) return mine.map(centerOf);
  const who = document.querySelector(".sl.operating")?.dataset.companyCard;
  const ways = [".rh-hex.is-choice", who && `.rh-hex:has([data-token="${CSS.escape(who)}"])`, ".rh-hex.is-changed", ".rh-hex:has([data-token])", ".rh-hex:has(.rh-city)"];
  for (const way of ways) {
    const hexes = way ? [...svg().querySelectorAll(way)] : [];
    if (hexes.length) return hexes.map((hex) => centerOf(hex.dataset.hex));
  }
  return [];
}

function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  return point.matrixTransform(svg().getScreenCTM().inverse());
}

function zoom(factor, point) {
  const all = whole();
  const now = lifted(part());
  const w = Math.min(all.w, Math.max(all.w * MIN, now.w * factor));
  if (w === all.w) return void fit();
  const share = w / now.w;
  const p = point ?? { x: now.x + now.w / 2, y: now.y + now.h / 2 };
  leave({ x: p.x - (p.x - now.x) * share, y: p.y - (p.y - now.y) * share, w, h: now.h * share });
}

function move(next) {
  const clamp = (v, low, high) => (low > high ? (low + high) / 2 : Math.max(low, Math.min(v, high)));
  view = {
    ...next,
    x: clamp(next.x, drawn.x - 40, drawn.x + drawn.w + 40 - next.w),
    y: clamp(next.y, drawn.y - 40, drawn.y + drawn.h + 40 - next.h),
  };
  show();
}

/** Somebody has moved the map: there it stays. What moved by itself is not kept. */
function leave(next) {
  above = null;
  move(next);
  kept.write(`zoom-${table}`, view);
}

function pan(dx, dy) {
  if (!view) return;
  const now = lifted(part());
  leave({ ...now, x: now.x + dx * now.w, y: now.y + dy * now.h });
}

function fit() {
  view = above = null;
  kept.write(`zoom-${table}`, null);
  show();
}

/** The middle of a hex, in the map's own lengths. */
export function centerOf(hex) {
  const { e, f } = panel().querySelector(`[data-hex="${CSS.escape(hex)}"]`).transform.baseVal.consolidate().matrix;
  return { x: e, y: f };
}

/** The hex under the pointer; ``well``: none if it is nearer to a corner than to the middle. */
export function hexAt(event, well = false) {
  const hex = document.elementFromPoint(event.clientX, event.clientY)?.closest("#panel-map [data-hex]")?.dataset.hex;
  if (!hex || !well) return hex;
  const [point, middle] = [at(event), centerOf(hex)];
  return Math.hypot(point.x - middle.x, point.y - middle.y) < WELL ? hex : undefined;
}

/** Listen on the map before it pans. */
export function onMap(name, listener) {
  panel().addEventListener(name, listener, { capture: true });
}

const held = new Map();
let dragged = false;

function down(event) {
  if (event.button !== 0) return;
  held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  dragged = false;
}

function drag(event) {
  const before = held.get(event.pointerId);
  if (!before) return;
  const now = { x: event.clientX, y: event.clientY };
  if (!dragged && Math.hypot(now.x - before.x, now.y - before.y) < 6) return;
  if (!dragged) svg().setPointerCapture?.(event.pointerId);
  dragged = true;
  const box = svg().getBoundingClientRect();
  if (held.size === 1) {
    pan(-(now.x - before.x) / box.width, -(now.y - before.y) / box.height);
  } else {
    const other = [...held].find(([id]) => id !== event.pointerId)[1];
    const far = Math.hypot(now.x - other.x, now.y - other.y);
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    if (far > 0) zoom(was / far, at(event));
  }
  held.set(event.pointerId, now);
}

function up(event) {
  held.delete(event.pointerId);
}

function click(event) {
  if (dragged) return;
  const hex = event.target.closest("[data-hex]");
  if (!hex || !panel().contains(hex)) return;
  const picked = new CustomEvent("map:hex", { detail: hex.dataset.hex, cancelable: true });
  if (document.dispatchEvent(picked)) openSpot(hex.dataset.hex);
}

const KEYS = {
  ArrowLeft: () => pan(-0.15, 0),
  ArrowRight: () => pan(0.15, 0),
  ArrowUp: () => pan(0, -0.15),
  ArrowDown: () => pan(0, 0.15),
  "+": () => zoom(0.8),
  "-": () => zoom(1.25),
  0: fit,
};

function key(event) {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

const BUTTONS = { in: () => zoom(0.75), out: () => zoom(1.34), fit };

/** Wire the map. */
export function startMap() {
  const box = panel();
  keepView();
  new ResizeObserver(show).observe(box);
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && !view && event.deltaY > 0) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.15 : 0.87, at(event));
  }, { passive: false });
  box.addEventListener("pointerdown", down);
  box.addEventListener("pointermove", drag);
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) box.addEventListener(name, up);
  box.addEventListener("click", click);
  box.addEventListener("keydown", key);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) BUTTONS[button.dataset.zoom]();
    const named = event.target.closest("[data-show]");
    if (named) {
      event.preventDefault();
      openSpot(named.dataset.show, named.dataset);
    }
  });
  for (const layer of document.querySelectorAll("[data-layer]")) {
    const set = () => box.parentElement.classList.toggle(`rh-no-${layer.dataset.layer}`, !layer.checked);
    layer.addEventListener("change", () => { set(); readable(); });
    set();
  }
}
