// Light, dark or as the system has it, kept in this browser; patterns beside colours, as looks.js keeps them.

const root = document.documentElement;

function stored(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function store(name, value) {
  try { localStorage.setItem(name, value); } catch { /* a browser may forbid it */ }
}

const theme = stored("theme");
if (theme) root.dataset.theme = theme;
root.classList.toggle("rh-patterns", stored("patterns") === "1");

function dark() {
  return root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-theme-switch]")) {
    root.dataset.theme = dark() ? "light" : "dark";
    store("theme", root.dataset.theme);
  }
});
