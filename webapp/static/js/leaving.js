// A tap goes before news. Whoever has tapped what leads to another page is on her way there; what news would do instead,
// such as loading this page anew, waits: mostly until the page is gone.

const STAYS = 20_000; // ms; no page is told that the one that was asked for never came, or was a file to keep

let timer = 0;
let held = null; // what the latest news would have done

// Go where news lead, once: what comes after them finds the page on its way, too.
export function byNews(go) {
  if (timer) held = go;
  else {
    leaves();
    go();
  }
}

function leaves() {
  clearTimeout(timer);
  timer = setTimeout(stays, STAYS);
}

function stays() {
  clearTimeout(timer);
  timer = 0;
  const go = held;
  held = null;
  if (go) byNews(go);
}

function leadsAway({ target, button, altKey, ctrlKey, metaKey, shiftKey }) {
  const link = target.closest("a[href]");
  if (!link || button || altKey || ctrlKey || metaKey || shiftKey || link.download || link.target) return false;
  const place = new URL(link.href);
  const isHere = place.origin + place.pathname + place.search === location.origin + location.pathname + location.search;
  return place.protocol.startsWith("http") && !(isHere && place.hash);
}

// At the window, after all those on the page who may have prevented it.
window.addEventListener("submit", (event) => event.defaultPrevented || leaves());
window.addEventListener("click", (event) => event.defaultPrevented || (leadsAway(event) && leaves()));
window.addEventListener("pageshow", ({ persisted }) => persisted && stays());
