// Sending actions: what cannot be mended is asked once more, a click on what has just changed, whoever
// changed it, does nothing, and afterwards the sentence has the focus, never somebody else's first button.

const SETTLING = 300;
let sure = null;

/** The warning of what a form is about to do. */
function grave(form) {
  const chosen = form.querySelector("input[type=radio]:checked, select[name=action] > :checked");
  return chosen?.dataset.grave ?? form.dataset.grave ?? "";
}

function ask(event) {
  const form = event.target;
  const text = form.matches?.("form[hx-post]") && grave(form);
  if (!text || sure === form) {
    sure = null;
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  const dialog = document.getElementById("sure");
  dialog.querySelector("p").textContent = `${text} Really?`;
  dialog.returnValue = "no";
  dialog.onclose = () => {
    if (dialog.returnValue !== "yes") return;
    sure = form;
    form.requestSubmit();
    sure = null; // also where a field held the form back: then it is asked about again
  };
  dialog.showModal();
}

let timer = 0;
let settled = "";

const state = () => ["panel-bar", "panel-now"]
  .map((id) => document.getElementById(id)?.dataset)
  .map((data) => data?.version ?? data?.digest).join(" ");

/** After anything was put into the page: buttons may lie elsewhere, and a question that is open is
    about what is over. */
export function changed() {
  fromTop();
  const now = state();
  if (now === settled) return;
  settled = now;
  settle();
  document.getElementById("sure").close("no");
}

/** For a moment something lies over what may be clicked: styling all of it otherwise costs more. */
function settle() {
  const held = [document.getElementById("columns"), document.getElementById("panel-history")];
  for (const part of held) part.classList.add("settling");
  clearTimeout(timer);
  timer = setTimeout(() => { for (const part of held) part.classList.remove("settling"); }, SETTLING);
}

/** After an action: the sentence, or what was refused; what was new since one's last visit is known by then. */
export function acted(form) {
  if (form.matches(".say, .notes")) return;
  attend();
  document.querySelector("details.recap")?.removeAttribute("open");
}

let held = false;

/** Before anything is put into the page: whether something has the focus. The button that sent an action
 * lets go of it: the browser would lay out the page when it goes away with it. */
export function hold(form) {
  held ||= document.activeElement !== document.body;
  if (form?.contains(document.activeElement) && !form.matches(".say, .notes")) document.activeElement.blur();
}

/** Afterwards: if that is gone, as where another page was faster, the sentence has it. */
export function regain() {
  if (held && document.activeElement === document.body) attend();
  held = false;
}

function attend() {
  const next = document.querySelector("#panel-now .refusal") ?? sentence();
  next?.setAttribute("tabindex", "-1");
  next?.focus({ preventScroll: true });
  if (!next?.matches(".refusal")) return;
  document.getElementById("panel-now").scrollTop = 0; // a button far below may have been pressed
  next.scrollIntoView({ block: "nearest" });
}

const sentence = () => document.querySelector("#panel-now .sentence");
let said = "";

/** A panel that asks for something else is read from its top, wherever the last one was left. */
function fromTop() {
  const now = sentence()?.textContent;
  if (now === said) return;
  said = now;
  document.getElementById("panel-now").scrollTop = 0;
}

/** Wire sending. */
export function startActing() {
  settled = state();
  said = sentence()?.textContent;
  document.addEventListener("submit", ask, { capture: true });
}
