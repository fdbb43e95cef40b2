// What a request tells the server about this page, and asking for what has changed.

import { rehearseSoon } from "./rehearsal.js";
import { planned } from "./routes.js";
import { following, opened } from "./views.js";

/** What a game turns to sooner or later: a page that begins with something else fetches it while nobody waits. */
const AHEAD = ["panel-shares", "panel-market", "panel-map"];
const AFTER = 2500;
let ahead = false;
const lacking = ({ id, dataset }) => AHEAD.includes(id) && !dataset.digest;

/** The parts that are seen or wanted ahead, or those out of sight that have been, with the fingerprints of
 * what they show. */
function digests(seen = true) {
  return [...document.querySelectorAll("[id^=panel-][data-digest]")]
    .filter((panel) => (!panel.closest("[hidden]") || (ahead && lacking(panel))) === seen && (seen || panel.dataset.digest))
    .map((panel) => `${panel.id.slice(6)}:${panel.dataset.digest}`)
    .join(",");
}

/** The moment the page's address names; null: the present. */
export function moment() {
  return new URL(location.href).searchParams.get("at");
}

/** Fetch what has changed of the moment the page's address names. */
export function refresh() {
  const { update } = document.getElementById("panel-history").dataset;
  const at = moment();
  const address = at === null ? update : `${update}?at=${encodeURIComponent(at)}`;
  return htmx.ajax("GET", address, { source: "#stream", swap: "none" });
}

/** Whether routes came to this page before an answer that knows nothing of them, but has the map; the routes'
 * own answers bring theirs. */
export function withoutRoutes({ request, target }, parts) {
  const plan = planned();
  if (!plan || target?.id === "routes" || request.headers["X-Routes"] === encodeURIComponent(plan)) return false;
  return parts.some(({ id, dataset }) => id === "panel-map" || dataset.part === "map");
}

/** Fetch what the game will turn to, if this page has not been shown it; again, if somebody acted meanwhile. */
async function lookAhead(times = 3) {
  const wanted = times > 0 && [...document.querySelectorAll("[id^=panel-][data-digest]")].some(lacking);
  const over = moment() !== null || opened() === "result";
  if (!wanted || over || !following() || document.hidden || navigator.connection?.saveData) return;
  ahead = true;
  await refresh();
  ahead = false;
  rehearseSoon();
  setTimeout(lookAhead, AFTER, times - 1);
}

/** Wire the requests. */
export function startUpdates() {
  setTimeout(lookAhead, AFTER);
  addEventListener("resize", rehearseSoon);
  document.addEventListener("htmx:config:request", (event) => {
    const { headers } = event.detail.ctx.request;
    headers["X-Panels"] = digests();
    if (following()) {
      headers["X-View"] = opened();
      headers["X-Kept"] = digests(false);
    }
    if (planned()) headers["X-Routes"] = encodeURIComponent(planned());
  });
}
