// Routes by hand: choose a train, draw along the track or click stops. A trail of hexes is all that
// is known here; what route it makes, what that earns and why it may not be run, the server tells.

import { centerOf, hexAt, onMap } from "./map.js";

let train = "";
let trail = [];

const box = () => document.getElementById("routes");
const form = () => box()?.querySelector("[data-plan]");

/** The routes as they stand on the page, for whoever draws the map anew. */
export function planned() {
  return form()?.dataset.plan ?? "";
}

function ask(query = {}, routes = planned()) {
  const all = new URLSearchParams({ ...(routes && { routes }), ...query });
  return htmx.ajax("GET", `${box().dataset.routes}?${all}`, { target: "#routes", swap: "innerHTML" });
}

function redraw(more = {}) {
  return ask({ train, trail: trail.join(","), ...more });
}

/** Which train is drawn; to choose one changes no route yet. */
function choose(name) {
  train = name;
  trail = [];
  document.body.classList.toggle("routing", Boolean(train));
}

/** One more stop; the last one again takes it off, an earlier one goes back to it. */
function call(hex) {
  const at = trail.indexOf(hex);
  if (at < 0) trail.push(hex);
  else trail.length = at === trail.length - 1 ? at : at + 1;
  return redraw();
}

// drawing along the track

let line = null;

function begin(event) {
  const hex = train && hexAt(event, true);
  if (line || !hex || event.button !== 0) {
    dropLine(); // a second finger: the map is pinched, not drawn on
  } else {
    line = { pointer: event.pointerId, goesOn: trail.at(-1) === hex, hexes: [hex] };
  }
}

function follow(event) {
  if (line?.pointer !== event.pointerId) return;
  event.stopPropagation(); // the map stays where it is
  const hex = hexAt(event, true);
  const { hexes } = line;
  if (!hex || hex === hexes.at(-1)) return;
  if (hex === hexes.at(-2)) hexes.pop();
  else hexes.push(hex);
  sketch();
}

function end(event) {
  if (line?.pointer !== event.pointerId) return;
  const { goesOn, hexes } = line;
  dropLine();
  if (hexes.length < 2) return; // a click
  trail = goesOn ? [...trail, ...hexes.slice(1)] : hexes;
  redraw();
}

function dropLine() {
  line = null;
  document.querySelector(".sketch")?.remove();
}

/** The trail while it is drawn. */
function sketch() {
  const drawing = document.querySelector("#panel-map svg");
  const shape = drawing.querySelector(".sketch")
    ?? drawing.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "polyline"));
  shape.setAttribute("class", "sketch");
  shape.setAttribute("points", line.hexes.map(centerOf).map(({ x, y }) => `${x},${y}`).join(" "));
}

let looking = 0; // until the search is over

/** Where trains are to be run and no routes are shown yet: fetch the best ones. */
function propose() {
  if (!box()) {
    choose("");
  } else if (box().querySelector("[data-searching]")) {
    clearTimeout(looking);
    looking = setTimeout(() => ask(), 400);
  } else if (!form() && !box().dataset.asked) {
    box().dataset.asked = "1";
    ask();
  }
}

function press(event) {
  const button = event.target.closest("button");
  if (!button || !box()?.contains(button)) return;
  const { routeDraw, routeDrop } = button.dataset;
  if (routeDraw) {
    choose(routeDraw === train ? "" : routeDraw);
    ask(train ? { train } : {});
  }
  if (routeDrop) {
    choose(routeDrop);
    redraw();
  }
  if ("routeStopSearch" in button.dataset) ask({ stop: "1" });
  if ("routeComplete" in button.dataset) redraw({ complete: "1" });
  if ("routeDone" in button.dataset) {
    choose("");
    ask();
  }
  if ("routeBest" in button.dataset) {
    choose("");
    ask({}, "");
  }
}

/** Wire the routes. */
export function startRoutes() {
  document.addEventListener("click", press);
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-route-stop]") && event.target.value) call(event.target.value);
  });
  document.addEventListener("map:hex", (event) => {
    if (!train || !box()) return;
    event.preventDefault();
    call(event.detail);
  });
  onMap("pointerdown", begin);
  onMap("pointermove", follow);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", dropLine);
  document.addEventListener("htmx:after:swap", propose);
  propose();
}
