// The TV: towns as they grow, then the reveal, then the result; between two games what was played tonight.

import "./page.js";
import "./lots.js";
import { along, source } from "./news.js";
import "./sounds.js";
import { swap } from "./parts.js";
import { finish, running } from "./reveal.js";

// To the next game, once the reveal has been seen.
function turn() {
  if (running()) setTimeout(turn, 1000);
  else along();
}

let inside = 0; // phones and TVs in the room

document.addEventListener("news", ({ detail }) => {
  if (detail.phones > inside && !running()) document.dispatchEvent(new CustomEvent("beat", { detail: { kind: "place" } }));
  inside = detail.phones;
  if (running() && detail.skipped) finish();
  if (detail.next || (detail.table ?? source.dataset.table) !== source.dataset.table) turn();
  else if (detail.fresh && !running()) swap();
});
document.addEventListener("revealed", swap); // what has changed meanwhile
setInterval(() => running() || swap(), 30_000); // its QR code is a new one each minute

// The screen stays on, where it can be asked to.
let awake = null;
async function wake() {
  if (!navigator.wakeLock || awake || document.visibilityState !== "visible") return;
  try {
    awake = await navigator.wakeLock.request("screen");
    awake.addEventListener("release", () => (awake = null));
  } catch {
    // it sleeps when its settings say so
  }
}
document.addEventListener("visibilitychange", wake);
document.addEventListener("pointerup", wake);
wake();
