// Where the type of a map is written: what its hexes say, as large as reading needs, where there is room.

import { bestPlace, box, priced, Room } from "./room.js";
import { ways } from "./names.js";

export const APOTHEM = 86.6;
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The width of a text of size 1. */
function wide(text, font) {
  const key = font + text;
  if (!widths.has(key)) {
    pen.font = font;
    widths.set(key, pen.measureText(text).width / 100);
  }
  return widths.get(key);
}

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

function fonts(drawing) {
  const style = getComputedStyle(drawing);
  return { serif: style.getPropertyValue("--rh-serif"), sans: style.getPropertyValue("--rh-sans") };
}

/** One writing of a map at a scale. */
export class Sheet {
  constructor(drawing, hexes, scale, least, over) {
    const [x, y, w, h] = wholeOf(drawing).split(/[ ,]+/).map(Number);
    this.room = new Room({ l: x + 1, t: y + 1, r: x + w - 1, b: y + h - 1 });
    for (const area of over) this.room.takeOver(area);
    this.unit = 1 / scale;
    this.least = least / scale;
    this.font = fonts(drawing);
    this.hexes = hexes;
    this.out = beyond(isFlat(drawing));
    this.written = { kept: [], signs: [], terrain: [], labels: [], names: [], values: [] };
    this.left = [];
    this.cut = [];
  }

  size(printed) {
    return Math.max(printed, this.least);
  }

  /** The markup of what is written, an element each, by layers. */
  write() {
    const { hexes, room } = this;
    for (const { ground } of hexes) room.takeGround(ground);
    for (const kind of ["value", "label", "sign", "keep"]) for (const hex of hexes) this.all(hex, kind);
    const rank = (h) => (h.city ? 0 : h.stops.length ? 2 : h.values.length ? 1 : 3);
    const named = hexes.filter((h) => h.names.length).sort((a, b) => rank(a) - rank(b));
    for (const hex of named) this.all(hex, "name");
    for (const hex of hexes) this.all(hex, "cost");
    return this.written;
  }

  /** How far from the middle of its hex something may lie that matters to a piece of type. */
  far(kind, said) {
    const size = this.size(15);
    return 150 + 3 * size + (kind === "name" ? 0.35 * size * said.length : 0);
  }

  /** Write what a hex says of a kind: as before, where all that lies about the hex is as it was. */
  all(hex, kind) {
    hex[`${kind}s`].forEach((said, n) => {
      const what = `${kind}${n}`;
      const about = 2 * this.far(kind, said);
      const print = this.room.printOf(box(hex.at.x, hex.at.y, about, about));
      let piece = hex.pieces.get(what);
      if (piece?.print !== print) {
        piece = { print, ...this[kind](hex, said, what) };
        hex.pieces.set(what, piece);
      }
      if (piece.area) this.room.takeBox(piece.area);
      this.written[piece.layer].push(...piece.markup ?? []);
      if (piece.left) this.left.push({ hex: hex.id, ...piece.left });
      if (piece.cut) this.cut.push({ hex: hex.id, ...piece.cut });
    });
  }

  /** The best place for a box within a hex and about it. What its places cost by themselves is worked
   * out once: of the same hex, at the same size, it is the same. */
  find(hex, what, w, h, places, cost, limits) {
    const key = `${what} ${w} ${h}`;
    if (!hex.places.has(key)) hex.places.set(key, priced(places, cost));
    return bestPlace(this.room, w, h, hex.places.get(key), hex.at, limits);
  }

  put(hex, what, w, h, places, cost) {
    return this.find(hex, what, w, h, places, cost) ?? this.find(hex, what, w, h, places, cost, { under: true });
  }

