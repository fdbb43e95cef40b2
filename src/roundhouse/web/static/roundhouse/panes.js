// Tabs, the panes of a small screen, and shortcuts.

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

/** Wire tabs, panes and shortcuts. */
export function startPanes() {
  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) open(tab);
    const to = event.target.closest("[data-pane-to]");
    if (to) pane(to.dataset.paneTo);
  });
  document.addEventListener("keydown", step);
  document.addEventListener("keydown", shortcut);
}
