// The room: who is here and how far everybody is stay up to date, and the next game takes this phone along.

import "./page.js";
import "./lots.js";
import { along, go, result, revealed, source } from "./news.js";
import { swap } from "./parts.js";

let seen = "";

// Every tap is news, but only how far somebody is shows here: a hundred phones need not ask for each.
const shown = ({ seats, phones, asking, acts, saved }) =>
  JSON.stringify([seats.map(({ name, is, held }) => [name, is, held]), phones, asking, acts, saved]);

document.addEventListener("news", ({ detail }) => {
  const before = seen;
  seen = shown(detail);
  if (detail.table && detail.table !== source.dataset.table) along();
  else if (detail.revealed && !revealed() && result()) go(result());
  else if (detail.fresh && seen !== before) swap();
});