  value(hex, value, what) {
    const many = value.texts.length > 1;
    const size = this.size(many ? 14 : 16);
    const font = `700 100px ${this.font.sans}`;
    const text = Math.max(...value.texts.map((t) => wide(t, font))) * size;
    const columns = value.texts.length > 2 ? 2 : value.texts.length;
    const rows = Math.ceil(value.texts.length / columns);
    const [cw, ch] = many ? [text + size * 0.32, size * 1.12] : [Math.max(text + size * 0.42, size * 1.3), size * 1.3];
    const [w, h] = [cw * columns, ch * rows];
    const near = { ...nearest(hex.stops, value), reach: Math.max(h, Math.min(w, 1.3 * h)) / 2 + 1 };
    const places = function* () {
      yield value;
      if (hex.stops.length) yield* around([near], near.reach);
      yield* GRID;
    };
    const cost = (dx, dy) => 1.4 * overhang(this.out, dx, dy, w, h) + 0.12 * Math.hypot(dx - value.x, dy - value.y)
      + (hex.stops.length ? 0.35 * Math.max(0, Math.hypot(dx - near.x, dy - near.y) - near.radius - near.reach) : 0);
    const at = this.put(hex, what, w, h, places, cost)
      ?? { x: hex.at.x + value.x, y: hex.at.y + value.y };
    const inner = many ? this.boxes(value, at, cw, ch, columns, size) : this.pill(value, at, w, h, size);
    return { layer: "values", area: at.area, markup: [`<g class="rh-value" data-of="${hex.id}">${inner}</g>`] };
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

  label(hex, label, what) {
    const size = this.size(19);
    const w = wide(label.text, `700 100px ${this.font.serif}`) * size;
    const cost = (dx, dy) => 2 * overhang(this.out, dx, dy, w, size) + 0.2 * Math.hypot(dx - label.x, dy - label.y);
    const at = this.put(hex, what, w, size * 0.8, () => [label, ...GRID], cost);
    if (!at) return { layer: "labels", left: { label: label.text } };
    return { layer: "labels", area: at.area, markup: [line(at.x, at.y, label.text, "rh-label", size, hex.id)] };
  }

  /** A sign as large as its caption needs, or as it is where there is no room for that. */
  sign(hex, sign, what) {
    for (const scale of [this.size(sign.size) / sign.size, 1]) {
      const [w, h] = [sign.w * scale, sign.h * scale];
      const cost = (dx, dy) => 2 * overhang(this.out, dx, dy, w, h) + 0.1 * Math.hypot(dx - sign.x, dy - sign.y);
      const at = this.put(hex, what, w, h, () => [sign, ...GRID], cost);
      if (!at && scale > 1) continue;
      const { x, y } = at ?? { x: hex.at.x + sign.x, y: hex.at.y + sign.y };
      const put = `translate(${f(x)} ${f(y)})scale(${f2(scale)})translate(${f(-sign.origin.x)} ${f(-sign.origin.y)})`;
      return { layer: "signs", area: at?.area, markup: [`<g class="${sign.css ?? ""}" data-of="${hex.id}" transform="${put}">${sign.markup}</g>`] };
    }
  }

  /** Whom a slot is kept for, within it; beside that of a slot next to it, not into it. */
  keep(hex, kept) {
    const font = `600 100px ${this.font.sans}`;
    const { text, x, y, radius } = kept;
    const size = this.size(12);
    const half = Math.ceil(text.length / 2);
    const rows = size * wide(text, font) > 2.5 * radius ? [text.slice(0, half), text.slice(half)] : [text];
    const w = Math.max(...rows.map((row) => wide(row, font))) * size;
    const next = hex.keeps.find((other) => other !== kept && Math.abs(other.y - y) < size && Math.abs(other.x - x) < w);
    const aside = next ? Math.sign(x - next.x) * (w + 0.3 * size - Math.abs(x - next.x)) / 2 : 0;
    const down = (n) => (n - (rows.length - 1) / 2) * size * 0.86;
    return { layer: "kept", markup: rows.map((row, n) => line(hex.at.x + x + aside, hex.at.y + y + down(n), row, "rh-kept", size, hex.id)) };
  }

  /** The best way to write a name, and where. */
  named(hex, name, size, under) {
    const font = `600 100px ${this.font.serif}`;
    let [best, way] = [null, 0];
    for (const { rows, missing } of ways(name)) {
      const w = Math.max(...rows.map((r) => wide(r, font))) * size + this.unit;
      const h = size * (0.86 + 0.98 * (rows.length - 1));
      const extra = 9 * (rows.length - 1) + (missing ? 40 + 5 * missing : 0);
      if (best && best.cost <= extra) break;
      const cost = (dx, dy) => extra + 0.9 * overhang(this.out, dx, dy, w, h) + this.away(hex, dx, dy, w, h);
      const found = this.find(hex, `name${way += 1}`, w, h, () => GRID, cost, { most: best?.cost, under });
      if (found) best = { ...found, rows, missing };
    }
    return best;
  }

  name(hex, name) {
    const size = this.size(15);
    const best = this.named(hex, name, size) ?? this.named(hex, name, size, true);
    if (!best) return { layer: "names", left: { name, city: hex.city } };
    const first = best.y - (best.rows.length - 1) / 2 * size * 0.98;
    const off = this.offMap(best.area);
    const halo = f((off ? 4.5 : 2.6) * this.unit);
    const css = `rh-name ${hex.color}${off ? " rh-off" : ""}`;
    return {
      layer: "names", area: best.area, cut: best.missing ? { name, written: best.rows.join(" ") } : null,
      markup: best.rows.map((row, n) => line(best.x, first + n * size * 0.98, row, css, size, hex.id, halo)),
    };
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

  cost(hex, cost, what) {
    const size = this.size(13.5);
    const scale = Math.max(0.9, size / 17);
    const text = wide(cost.text, `600 100px ${this.font.sans}`) * size;
    const sign = 26 * scale * cost.signs.length;
    const [w, h] = [sign + text, size];
    const price = (dx, dy) => 3 * overhang(this.out, dx, dy, w, h) + 0.12 * Math.hypot(dx, dy);
    const at = this.put(hex, what, w, h, () => GRID, price)
      ?? (sign ? this.put(hex, `${what} alone`, text, h, () => GRID, (dx, dy) => 3 * overhang(this.out, dx, dy, text, h)) : null);
    if (!at) return { layer: "terrain", left: { cost: cost.text } };
    const whole = at.area.r - at.area.l > text + 1;
    const left = at.area.l;
    const signs = whole ? cost.signs.map((markup, n) => `<g transform="translate(${f(left + 13 * scale + 26 * scale * n)} ${f(at.y)})scale(${f2(scale * 0.86)})">${markup.replace(/translate\([^)]*\)/, "")}</g>`).join("") : "";
    const x = whole ? left + sign + text / 2 : at.x;
    return { layer: "terrain", area: at.area, markup: [`<g class="${cost.css}" data-of="${hex.id}">${signs}${line(x, at.y, cost.text, "rh-cost", size)}</g>`] };
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

function isFlat(drawing) {
  const d = drawing.querySelector(".rh-field")?.getAttribute("d") ?? "";
  const xs = [...d.matchAll(/[ML]([-\d.]+) /g)].map((m) => Math.abs(Number(m[1])));
  return xs.length > 0 && Math.max(...xs) > 95;
}

/** The whole of a map, in its own lengths. */
export const wholeOf = (drawing) => drawing.dataset.whole ?? drawing.getAttribute("viewBox");
