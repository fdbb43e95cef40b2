// The lobby keeps itself up to date, and its filter in the address.

import { show } from "./waiting.js";

const EVERY = 20_000;
const games = document.getElementById("games");
const form = document.querySelector("[data-filter]");

async function look(address = location.href) {
  const answer = await fetch(address, { headers: { "X-Part": "games" } }).catch(() => null);
  if (!answer?.ok) return;
  const text = await answer.text();
  if (text !== look.last) games.innerHTML = text;
  if (games.querySelector(".game")) form.hidden = false;
  look.last = text;
  const mine = games.querySelector(".game.turn") !== null;
  document.title = `${mine ? "● " : ""}Lobby · Roundhouse`;
  show(mine);
}

form.addEventListener("change", () => {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const address = `${location.pathname}${query.size ? `?${query}` : ""}`;
  history.replaceState(null, "", address);
  look(address);
});
setInterval(() => { if (!document.hidden) look(); }, EVERY);
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
