// Who are you? A seat that is freed meanwhile is free here as well, and one that is taken is not.

import { swap } from "./parts.js";

async function look() {
  if (document.visibilityState === "visible") await swap();
  setTimeout(look, 1500);
}

setTimeout(look, 1500);
