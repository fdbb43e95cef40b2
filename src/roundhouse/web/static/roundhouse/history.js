// Walking through the history: links and keys as on the reference site.

import { refresh } from "./update.js";

const panel = () => document.getElementById("panel-history");

/** Look at the moment a link leads to. */
export function go(href) {
  const url = new URL(href, location.href);
  if (url.href !== location.href) history.pushState({ at: url.searchParams.get("at") }, "", url);
  return refresh();
}

function link(event) {
  const a = event.target.closest("a[href^='?at='], a[data-present]");
  if (!a || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(a.getAttribute("href"));
}

function key(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea, [role=tablist], [tabindex='0']")) return;
  const a = panel().querySelector(`a[data-key="${event.key}"]`);
  if (!a?.hasAttribute("href")) return;
  event.preventDefault();
  go(a.getAttribute("href"));
}

// A game plays itself, an action after the other, until its end or a click.
const PACE = 1300;
let playing = 0;

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(next, PACE) : 0;
  tellPlaying();
}

function tellPlaying() {
  const button = panel().querySelector("[data-play]");
  button.setAttribute("aria-pressed", String(Boolean(playing)));
  button.textContent = playing ? "❚❚" : "▷";
}

function next() {
  const on = panel().querySelector('a[data-key="ArrowRight"]');
  if (on?.hasAttribute("href")) go(on.getAttribute("href"));
  else play(false);
}

async function start() {
  if (playing) return void play(false);
  const on = panel().querySelector('a[data-key="ArrowRight"]');
  if (!on.hasAttribute("href")) await go("?at=0"); // from the beginning, once it is over
  play(true);
}

/** Wire the history. */
export function startHistory() {
  document.addEventListener("click", (event) => { if (event.target.closest("[data-play]")) start(); });
  document.addEventListener("htmx:after:swap", tellPlaying);
  document.addEventListener("click", link);
  document.addEventListener("keydown", key);
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-jump]")) go(`?at=${event.target.value}`);
  });
  addEventListener("popstate", () => go(location.href));
}
