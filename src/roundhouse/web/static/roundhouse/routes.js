// Changing routes: choose a train, click the stops it is to call at; the server finds the way.

let train = "";
let via = [];

const box = () => document.getElementById("routes");
const plan = () => box()?.querySelector("[data-plan]")?.dataset.plan ?? "";

function ask(query) {
  const url = `${box().dataset.routes}?${new URLSearchParams(query)}`;
  return htmx.ajax("GET", url, { target: "#routes", swap: "innerHTML" });
}

function change(name) {
  train = train === name ? "" : name;
  via = [];
  for (const button of box().querySelectorAll("[data-route-change]")) {
    button.setAttribute("aria-pressed", String(button.dataset.routeChange === train));
  }
  document.body.classList.toggle("routing", Boolean(train));
}

function call(hex) {
  via = via.includes(hex) ? via.filter((h) => h !== hex) : [...via, hex];
  return ask({ routes: plan(), train, via: via.join(",") });
}

/** Wire the routes. */
export function startRoutes() {
  document.addEventListener("click", (event) => {
    const wanted = event.target.closest("[data-route-change]");
    if (wanted) change(wanted.dataset.routeChange);
    const idle = event.target.closest("[data-route-drop]");
    if (idle) ask({ routes: plan(), train: idle.dataset.routeDrop, via: "" });
    if (event.target.closest("[data-route-best]")) { train = ""; ask({}); }
  });
  document.addEventListener("map:hex", (event) => {
    if (!train || !box()) return;
    event.preventDefault();
    call(event.detail);
  });
  document.addEventListener("htmx:after:swap", () => { lines(); if (!box()) train = ""; });
}

/** Put the lines of the routes over the map. */
function lines() {
  const svg = document.querySelector("#panel-map svg");
  for (const old of svg?.querySelectorAll(".route-overlay") ?? []) old.remove();
  const drawn = box()?.querySelector("[data-lines] g");
  if (!svg || !drawn) return;
  const copy = drawn.cloneNode(true);
  copy.classList.add("route-overlay");
  svg.append(copy);
}
