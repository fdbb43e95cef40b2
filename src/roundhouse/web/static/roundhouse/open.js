// A table that has not begun: look again when somebody comes or goes.

const stream = document.getElementById("stream");
const line = new EventSource(stream.dataset.stream);
line.addEventListener("version", (event) => {
  if (event.data !== stream.dataset.news) location.reload();
});
// What one sends oneself is news too, and looking again would cut its answer off.
addEventListener("submit", () => line.close());
addEventListener("pageshow", (event) => event.persisted && location.reload());
