// Before the reveal: how far everybody is stays up to date, and the result shows as soon as it is revealed.

import "./page.js";
import "./lots.js";
import { go, result, revealed } from "./news.js";
import { swap } from "./parts.js";

document.addEventListener("news", ({ detail }) => {
  if (detail.revealed && !revealed() && result()) go(result());
  else if (detail.fresh && document.querySelector("[data-refetch]")) swap();
});
