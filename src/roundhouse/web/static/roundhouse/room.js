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

/** How far a box reaches into a disc or another box; not more than 0 if it keeps away. */
function depth(a, b) {
  if (b.radius) {
    const dx = Math.max(a.l - b.x, 0, b.x - a.r);
    const dy = Math.max(a.t - b.y, 0, b.y - a.b);
    return b.radius - Math.hypot(dx, dy);
  }
  return Math.min(a.r - b.l, b.r - a.l, a.b - b.t, b.b - a.t);
}

/** What lies on the map: solid things, which no text may touch, and track, which text may cross. */
export class Room {
  constructor(bounds) {
    this.bounds = bounds;
    this.solid = new Map();
    this.track = new Map();
  }

  takeDisc(x, y, radius) {
    add(this.solid, { x, y, radius }, box(x, y, 2 * radius, 2 * radius));
  }

  takeBox(area) {
    add(this.solid, area, area);
  }

  takeTrack(x, y) {
    add(this.track, { x, y }, { l: x, r: x, t: y, b: y });
  }

  /** How deep a box lies in what is solid, or beyond the map; 0 if it is free. */
  clash(area) {
    const { l, r, t, b } = this.bounds;
    let worst = Math.max(0, l - area.l, area.r - r, t - area.t, area.b - b);
    for (const key of cellsOf(area)) {
      for (const thing of this.solid.get(key) ?? []) worst = Math.max(worst, depth(area, thing));
    }
    return worst;
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

/** Of some places for a box the best; null if all lie on something solid. ``cost``: of a place
    by itself, to which the track under it is added; ``most``: what it may cost. The cheapest are
    looked at first, so that few are compared with what lies there. */
export function bestPlace(room, w, h, places, cost, most = Infinity) {
  const priced = [];
  for (const place of places) {
    const plain = cost(place.x, place.y, w, h);
    if (plain < most) priced.push({ x: place.x, y: place.y, plain });
  }
  priced.sort((a, b) => a.plain - b.plain);
  let best = null;
  for (const { x, y, plain } of priced) {
    if (best && plain >= best.cost) break;
    const area = box(x, y, w, h);
    if (room.clash(area) > 0) continue;
    const all = plain + 5 * room.crossed(area);
    if (all < most && (!best || all < best.cost)) best = { x, y, cost: all, area };
  }
  return best;
}
