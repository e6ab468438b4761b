// While something long goes on: look every other second how far it is, and open what came of it when it is over.

import { byNews } from "./leaving.js";

async function checkProgress() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const shown = document.querySelector("[data-part]");
    const fresh = page.querySelector(`[data-part="${shown.dataset.part}"]`);
    if (!fresh) return byNews(() => location.reload());
    if (shown.innerHTML !== fresh.innerHTML) shown.replaceChildren(...fresh.childNodes);
  } catch {
    // no network; the next look may find one
  }
  setTimeout(checkProgress, 2000);
}

setTimeout(checkProgress, 2000);
