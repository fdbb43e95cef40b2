// A company or player in full, beside its line in the strips.

const box = () => document.getElementById("card");

async function open(button) {
  const at = new URL(location.href).searchParams.get("at");
  const { cards } = document.getElementById("panel-map").dataset;
  const url = cards.replace("WHO", encodeURIComponent(button.dataset.card)) + (at === null ? "" : `?at=${at}`);
  await htmx.ajax("GET", url, { target: "#card", swap: "innerHTML" });
  box().hidden = false;
  const there = button.getBoundingClientRect();
  const { offsetWidth: w, offsetHeight: h } = box();
  box().style.left = `${Math.max(6, Math.min(there.left, innerWidth - w - 6))}px`;
  box().style.top = `${Math.max(6, there.top - h - 6 > 6 ? there.top - h - 6 : Math.min(there.bottom + 6, innerHeight - h - 6))}px`;
  box().querySelector("button")?.focus({ preventScroll: true });
}

function close() {
  box().hidden = true;
  box().replaceChildren();
}

/** Wire the cards. */
export function startCards() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-card]");
    if (button) open(button);
    else if (event.target.closest("[data-close-card]") || !event.target.closest("#card")) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
}
