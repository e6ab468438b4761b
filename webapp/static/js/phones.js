// Pages that show how far everybody is: kept up to date, and the result as soon as it is revealed.

import "./page.js";
import "./lots.js";
import { go, result, revealed } from "./news.js";
import { swap } from "./parts.js";

// Seats that came, went or were left since: this page has no button for them yet.
function others(seats) {
  const names = [...document.querySelectorAll("[data-place][data-name]")].map((place) => place.dataset.name);
  const left = seats.some((seat) => seat.is === "left" && !document.querySelector(`[data-place="${seat.seat}"][data-left]`));
  return names.length > 0 && (left || String(names) !== String(seats.map((seat) => seat.name)));
}

document.addEventListener("news", ({ detail }) => {
  if (detail.revealed && !revealed() && result()) go(result());
  else if (detail.fresh && (document.querySelector("[data-refetch]") || others(detail.seats))) swap();
});
