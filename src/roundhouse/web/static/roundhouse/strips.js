// The strips of companies and players have as many columns as leave every line whole.

const LEAST = 240; // pixels of a column
const ROUNDED = 4; // what widths in whole pixels may lack over a line
const parts = new Map(); // how wide lines are that have been measured

const gap = (element) => parseFloat(getComputedStyle(element).columnGap) || 0;

/** How wide an element would be if nothing of it were cut. */
function natural(element) {
  if (!element.matches(".sl, .sl-name, .sl-facts")) return Math.max(element.scrollWidth, element.getBoundingClientRect().width);
  const { children } = element;
  return [...children].reduce((sum, child) => sum + natural(child), gap(element) * Math.max(0, children.length - 1));
}

/** The same, measured once it is in sight: figures are all equally wide. */
function needed(line) {
  if (!line.offsetWidth) return 0;
  const key = `${line.className} ${line.childElementCount} ${line.textContent.replace(/\d/g, "0")}`;
  if (!parts.has(key)) parts.set(key, natural(line) + ROUNDED);
  return parts.get(key);
}

/** As many columns as leave every line of a list whole. */
function fitting(list, width) {
  const between = gap(list);
  const widest = Math.max(LEAST, ...[...list.children].map(needed));
  const most = Math.floor((width - 14 + between) / (widest + between));
  return Math.max(1, Math.min(most, list.childElementCount));
}

/** Give the lists of the strips their columns in a place of some width; how many rows they take. The
 * number is kept about the lists, which may come anew with every action. */
export function lined(width) {
  const strips = document.querySelector(".stage > .strips");
  return ["companies", "players"].reduce((rows, name) => {
    const list = strips.querySelector(`.strip-${name}`);
    if (!list?.childElementCount) return rows;
    const count = fitting(list, width);
    if (strips.style.getPropertyValue(`--${name}`) !== `${count}`) strips.style.setProperty(`--${name}`, count);
    return rows + Math.ceil(list.childElementCount / count);
  }, 0);
}
