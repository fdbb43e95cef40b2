// Room on the map: what lies where, and where a piece of text may lie. Lengths are the map's own.

const CELL = 120;

/** A box about a middle. */
export const box = (x, y, w, h) => ({ l: x - w / 2, r: x + w / 2, t: y - h / 2, b: y + h / 2 });

/** Do something with every cell a box reaches into, until it returns true; whether it did. */
function someCell({ l, r, t, b }, what) {
  const [right, low] = [Math.floor(r / CELL), Math.floor(b / CELL)];
  for (let i = Math.floor(l / CELL); i <= right; i += 1) {
    for (let j = Math.floor(t / CELL); j <= low; j += 1) if (what(i * 10007 + j)) return true;
  }
  return false;
}

function add(index, thing, area) {
  someCell(area, (key) => {
    const list = index.get(key);
    if (list) list.push(thing);
    else index.set(key, [thing]);
  });
}

const mixed = (hash, number) => Math.imul(hash ^ number, 0x9e3779b1) + (hash >>> 15) | 0;
const printOf = ({ l, t, r, b }) => [l, t, r, b].reduce((hash, side) => mixed(hash, Math.round(16 * side)), 7);

/** Whether a box reaches into a disc or another box. */
function meets(a, b) {
  if (!b.radius) return a.r > b.l && b.r > a.l && a.b > b.t && b.b > a.t;
  const dx = Math.max(a.l - b.x, 0, b.x - a.r);
  const dy = Math.max(a.t - b.y, 0, b.y - a.b);
  return dx * dx + dy * dy < b.radius * b.radius;
}

/** What lies on a hex and always will: solid discs and points of track, by the cells they are in. */
export class Ground {
  static made = 0;

  constructor(discs, points) {
    this.print = Ground.made += 1; // of no other
    [this.solid, this.track] = [new Map(), new Map()];
    for (const d of discs) add(this.solid, d, box(d.x, d.y, 2 * d.radius, 2 * d.radius));
    for (const p of points) add(this.track, p, box(p.x, p.y, 0, 0));
  }
}

/** What lies on the map: solid things, which no text may touch, and track, which text may cross. Each cell
 * has a print of all that lies there, in the order in which it came. */
export class Room {
  constructor(bounds) {
    this.bounds = bounds;
    this.solid = new Map();
    this.track = new Map();
    this.over = new Map();
    this.prints = new Map();
  }

  mark(key, print) {
    this.prints.set(key, mixed(this.prints.get(key) ?? 0, print));
  }

  takeGround(ground) {
    for (const name of ["solid", "track"]) {
      for (const [key, things] of ground[name]) {
        const list = this[name].get(key);
        if (list) list.push(...things);
        else this[name].set(key, [...things]);
        this.mark(key, ground.print);
      }
    }
  }

  take(index, area) {
    const print = printOf(area);
    add(index, area, area);
    someCell(area, (key) => this.mark(key, print));
  }

  takeBox(area) {
    this.take(this.solid, area);
  }

  /** A box that lies over everything for a while; what finds no other place may lie under it. */
  takeOver(area) {
    this.take(this.over, area);
  }

  /** The same as long as the same lies in and about a box. */
  printOf(area) {
    let print = 0;
    someCell(area, (key) => { print = mixed(print, this.prints.get(key) ?? 0); });
    return print;
  }

  /** Whether nothing solid lies under a box, and all of it on the map; ``under``: whatever lies over it. */
  free(area, under = false) {
    const { l, r, t, b } = this.bounds;
    if (area.l < l || area.r > r || area.t < t || area.b > b) return false;
    const lies = (index, key) => index.get(key)?.some((thing) => meets(area, thing));
    return !someCell(area, (key) => lies(this.solid, key) || (!under && lies(this.over, key)));
  }

  /** How much track lies under a box. */
  crossed(area) {
    let count = 0;
    someCell(area, (key) => {
      for (const p of this.track.get(key) ?? []) {
        if (p.x > area.l - 5 && p.x < area.r + 5 && p.y > area.t - 5 && p.y < area.b + 5) count += 1;
      }
    });
    return count;
  }
}

/** Places with what they cost by themselves, the cheapest first. */
export function priced(places, cost) {
  const all = [];
  for (const { x, y } of places()) all.push({ x, y, plain: cost(x, y) });
  return all.sort((a, b) => a.plain - b.plain);
}

/** Of places about a point, with their prices, the best for a box; null if all lie on something solid.
    ``most``: what it may cost, with the track under it; ``under``: it may lie under what lies over all.
    The cheapest are looked at first, so that few are compared with what lies there. */
export function bestPlace(room, w, h, places, at, { most = Infinity, under = false } = {}) {
  let best = null;
  for (const { x, y, plain } of places) {
    const limit = best?.cost ?? most;
    if (plain >= limit) break;
    const area = box(at.x + x, at.y + y, w, h);
    if (!room.free(area, under)) continue;
    const cost = plain + 5 * room.crossed(area);
    if (cost < limit) best = { x: at.x + x, y: at.y + y, cost, area };
  }
  return best;
}
