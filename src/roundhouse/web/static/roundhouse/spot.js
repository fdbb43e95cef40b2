// The card of a hex: the legal tiles, turned through their legal rotations, seen on the map before
// they are laid.

import { hush } from "./type.js";
import { keepAbove } from "./map.js";
import { moment } from "./update.js";

const card = () => document.getElementById("spot");
const map = () => document.getElementById("panel-map");
const hex = (coord) => map().querySelector(`[data-hex="${CSS.escape(coord)}"]`);

const present = () => `${document.getElementById("panel-bar").dataset.version} ${moment()}`;
let from = ""; // what was the present when the card was asked for

/** Fetch and show what may be done on a hex; a tile that is wanted is chosen if it may be laid. */
export async function openSpot(coord, wanted = {}) {
  await ask(coord);
  pick(wanted);
  shown();
}

function pick({ tile, rotation }) {
  const same = tile && card().querySelector(`input[data-tile="${CSS.escape(tile)}"][data-rotation="${rotation}"]`);
  if (same) same.checked = true;
}

function ask(coord) {
  from = present();
  const url = map().dataset.hexes.replace("HEX", encodeURIComponent(coord));
  const at = moment() === null ? "" : `?at=${encodeURIComponent(moment())}`;
  return htmx.ajax("GET", url + at, { target: "#spot", swap: "innerHTML" });
}

function shown() {
  if (!unfold()) return;
  from = present();
  card().querySelector("input:checked, button.go")?.focus({ preventScroll: true });
}

/** Put the card beside its hex; whether there is one. */
function unfold() {
  const box = card();
  const inside = box.querySelector("[data-hex]");
  if (!inside) return false;
  box.hidden = false;
  place(box, inside.dataset.hex);
  arrange();
  preview();
  return true;
}

/** Somebody else acted: what may be done here is asked anew; what was chosen stays while it is legal. */
async function renew() {
  const box = card();
  const { dataset: chosen } = box.querySelector("input:checked") ?? {};
  const focused = box.contains(document.activeElement);
  await ask(box.querySelector("[data-hex]").dataset.hex);
  if (box.hidden) return;
  pick({ ...chosen });
  unfold();
  if (focused) box.querySelector("input:checked, button.go, [data-close]")?.focus({ preventScroll: true });
}

/** Where the card is a sheet over the lower part of the map. */
const small = () => innerWidth < 760;

function place(box, coord) {
  const there = hex(coord)?.getBoundingClientRect();
  const around = box.parentElement.getBoundingClientRect();
  if (!there || small()) {
    box.style.removeProperty("left");
    box.style.removeProperty("top");
    if (there) keepAbove(coord, box.offsetHeight);
    return;
  }
  const right = there.right - around.left + 12;
  const left = there.left - around.left - box.offsetWidth - 12;
  const x = right + box.offsetWidth < around.width ? right : Math.max(4, left);
  const y = there.top - around.top + there.height / 2 - box.offsetHeight / 2;
  const lowest = Math.max(44, around.height - box.offsetHeight - 8);
  box.style.left = `${x}px`;
  box.style.top = `${Math.max(44, Math.min(y, lowest))}px`;
}

/** Of each tile only the rotation that is chosen is seen. */
function arrange() {
  for (const tile of card().querySelectorAll(".tile")) {
    const turns = [...tile.querySelectorAll(".turn")];
    const at = turns.find((t) => t.querySelector("input").checked) ?? turns.find((t) => !t.classList.contains("other")) ?? turns[0];
    for (const turn of turns) turn.classList.toggle("other", turn !== at);
    tile.classList.toggle("chosen", at.querySelector("input").checked);
  }
}

function turn() {
  const chosen = card().querySelector(".tile.chosen") ?? card().querySelector(".tile");
  if (!chosen) return;
  const inputs = [...chosen.querySelectorAll("input")];
  const at = inputs.findIndex((i) => i.checked);
  const next = inputs[(at + 1) % inputs.length];
  next.checked = true;
  arrange();
  preview();
  next.focus({ preventScroll: true });
}

// What a tile would be worth, told while it is chosen or pointed at.
const worths = new Map();
let wanted = 0;

function worth(input) {
  const line = card().querySelector("[data-worth]");
  if (!line || !input) return;
  const { tile, rotation, who } = input.dataset;
  const version = document.getElementById("panel-bar").dataset.version;
  const query = new URLSearchParams({ tile, rotation, who });
  const address = `${line.dataset.worth}?${query}`;
  clearTimeout(wanted);
  wanted = setTimeout(async () => {
    const key = `${version} ${address}`;
    if (!worths.has(key)) worths.set(key, fetch(address).then((r) => (r.ok ? r.text() : ""), () => ""));
    const text = await worths.get(key);
    if (line.isConnected) line.innerHTML = text && `<small>${tile}:</small> ${text}`;
  }, 120);
}

function preview() {
  clear();
  const chosen = card().querySelector("input:checked");
  worth(chosen);
  const box = card().querySelector("[data-hex]");
  const drawn = chosen?.closest(".turn").querySelector("svg");
  const ground = box && hex(box.dataset.hex)?.querySelector("polygon, path");
  if (!drawn || !ground) return;
  const { x, y, width, height } = ground.getBBox();
  const copy = drawn.cloneNode(true);
  copy.classList.add("preview");
  for (const [name, value] of Object.entries({ x, y, width, height })) copy.setAttribute(name, value);
  ground.parentNode.append(copy);
  hush(box.dataset.hex);
}

function clear() {
  for (const old of map().querySelectorAll(".preview")) old.remove();
  hush("");
}

/** The card goes. */
export function closeSpot() {
  clear();
  keepAbove(null);
  card().hidden = true;
  card().replaceChildren();
}

/** Wire the card. */
export function startSpot() {
  const box = card();
  const grown = () => !box.hidden && small() && place(box, box.querySelector("[data-hex]").dataset.hex);
  new ResizeObserver(grown).observe(box); // what a tile is worth is told later
  box.addEventListener("change", () => { arrange(); preview(); });
  box.addEventListener("pointerover", (event) => {
    const turn = event.target.closest(".turn");
    if (turn) worth(turn.querySelector("input"));
    else if (!event.target.closest(".tiles")) worth(box.querySelector("input:checked"));
  });
  box.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]")) closeSpot();
    if (event.target.closest("[data-turn]")) turn();
    const again = event.target.closest(".tile.chosen .turn .drawn");
    if (again) { event.preventDefault(); turn(); }
  });
  box.addEventListener("toggle", () => place(box, box.querySelector("[data-hex]").dataset.hex), { capture: true });
  document.addEventListener("keydown", (event) => {
    if (box.hidden || event.target.matches("input[type=number], input:not([type]), textarea")) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const turns = event.key.toLowerCase() === "r" && box.querySelector(".tile");
    if (event.key !== "Escape" && !turns) return;
    event.stopImmediatePropagation(); // else the key is the views'
    if (turns) turn();
    else closeSpot();
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const source = event.detail.ctx.sourceElement;
    if (source?.matches?.("[data-spot]")) shown();
    else if (box.hidden) clear();
    else if (from !== present()) renew();
    else preview();
  });
}
