// The evening in a room: who is here and what was played stay up to date; the next table takes this phone along.

import "./page.js";
import { along, source } from "./news.js";
import { swap } from "./parts.js";

const laid = new Set(source.dataset.tables.split(" "));
let seen = "";

// Every tap at a table is news, but only how far somebody is shows here: a hundred phones need not ask for each.
function shown({ tables, phones, waiting, away }) {
  const far = tables.map(({ key, seats }) => [key, seats.map((seat) => [seat.name, seat.is])]);
  return JSON.stringify([far, phones, waiting, away]);
}

document.addEventListener("news", ({ detail }) => {
  const before = seen;
  seen = shown(detail);
  if (source.dataset.between !== undefined && detail.tables.some((table) => !laid.has(table.key))) along();
  else if (detail.fresh && seen !== before) swap();
});
