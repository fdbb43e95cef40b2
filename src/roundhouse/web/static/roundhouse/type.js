// Type on the map has its size in screen pixels: names, values, labels and costs are written into a
// layer above all hexes, as large as reading needs at the present zoom, where there is room. What
// the server has printed into the hexes tells them; it is shown itself once it is large enough.

import { bestPlace, box, Room } from "./room.js";
import { ways } from "./names.js";
import { readable } from "./sizes.js";

const LEAST = 9.1;
const LEAST_FULL = 11.1;
const PRINTED = 12.5; // the smallest type a hex is printed with
const APOTHEM = 86.6;
const COORDINATES_FROM = 88;
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();
const courses = new Map();

const pane = () => document.querySelector(".map-pane, .sandbox-map");
const frame = () => document.querySelector("#panel-map, .sandbox-map");
const svg = () => frame().querySelector("svg");
const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function fonts() {
  const style = getComputedStyle(svg());
  return { serif: style.getPropertyValue("--rh-serif"), sans: style.getPropertyValue("--rh-sans") };
}

/** The width of a text of size 1. */
function wide(text, font) {
  const key = font + text;
  if (!widths.has(key)) {
    pen.font = font;
    widths.set(key, pen.measureText(text).width / 100);
  }
  return widths.get(key);
}

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

// what a hex says

function readHex(g) {
  const at = moved(g);
  const hex = {
    id: g.dataset.hex, at, color: /rh-c-\w+/.exec(g.getAttribute("class"))?.[0] ?? "",
    discs: [], stops: [], points: [], values: [], labels: [], costs: [], signs: [], kept: [],
    name: "", city: false,
  };
  for (const part of g.children) readPart(hex, part);
  return hex;
}

function readPart(hex, part) {
  const css = part.getAttribute("class") ?? "";
  if (css === "rh-track") hex.points.push(...course(part));
  else if (css === "rh-city") readCity(hex, part);
  else if (css.startsWith("rh-town") || css === "rh-halt" || css === "rh-pass") readTown(hex, part);
  else if (css === "rh-values") for (const value of part.children) hex.values.push(readValue(value));
  else if (css === "rh-label") hex.labels.push({ text: part.textContent, x: number(part, "x"), y: number(part, "y") - 6 });
  else if (css === "rh-names") hex.name = part.dataset.name;
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
    if (kept) hex.kept.push({ text: kept.textContent, x: at.x + x, y: at.y + y, radius });
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

// where it is written

function* around(stops, reach) {
  for (const stop of stops) {
    for (const far of [reach, reach + 7, reach + 16, reach + 28]) {
      for (let n = 0; n < 20; n += 1) {
        const angle = (-45 + 18 * (n % 2 ? -(n + 1) / 2 : n / 2)) * Math.PI / 180;
        yield { x: stop.x + (far + stop.radius) * Math.cos(angle), y: stop.y + (far + stop.radius) * Math.sin(angle) };
      }
    }
  }
}

const GRID = [];
for (let y = -91; y <= 91; y += 7) for (let x = -72; x <= 72; x += 9) GRID.push({ x, y });
GRID.sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));

/** How far beyond a hex's border a point lies; negative inside. */
const beyond = (flat) => (dx, dy) => {
  const [x, y] = [Math.abs(dx), Math.abs(dy)];
  return (flat ? Math.max(y, 0.866 * x + 0.5 * y) : Math.max(x, 0.866 * y + 0.5 * x)) - APOTHEM;
};

function overhang(out, x, y, w, h) {
  return Math.max(0, out(x - w / 2, y - h / 2), out(x + w / 2, y - h / 2), out(x - w / 2, y + h / 2), out(x + w / 2, y + h / 2));
}

/** One writing of a map at a scale. */
class Sheet {
  constructor(drawing, scale, least) {
    const [x, y, w, h] = (drawing.dataset.whole ?? drawing.getAttribute("viewBox")).split(/[ ,]+/).map(Number);
    this.room = new Room({ l: x + 1, t: y + 1, r: x + w - 1, b: y + h - 1 });
    this.unit = 1 / scale;
    this.least = least / scale;
    this.font = fonts();
    this.written = { values: "", labels: "", names: "", terrain: "", signs: "", kept: "" };
    this.hexes = [...drawing.querySelectorAll(".rh-hexes > .rh-hex")].map(readHex);
    this.out = beyond(isFlat(this.hexes));
    this.left = [];
    this.cut = [];
  }

  size(printed) {
    return Math.max(printed, this.least);
  }

