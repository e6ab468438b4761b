// One player's end state: boards to paint, and everything kept on the server while one taps.

import "./live.js";
import "./board.js";
import "./order.js";
