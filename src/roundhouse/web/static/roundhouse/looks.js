// The colours somebody chose for tiles, tokens and players, and patterns beside them: those of the account
// where there is one. The browser keeps them too: for who is not signed in, and what could not be sent.

const root = document.documentElement;
const NAME = "looks";
const box = document.getElementById("looks");

function read(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function stored() {
  const patterns = read("patterns") === "1" ? "on" : "off";
  try { return { patterns, ...JSON.parse(read(NAME)) }; } catch { return { patterns }; }
}

function keep(looks) {
  try {
    localStorage.setItem(NAME, JSON.stringify(looks));
    localStorage.setItem("patterns", looks.patterns === "on" ? "1" : "0"); // every page begins with it
  } catch { /* a browser may forbid it */ }
}

/** Show what was chosen; what is usual needs no mark. */
function wear(looks) {
  for (const select of box.querySelectorAll("[data-look-of]")) {
    const { lookOf } = select.dataset;
    const usual = select.options[0].value;
    const known = [...select.options].some((o) => o.value === looks[lookOf]);
    select.value = known ? looks[lookOf] : usual;
    if (select.value === usual) root.removeAttribute(`data-${lookOf}`);
    else root.setAttribute(`data-${lookOf}`, select.value);
  }
  root.classList.toggle("rh-patterns", looks.patterns === "on");
  tellPatterns();
}

function tellPatterns() {
  const on = String(root.classList.contains("rh-patterns"));
  for (const button of document.querySelectorAll("[data-patterns]")) button.setAttribute("aria-pressed", on);
}

let newest = null; // what is still to be sent
let busy = false;

/** Give the account what was chosen, one choice after the other, so that the last one stays; what does not get
    there is sent when a table is opened again. */
async function send({ unsent, ...looks }) {
  if (!box.dataset.to) return;
  keep({ ...looks, unsent: true });
  newest = looks;
  if (busy) return;
  const headers = { "X-CSRFToken": box.querySelector("[name=csrfmiddlewaretoken]").value, Accept: "application/json" };
  busy = true;
  while (newest) {
    const sent = newest;
    newest = null;
    const body = new URLSearchParams(sent);
    const answer = await fetch(box.dataset.to, { method: "POST", headers, body, keepalive: true }).catch(() => null);
    if (answer?.ok && !newest) keep(sent);
  }
  busy = false;
}

function choose(name, value) {
  const looks = { ...stored(), [name]: value };
  keep(looks);
  wear(looks);
  send(looks);
}

/** Wire the choice of colours and patterns. */
export function startLooks() {
  const own = stored();
  const looks = own.unsent ? own : { ...own, ...JSON.parse(box.dataset.looks ?? "{}") };
  keep(looks);
  wear(looks);
  if (looks.unsent) send(looks);
  document.addEventListener("change", (event) => {
    const { lookOf } = event.target.dataset ?? {};
    if (lookOf) choose(lookOf, event.target.value);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-patterns]")) choose("patterns", root.classList.contains("rh-patterns") ? "off" : "on");
  });
  document.addEventListener("htmx:after:swap", tellPatterns);
}
