// Room on the map: what lies where, and where a piece of text may lie. Lengths are the map's own.

const CELL = 120;

/** A box about a middle. */
export const box = (x, y, w, h) => ({ l: x - w / 2, r: x + w / 2, t: y - h / 2, b: y + h / 2 });

function* cellsOf({ l, r, t, b }) {
  for (let i = Math.floor(l / CELL); i <= Math.floor(r / CELL); i += 1) {
    for (let j = Math.floor(t / CELL); j <= Math.floor(b / CELL); j += 1) yield i * 10007 + j;
  }
}

function add(index, thing, area) {
  for (const key of cellsOf(area)) {
    const list = index.get(key);
    if (list) list.push(thing);
    else index.set(key, [thing]);
  }
}

/** Whether a box reaches into a disc or another box. */
function meets(a, b) {
  if (!b.radius) return a.r > b.l && b.r > a.l && a.b > b.t && b.b > a.t;
  const dx = Math.max(a.l - b.x, 0, b.x - a.r);
  const dy = Math.max(a.t - b.y, 0, b.y - a.b);
  return dx * dx + dy * dy < b.radius * b.radius;
}

/** What lies on the map: solid things, which no text may touch, and track, which text may cross. */
export class Room {
  constructor(bounds) {
    this.bounds = bounds;
    this.solid = new Map();
    this.track = new Map();
    this.over = new Map();
  }

  takeDisc(x, y, radius) {
    add(this.solid, { x, y, radius }, box(x, y, 2 * radius, 2 * radius));
  }

  takeBox(area) {
    add(this.solid, area, area);
  }

  /** A box that lies over everything for a while; what finds no other place may lie under it. */
  takeOver(area) {
    add(this.over, area, area);
  }

  takeTrack(x, y) {
    add(this.track, { x, y }, { l: x, r: x, t: y, b: y });
  }

  /** Whether nothing solid lies under a box, and all of it on the map; ``under``: whatever lies over it. */
  free(area, under = false) {
    const { l, r, t, b } = this.bounds;
    if (area.l < l || area.r > r || area.t < t || area.b > b) return false;
    for (const key of cellsOf(area)) {
      for (const thing of this.solid.get(key) ?? []) if (meets(area, thing)) return false;
      if (under) continue;
      for (const thing of this.over.get(key) ?? []) if (meets(area, thing)) return false;
    }
    return true;
  }

  /** How much track lies under a box. */
  crossed(area) {
    let count = 0;
    for (const key of cellsOf(area)) {
      for (const p of this.track.get(key) ?? []) {
        if (p.x > area.l - 5 && p.x < area.r + 5 && p.y > area.t - 5 && p.y < area.b + 5) count += 1;
      }
    }
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
