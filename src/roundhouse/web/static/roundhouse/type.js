// Type on the map has its size in screen pixels: names, values, labels and costs are written into a
// layer above all hexes, as large as reading needs at the present zoom, where there is room. What
// the server has printed into the hexes tells them; it is shown itself once it is large enough.

import { arrange } from "./pieces.js";
import { readable } from "./sizes.js";
import { readHexes } from "./hexes.js";
import { box } from "./room.js";
import { APOTHEM, Sheet, wholeOf } from "./writing.js";

const LEAST = 9.1;
const LEAST_FULL = 11.1;
const PRINTED = 12.5; // the smallest type a hex is printed with
const COORDINATES_FROM = 88;
const SVG = "http://www.w3.org/2000/svg";
/** What is written, the lowest first, and the layer it has for whoever hides such a layer. */
const LAYERS = { kept: "reservations", signs: "markers", terrain: "terrain", labels: "labels", names: "names", values: "values" };

const pane = () => document.querySelector(".map-pane, .sandbox-map");
const frame = () => document.querySelector("#panel-map, .sandbox-map");
const svg = () => frame().querySelector("svg");
/** What lies in a drawing itself: a selector would look through all that is in it. */
const within = (drawing, css) => [...drawing?.children ?? []].find((part) => part.classList.contains(css));

let last = ""; // the scale it was written at
let written = { hexes: [], size: "", of: "" };
const markups = new WeakMap(); // pieces of type, and for a layer those it shows, in their order

function clear() {
  within(svg(), "rh-type")?.remove();
  pane().classList.remove("lettered");
}

/** Whether the type that is there says what the hexes say, at their size. */
function upToDate(hexes, of) {
  return written.of === of && hexes.length === written.hexes.length && hexes.every((hex, n) => hex === written.hexes[n]);
}

/** The marks of the trains whose routes are drawn. */
function badges(drawing) {
  return [...within(drawing, "rh-badges")?.children ?? []].map((badge) => {
    const { e, f } = badge.transform.baseVal.consolidate().matrix;
    const rect = badge.firstElementChild;
    return box(e, f, Number(rect.getAttribute("width")), Number(rect.getAttribute("height")));
  });
}

function write(drawing, hexes, scale, least) {
  const size = `${scale} ${least} ${wholeOf(drawing)}`;
  const over = badges(drawing);
  const of = `${size} ${JSON.stringify(over)}`;
  if (upToDate(hexes, of)) return;
  if (size !== written.size) {
    for (const { places, pieces } of hexes) {
      places.clear();
      pieces.clear();
    }
  }
  const sheet = new Sheet(drawing, hexes, scale, least, over);
  written = { hexes, size, of, layers: sheet.write() };
  pane().dataset.left = JSON.stringify(sheet.left);
  pane().dataset.cut = JSON.stringify(sheet.cut);
}

/** The elements of some markup. */
function drawn(all) {
  const group = document.createElementNS(SVG, "g");
  group.innerHTML = all.join("");
  return [...group.children].map((element, n) => {
    markups.set(element, all[n]);
    return element;
  });
}

/** Have a layer show what is written in it; what it shows already stays. */
function fill(layer, wanted) {
  const shown = markups.get(layer);
  if (shown?.length === wanted.length && shown.every((markup, n) => markup === wanted[n])) return;
  markups.set(layer, wanted);
  const there = new Map();
  for (const element of layer.children) {
    const markup = markups.get(element);
    there.set(markup, [...(there.get(markup) ?? []), element]);
  }
  const found = wanted.map((markup) => there.get(markup)?.pop());
  const more = drawn(wanted.filter((_, n) => !found[n]));
  arrange(layer, found.map((element) => element ?? more.shift()));
}

/** The group of all that is written; a new one where the map was drawn anew. */
function group(drawing) {
  const there = within(drawing, "rh-type");
  if (there) return there;
  const all = document.createElementNS(SVG, "g");
  all.setAttribute("class", "rh-type");
  for (const name of Object.values(LAYERS)) {
    const layer = document.createElementNS(SVG, "g");
    layer.setAttribute("class", `rh-${name}`);
    all.append(layer);
  }
  drawing.insertBefore(all, within(drawing, "rh-badges") ?? null);
  return all;
}

/** Make the page's small type readable, and write the map's anew, as far as anything under it has changed. */
export function letter() {
  const drawing = svg();
  const scale = drawing?.getBoundingClientRect().width ? drawing.getScreenCTM().a : 0;
  if (scale) pane().classList.toggle("coarse", 2 * APOTHEM * scale < COORDINATES_FROM);
  readable(); // before the hexes are looked at, of which tokens are a part
  if (!scale) {
    last = ""; // out of sight: lettered anew when it is seen again, though at the same scale
    return;
  }
  const least = document.body.classList.contains("full-map") ? LEAST_FULL : LEAST;
  last = `${scale}`;
  if (PRINTED * scale >= least) return void clear();
  write(drawing, readHexes(drawing), scale, least);
  const layers = group(drawing).children;
  Object.keys(LAYERS).forEach((name, n) => fill(layers[n], written.layers[name]));
  pane().classList.add("lettered");
}

let timer = 0;

/** After a change of scale: soon. */
export function letterSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const drawing = svg();
    const scale = drawing?.getScreenCTM()?.a;
    if (scale && `${scale}` !== last) letter();
  }, 90);
}

/** Under the preview of a tile its hex shows no other type. */
export function hush(hex) {
  for (const old of document.querySelectorAll(".rh-type .hushed")) old.classList.remove("hushed");
  if (!hex) return;
  for (const text of document.querySelectorAll(`.rh-type [data-of="${CSS.escape(hex)}"]`)) text.classList.add("hushed");
}

/** Wire the type. */
export function startType() {
  new ResizeObserver(() => letterSoon()).observe(frame());
  document.fonts?.ready.then(letter);
  letter();
}
