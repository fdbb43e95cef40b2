// Parts of the page of which only what differs was sent: hexes and cells, what lies over them, the strips,
// the log. Elements a piece had before are named in it by their places: data-from, data-to of data-of.

/** What a piece that was sent is to have in it: elements that are there, and new ones. */
function meant(there, piece, more) {
  return [...piece.children].flatMap((element) => {
    const { from, to } = element.dataset;
    return from === undefined ? [element] : [...there.children].slice(more + Number(from), more + Number(to) + 1);
  });
}

/** Lines of the log that were on view stay, where those that are meant go on from them. */
function grown(there, elements) {
  const at = elements.findIndex((element) => element.parentNode === there);
  if (at < 0 || elements.slice(0, at).some((element) => !element.matches(".earlier"))) return elements;
  const lines = [...there.children];
  return [...lines.slice(0, lines.indexOf(elements[at])), ...elements.slice(at)];
}

/** Put elements into one, in their order; what is there already is not taken out, as it may have the focus. */
export function arrange(there, elements) {
  const stay = new Set(elements);
  for (const element of [...there.children]) if (!stay.has(element)) element.remove();
  elements.forEach((element, n) => {
    if (there.children[n] !== element) there.insertBefore(element, there.children[n] ?? null);
  });
}

/** An element shows what another one does; it stays itself, as somebody may just be clicking it. Whether it
 * is what the server takes it for. */
function become(there, piece) {
  const { of } = piece.dataset;
  const more = of === undefined ? 0 : there.children.length - Number(of);
  const grows = "grows" in there.dataset;
  if (more < 0 || (more > 0 && !grows)) return false;
  const elements = of === undefined ? [...piece.childNodes] : meant(there, piece, more);
  delete piece.dataset.of;
  for (const { name } of [...there.attributes]) {
    if (!piece.hasAttribute(name) && name !== "open") there.removeAttribute(name); // opened by who looks
  }
  for (const { name, value } of [...piece.attributes]) there.setAttribute(name, value);
  if (of === undefined) there.replaceChildren(...elements);
  else arrange(there, grows ? grown(there, elements) : elements);
  return true;
}

function placeOf(piece) {
  if (piece.id) return `#${CSS.escape(piece.id)}`;
  const { cell } = piece.dataset;
  return cell ? `[data-cell="${CSS.escape(cell)}"]` : `.${piece.classList[0]}`;
}

/** The line of a strip that has the focus keeps it. */
function refocus(held) {
  if (!held || held.isConnected) return;
  const [[name, value]] = Object.entries(held.dataset);
  document.querySelector(`#panel-strip [data-${name}="${CSS.escape(value)}"]`)?.focus({ preventScroll: true });
}

/** Put what was sent in the place of what is there; whether everything had its place. */
export function takePieces() {
  let placed = true;
  const held = document.activeElement?.closest("#panel-strip button");
  for (const sent of document.querySelectorAll(".pieces > [data-part]")) {
    const panel = document.getElementById(`panel-${sent.dataset.part}`);
    const whole = [...sent.children].map((piece) => {
      const there = panel.querySelector(placeOf(piece));
      return there !== null && become(there, piece);
    }).every(Boolean);
    panel.dataset.digest = whole ? sent.dataset.digest : ""; // else all of it is asked for
    placed &&= whole;
    sent.remove();
  }
  refocus(held);
  return placed;
}
