// Parts of the page that were sent anew: what they say differently is put into what is there (htmx's morphing).
// Whatever is as it was stays the same elements, neither styled nor laid out again.

import { takePieces } from "./pieces.js";

const ASKING = "[hx-get], [hx-post]";
let morph;
let chosen = []; // radio buttons, ticks and options that say something else now

htmx.registerExtension("alike", {
  init(api) {
    ({ morph } = api);
  },
  htmx_before_morph_node(there, { newNode }) {
    if (there.isEqualNode(newNode)) return;
    if (there.nodeName === "svg") there.replaceChildren(...newNode.cloneNode(true).childNodes); // put in whole
    else if (there.matches("[type=radio], [type=checkbox], option")) chosen.push(there);
  },
});

/** What says something else than it did is not what somebody has chosen. */
function unchoose() {
  for (const field of chosen) {
    if (field.matches("option")) field.selected = field.defaultSelected;
    else field.checked = field.defaultChecked;
  }
  chosen = [];
}

/** What this page has put into all alike differs in nothing: the version actions are sent with, the mark of
 * elements htmx listens to, the letters of tokens as large as they are read. */
function even(there, meant) {
  const version = meant.querySelector("input[name=version]")?.getAttribute("value");
  for (const field of there.querySelectorAll("input[name=version]")) if (version) field.setAttribute("value", version);
  for (const element of meant.querySelectorAll(ASKING)) element.dataset.htmxPowered = "true";
  const tokens = new Map();
  for (const token of there.querySelectorAll(".rh-token-drawing")) tokens.set(token.getAttribute("aria-label"), token);
  for (const token of meant.querySelectorAll(".rh-token-drawing")) {
    const one = tokens.get(token.getAttribute("aria-label"));
    if (one) token.replaceWith(one.cloneNode(true));
  }
}

/** The parts of the page in an answer: all there is, or what comes along with what is asked for, where it
 * would only be in the way. */
export function partsOf(tasks) {
  const main = tasks.filter(({ type }) => type === "main");
  return main.flatMap(({ fragment, swapSpec }) => {
    const elements = [...fragment.children];
    if (swapSpec.style === "none") return elements;
    const along = elements.filter((element) => element.dataset.part || element.id.startsWith("panel-"));
    for (const element of along) element.remove();
    return along;
  });
}

/** Put parts into the page, whole or in pieces; whether every piece had its place. */
export function put(parts) {
  const placed = parts.map((sent) => {
    if (sent.dataset.part) return takePieces(sent);
    const there = document.getElementById(sent.id);
    if (!there) return true;
    even(there, sent);
    const whole = document.createDocumentFragment();
    whole.append(sent);
    morph(there, whole, false);
    unchoose();
    htmx.process(there);
    return true;
  });
  return placed.every(Boolean);
}
