// The supply of tiles as a browser: by colour, by what is on a tile, what is left, and what a tile
// may become. What was asked for stays while the game goes on.

const wanted = { colour: "", what: "", left: false, over: "" };
const supply = () => document.getElementById("panel-tiles");

const suits = ({ dataset: tile }, onto) =>
  (!wanted.colour || tile.colour === wanted.colour) &&
  (!wanted.what || tile.what.split(" ").includes(wanted.what)) &&
  (!wanted.left || tile.left !== "0") &&
  (!onto || tile.tile === wanted.over || onto.has(tile.tile));

function sieve() {
  const tiles = [...supply().querySelectorAll("li[data-tile]")];
  const over = tiles.find((t) => t.dataset.tile === wanted.over);
  const onto = over && new Set(over.dataset.onto.split(" "));
  for (const tile of tiles) {
    tile.hidden = !suits(tile, onto);
    tile.querySelector("button").setAttribute("aria-pressed", String(tile === over));
  }
  for (const group of supply().querySelectorAll("[data-colours]")) group.hidden = !group.querySelector("li[data-tile]:not([hidden])");
  for (const field of supply().querySelectorAll("[data-sieve]")) {
    if (field.type === "checkbox") field.checked = wanted[field.dataset.sieve];
    else field.value = wanted[field.dataset.sieve];
  }
  const found = tiles.filter((t) => !t.hidden).length;
  const told = over ? `What tile ${wanted.over} may become: ${found - 1}.` : `${found} of ${tiles.length} tiles.`;
  supply().querySelector("[data-found]").textContent = told;
}

/** Wire the supply. */
export function startTiles() {
  document.addEventListener("change", ({ target }) => {
    const { sieve: name } = target.dataset ?? {};
    if (!name) return;
    wanted[name] = target.type === "checkbox" ? target.checked : target.value;
    sieve();
  });
  document.addEventListener("click", (event) => {
    const tile = event.target.closest("#panel-tiles li[data-tile]");
    if (!tile) return;
    wanted.over = wanted.over === tile.dataset.tile ? "" : tile.dataset.tile;
    if (wanted.over) wanted.colour = wanted.what = "";
    sieve();
  });
  document.addEventListener("htmx:after:swap", () => {
    if (supply().querySelector("[data-found]")) sieve();
  });
}
