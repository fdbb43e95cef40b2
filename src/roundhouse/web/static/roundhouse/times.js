// Times of parts that are drawn for everybody, by the wall of who looks at them.

const form = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Write them. */
export function localTimes() {
  for (const time of document.querySelectorAll("time[data-local]")) time.textContent = form.format(new Date(time.dateTime));
}
