// Motion that explains: a price marker slides to its cell, a new token comes down on its slot, cash
// counts to its new amount. A quarter of a second at most, and nothing for who wants less motion.

const LONG = 240;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PLAIN = /\d+(,\d{3})*/;

let before = null;

const centre = (element) => {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, shown: box.width > 0 };
};
const each = (selector, key, value) =>
  new Map([...document.querySelectorAll(selector)].map((e) => [key(e), value(e)]));

const markers = (value) => each(".rh-price-marker", (e) => e.dataset.corporation, value);
const slots = (value) => each(".rh-slot", (e) => e.dataset.slot, value);
const whose = (e) => e.closest(".sl").querySelector("[data-card]").dataset.card;
const money = (value) => each(".sl .sl-cash", whose, value);

/** Where a marker comes from, seen from its cell; null: it has not moved. */
function way(marker, from) {
  const to = centre(marker);
  const scale = marker.parentNode.getScreenCTM()?.a;
  if (!from?.shown || !to.shown || !scale || (from.x === to.x && from.y === to.y)) return null;
  return `${(from.x - to.x) / scale}px ${(from.y - to.y) / scale}px`;
}

/** Markers slide; all are looked at before the first one moves. */
function slide(places) {
  const all = [...markers((e) => [e, way(e, places.get(e.dataset.corporation))]).values()];
  for (const [marker, start] of all) {
    if (start) marker.animate([{ translate: start }, { translate: "0 0" }], { duration: LONG, easing: "ease-out" });
  }
}

function land(slot, had) {
  if (had === undefined || !slot.dataset.token || had === slot.dataset.token) return;
  const frames = [{ opacity: 0, scale: 1.5 }, { opacity: 1, scale: 1 }];
  slot.querySelector(".rh-token")?.animate(frames, { duration: LONG, easing: "ease-out" });
}

function countUp(element, was) {
  const text = element.textContent;
  const [from, to] = [was, text].map((t) => PLAIN.exec(t ?? "")?.[0].replaceAll(",", ""));
  if (was === text || !from || !to) return;
  let begun = 0;
  let written = "";
  const write = (part) => {
    const amount = Math.round(Number(from) + (Number(to) - Number(from)) * part);
    const grouped = String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
    const now = part < 1 ? text.replace(PLAIN, grouped) : text;
    if (now !== written) element.textContent = now;
    written = now;
  };
  const step = (now) => {
    if (element.textContent !== written) return; // a newer page has come
    begun ||= now;
    const part = Math.min(1, (now - begun) / LONG);
    write(part);
    if (part < 1 && element.isConnected) requestAnimationFrame(step);
  };
  write(0); // at once: the page is laid out with it
  requestAnimationFrame(step);
}

const view = () => document.getElementById("columns").dataset.view;

/** Before anything is put into the page: where that is which it may move. */
export function look(text) {
  if (calm.matches || document.hidden || before) return;
  const seen = (part, find) => (text.includes(`data-part="${part}"`) ? find() : new Map());
  before = {
    markers: seen("market", () => markers(centre)),
    slots: seen("map", () => slots((e) => e.dataset.token ?? "")),
    money: seen("strip", () => money((e) => e.textContent)),
    view: view(),
  };
}

/** Once it has been put in, before anything is measured: amounts begin with what they were. */
export function count() {
  if (before?.money.size) money((e) => countUp(e, before.money.get(whose(e))));
}

/** At last: what lies elsewhere goes there, unless all of it does, as in another view. */
export function move() {
  const { markers: places, slots: owners, view: was } = before ?? {};
  before = null;
  if (was !== view()) return;
  if (places.size) slide(places);
  if (owners.size) slots((e) => land(e, owners.get(e.dataset.slot)));
}
