// What the hexes of a map say, as the server has printed it into them: type, and what it must keep off.

import { Ground } from "./room.js";

const courses = new Map();

/** Points along a piece of track; tiles repeat, so that each course is measured once. */
function course(path) {
  const d = path.getAttribute("d");
  if (!courses.has(d)) {
    const length = path.getTotalLength();
    const points = [];
    for (let at = 0; at <= length; at += 12) points.push(path.getPointAtLength(at));
    courses.set(d, points.map(({ x, y }) => ({ x, y })));
  }
  return courses.get(d);
}

const moved = (element) => {
  const match = /translate\(([-\d.]+)[ ,]*([-\d.]+)?\)/.exec(element?.getAttribute("transform") ?? "");
  return match ? { x: Number(match[1]), y: Number(match[2] ?? 0) } : { x: 0, y: 0 };
};
const number = (element, name) => Number(element.getAttribute(name) ?? 0);

function readHex(g, id, print) {
  const hex = {
    id, at: moved(g), color: colorOf(g), print, places: new Map(), pieces: new Map(),
    discs: [], stops: [], points: [], values: [], labels: [], costs: [], signs: [], keeps: [], names: [],
    city: false,
  };
  for (const part of g.children) readPart(hex, part);
  const there = ({ x, y, ...more }) => ({ x: hex.at.x + x, y: hex.at.y + y, ...more });
  hex.ground = new Ground(hex.discs.map(there), hex.points.map(there));
  return hex;
}

function readPart(hex, part) {
  const css = part.getAttribute("class") ?? "";
  if (css === "rh-track") hex.points.push(...course(part));
  else if (css === "rh-city") readCity(hex, part);
  else if (css.startsWith("rh-town") || css === "rh-halt" || css === "rh-pass") readTown(hex, part);
  else if (css === "rh-values") for (const value of part.children) hex.values.push(readValue(value));
  else if (css === "rh-label") hex.labels.push({ text: part.textContent, x: number(part, "x"), y: number(part, "y") - 6 });
  else if (css === "rh-names") hex.names.push(part.dataset.name);
  else if (css === "rh-terrain") for (const cost of part.children) hex.costs.push(readCost(cost));
  else if (css === "rh-markers" || css === "rh-reservations") readSigns(hex, part);
}

function readCity(hex, city) {
  const at = moved(city);
  hex.city = true;
  hex.stops.push({ ...at, radius: 27 });
  for (const slot of city.querySelectorAll(".rh-slot")) {
    const { x, y } = moved(slot);
    const radius = number(slot.firstElementChild, "r");
    hex.discs.push({ x: at.x + x, y: at.y + y, radius: radius + 4 });
    const kept = slot.querySelector(".rh-kept");
    if (kept) hex.keeps.push({ text: kept.textContent, x: at.x + x, y: at.y + y, radius });
  }
}

function readTown(hex, town) {
  const round = town.localName === "circle";
  const at = round ? { x: number(town, "cx"), y: number(town, "cy") } : moved(town);
  hex.stops.push({ ...at, radius: 12 });
  hex.discs.push({ ...at, radius: round ? 10 : 9 });
}

function readValue(value) {
  const texts = [...value.querySelectorAll("text")].map((t) => t.textContent);
  const circle = value.querySelector("circle");
  if (circle) return { texts, x: number(circle, "cx"), y: number(circle, "cy") };
  const boxes = [...value.querySelectorAll(".rh-box")];
  const now = value.querySelector(".rh-now");
  const xs = boxes.map((b) => number(b, "x") + number(b, "width") / 2);
  return {
    texts, colors: boxes.map((b) => b.getAttribute("class")),
    now: now ? boxes.findIndex((b) => b.getAttribute("x") === now.getAttribute("x")) : -1,
    x: (Math.min(...xs) + Math.max(...xs)) / 2, y: number(boxes[0], "y") + number(boxes[0], "height") / 2,
  };
}

function readCost(cost) {
  const text = cost.querySelector("text");
  const signs = [...cost.children].filter((c) => c !== text).map((c) => c.outerHTML);
  const first = moved(cost.querySelector("[transform]"));
  return {
    css: cost.getAttribute("class"), text: text.textContent, signs, first,
    x: number(text, "x"), y: number(text, "y") - 5,
  };
}

/** Signs: those with a caption are written anew, the others lie where they are. */
function readSigns(hex, layer) {
  const flags = layer.querySelectorAll(":scope > .rh-flag");
  for (const flag of flags) {
    const text = flag.nextElementSibling;
    const [w, h] = [number(flag, "width"), number(flag, "height")];
    const at = { x: number(flag, "x") + w / 2, y: number(flag, "y") + h / 2 };
    hex.signs.push({ ...at, w, h, size: 11, origin: at, markup: flag.outerHTML + text.outerHTML });
  }
  for (const sign of layer.querySelectorAll(":scope > g")) {
    const { x, y, width, height } = sign.getBBox();
    const at = moved(sign);
    const text = sign.querySelector("text");
    if (text && sign.classList.contains("rh-marker")) {
      const size = number(text, "font-size");
      hex.signs.push({ ...at, w: width, h: height, size, origin: { x: x + width / 2, y: y + height / 2 }, markup: sign.innerHTML, css: "rh-marker" });
    } else {
      hex.discs.push({ x: at.x + x + width / 2, y: at.y + y + height / 2, radius: Math.max(width, height) / 2 });
    }
  }
}

// hexes that say what they have said

const PASSING = /^rh-(glow|field|hatch|route)|preview$/;
const known = new Map();
const prints = new WeakMap(); // hexes on the page, until something in them changes
const watched = new WeakSet();
const watch = new MutationObserver(forget);

function forget(records) {
  for (const { target } of records) prints.delete(target.closest(".rh-hex"));
}

const colorOf = (g) => /rh-c-\w+/.exec(g.getAttribute("class"))?.[0] ?? "";

/** All that the type of a hex depends on: what stands out, routes and previews change nothing. */
function printOf(g) {
  if (!prints.has(g)) {
    let text = `${g.getAttribute("transform")} ${colorOf(g)}`;
    for (const part of g.children) if (!PASSING.test(part.getAttribute("class") ?? "")) text += part.outerHTML;
    prints.set(g, text);
  }
  return prints.get(g);
}

/** Hexes that lie over others, by those: theirs is the type that is written. */
export const covers = new Map();

/** What the hexes of a drawing say; the same value as long as a hex says the same. */
export function readHexes(drawing) {
  const all = drawing.querySelector(".rh-hexes");
  if (!watched.has(all)) watch.observe(all, { subtree: true, childList: true, attributes: true });
  watched.add(all);
  forget(watch.takeRecords());
  return [...all.children].map((under) => {
    const id = under.dataset.hex;
    const g = covers.get(id) ?? under;
    const print = printOf(g);
    const before = known.get(id);
    if (before?.print === print) return before;
    const hex = readHex(g, id, print);
    known.set(id, hex);
    return hex;
  });
}
