// The result, after the reveal if there is one; kept up to date when somebody answers or edits something.

import { byNews } from "./leaving.js";
import "./page.js";
import "./news.js";
import { finish, running } from "./reveal.js";

let waits = false;
let watching = running();
let version = Number(document.querySelector("[data-news]")?.dataset.version);

const reload = () => byNews(() => location.reload());

document.addEventListener("news", ({ detail }) => {
  if (detail.version <= version || document.querySelector(".questions :focus")) return;
  if (watching && detail.skipped) {
    watching = false;
    waits = detail.version > version + 1; // something else has changed as well
    version = detail.version;
    if (running()) finish();
    else if (waits) reload();
  } else if (running()) waits = true; // shown when everybody has seen the reveal
  else reload();
});
document.addEventListener("revealed", () => waits && reload());
