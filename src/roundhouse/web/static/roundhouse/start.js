// The map at the start as a layer: what was printed where something else lies now.

import { covers } from "./hexes.js";
import { letter } from "./type.js";

const HEX = ".rh-hex[data-hex]";
const map = () => document.querySelector("#panel-map svg");
const box = () => document.querySelector("[data-start]");
let first = null; // the map at the start, fetched once

async function fetched() {
  const { update } = document.getElementById("panel-history").dataset;
  const answer = await fetch(`${update}?at=0`, { headers: { "X-Panels": "map:0" } });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = document.createElement("template");
  page.innerHTML = await answer.text();
  return new Map([...page.content.querySelectorAll(HEX)].map((hex) => [hex.dataset.hex, hex]));
}

const told = (hex) => hex.querySelector(":scope > desc")?.textContent;

/** Hexes on which something else lies now than at the start, as they were. */
function changed(hexes) {
  const now = [...map().querySelectorAll(HEX)].filter((hex) => hexes.has(hex.dataset.hex));
  return now.filter((hex) => told(hex) !== told(hexes.get(hex.dataset.hex))).map((hex) => hexes.get(hex.dataset.hex));
}

function cover(hexes) {
  const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
  layer.setAttribute("class", "rh-at-start");
  for (const hex of changed(hexes)) {
    const copy = hex.cloneNode(true);
    covers.set(hex.dataset.hex, copy);
    for (const e of [copy, ...copy.querySelectorAll("[id], [tabindex]")]) for (const name of ["id", "tabindex", "role", "data-hex"]) e.removeAttribute(name);
    copy.classList.remove("is-choice", "is-changed");
    layer.append(copy);
  }
  const over = map().querySelector(".rh-borders"); // names and what follows stay on top
  if (over) over.before(layer);
  else map().append(layer);
}

async function show() {
  try { if (box().checked) first ??= await fetched(); } catch { box().checked = false; }
  clear();
  if (box().checked && map()) cover(first);
  letter();
}

function clear() {
  covers.clear();
  for (const layer of document.querySelectorAll(".rh-at-start")) layer.remove();
}

/** Wire the layer. */
export function startStart() {
  box().addEventListener("change", show);
  document.addEventListener("htmx:after:swap", () => { if (box().checked) show(); });
}
