// Times of parts that are drawn for everybody, by the wall of who looks at them.

const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const forms = {
  "": new Intl.DateTimeFormat(undefined, { weekday: "short", ...clock }),
  clock: new Intl.DateTimeFormat(undefined, clock),
  date: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", ...clock }),
};

/** Write them. */
export function localTimes() {
  for (const time of document.querySelectorAll("time[data-local]")) time.textContent = forms[time.dataset.local].format(new Date(time.dateTime));
}
