// The panes of a small screen, and shortcuts to parts of the page.

import { kept } from "./kept.js";

function pane(name) {
  document.getElementById("columns").dataset.pane = name;
  for (const button of document.querySelectorAll("[data-pane-to]")) {
    button.setAttribute("aria-pressed", String(button.dataset.paneTo === name));
  }
  const lines = document.querySelector("#panel-log .lines");
  if (name === "log") lines.scrollTop = lines.scrollHeight;
}

/** Turn to a pane, which this browser keeps. */
export function turnTo(name) {
  pane(name);
  kept.write("pane", name);
}

const SHORTCUTS = { n: "#panel-now", m: "#panel-map", l: "#panel-log .lines", c: ".say [name=say]" };

function shortcut(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input:not([type=radio]), select, textarea")) return;
  const goal = document.querySelector(SHORTCUTS[event.key] ?? "#nowhere");
  if (!goal) return;
  event.preventDefault();
  const fields = [...goal.querySelectorAll("a, button, input:not([type=hidden]), select, summary")];
  const inside = event.key === "n" ? fields.find((field) => !field.closest(".help") && field.checkVisibility()) : goal;
  (inside ?? goal).focus();
}

/** Wire panes and shortcuts. */
export function startPanes() {
  document.addEventListener("click", (event) => {
    // what opens over the page is closed by a click beside it
    for (const over of document.querySelectorAll(".ends[open]")) if (!over.contains(event.target)) over.open = false;
    const to = event.target.closest("[data-pane-to]");
    if (to) turnTo(to.dataset.paneTo);
  });
  document.addEventListener("keydown", shortcut);
  const last = kept.read("pane");
  if (last && document.querySelector(`[data-pane-to="${CSS.escape(last)}"]`)) pane(last);
}
