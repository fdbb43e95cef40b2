// What a viewer chose, kept in his browser.

export const kept = {
  read(name) {
    try { return JSON.parse(localStorage.getItem(`table-${name}`)); } catch { return null; }
  },
  write(name, value) {
    try { localStorage.setItem(`table-${name}`, JSON.stringify(value)); } catch { /* a browser may forbid it */ }
  },
  forget(name) {
    try { localStorage.removeItem(`table-${name}`); } catch { /* as above */ }
  },
};
