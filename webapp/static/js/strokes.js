// What a finger, a pen or a mouse does on the squares of a board: a tap on one, or a stroke over several.
//
// The board's touch-action leaves pinching to the browser and everything else to us, so a stroke does not scroll the page.
// Where the browser takes a touch over all the same, or a second finger comes, the stroke was none.

const FAR = { mouse: 3 }; // px from which a press is a stroke
const FAR_BY_TOUCH = 6;
const ECHO = 700; // ms within which a click belongs to the tap before it

// `act` has tap(square), and over(square), done() and undone() for strokes; `apart(element)` tells what takes its own taps.
export function strokes(board, squares, act, apart) {
  let down = null;
  let heard = -ECHO;

  board.addEventListener("pointerdown", (event) => {
    if (down && !event.isPrimary) return end(false);
    down = null;
    const square = event.button === 0 && !apart(event.target) && event.target.closest(".square");
    if (square) down = pressed(event, square, squares);
  });
  board.addEventListener("pointermove", (event) => {
    if (event.pointerId !== down?.id) return;
    const far = Math.hypot(event.clientX - down.from.x, event.clientY - down.from.y);
    if (!down.drawn && far < (FAR[event.pointerType] ?? FAR_BY_TOUCH)) return;
    if (!down.drawn) {
      down.drawn = true;
      board.setPointerCapture(event.pointerId);
      act.over(down.square);
    }
    draw(down, squares, { x: event.clientX, y: event.clientY }, act.over);
  });
  board.addEventListener("pointerup", (event) => {
    if (event.pointerId !== down?.id) return;
    heard = event.timeStamp;
    if (down.drawn) return end(true);
    act.tap(down.square);
    down = null;
  });
  board.addEventListener("pointercancel", (event) => event.pointerId === down?.id && end(false));
  board.addEventListener("lostpointercapture", (event) => {
    const ours = event.target === board; // the square under a finger loses it when the board takes it
    if (ours && event.pointerId === down?.id) end(true);
  });
  // Whoever taps by voice or with a screen reader sends nothing but a click.
  board.addEventListener("click", (event) => {
    const square = event.target.closest(".square");
    if (square && !apart(event.target) && event.timeStamp - heard > ECHO) act.tap(square);
  });
  board.addEventListener("contextmenu", (event) => event.preventDefault()); // a long press is a tap

  function end(stays) {
    const { drawn } = down;
    down = null;
    if (drawn) (stays ? act.done : act.undone)();
  }
}

function pressed(event, square, squares) {
  const boxes = squares.map((one) => one.getBoundingClientRect());
  return { id: event.pointerId, square, boxes, from: { x: event.clientX, y: event.clientY }, drawn: false };
}

// Every square between the last point and this one: a fast finger is seen only now and then.
function draw(down, squares, to, over) {
  const { from, boxes } = down;
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / (boxes[0].height / 2)) || 1;
  for (let step = 1; step <= steps; step += 1) {
    const x = from.x + ((to.x - from.x) * step) / steps;
    const y = from.y + ((to.y - from.y) * step) / steps;
    const index = boxes.findIndex((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
    if (index >= 0) over(squares[index]);
  }
  down.from = to;
}
