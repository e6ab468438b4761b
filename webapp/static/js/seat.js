// One player's end state: boards to paint, everything kept while one taps, and the way to the reveal.

import "./board.js";
import { byNews } from "./leaving.js";
import { busy } from "./live.js";
import "./lots.js";
import { go, mine, result, revealed } from "./news.js";
import "./order.js";

document.addEventListener("news", ({ detail }) => {
  const freed = mine() && !detail.seats.some((seat) => seat.name === mine() && seat.held);
  if (freed && !busy()) byNews(() => location.reload()); // the host has freed this seat: the server knows where to go now
  else if (detail.revealed && !revealed() && !busy()) go(result());
});
