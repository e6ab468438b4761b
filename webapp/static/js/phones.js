// Pages that show how far everybody is: kept up to date, and the result as soon as it is revealed.

import "./page.js";
import { result, revealed } from "./news.js";
import { swap } from "./parts.js";

document.addEventListener("news", ({ detail }) => {
  if (detail.revealed && !revealed() && result()) location.assign(result());
  else if (detail.fresh && document.querySelector("[data-refetch]")) swap();
});
