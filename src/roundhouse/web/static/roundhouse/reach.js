// A company's network over the map: while its card is pointed at or focused, or until let go of.

const SHOW_AFTER = 220;
const kept = new Map();
let pinned = "";
let wanted = "";
let timer = 0;

const map = () => document.querySelector("#panel-map svg");
const buttons = () => document.querySelectorAll("[data-reach]");

function address(symbol, where = "reaches") {
  const box = document.getElementById("panel-map");
  const at = new URL(location.href).searchParams.get("at");
  return box.dataset[where].replace("WHO", encodeURIComponent(symbol)) + (at === null ? "" : `?at=${at}`);
}

/** What is drawn of a company as the game stands on this page. */
async function drawn(symbol, where) {
  // What a company reaches follows from the map; what it could lay or lose from more than that.
  const [panel, mark] = where === "reaches" ? ["panel-map", "digest"] : ["panel-bar", "version"];
  const key = `${document.getElementById(panel).dataset[mark]} ${address(symbol, where)}`;
  if (!kept.has(key)) kept.set(key, fetch(address(symbol, where)).then((r) => (r.ok ? r.text() : "")));
  return kept.get(key);
}

/** The layers that are on, over the company that is held: where it could build, what rivals could cost it. */
async function overlay(symbol) {
  if (!symbol || symbol !== pinned) return;
  for (const { dataset } of document.querySelectorAll("[data-over]:checked")) {
    const markup = await drawn(symbol, dataset.over);
    if (symbol !== pinned || symbol !== wanted || !map() || document.querySelector(`.rh-${dataset.over}`)) continue;
    map().insertAdjacentHTML("beforeend", markup);
    if (dataset.over === "threats") none().hidden = document.querySelector(".rh-threats")?.childElementCount !== 0;
  }
}

/** What says that nothing threatens the company, which looks like nothing having been asked. */
const none = () => document.querySelector("[data-no-threats]");

async function show(symbol) {
  wanted = symbol;
  const markup = symbol ? await drawn(symbol, "reaches") : "";
  if (symbol !== wanted) return; // overtaken
  clear();
  if (!markup || !map()) return; // no map has been fetched for another view
  map().insertAdjacentHTML("beforeend", markup);
  const legend = document.getElementById("reach-legend");
  legend.hidden = false;
  legend.querySelector("b").textContent = symbol;
  overlay(symbol);
}

function clear() {
  for (const old of document.querySelectorAll("#panel-map .rh-reach")) old.remove();
  document.getElementById("reach-legend").hidden = none().hidden = true;
}

function pin(symbol) {
  clearTimeout(timer);
  pinned = symbol;
  for (const button of buttons()) {
    button.setAttribute("aria-pressed", String(button.dataset.reach === pinned));
  }
  show(pinned);
}

function soon(symbol) {
  clearTimeout(timer);
  timer = setTimeout(() => show(symbol), symbol === pinned ? 0 : SHOW_AFTER);
}

/** Whether anything on the page is a company's, or what is pointed at or focused is. */
const there = (symbol, state = "") => document.querySelector(`[data-company-card="${CSS.escape(symbol)}"]${state}`) !== null;

/** After anything was put into the page: a company that has closed has no line any more that could be let go of. */
function follow() {
  if (pinned) pin(there(pinned) ? pinned : "");
  else if (wanted) show(there(wanted, ":is(:hover, :focus-within)") ? wanted : "");
}

/** Wire the companies' cards. */
export function startReach() {
  const over = (event) => event.target.closest?.("[data-company-card]")?.dataset.companyCard;
  for (const name of ["pointerover", "focusin"]) {
    document.addEventListener(name, (event) => over(event) && soon(over(event)));
  }
  for (const name of ["pointerout", "focusout"]) {
    document.addEventListener(name, (event) => over(event) && soon(pinned));
  }
  document.addEventListener("click", (event) => {
    const symbol = event.target.closest("[data-reach]")?.dataset.reach;
    if (symbol !== undefined) pin(symbol === pinned ? "" : symbol);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches?.("[data-over]") && pinned) pin(pinned);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pinned) pin("");
  });
  document.addEventListener("htmx:after:swap", follow);
}
