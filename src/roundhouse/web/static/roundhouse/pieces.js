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

/** Put nodes into an element, in their order; what is there already is not taken out, as it may have the focus. */
export function arrange(there, nodes) {
  const stay = new Set(nodes);
  for (const node of [...there.childNodes]) if (!stay.has(node)) node.remove();
  let at = there.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else there.insertBefore(node, at);
  }
}

/** An element shows what another one does; it stays itself, as somebody may just be clicking it. Whether it
 * is what the server takes it for. */
function become(there, piece) {
  const { of } = piece.dataset;
  for (const shown of there.querySelectorAll(":scope > .preview")) shown.remove(); // the page's own, no element of the piece
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

/** Put the pieces of a part in the place of what is there; whether every one had its place: what else came
 * meanwhile may have brought the part somewhere else than where they lead on from. */
export function takePieces(sent) {
  const panel = document.getElementById(`panel-${sent.dataset.part}`);
  if (panel.dataset.digest === sent.dataset.digest) return true;
  if (panel.dataset.digest !== sent.dataset.since) {
    panel.dataset.digest = "";
    return false;
  }
  const held = document.activeElement?.closest("#panel-strip button");
  const placed = [...sent.children].map((piece) => {
    const there = panel.querySelector(placeOf(piece));
    return there !== null && become(there, piece);
  }).every(Boolean);
  panel.dataset.digest = placed ? sent.dataset.digest : ""; // else all of it is asked for
  refocus(held);
  return placed;
}
