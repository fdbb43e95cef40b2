// A table that has not begun: look again when somebody comes or goes.

const stream = document.getElementById("stream");
new EventSource(stream.dataset.stream).addEventListener("version", (event) => {
  if (event.data !== stream.dataset.news) location.reload();
});
