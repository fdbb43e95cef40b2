// The banker's sheet: entries without loading the page anew, and what others write, seen soon.

import { readable } from "../roundhouse/sizes.js";

const box = () => document.getElementById("bank");
const SOON = 2500;
let busy = false;

/** The market at a size one can read, where the companies are. */
function market() {
  readable();
  const pane = box().querySelector(".bank-market");
  const marker = pane.querySelector("[data-corporation]");
  if (!marker) return;
  const [here, there] = [pane, marker].map((one) => one.getBoundingClientRect());
  pane.scrollLeft += there.left - here.left - here.width / 2;
}

function take(text, address) {
  const next = new DOMParser().parseFromString(text, "text/html").getElementById("bank");
  if (!next) return void location.assign(address);
  const open = [...box().querySelectorAll("details[open]")].map((one) => one.id);
  box().replaceWith(document.adoptNode(next));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  market();
}

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  busy = true;
  try {
    const reply = await fetch(location.pathname, { method: "POST", body, headers: { Accept: "text/html" } });
    take(await reply.text(), location.pathname);
  } catch {
    form.submit();
  } finally {
    busy = false;
  }
}

/** Whether somebody is just filling something in. */
const writing = () => document.activeElement?.closest("#bank form input:not([readonly]), #bank form select");

async function look() {
  try {
    if (!busy && !writing() && !document.hidden) {
      const reply = await fetch(`?since=${box().dataset.version}`);
      if (reply.status === 200 && !busy && !writing()) take(await reply.text(), location.pathname);
    }
  } catch {
    // no connection: the next look tries again
  }
  setTimeout(look, SOON);
}

document.addEventListener("submit", (event) => {
  if (!event.target.closest("#bank")) return;
  event.preventDefault();
  if (!busy) send(event.target, event.submitter);
});

// What a dividend is for each share, before it is paid.
document.addEventListener("input", (event) => {
  const form = event.target.closest("#bank form[data-shares]");
  if (!form) return;
  const each = Math.floor(Number(form.elements.revenue.value) / Number(form.dataset.shares));
  form.querySelector("output").value = each > 0 ? `${each} a share` : "";
});

setTimeout(look, SOON);
addEventListener("resize", market);
market();
