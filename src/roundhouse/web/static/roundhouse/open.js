// A table that has not begun: look again when somebody comes or goes.

const stream = document.getElementById("stream");
let first = true;
stream.addEventListener("version", () => {
  if (first) first = false;
  else location.reload();
});
