// Letters on tokens, train badges and the prices of the market are never smaller on the screen than
// one can read: those printed smaller are enlarged, and where no letters fit a token shows its
// device alone.

const LEAST = 9.1;
const MOST = 15; // of a legend, which grows with the cells beside it
const PRINTED = 17;
const FITS = 13.5; // the smallest disc, in pixels across, on which two letters can be read
const RADIUS = 22;
const DROP = 0.36; // from the middle of a line to its foot, in sizes
const RISE = 0.72; // from the foot of a line to the head of its letters
const ALWAYS = ["rh-mark", "rh-price", "rh-zone-name"];
const OVER = ".rh-badge text, .rh-told text";
/** What of a map is shown unless some class of its pane hides it. */
const NEAR = { "rh-coordinate": ["coarse"], "rh-tile-number": ["coarse", "rh-no-numbers"] };

/** All type that may need another size. The browser keeps collections by class; one selector for all of
 * it would walk the whole page at every update. */
function typeOf(page) {
  const of = (name) => [...page.getElementsByClassName(name)];
  const near = Object.keys(NEAR).filter((name) => !NEAR[name].some((hides) => of(hides).length));
  return [...ALWAYS, ...near].flatMap(of).concat([...page.querySelectorAll(OVER)]);
}

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
  return { text, scale, wanted: wanted.toFixed(1), hidden, middle: middle.toFixed(1) };
}

const kept = new WeakMap(); // piece of type → at which scale of its drawing it got which size

let steady = new WeakMap(); // token by itself, as large as the letters beside it → its scale
addEventListener("resize", () => { steady = new WeakMap(); });

/** The scale of a drawing in sight; 0: it is out of sight. */
function scaleOf(drawing, scales) {
  const known = scales.get(drawing) ?? steady.get(drawing);
  if (known !== undefined) return known;
  const scale = drawing.getClientRects().length ? drawing.getScreenCTM().a : 0;
  scales.set(drawing, scale);
  if (scale && drawing.matches(".rh-token-drawing")) steady.set(drawing, scale);
  return scale;
}

/** What zones are called is no larger than all else on the page. */
function legends(scales) {
  for (const legend of document.getElementsByClassName("rh-legend")) {
    const scale = scaleOf(legend.ownerSVGElement, scales);
    const first = legend.querySelector("text");
    if (!scale || !first) continue;
    const less = Math.min(1, MOST / PRINTED / scale).toFixed(3);
    const made = `translate(0 ${((1 - less) * (first.dataset.foot ?? first.getAttribute("y"))).toFixed(1)}) scale(${less})`;
    if (legend.getAttribute("transform") !== made) legend.setAttribute("transform", made);
  }
}

/** The pieces of type in sight that have not their size yet, with the scale of their drawing. */
function unsized(scales) {
  return typeOf(document)
    .map((text) => ({ text, of: scaleOf(text.ownerSVGElement, scales) }))
    .filter(({ text, of }) => of && kept.get(text) !== `${of} ${text.getAttribute("font-size")}` && text.getClientRects().length);
}

/** Enlarge what is shown too small; what is enlarged already is measured by what was printed. */
export function readable() {
  const scales = new Map();
  legends(scales);
  const found = unsized(scales).map(({ text, of }) => ({ of, ...measured(text) }));
  for (const { text, of, scale, wanted, hidden, middle } of found) {
    if (!scale) continue;
    if (text.getAttribute("font-size") !== wanted) {
      text.setAttribute("font-size", wanted);
      text.setAttribute("y", middle);
    }
    text.classList.toggle("unfit", hidden);
    kept.set(text, `${of} ${wanted}`);
  }
}
