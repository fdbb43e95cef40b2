// Finds the button to click for an action: the one that offers it, else that of the form that takes one
// back, into which the action is put. `window.painted` waits for the page to have shown what follows.

(action) => {
  const plain = (said) => JSON.stringify(Object.entries(said).sort());
  const wanted = plain(action);
  const offers = ({ action: field }) => field?.value && plain(JSON.parse(field.value)) === wanted;
  const ready = (form) => form.querySelector(".go")?.getClientRects().length && !form.dataset.grave;
  const own = [...document.querySelectorAll("#panel-now form.item")].find((f) => ready(f) && offers(f.elements));
  const button = own?.querySelector(".go") ?? document.querySelector("[data-undo]");
  if (!own) button.form.elements.action.value = JSON.stringify(action);
  // What others have a say in they said yes to: otherwise their question is all there is to paint.
  button.insertAdjacentHTML("beforebegin", '<input type="hidden" name="agreed" value="1">');
  const version = () => Number(document.getElementById("panel-bar").dataset.version);
  const before = version();
  performance.clearResourceTimings();
  window.painted = new Promise((done) => {
    let clicked = NaN;
    const tell = (refusal) => {
      const sent = performance.getEntriesByType("resource").find((e) => e.name.endsWith("/act/"));
      done([performance.now() - clicked, sent ? sent.responseStart - sent.requestStart : NaN, refusal]);
    };
    const swapped = () => {
      const refusal = document.querySelector("#panel-now .refusal")?.textContent ?? "";
      if (version() === before && !refusal) return;
      document.removeEventListener("htmx:after:swap", swapped);
      requestAnimationFrame(() => requestAnimationFrame(() => tell(refusal)));
    };
    document.addEventListener("click", (e) => { clicked = e.timeStamp; }, { capture: true, once: true });
    document.addEventListener("htmx:after:swap", swapped);
    setTimeout(() => tell("no answer"), 20000);
  });
  button.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = button.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}
