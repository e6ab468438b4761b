// The television: names and how far they are, then the reveal, then the result; between two games, the evening.

import "./page.js";
import "./lots.js";
import { along } from "./news.js";
import "./sounds.js";
import { swap } from "./parts.js";
import { finish, running } from "./reveal.js";

// From the evening to a table, or back once the reveal has been seen.
function turn() {
  if (running()) setTimeout(turn, 1000);
  else along();
}

document.addEventListener("news", ({ detail }) => {
  if (running() && detail.skipped) finish();
  if (detail.tables?.length || detail.saved) turn();
  else if (detail.fresh && !running()) swap();
});
document.addEventListener("revealed", swap); // what has changed meanwhile

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
