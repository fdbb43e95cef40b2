// The form of a new game: only the fields that apply to it, and seats for all its bots.

const form = document.querySelector("[data-usual]");
const { hotseat, bots, seats } = form.elements;

/** Fields of a game at one screen, and of one in several browsers, each where it is one. */
function apply() {
  if (!hotseat) return;
  for (const part of form.querySelectorAll("[data-for]")) {
    const on = (part.dataset.for === "screen") === hotseat.checked;
    part.hidden = !on;
    // What is not seen is not sent either, and holds nothing back.
    for (const field of part.querySelectorAll("input, select, textarea")) field.disabled = !on;
  }
}

/** Who asks for bots has a seat for each of them, and one of his own. */
function makeRoom() {
  const needed = Math.min(Number(bots.value) + 1, Number(seats?.max));
  if (seats && needed > Number(seats.value)) seats.value = needed;
}

bots.addEventListener("input", makeRoom);
hotseat?.addEventListener("change", apply);
makeRoom();
apply();
