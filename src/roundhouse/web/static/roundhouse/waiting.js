// How many games wait for me: in the title, the icon and the badge of every page.

const EVERY = 60_000;
const plain = (title) => title.replace(/^(● )?(\(\d+\) )?/, "");
const where = document.documentElement.dataset.waiting;
let count = 0;

const icon = (number) => `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#855a17"/><text x="16" y="23" font-family="Georgia,serif" font-size="20" font-weight="bold" text-anchor="middle" fill="#fffaf0">${number > 9 ? "9+" : number}</text></svg>`)}`;

/** Show it; ``mine``: this page is one of those that wait. */
export function show(mine = document.title.includes("● ")) {
  const title = `${mine ? "● " : ""}${count ? `(${count}) ` : ""}${plain(document.title)}`;
  if (document.title !== title) document.title = title;
  const link = document.getElementById("icon");
  link.dataset.own ??= link.href;
  const wanted = count ? icon(count) : link.dataset.own;
  if (link.href !== wanted) link.href = wanted;
  if (count) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

/** This table waits for me now, or no longer: one more or less, until the next look. */
export function turned(mine) {
  if (where) count = Math.max(0, count + (mine ? 1 : -1));
  show(mine);
}

/** Ask again. */
async function look() {
  if (!where) return;
  const answer = await fetch(where, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) return;
  ({ count } = await answer.json());
  show();
}

if (where) {
  look();
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
}