  write() {
    const { hexes, room } = this;
    for (const { at, discs, points } of hexes) {
      for (const d of discs) room.takeDisc(at.x + d.x, at.y + d.y, d.radius);
      for (const p of points) room.takeTrack(at.x + p.x, at.y + p.y);
    }
    for (const hex of hexes) for (const value of hex.values) this.value(hex, value);
    for (const hex of hexes) for (const label of hex.labels) this.label(hex, label);
    for (const hex of hexes) for (const sign of hex.signs) this.sign(hex, sign);
    for (const hex of hexes) for (const kept of hex.kept) this.keep(hex, kept);
    const rank = (h) => (h.city ? 0 : h.stops.length ? 2 : h.values.length ? 1 : 3);
    const named = hexes.filter((h) => h.name).sort((a, b) => rank(a) - rank(b));
    for (const hex of named) this.name(hex);
    for (const hex of hexes) for (const cost of hex.costs) this.cost(hex, cost);
    const { values, labels, names, terrain, signs, kept } = this.written;
    return `<g class="rh-reservations">${kept}</g><g class="rh-markers">${signs}</g><g class="rh-terrain">${terrain}</g><g class="rh-labels">${labels}</g><g class="rh-names">${names}</g><g class="rh-values">${values}</g>`;
  }

  /** The best place for a box within a hex and about it. */
  find(hex, w, h, places, cost, most) {
    const { x, y } = hex.at;
    const there = places.map((p) => ({ x: p.x + x, y: p.y + y }));
    return bestPlace(this.room, w, h, there, (px, py) => cost(px - x, py - y), most);
  }

  put(hex, w, h, places, cost) {
    const found = this.find(hex, w, h, places, cost);
    if (found) this.room.takeBox(found.area);
    return found;
  }

  value(hex, value) {
    const many = value.texts.length > 1;
    const size = this.size(many ? 14 : 16);
    const font = `700 100px ${this.font.sans}`;
    const text = Math.max(...value.texts.map((t) => wide(t, font))) * size;
    const columns = value.texts.length > 2 ? 2 : value.texts.length;
    const rows = Math.ceil(value.texts.length / columns);
    const [cw, ch] = many ? [text + size * 0.32, size * 1.12] : [Math.max(text + size * 0.42, size * 1.3), size * 1.3];
    const [w, h] = [cw * columns, ch * rows];
    const near = { ...nearest(hex.stops, value), reach: Math.max(h, Math.min(w, 1.3 * h)) / 2 + 1 };
    const own = hex.stops.length ? [...around([near], near.reach)] : [];
    const cost = (dx, dy) => 1.4 * overhang(this.out, dx, dy, w, h) + 0.12 * Math.hypot(dx - value.x, dy - value.y)
      + (hex.stops.length ? 0.35 * Math.max(0, Math.hypot(dx - near.x, dy - near.y) - near.radius - near.reach) : 0);
    const at = this.put(hex, w, h, [value, ...own, ...GRID], cost)
      ?? { x: hex.at.x + value.x, y: hex.at.y + value.y };
    this.written.values += `<g class="rh-value" data-of="${hex.id}">${many ? this.boxes(value, at, cw, ch, columns, size) : this.pill(value, at, w, h, size)}</g>`;
  }

  pill({ texts }, { x, y }, w, h, size) {
    return `<rect class="rh-pill" x="${f(x - w / 2)}" y="${f(y - h / 2)}" width="${f(w)}" height="${f(h)}" rx="${f(h / 2)}" stroke-width="${f(0.8 * this.unit)}"/>${line(x, y, texts[0], "rh-number", size)}`;
  }

  boxes({ texts, colors, now }, { x, y }, w, h, columns, size) {
    let markup = "";
    let ring = "";
    const rows = Math.ceil(texts.length / columns);
    texts.forEach((text, n) => {
      const left = x + ((n % columns) - columns / 2) * w;
      const top = y + (Math.floor(n / columns) - rows / 2) * h;
      const rect = `x="${f(left)}" y="${f(top)}" width="${f(w)}" height="${f(h)}"`;
      markup += `<rect class="${colors[n]}" ${rect} stroke-width="${f(0.6 * this.unit)}"/>${line(left + w / 2, top + h / 2, text, "rh-number", size)}`;
      if (n === now) ring = this.ring(left, top, w, h);
    });
    return markup + ring;
  }

