// Sorting tables by a column; a table made anew is sorted again.

let column = -1;
let down = true;

function value(row) {
  return row.cells[column].textContent.trim().replaceAll(",", "");
}

function compare(a, b) {
  const [x, y] = [parseFloat(value(a)), parseFloat(value(b))];
  const numbers = !Number.isNaN(x) || !Number.isNaN(y);
  return numbers ? (x || 0) - (y || 0) : value(b).localeCompare(value(a));
}

function arrange(table) {
  const heads = table.tHead.rows[0].cells;
  for (const th of heads) th.removeAttribute("aria-sort");
  if (!heads[column]) return;
  heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort((a, b) => (down ? compare(b, a) : compare(a, b))));
}

/** Wire the spreadsheet. */
export function startSheet() {
  document.addEventListener("click", (event) => {
    const th = event.target.closest("[data-sortable] thead button")?.closest("th");
    if (!th) return;
    down = th.cellIndex !== column || !down;
    column = th.cellIndex;
    arrange(th.closest("table"));
  });
  document.addEventListener("htmx:after:swap", () => {
    const table = document.querySelector("[data-sortable]");
    if (table && column >= 0) arrange(table);
  });
}
