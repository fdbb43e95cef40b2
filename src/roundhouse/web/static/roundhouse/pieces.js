// Pieces of the map and of the market that were sent by themselves: hexes, cells, what lies over them.

/** An element shows what another one does; it stays itself, as somebody may just be clicking it. */
function become(there, piece) {
  for (const { name } of [...there.attributes]) if (!piece.hasAttribute(name)) there.removeAttribute(name);
  for (const { name, value } of [...piece.attributes]) there.setAttribute(name, value);
  there.replaceChildren(...piece.childNodes);
}

function placeOf(piece) {
  if (piece.id) return `#${CSS.escape(piece.id)}`;
  const { cell } = piece.dataset;
  return cell ? `[data-cell="${CSS.escape(cell)}"]` : `.${piece.classList[0]}`;
}

/** Put what was sent in the place of what is there. */
export function takePieces() {
  for (const sent of document.querySelectorAll("#map-pieces > svg, #market-pieces > svg")) {
    const panel = document.getElementById(`panel-${sent.dataset.part}`);
    const drawing = panel.querySelector("svg");
    for (const piece of [...sent.children]) {
      const there = drawing.querySelector(placeOf(piece));
      if (there) become(there, piece);
    }
    panel.dataset.digest = sent.dataset.digest;
    sent.remove();
  }
}
