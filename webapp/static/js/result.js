// The result, after the reveal if there is one; kept up to date when the host answers or corrects something.

import "./page.js";
import "./news.js";
import "./reveal.js";

let leaving = false;
const version = Number(document.querySelector("[data-news]")?.dataset.version);

document.addEventListener("submit", () => (leaving = true));
document.addEventListener("news", ({ detail }) => {
  const running = document.querySelector("[data-stage]");
  if (detail.version > version && !running && !leaving && !document.querySelector(".questions :focus")) location.reload();
});
