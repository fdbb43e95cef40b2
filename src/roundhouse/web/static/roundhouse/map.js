// Pan and zoom of the map, by pointer, wheel, buttons and keys; hexes as places to click.

import { openSpot } from "./spot.js";

const MIN = 0.12;
// A hex has sides of 100; nearer than this to its middle the pointer is well within it.
const WELL = 74;
let view = null;

const panel = () => document.getElementById("panel-map");
const svg = () => panel()?.querySelector("svg");

function whole() {
  const drawing = svg();
  drawing.dataset.whole ??= drawing.getAttribute("viewBox");
  const [x, y, w, h] = drawing.dataset.whole.split(/[ ,]+/).map(Number);
  return { x, y, w, h };
}

function show() {
  if (view) svg().setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
}

/** After the map was drawn anew: look at the same part of it. */
export function keepView() {
  const drawing = svg();
  if (!drawing) return;
  const given = drawing.getAttribute("viewBox");
  if (!view || given === `${view.x} ${view.y} ${view.w} ${view.h}`) return;
  drawing.dataset.whole = given;
  show();
}

function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  return point.matrixTransform(svg().getScreenCTM().inverse());
}

function zoom(factor, point) {
  const all = whole();
  const now = view ?? all;
  const w = Math.min(all.w, Math.max(all.w * MIN, now.w * factor));
  const h = w * (all.h / all.w);
  const p = point ?? { x: now.x + now.w / 2, y: now.y + now.h / 2 };
  const share = w / now.w;
  move({ x: p.x - (p.x - now.x) * share, y: p.y - (p.y - now.y) * share, w, h });
}

function move(next) {
  const all = whole();
  const clamp = (v, low, high) => Math.max(low, Math.min(v, high));
  view = {
    ...next,
    x: clamp(next.x, all.x, all.x + all.w - next.w),
    y: clamp(next.y, all.y, all.y + all.h - next.h),
  };
  show();
}

function pan(dx, dy) {
  const now = view ?? whole();
  move({ ...now, x: now.x + dx * now.w, y: now.y + dy * now.h });
}

function fit() {
  view = { ...whole() };
  show();
  view = null;
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
      openSpot(named.dataset.show);
    }
  });
  for (const layer of document.querySelectorAll("[data-layer]")) {
    const set = () => box.parentElement.classList.toggle(`rh-no-${layer.dataset.layer}`, !layer.checked);
    layer.addEventListener("change", set);
    set();
  }
}
