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

const lines = (names) => (names ?? "").split("\n").filter((n) => n.trim());

/** What is kept, without the names and bots of an earlier game that do not fit into this one. */
function fitting(all) {
  const { names, bots, ...rest } = all;
  const count = lines(names).length + Number(bots ?? 0);
  return count >= Number(form.dataset.least) && count <= Number(form.dataset.most) ? all : rest;
}

const faulty = document.querySelector(".refusal, .errorlist");
const before = { ...kept("usual"), ...kept(`usual-${title}`) };
if (!faulty && /[?&]alone/.test(location.search)) {
  const { kind, assistance, option } = before;
  const names = form.elements.hotseat ? "" : lines(before.names)[0];
  fill({ kind, assistance, option, names });
} else if (!faulty && !location.search.includes("again=")) fill(fitting(before));
/** What is kept of this game. Who wants to play alone once has not said that he always does: who sits where,
 * and how many bots, is kept as it was. */
function said(names) {
  const once = /[?&]alone/.test(location.search) && form.elements.hotseat;
  return values(once ? names.filter((name) => !["names", "hotseat", "bots"].includes(name)) : names);
}

form.addEventListener("submit", () => {
  try {
    localStorage.setItem("usual", JSON.stringify({ ...kept("usual"), ...said(FOR_ALL) }));
    localStorage.setItem(`usual-${title}`, JSON.stringify({ ...kept(`usual-${title}`), ...said(FOR_TITLE) }));
  } catch { /* a browser may forbid it */ }
});
