// Parts of the page that were sent anew: what they say differently is put into what is there. Whatever is
// as it was stays the same elements, neither styled nor laid out again.

import { arrange, takePieces } from "./pieces.js";

/** So many elements ahead one is looked for that is as it was. */
const REACH = 12;
const REQUESTS = ["hx-get", "hx-post"];
const ASKING = REQUESTS.map((name) => `[${name}]`).join();

/** Whether one element may become another one: whoever listens to it need not be told. Drawings are put in whole. */
function kin(a, b) {
  return a.nodeName === b.nodeName && a.nodeName !== "svg" && (a.nodeType !== Node.ELEMENT_NODE
    || (a.id === b.id && REQUESTS.every((name) => a.getAttribute(name) === b.getAttribute(name))));
}

/** For each node that is meant: one of those there that is the same, else one that may become it. */
function partners(there, meant) {
  let at = 0;
  const same = meant.map((node) => {
    const found = there.slice(at, at + REACH).findIndex((one) => one.isEqualNode(node));
    if (found >= 0) at += found + 1;
    return found < 0 ? -1 : at - 1;
  });
  at = 0;
  return meant.map((node, n) => {
    const end = same.slice(n).find((place) => place >= 0) ?? there.length;
    const found = same[n] >= 0 ? same[n] : there.findIndex((one, place) => place >= at && place < end && kin(one, node));
    if (found >= 0) at = found + 1;
    return there[found];
  });
}

/** A field says what it was sent with, whatever somebody had put into another one. */
function reset(field) {
  if (field.matches("input")) [field.value, field.checked] = [field.defaultValue, field.defaultChecked];
  else if (field.matches("textarea")) field.value = field.defaultValue;
  else if (field.matches("option")) field.selected = field.defaultSelected;
}

/** Give an element the attributes of another one; whether any is new to it. */
function describe(there, meant) {
  const before = there.attributes.length;
  for (const { name } of [...there.attributes]) if (!meant.hasAttribute(name)) there.removeAttribute(name);
  let changed = there.attributes.length !== before;
  for (const { name, value } of meant.attributes) {
    if (there.getAttribute(name) === value) continue;
    there.setAttribute(name, value);
    changed = true;
  }
  return changed;
}

/** An element says what another one does; what had to be put in is gathered. */
function become(there, meant, fresh) {
  if (there.nodeType !== Node.ELEMENT_NODE) {
    there.nodeValue = meant.nodeValue;
    return;
  }
  const changed = describe(there, meant);
  const nodes = [...meant.childNodes];
  const found = partners([...there.childNodes], nodes);
  nodes.forEach((node, n) => {
    if (!found[n]) fresh.push(node);
    else if (!found[n].isEqualNode(node)) become(found[n], node, fresh);
  });
  arrange(there, nodes.map((node, n) => found[n] ?? node));
  if (changed || there.matches("textarea")) reset(there);
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
    const [there, fresh] = [document.getElementById(sent.id), []];
    if (!there) return true;
    even(there, sent);
    become(there, sent, fresh);
    for (const element of fresh) if (element.matches?.(ASKING) || element.querySelector?.(ASKING)) htmx.process(element);
    return true;
  });
  return placed.every(Boolean);
}