  /** The ring of the value that counts now, about its box: within, it would take the ground from the figures. */
  ring(left, top, w, h) {
    const out = 0.8 * this.unit;
    return `<rect class="rh-now" x="${f(left - out)}" y="${f(top - out)}" width="${f(w + 2 * out)}" height="${f(h + 2 * out)}" rx="2"/>`;
  }

  label(hex, label) {
    const size = this.size(19);
    const w = wide(label.text, `700 100px ${this.font.serif}`) * size;
    const cost = (dx, dy) => 2 * overhang(this.out, dx, dy, w, size) + 0.2 * Math.hypot(dx - label.x, dy - label.y);
    const at = this.put(hex, w, size * 0.8, [label, ...GRID], cost);
    if (at) this.written.labels += line(at.x, at.y, label.text, "rh-label", size, hex.id);
    else this.left.push({ hex: hex.id, label: label.text });
  }

  /** A sign as large as its caption needs, or as it is where there is no room for that. */
  sign(hex, sign) {
    for (const scale of [this.size(sign.size) / sign.size, 1]) {
      const [w, h] = [sign.w * scale, sign.h * scale];
      const cost = (dx, dy) => 2 * overhang(this.out, dx, dy, w, h) + 0.1 * Math.hypot(dx - sign.x, dy - sign.y);
      const at = this.put(hex, w, h, [sign, ...GRID], cost);
      if (!at && scale > 1) continue;
      const { x, y } = at ?? { x: hex.at.x + sign.x, y: hex.at.y + sign.y };
      this.written.signs += `<g class="${sign.css ?? ""}" data-of="${hex.id}" transform="translate(${f(x)} ${f(y)})scale(${f2(scale)})translate(${f(-sign.origin.x)} ${f(-sign.origin.y)})">${sign.markup}</g>`;
      return;
    }
  }

  /** Whom a slot is kept for, within it. */
  keep(hex, { text, x, y, radius }) {
    const width = wide(text, `600 100px ${this.font.sans}`);
    const size = this.size(12);
    const half = Math.ceil(text.length / 2);
    const rows = size * width > 2.5 * radius ? [text.slice(0, half), text.slice(half)] : [text];
    rows.forEach((row, n) => {
      const down = (n - (rows.length - 1) / 2) * size * 0.86;
      this.written.kept += line(hex.at.x + x, hex.at.y + y + down, row, "rh-kept", size, hex.id);
    });
  }

  name(hex) {
    const size = this.size(15);
    const font = `600 100px ${this.font.serif}`;
    let best = null;
    for (const { rows, missing } of ways(hex.name)) {
      const w = Math.max(...rows.map((r) => wide(r, font))) * size + this.unit;
      const h = size * (0.86 + 0.98 * (rows.length - 1));
      const extra = 9 * (rows.length - 1) + (missing ? 40 + 5 * missing : 0);
      if (best && best.cost <= extra) break;
      const cost = (dx, dy) => extra + 0.9 * overhang(this.out, dx, dy, w, h) + this.away(hex, dx, dy, w, h);
      const found = this.find(hex, w, h, GRID, cost, best?.cost);
      if (found) best = { ...found, rows, missing };
    }
    if (!best) {
      this.left.push({ hex: hex.id, name: hex.name, city: hex.city });
      return;
    }
    if (best.missing) this.cut.push({ hex: hex.id, name: hex.name, written: best.rows.join(" ") });
    this.room.takeBox(best.area);
    const first = best.y - (best.rows.length - 1) / 2 * size * 0.98;
    const off = this.offMap(best.area);
    const halo = f((off ? 4.5 : 2.6) * this.unit);
    best.rows.forEach((row, n) => {
      this.written.names += line(best.x, first + n * size * 0.98, row, `rh-name ${hex.color}${off ? " rh-off" : ""}`, size, hex.id, halo);
    });
  }

  /** Whether a corner of a box lies beside the map, on the page. */
  offMap({ l, t, r, b }) {
    const on = (x, y) => this.hexes.some(({ at }) => this.out(x - at.x, y - at.y) < 2);
    return ![[l, t], [r, t], [l, b], [r, b]].every(([x, y]) => on(x, y));
  }

  /** What it costs a name to lie far from its stops, or in the middle of nothing. */
  away(hex, dx, dy, w, h) {
    if (!hex.stops.length) return 0.1 * Math.hypot(dx, dy);
    const far = Math.min(...hex.stops.map((s) => {
      const gx = Math.max(0, Math.abs(dx - s.x) - w / 2);
      const gy = Math.max(0, Math.abs(dy - s.y) - h / 2);
      return Math.hypot(gx, gy) - s.radius + 0.15 * Math.abs(dx - s.x);
    }));
    return 0.5 * Math.max(0, far) + (dy < -20 ? 0.8 : 0);
  }

