// The log: what of it is shown, and jumping to any of its lines.

import { go } from "./history.js";

const panel = () => document.getElementById("panel-log");

let wanted = "";

function choose(chip) {
  wanted = chip.dataset.log;
  return go(location.href);
}

/** Whether the log shows something else than what was chosen last. */
export function outOfDate() {
  return panel().dataset.filter !== wanted;
}

/** Mark the lines that are new to whoever looks, and let no action be named that there is not. */
export function markNew() {
  const { since, last } = panel().querySelector(".lines").dataset;
  for (const line of panel().querySelectorAll(".entry[id]")) {
    const number = Number(line.id.slice("entry-".length));
    line.classList.toggle("new", number > Number(since) && !line.matches(".later"));
  }
  panel().querySelector("[data-goto]").elements.at.max = last;
}

/** Keep the line of the moment looked at in sight. */
export function showHere() {
  panel().querySelector(".here")?.scrollIntoView({ block: "center" });
}

/** Wire the log. */
export function startLog() {
  wanted = panel().dataset.filter;
  document.addEventListener("htmx:config:request", (event) => {
    event.detail.ctx.request.headers["X-Log"] = encodeURIComponent(wanted);
  });
  document.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-log]");
    if (!chip) return;
    event.preventDefault();
    choose(chip);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-goto]")) return;
    event.preventDefault();
    go(`?at=${event.target.elements.at.value}`);
    event.target.reset();
  });
}
