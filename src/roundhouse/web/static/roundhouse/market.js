// Where prices would go: the button that is pointed at or focused tells the cells, an arrow on the
// market leads there.

const market = () => document.querySelector("#panel-market svg");
let leaving = 0;
const SVG = "http://www.w3.org/2000/svg";

function cell(id) {
  return market().querySelector(`[data-cell="${CSS.escape(id)}"]`);
}

function marker(symbol) {
  return market().querySelector(`[data-corporation="${CSS.escape(symbol)}"]`);
}

function middle(shape) {
  const { x, y, width, height } = shape.getBBox();
  const { a, b, c, d, e, f } = market().getCTM().inverse().multiply(shape.getCTM());
  const [u, v] = [x + width / 2, y + height / 2];
  return { x: a * u + c * v + e, y: b * u + d * v + f };
}

/** An arrow from a marker to the cell it would go to. */
function arrow(from, to) {
  const [p, q] = [middle(from), middle(to)];
  const far = Math.hypot(q.x - p.x, q.y - p.y);
  if (far < 1) return;
  const angle = Math.atan2(q.y - p.y, q.x - p.x);
  const wing = (turn) => `${q.x - 9 * Math.cos(angle + turn)} ${q.y - 9 * Math.sin(angle + turn)}`;
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("class", "rh-goal");
  line.setAttribute("d", `M${p.x} ${p.y}L${q.x} ${q.y}M${wing(0.5)}L${q.x} ${q.y}L${wing(-0.5)}`);
  market().append(line);
}

function show(moves) {
  clear();
  if (!market()) return;
  // Where the map has all the room, the market comes up while it is asked for.
  clearTimeout(leaving);
  if (!market().getClientRects().length) document.getElementById("pane-market").classList.add("peek");
  for (const [symbol, id] of Object.entries(moves)) {
    const goal = cell(id);
    if (!goal) continue;
    goal.classList.add("is-goal");
    const from = marker(symbol);
    if (from && from.parentElement !== goal) arrow(from, goal);
  }
}

/** The market goes again; after a move, once it has been seen. */
function hide(after) {
  clearTimeout(leaving);
  leaving = setTimeout(() => document.getElementById("pane-market").classList.remove("peek"), after);
}

function clear() {
  for (const old of document.querySelectorAll("#panel-market .rh-goal")) old.remove();
  for (const old of document.querySelectorAll("#panel-market .is-goal")) old.classList.remove("is-goal");
}

const told = (event) => event.target.closest?.("[data-moves]")?.dataset.moves;
const tell = (event) => told(event) && show(JSON.parse(told(event)));

let at = ""; // where the pointer was last
let beneath = false; // whether a button has come to lie under it by itself: that asks for nothing

function pointed(event) {
  const here = `${event.clientX} ${event.clientY}`;
  const still = here === at && event.pointerType !== "touch";
  at = here;
  if (event.type === "pointerover") beneath = still;
  if (still || (event.type === "pointermove" && !beneath)) return;
  beneath = false;
  tell(event);
}

/** Wire the buttons that move prices. */
export function startMarket() {
  document.addEventListener("focusin", tell);
  document.addEventListener("pointerover", pointed);
  document.addEventListener("pointermove", pointed);
  for (const name of ["pointerout", "focusout"]) {
    document.addEventListener(name, (event) => told(event) && (clear(), hide(0)));
  }
  document.addEventListener("htmx:after:swap", () => { clear(); hide(1200); });
}
