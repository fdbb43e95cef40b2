// Letters on tokens, train badges and the prices of the market are never smaller on the screen than
// one can read: those printed smaller are enlarged, and where no letters fit a token shows its
// device alone.

const LEAST = 9.1;
const FITS = 13.5; // the smallest disc, in pixels across, on which two letters can be read
const RADIUS = 22;
const DROP = 0.36; // from the middle of a line to its foot, in sizes
const TYPE = ".rh-mark, .rh-price, .rh-zone-name, .rh-badge text, .rh-told text";

/** What becomes of a piece of type: a new size, or none at all. */
function measured(text) {
  const matrix = text.getScreenCTM();
  const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 0;
  text.dataset.size ??= text.getAttribute("font-size");
  text.dataset.foot ??= text.getAttribute("y") ?? 0;
  const [size, foot] = [Number(text.dataset.size), Number(text.dataset.foot)];
  const mark = text.classList.contains("rh-mark");
  const wanted = Math.max(size, LEAST / scale);
  const hidden = mark && 2 * RADIUS * scale < FITS;
  const middle = text.classList.contains("rh-zone-name") ? foot : foot + (wanted - size) * DROP;
  return { text, scale, wanted, hidden, middle };
}

/** Enlarge what is shown too small; what is enlarged already is measured by what was printed. */
export function readable() {
  const all = [...document.querySelectorAll(TYPE)].filter((t) => t.getClientRects().length);
  for (const { text, scale, wanted, hidden, middle } of all.map(measured)) {
    if (!scale) continue;
    const size = wanted.toFixed(1);
    if (text.getAttribute("font-size") !== size) {
      text.setAttribute("font-size", size);
      text.setAttribute("y", middle.toFixed(1));
    }
    text.classList.toggle("unfit", hidden);
  }
}
