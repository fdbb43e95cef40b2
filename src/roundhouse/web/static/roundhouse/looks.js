// The colours somebody chose for tiles, tokens and players, kept in this browser.

const root = document.documentElement;
const NAME = "looks";

function stored() {
  try { return JSON.parse(localStorage.getItem(NAME)) ?? {}; } catch { return {}; }
}

function keep(looks) {
  try { localStorage.setItem(NAME, JSON.stringify(looks)); } catch { /* a browser may forbid it */ }
}

/** Show what was chosen; what is usual needs no mark. */
function wear(looks) {
  for (const select of document.querySelectorAll("[data-look-of]")) {
    const { lookOf } = select.dataset;
    const usual = select.options[0].value;
    const known = [...select.options].some((o) => o.value === looks[lookOf]);
    select.value = known ? looks[lookOf] : usual;
    if (select.value === usual) root.removeAttribute(`data-${lookOf}`);
    else root.setAttribute(`data-${lookOf}`, select.value);
  }
}

/** Wire the choice of colours. */
export function startLooks() {
  wear(stored());
  document.addEventListener("change", (event) => {
    const { lookOf } = event.target.dataset ?? {};
    if (!lookOf) return;
    const looks = { ...stored(), [lookOf]: event.target.value };
    keep(looks);
    wear(looks);
  });
}
