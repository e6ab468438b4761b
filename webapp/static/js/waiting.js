// Looks every other second whether somebody in the room has accepted this phone.

import { byNews } from "./leaving.js";

async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.redirected) return byNews(() => location.assign(answer.url));
  } catch {
    // no network; the next look may find one
  }
  setTimeout(look, 1500);
}

look();
