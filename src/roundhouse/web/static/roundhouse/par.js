// Founding on the market: the prices of the company whose options are open are marked there, and a
// click on a cell chooses its price.

const market = () => document.getElementById("panel-market");
const cells = () => [...market().querySelectorAll(".rh-cell")];
let form = null;

const radios = () => (form?.isConnected ? [...form.querySelectorAll("[data-cell]")] : []);

function mark() {
  const open = new Map(radios().map((r) => [r.dataset.cell, r]));
  for (const cell of cells()) {
    const radio = open.get(cell.dataset.cell);
    cell.classList.toggle("is-par", Boolean(radio));
    cell.classList.toggle("is-chosen", Boolean(radio?.checked));
  }
}

function of(event) {
  const found = event.target.closest?.("form:has([data-cell])");
  if (!found || found === form) return;
  form = found;
  mark();
}

/** Wire founding. */
export function startPar() {
  for (const name of ["pointerover", "focusin", "click"]) document.addEventListener(name, of);
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-cell]")) mark();
  });
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("#panel-market .rh-cell.is-par");
    if (!cell) return;
    const radio = radios().find((r) => r.dataset.cell === cell.dataset.cell);
    radio.checked = true;
    mark();
    form.querySelector(".go").focus();
  });
  const first = () => {
    form = document.querySelector("#panel-now form:has([data-cell])");
    mark();
  };
  document.addEventListener("htmx:after:swap", first);
  first();
}
