// The sandbox without loading the page anew: links and forms of it bring the next map in place.

import { startType } from "../roundhouse/type.js";

const box = () => document.getElementById("sandbox");
let waiting = 0;

async function go(address, push = true) {
  const scroll = [".sandbox-map", ".spot-side"].map((name) => [name, box().querySelector(name)]).map(([name, e]) => [name, e?.scrollLeft ?? 0, e?.scrollTop ?? 0]);
  let reply;
  try {
    reply = await fetch(address, { headers: { Accept: "text/html" } });
  } catch {
    return void location.assign(address);
  }
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const next = page.getElementById("sandbox");
  if (!next) return void location.assign(address);
  box().replaceWith(document.adoptNode(next));
  if (push) history.pushState(null, "", reply.url);
  for (const [name, left, top] of scroll) box().querySelector(name)?.scrollTo(left, top);
  startType();
  showFound();
  watch();
}

/** Routes that are out of sight, or a hex that is, come to the middle. */
function showFound() {
  const pane = box().querySelector(".sandbox-map");
  const routes = [...pane.querySelectorAll(".rh-route")];
  const found = routes.length ? routes : [...pane.querySelectorAll(".is-selected")];
  if (!found.length) return;
  const around = pane.getBoundingClientRect();
  const rects = found.map((e) => e.getBoundingClientRect());
  const left = Math.min(...rects.map((r) => r.left)), right = Math.max(...rects.map((r) => r.right));
  const top = Math.min(...rects.map((r) => r.top)), bottom = Math.max(...rects.map((r) => r.bottom));
  if (left >= around.left && right <= around.right && top >= around.top && bottom <= around.bottom) return;
  pane.scrollBy((left + right - around.left - around.right) / 2, (top + bottom - around.top - around.bottom) / 2);
}

/** While a worker searches on, look again. */
function watch() {
  clearTimeout(waiting);
  if (box().dataset.waiting) waiting = setTimeout(() => go(location.href, false), 2500);
}

function hexAddress(hex) {
  const query = new URLSearchParams(location.search);
  query.delete("run");
  query.set("hex", hex);
  return `?${query}`;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#sandbox [data-go]");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    go(link.href);
  }
  const hex = event.target.closest(".sandbox-map [data-hex]");
  if (hex) go(hexAddress(hex.dataset.hex));
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("#sandbox form");
  if (!form) return;
  event.preventDefault();
  go(`?${new URLSearchParams(new FormData(form))}`);
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("#sandbox form.line");
  if (form && !form.querySelector("[name=buy]")) form.requestSubmit();
});

addEventListener("popstate", () => go(location.href, false));
startType();
showFound();
watch();
