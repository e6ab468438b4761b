// The television: names and how far they are, then the reveal.

import "./page.js";
import "./news.js";
import "./reveal.js";
import { swap } from "./parts.js";

document.addEventListener("news", ({ detail }) => {
  if (detail.fresh && !document.querySelector("[data-stage]")) swap();
});
