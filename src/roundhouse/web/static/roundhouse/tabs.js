// What a viewer arranged is kept in his browser: the order of the tabs, which is open, how much room
// the tables have, and on a small screen which part of the table is on view.

const kept = {
  read(name) {
    try { return JSON.parse(localStorage.getItem(`table-${name}`)); } catch { return null; }
  },
  write(name, value) {
    try { localStorage.setItem(`table-${name}`, JSON.stringify(value)); } catch { /* a browser may forbid it */ }
  },
};

const list = () => document.querySelector(".tabs [role=tablist]");
const tabs = () => [...list().querySelectorAll("[role=tab]")];

function restoreOrder() {
  const order = kept.read("tabs") ?? [];
  const rank = (tab) => (order.includes(tab.id) ? order.indexOf(tab.id) : order.length);
  list().append(...tabs().sort((a, b) => rank(a) - rank(b)));
}

function keepOrder() {
  kept.write("tabs", tabs().map((tab) => tab.id));
}

/** Move a tab by some places. */
function shift(tab, by) {
  const others = tabs();
  const at = others.indexOf(tab);
  const to = Math.max(0, Math.min(others.length - 1, at + by));
  if (to === at) return;
  others[to][by > 0 ? "after" : "before"](tab);
  tab.focus();
  keepOrder();
}

function key(event) {
  const tab = event.target.closest("[role=tab]");
  if (!tab || !event.shiftKey || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // without shift the arrows open tabs
  shift(tab, event.key === "ArrowRight" ? 1 : -1);
}

function drag() {
  let dragged = null;
  list().addEventListener("dragstart", (event) => { dragged = event.target.closest("[role=tab]"); });
  list().addEventListener("dragover", (event) => {
    const over = event.target.closest("[role=tab]");
    if (!dragged || !over) return;
    event.preventDefault();
    if (over === dragged) return;
    const { left, width } = over.getBoundingClientRect();
    over[event.clientX > left + width / 2 ? "after" : "before"](dragged);
  });
  list().addEventListener("dragend", () => { dragged = null; keepOrder(); });
  for (const tab of tabs()) tab.draggable = true;
}

function grow(tall) {
  document.getElementById("columns").classList.toggle("tall", tall);
  document.querySelector("[data-grow]").setAttribute("aria-pressed", String(tall));
  kept.write("tall", tall);
}

/** Wire what is remembered; the tabs themselves work already. */
export function startTabs() {
  restoreOrder();
  drag();
  document.addEventListener("keydown", key, { capture: true });
  document.addEventListener("click", (event) => {
    const tab = event.target.closest(".tabs [role=tab]");
    if (tab) kept.write("tab", tab.id);
    const pane = event.target.closest("[data-pane-to]");
    if (pane) kept.write("pane", pane.dataset.paneTo);
    const button = event.target.closest("[data-grow]");
    if (button) grow(button.getAttribute("aria-pressed") !== "true");
  });
  list().addEventListener("focusin", () => {
    const open = tabs().find((tab) => tab.getAttribute("aria-selected") === "true");
    if (open) kept.write("tab", open.id);
  });
  const open = tabs().find((tab) => tab.id === kept.read("tab"));
  if (open && open.getAttribute("aria-selected") !== "true") open.click();
  document.querySelector(`[data-pane-to="${CSS.escape(kept.read("pane") ?? "map")}"]`)?.click();
  grow(kept.read("tall") ?? false);
}
