// Number fields: less and more in legal steps, and the values people want most.

function set(input, value) {
  const [low, high] = [Number(input.min), Number(input.max)];
  input.value = Math.max(low, Math.min(high, value));
}

/** Wire number fields. */
export function startNumbers() {
  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) {
      const input = step.parentElement.querySelector("input");
      set(input, Number(input.value) + Number(step.dataset.step) * Number(input.step || 1));
    }
    const quick = event.target.closest(".quick [data-value]");
    if (quick) set(quick.closest("form").querySelector("input[type=number]"), Number(quick.dataset.value));
  });
}
