// What somebody chose for his last game is what the form begins with; the names for all titles, the
// options of each. An answer to a fault, or a game played again, keeps what it says.

const form = document.querySelector("[data-usual]");
const title = form.dataset.usual;
const FOR_ALL = ["names", "undo", "assistance", "public", "hotseat", "pace", "clock"];
const FOR_TITLE = ["bots", "kind", "option"];
const kept = (key) => {
  try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; }
};

function values(names) {
  return Object.fromEntries(names.map((name) => {
    const fields = [...form.querySelectorAll(`[name=${name}]`)];
    const boxes = fields.filter((f) => f.type === "checkbox");
    return [name, boxes.length ? boxes.filter((f) => f.checked).map((f) => f.value) : fields[0]?.value];
  }));
}

function fill(all) {
  for (const [name, value] of Object.entries(all)) {
    for (const field of form.querySelectorAll(`[name=${name}]`)) {
      if (field.type === "checkbox") field.checked = (value ?? []).includes(field.value);
      else if (value) field.value = value;
    }
  }
}

/** Names of an earlier game, if this one takes so many players. */
function fitting(all) {
  const count = (all.names ?? "").split("\n").filter((n) => n.trim()).length;
  const fits = count >= Number(form.dataset.least) && count <= Number(form.dataset.most);
  return fits ? all : { ...all, names: "" };
}

const fresh = !document.querySelector(".refusal, .errorlist") && !location.search.includes("again=");
if (fresh) fill({ ...fitting(kept("usual")), ...kept(`usual-${title}`) });
form.addEventListener("submit", () => {
  try {
    localStorage.setItem("usual", JSON.stringify(values(FOR_ALL)));
    localStorage.setItem(`usual-${title}`, JSON.stringify(values(FOR_TITLE)));
  } catch { /* a browser may forbid it */ }
});
