// Type of a map that is only looked at, at a size one can read.

import { startType } from "../roundhouse/type.js";

const map = document.querySelector(".sandbox-map");
if (map) {
  map.scrollTo({ left: (map.scrollWidth - map.clientWidth) / 2 });
  startType();
}
