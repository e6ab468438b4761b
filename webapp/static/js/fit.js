// Boards as large as the room they have: whatever lies in an element marked data-fit keeps its shape and fills it. What
// lies in one marked data-shrink is made smaller if it would be cut off.

export function fit() {
  for (const room of document.querySelectorAll("[data-shrink]")) shrink(room, room.firstElementChild);
  for (const room of document.querySelectorAll("[data-fit]")) fill(room, room.firstElementChild);
}

function fill(room, board) {
  board.style.visibility = room.clientHeight < window.innerHeight / 20 ? "hidden" : ""; // too small to be seen
  if (!room.clientHeight || !board.offsetWidth) return;
  const scale = Math.min(room.clientWidth / board.offsetWidth, room.clientHeight / board.offsetHeight);
  board.style.transform = `translate(-50%, -50%) scale(${scale})`;
}

function shrink(room, inside) {
  inside.style.transform = inside.style.width = inside.style.marginBottom = "";
  for (let scale = 0.95; scale > 0.4 && inside.getBoundingClientRect().height > room.clientHeight; scale -= 0.05) {
    inside.style.transform = `scale(${scale})`;
    inside.style.width = `${100 / scale}%`;
  }
}

window.addEventListener("resize", fit);
document.addEventListener("revealed", fit);
document.addEventListener("parts", fit);
fit();
