// Letters on tokens, train badges and the prices of the market are never smaller on the screen than
// one can read: those printed smaller are enlarged, and where no letters fit a token shows its
// device alone.

const LEAST = 9.1;
const FITS = 13.5; // the smallest disc, in pixels across, on which two letters can be read
const RADIUS = 22;
const DROP = 0.36; // from the middle of a line to its foot, in sizes
const RISE = 0.72; // from the foot of a line to the head of its letters
const TYPE = ".rh-mark, .rh-price, .rh-zone-name, .rh-badge text, .rh-told text, .rh-coordinate, .rh-tile-number";

/** How far down a line moves that grows: coordinates hang from the rim of their hex, what stands at
 * a foot stays there, all else grows about its middle. */
function sunk(css, more) {
  if (css.contains("rh-coordinate")) return more * RISE;
  return css.contains("rh-zone-name") || css.contains("rh-tile-number") ? 0 : more * DROP;
}

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
  const middle = foot + sunk(text.classList, wanted - size);
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
