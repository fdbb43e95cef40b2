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

function slide(marker, from) {
  const to = centre(marker);
  const scale = marker.parentNode.getScreenCTM()?.a;
  if (!from?.shown || !to.shown || !scale || (from.x === to.x && from.y === to.y)) return;
  const start = `${(from.x - to.x) / scale}px ${(from.y - to.y) / scale}px`;
  marker.animate([{ translate: start }, { translate: "0 0" }], { duration: LONG, easing: "ease-out" });
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
  const begun = performance.now();
  let written = text;
  const step = (now) => {
    if (element.textContent !== written) return; // a newer page has come
    const part = Math.min(1, (now - begun) / LONG);
    const amount = Math.round(Number(from) + (Number(to) - Number(from)) * part);
    const grouped = String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
    written = element.textContent = part < 1 ? text.replace(PLAIN, grouped) : text;
    if (part < 1 && element.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Wire the motion of what a new page moves. */
export function startMotion() {
  document.addEventListener("htmx:before:swap", (event) => {
    const still = calm.matches || document.hidden || before;
    if (still) return;
    const { text } = event.detail.ctx;
    const seen = (part, look) => (text.includes(`data-part="${part}"`) ? look() : new Map());
    before = {
      markers: seen("market", () => markers(centre)),
      slots: seen("map", () => slots((e) => e.dataset.token ?? "")),
      money: seen("strip", () => money((e) => e.textContent)),
    };
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!before) return;
    const { markers: places, slots: owners, money: amounts } = before;
    before = null;
    if (places.size) markers((e) => slide(e, places.get(e.dataset.corporation)));
    if (owners.size) slots((e) => land(e, owners.get(e.dataset.slot)));
    if (amounts.size) money((e) => countUp(e, amounts.get(whose(e))));
  });
}
