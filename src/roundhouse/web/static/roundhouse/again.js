// A page that shows what is still being made: looks again, but never while somebody is about something on it.

const after = 1000 * Number(document.querySelector("script[data-after]").dataset.after);

setInterval(() => {
  if (document.activeElement === document.body && !document.hidden) location.reload();
}, after);
