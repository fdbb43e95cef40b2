// Where prices would go: the button that is pointed at or focused tells the cells, an arrow on the
// market leads there.

const market = () => document.querySelector("#panel-market svg");
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
  if (!market() || !market().getClientRects().length) return;
  for (const [symbol, id] of Object.entries(moves)) {
    const goal = cell(id);
    if (!goal) continue;
    goal.classList.add("is-goal");
    goal.scrollIntoView({ block: "nearest", inline: "nearest" });
    const from = marker(symbol);
    if (from && from.parentElement !== goal) arrow(from, goal);
  }
}

function clear() {
  for (const old of document.querySelectorAll("#panel-market .rh-goal")) old.remove();
  for (const old of document.querySelectorAll("#panel-market .is-goal")) old.classList.remove("is-goal");
}

/** A market that is larger than its place: look at where the markers are. */
function lookAtMarkers() {
  const all = [...document.querySelectorAll("#panel-market [data-corporation]")];
  const box = document.getElementById("pane-market");
  if (!all.length || box.scrollHeight <= box.clientHeight) return;
  const { top } = box.getBoundingClientRect();
  const highest = Math.min(...all.map((shape) => shape.getBoundingClientRect().top));
  box.scrollTop += highest - top - 40;
}

/** Wire the buttons that move prices. */
export function startMarket() {
  const told = (event) => event.target.closest?.("[data-moves]")?.dataset.moves;
  for (const name of ["pointerover", "focusin"]) {
    document.addEventListener(name, (event) => told(event) && show(JSON.parse(told(event))));
  }
  for (const name of ["pointerout", "focusout"]) {
    document.addEventListener(name, (event) => told(event) && clear());
  }
  document.addEventListener("htmx:after:swap", clear);
  lookAtMarkers();
}
