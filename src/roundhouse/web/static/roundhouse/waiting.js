// How many games wait for me: in the title, the icon and the badge of every page.

const EVERY = 60_000;
const plain = (title) => title.replace(/^(● )?(\(\d+\) )?/, "");
const where = document.documentElement.dataset.waiting;
const here = Number(location.pathname.match(/^\/table\/(\d+)\//)?.[1]);
let others = 0; // games that wait, this table's aside
let own = false; // whether this table's waits
let count = 0;
let badge = null; // the count its badge shows

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
  if (badge === count) return;
  badge = count;
  if (count) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

/** Whether this table waits for me: its page may know more than the last look, unless it shows the past. */
function waits() {
  const bar = document.getElementById("panel-bar");
  if (bar && !new URLSearchParams(location.search).has("at")) {
    own = bar.dataset.mine === "1" || Boolean(document.querySelector("#panel-now [name=agree][value=yes]"));
  }
  return own;
}

/** This table waits for me now, or no longer. */
export function turned(mine) {
  if (where) count = others + waits();
  show(mine);
}

/** Ask again. */
async function look() {
  if (!where) return;
  const answer = await fetch(where, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) return;
  const { tables } = await answer.json();
  others = tables.filter((table) => table !== here).length;
  own = tables.includes(here);
  count = others + waits();
  show();
}

if (where) {
  look();
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
}
