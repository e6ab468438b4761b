// A board with the keyboard, as the ARIA Authoring Practices have a grid: one stop of the Tab key, in which arrows, Home
// and End move. A letter or a digit takes a piece, Enter or the space bar places it, with Shift an arrow places it on the
// way, Delete clears, Ctrl+Z takes back. What stands on a square is reached by Tab from that square; Escape leads back.

// `act` has tap, clear, takeBack, both (two squares) and take (a letter), which says whether it was of any use.
export function keys(squares, act) {
  squares.forEach((square, index) => {
    square.tabIndex = index === 0 ? 0 : -1;
    square.addEventListener("focusin", () => stop(square));
    square.addEventListener("keydown", (event) => {
      if (event.target !== square) return event.key === "Escape" && square.focus();
      if (!pressed(event, squares, index, act)) return;
      event.preventDefault();
    });
  });
}

function pressed(event, squares, index, act) {
  const { key, shiftKey, altKey } = event;
  const square = squares[index];
  const command = event.ctrlKey || event.metaKey;
  if (altKey) return false; // the browser's own
  const there = nextIndex(key, command, squares, index);
  if (there !== undefined) {
    if (shiftKey && there !== index && key.startsWith("Arrow")) act.both(square, squares[there]);
    squares[there].focus({ preventScroll: true });
    squares[there].scrollIntoView({ block: "nearest" });
  } else if (command && key.toLowerCase() === "z") act.takeBack();
  else if (command) return false;
  else if (key === "Enter" || key === " ") act.tap(square);
  else if (key === "Delete" || key === "Backspace") act.clear(square);
  else return key.length === 1 && act.take(key);
  return true;
}

// The square that a key leads to; arrows stop at the edge.
function nextIndex(key, command, squares, index) {
  const columns = squares[0].parentElement.children.length;
  const first = index - (index % columns);
  const last = first + columns - 1;
  if (key === "Home") return command ? 0 : first;
  if (key === "End") return command ? squares.length - 1 : last;
  if (key === "ArrowLeft") return Math.max(first, index - 1);
  if (key === "ArrowRight") return Math.min(last, index + 1);
  if (key === "ArrowUp") return index < columns ? index : index - columns;
  if (key === "ArrowDown") return index + columns < squares.length ? index + columns : index;
  return undefined;
}

// The square that has the focus, or had it last, is the stop.
function stop(square) {
  const board = square.closest("[data-board]");
  for (const other of board.querySelectorAll(".square")) other.tabIndex = other === square ? 0 : -1;
  keepOneStop(board);
}

// Of what stands on squares, only that of the square with the stop is one itself.
export function keepOneStop(board) {
  for (const control of board.querySelectorAll(".carried :is(input:not([type=hidden]), button)")) {
    control.tabIndex = control.closest(".square").tabIndex;
  }
}
