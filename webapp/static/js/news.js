// News of the table: as a stream, or by asking once in a while where there is none (no room for it, or a network that
// holds streams back). Each piece says how the whole table looks now, so that nothing is missed by missing one.

import { byNews } from "./leaving.js";
import { part } from "./parts.js";

export const source = document.querySelector("[data-news]");
const ASKING = 800; // ms
const SELDOM = 5000; // ms, when nobody answers
const SOON = 5000; // ms until the stream is tried once more: at first, and twice as long each time
const AGAIN = 60_000; // ms, at most
const SILENCE = 40_000; // ms without even a heartbeat: the network holds the stream back

let stream = null;
let asking = 0;
let patience = SOON;
let etag = "";
let shownNews = ""; // who asked to join, and what was done
let latest = Number(source?.dataset.version ?? 0);

function listen() {
  stop();
  stream = new EventSource(source.dataset.news);
  let heard = false;
  const timer = setTimeout(() => heard || ask(), SILENCE / 10);
  stream.onopen = () => (heard = true);
  stream.onmessage = (event) => {
    heard = true;
    patience = SOON;
    arrived(JSON.parse(event.data), Number(event.lastEventId));
  };
  stream.onerror = () => {
    if (stream?.readyState !== EventSource.CLOSED) return; // it comes back by itself
    clearTimeout(timer);
    ask();
  };
}

function ask() {
  stop();
  const until = Date.now() + about(patience);
  patience = Math.min(2 * patience, AGAIN);
  let inVain = 0;
  const turn = async () => {
    const id = asking;
    inVain += 1;
    try {
      const answer = await fetch(source.dataset.news, {
        headers: { Accept: "application/json", ...(etag && { "If-None-Match": etag }) },
        cache: "no-store",
      });
      if (answer.status === 404 || answer.status === 403) return arrived({ gone: true }, Infinity);
      if (answer.ok || answer.status === 304) inVain = 0;
      if (answer.ok) {
        etag = answer.headers.get("ETag") ?? "";
        const news = await answer.json();
        arrived(news, news.version ?? Infinity);
      }
    } catch {
      // no network; the next turn asks again
    }
    if (id !== asking) return;
    if (Date.now() > until) listen();
    else asking = setTimeout(turn, about(Math.min(ASKING * 2 ** inVain, SELDOM)));
  };
  asking = setTimeout(turn, 0);
}

// So long, more or less: a server that comes back is not asked by everybody at once.
const about = (ms) => ms * (0.75 + Math.random() / 2);

function stop() {
  stream?.close();
  stream = null;
  clearTimeout(asking);
  asking = 0;
}

function arrived(news, version) {
  if (news.gone) return leave();
  if (version <= latest && document.body.dataset.heard) return;
  document.body.dataset.heard = "";
  const fresh = version > latest;
  latest = Math.max(latest, version);
  if (news.next && !revealed()) return along();
  for (const note of document.querySelectorAll("[data-next]")) note.hidden = !news.next; // nobody is pulled away
  for (const seat of news.seats) show(seat);
  if (shownNews !== `${news.asking} ${news.acts}` && document.querySelector("[data-part=acts]")) {
    if (shownNews) part("acts");
    shownNews = `${news.asking} ${news.acts}`;
  }
  document.dispatchEvent(new CustomEvent("news", { detail: { ...news, fresh } }));
}

function show(seat) {
  for (const standing of document.querySelectorAll(`[data-standing="${seat.seat}"]`)) standing.dataset.is = seat.is;
  for (const place of document.querySelectorAll(`[data-place="${seat.seat}"]`)) {
    place.toggleAttribute("data-held", seat.held);
  }
}

// The phones of this table have gone on to the next one.
export function along() {
  stop();
  go(source.dataset.here);
}

// To another page, as soon as there is a network: a page for none would stay where it is.
export function go(address) {
  const assign = () => byNews(() => location.assign(address));
  if (navigator.onLine) assign();
  else window.addEventListener("online", assign, { once: true });
}

// The table is gone, or this phone's right to it; the room may still be there.
function leave() {
  stop();
  byNews(() => location.replace(source.dataset.here ?? location.href));
}

// A phone in a pocket needs no news, and gives its place to others.
if (source) {
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? listen() : stop()));
  window.addEventListener("pagehide", stop);
  if (document.visibilityState === "visible") listen();
}

export const revealed = () => source?.hasAttribute("data-revealed") ?? false;
export const result = () => source?.dataset.result;
export const mine = () => document.querySelector("[data-news]")?.dataset.mine;