  cost(hex, cost) {
    const size = this.size(13.5);
    const scale = Math.max(0.9, size / 17);
    const text = wide(cost.text, `600 100px ${this.font.sans}`) * size;
    const sign = 26 * scale * cost.signs.length;
    const [w, h] = [sign + text, size];
    const price = (dx, dy) => 3 * overhang(this.out, dx, dy, w, h) + 0.12 * Math.hypot(dx, dy);
    const at = this.put(hex, w, h, GRID, price)
      ?? (sign ? this.put(hex, text, h, GRID, (dx, dy) => 3 * overhang(this.out, dx, dy, text, h)) : null);
    if (!at) {
      this.left.push({ hex: hex.id, cost: cost.text });
      return;
    }
    const whole = at.area.r - at.area.l > text + 1;
    const left = at.area.l;
    const signs = whole ? cost.signs.map((markup, n) => `<g transform="translate(${f(left + 13 * scale + 26 * scale * n)} ${f(at.y)})scale(${f2(scale * 0.86)})">${markup.replace(/translate\([^)]*\)/, "")}</g>`).join("") : "";
    const x = whole ? left + sign + text / 2 : at.x;
    this.written.terrain += `<g class="${cost.css}" data-of="${hex.id}">${signs}${line(x, at.y, cost.text, "rh-cost", size)}</g>`;
  }
}

const f = (v) => (Math.round(v * 10) / 10).toString();
const f2 = (v) => (Math.round(v * 100) / 100).toString();

function line(x, y, text, css, size, of = "", halo = "") {
  return `<text class="${css}"${of && ` data-of="${of}"`} x="${f(x)}" y="${f(y + size * 0.35)}" font-size="${f2(size)}"${halo && ` stroke-width="${halo}"`}>${escape(text)}</text>`;
}

function nearest(stops, { x, y }) {
  const far = (s) => Math.hypot(s.x - x, s.y - y) - s.radius;
  return stops.reduce((a, b) => (far(b) < far(a) ? b : a), stops[0] ?? { x: 0, y: 0, radius: 0 });
}

function isFlat(hexes) {
  const d = svg().querySelector(".rh-field")?.getAttribute("d") ?? "";
  const xs = [...d.matchAll(/[ML]([-\d.]+) /g)].map((m) => Math.abs(Number(m[1])));
  return hexes.length > 0 && Math.max(...xs) > 95;
}

let last = "";
let written = { of: "", markup: "", left: [], cut: [] };

function clear() {
  svg()?.querySelector(":scope > .rh-type")?.remove();
  pane().classList.remove("lettered");
}

const PASSING = /^rh-(glow|field|hatch|route)/;

/** Everything the type depends on: what stands out, and routes, change nothing. */
function ground(drawing, scale, least) {
  let text = `${scale} ${least} ${drawing.dataset.whole}`;
  for (const hex of drawing.querySelectorAll(".rh-hexes > .rh-hex")) {
    for (const part of hex.children) {
      if (!PASSING.test(part.getAttribute("class") ?? "")) text += part.outerHTML;
    }
  }
  return text;
}

/** Write the map's type anew, if anything under it has changed. */
export function letter() {
  const drawing = svg();
  if (!drawing?.getBoundingClientRect().width) {
    last = ""; // out of sight: lettered anew when it is seen again, though at the same scale
    return;
  }
  const scale = drawing.getScreenCTM().a;
  pane().classList.toggle("coarse", 2 * APOTHEM * scale < COORDINATES_FROM);
  const least = document.body.classList.contains("full-map") ? LEAST_FULL : LEAST;
  clear();
  readable(); // before the ground is looked at, of which tokens are a part
  last = `${scale}`;
  if (PRINTED * scale >= least) return;
  const of = ground(drawing, scale, least);
  if (of !== written.of) {
    const sheet = new Sheet(drawing, scale, least);
    written = { of, markup: sheet.write(), left: sheet.left, cut: sheet.cut };
  }
  const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
  layer.setAttribute("class", "rh-type");
  layer.innerHTML = written.markup;
  drawing.insertBefore(layer, drawing.querySelector(":scope > .rh-badges"));
  pane().classList.add("lettered");
  pane().dataset.left = JSON.stringify(written.left);
  pane().dataset.cut = JSON.stringify(written.cut);
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
