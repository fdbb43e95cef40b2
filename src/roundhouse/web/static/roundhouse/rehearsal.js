// What a view takes long to make is made before the game turns to it, while nobody waits: the view is
// opened for a moment that is never painted, the map lettered at the size it will have.

import { keepView, roomy } from "./map.js";
import { letter } from "./type.js";
import { opened, show } from "./views.js";

/** What somebody has scrolled, and what a part out of sight forgets. */
const scrolled = () => [...document.querySelectorAll(".stage > .pane, .stage .scroll")]
  .filter(({ scrollTop, scrollLeft }) => scrollTop || scrollLeft)
  .map((box) => ({ box, top: box.scrollTop, left: box.scrollLeft }));

/** Whether somebody is at something in the view that is open. */
const busy = () => document.activeElement?.closest(".stage") !== null || document.hidden;

function rehearse() {
  const before = opened();
  if (before === "map" || busy()) return;
  const places = scrolled();
  show("map");
  if (roomy()) {
    keepView();
    letter();
  }
  show(before);
  for (const { box, top, left } of places) box.scrollTo({ top, left, behavior: "instant" });
}

let waiting = 0;

/** Soon, when the browser has nothing else to do. */
export function rehearseSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => (window.requestIdleCallback ?? setTimeout)(rehearse), 300);
}
