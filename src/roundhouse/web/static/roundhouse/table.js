// The table: keeps the page up to date and wires its parts. No rule is known here; whatever may
// be done was put into the page by the server.

import { acted, changed, hold, regain, startActing } from "./acting.js";
import { partsOf, put } from "./alike.js";
import { startMap, keepView } from "./map.js";
import { closeSpot, startSpot } from "./spot.js";
import { startRoutes } from "./routes.js";
import { startHistory } from "./history.js";
import { markNew, outOfDate, showHere, startLog } from "./log.js";
import { startPanes } from "./panes.js";
import { startNotes } from "./notes.js";
import { startNumbers } from "./numbers.js";
import { startMarket } from "./market.js";
import { count, look, move } from "./motion.js";
import { startPar } from "./par.js";
import { startReach } from "./reach.js";
import { startLooks } from "./looks.js";
import { startSheet } from "./sheet.js";
import { startStart } from "./start.js";
import { startTiles } from "./tiles.js";
import { startCards } from "./cards.js";
import { letter, startType } from "./type.js";
import { adapt, startViews } from "./views.js";
import { moment, refresh, startUpdates, withoutRoutes } from "./update.js";
import { startLine } from "./line.js";
import { show, turned } from "./waiting.js";
import { localTimes } from "./times.js";

const $ = (id) => document.getElementById(id);

function shown() {
  return Number($("panel-bar").dataset.version);
}

let sent = []; // parts of the page that came with an answer

// An answer that was overtaken by a later one is thrown away.
document.addEventListener("htmx:before:swap", (event) => {
  const version = event.detail.ctx.response?.raw?.headers.get("X-Version");
  sent = [];
  if (version && Number(version) < shown()) event.preventDefault();
  else {
    log.before();
    look(event.detail.ctx.text);
    sent = partsOf(event.detail.tasks);
  }
  hold(formOf(event));
});

document.addEventListener("htmx:after:swap", (event) => {
  // What is written by itself comes first: whatever is measured lays out all that was written before.
  if (!put(sent) || withoutRoutes(event.detail.ctx, sent)) refresh();
  tellTurn();
  localTimes();
  changed();
  count();
  markNew();
  adapt();
  const form = formOf(event);
  if (form) acted(form);
  regain();
  log.after();
  keepView();
  letter();
  move();
  if (form) afterAction(form);
});

/** What sent an action that an answer is to; null: something else did. */
function formOf(event) {
  const source = event.detail.ctx.sourceElement;
  return source?.matches?.("form, #unsent") ? source : null;
}

function afterAction(form) {
  if (form.matches(".say")) form.reset();
  else if (!form.matches(".notes") && !document.querySelector("#panel-now .refusal")) closeSpot();
  // The answer shows what was looked at when it was asked for; that may have changed meanwhile.
  if (moment() !== null || outOfDate()) refresh();
}

const log = {
  atEnd: true,
  lines: () => document.querySelector("#panel-log .lines"),
  before() {
    const box = this.lines();
    this.atEnd = !box || box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  },
  after() {
    const box = this.lines();
    if (box && this.atEnd) box.scrollTop = box.scrollHeight;
    showHere();
  },
};

let turn = null;

function tellTurn() {
  const bar = $("panel-bar");
  const mine = bar.dataset.mine === "1";
  document.title = `${mine ? "● " : ""}${bar.dataset.title} · Roundhouse`;
  const icon = $("icon");
  const name = mine ? "icon-turn.svg" : "icon.svg";
  const own = icon.dataset.own ?? icon.href;
  icon.dataset.own = own.replace(/icon(-turn)?\.svg$/, name);
  if (turn !== null && mine !== turn) turned(mine);
  else show(mine);
  turn = mine;
}

startUpdates();
startActing();
startMap();
startSpot();
startRoutes();
startHistory();
startPanes();
startNotes();
startNumbers();
startLog();
startSheet();
startLooks();
startStart();
startTiles();
startMarket();
startPar();
startReach();
startViews();
startType();
startCards();
tellTurn();
localTimes();
markNew();
log.after();
startLine();
