// Tabs, the panes of a small screen, sorting of tables, and shortcuts.

import { refresh } from "./update.js";

function choose(tab) {
  for (const other of tab.parentElement.querySelectorAll("[role=tab]")) {
    const on = other === tab;
    other.setAttribute("aria-selected", String(on));
    other.tabIndex = on ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !on;
  }
}

/** A hidden tab is not kept up to date; it is when it is opened. */
function open(tab) {
  choose(tab);
  refresh();
}

function pane(name) {
  document.getElementById("columns").dataset.pane = name;
  for (const button of document.querySelectorAll("[data-pane-to]")) {
    button.setAttribute("aria-pressed", String(button.dataset.paneTo === name));
  }
}

function step(event) {
  const tab = event.target.closest("[role=tab]");
  if (!tab || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  const tabs = [...tab.parentElement.querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(tab) + (event.key === "ArrowRight" ? 1 : tabs.length - 1)) % tabs.length];
  open(next);
  next.focus();
}

function sort(th) {
  const body = th.closest("table").tBodies[0];
  const column = th.cellIndex;
  const down = th.getAttribute("aria-sort") !== "descending";
  for (const other of th.parentElement.children) other.removeAttribute("aria-sort");
  th.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => row.cells[column].textContent.trim();
  const compare = (a, b) => {
    const [x, y] = [parseFloat(value(a)), parseFloat(value(b))];
    const numbers = !Number.isNaN(x) || !Number.isNaN(y);
    return numbers ? (x || 0) - (y || 0) : value(b).localeCompare(value(a));
  };
  body.append(...[...body.rows].sort((a, b) => (down ? compare(b, a) : compare(a, b))));
}

const SHORTCUTS = { n: "#panel-now", m: "#panel-map", l: "#panel-log .lines", c: ".say input" };

function shortcut(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea")) return;
  const goal = document.querySelector(SHORTCUTS[event.key] ?? "#nowhere");
  if (!goal) return;
  event.preventDefault();
  const inside = event.key === "n" ? goal.querySelector("a, button, input:not([type=hidden])") : goal;
  (inside ?? goal).focus();
}

/** Wire tabs, panes, sorting and shortcuts. */
export function startPanes() {
  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) open(tab);
    const to = event.target.closest("[data-pane-to]");
    if (to) pane(to.dataset.paneTo);
    const th = event.target.closest("[data-sortable] thead th");
    if (th) sort(th);
  });
  document.addEventListener("keydown", step);
  document.addEventListener("keydown", shortcut);
}
