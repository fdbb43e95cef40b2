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

/** Where trains are to be run and no routes are shown yet: fetch the best ones. */
function propose() {
  if (!box()) {
    train = "";
    document.body.classList.remove("routing");
  } else if (!box().querySelector("[data-plan]") && !box().dataset.asked) {
    box().dataset.asked = "1";
    ask({});
  }
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
  document.addEventListener("htmx:after:swap", propose);
  propose();
}
