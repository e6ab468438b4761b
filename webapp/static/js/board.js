// Boards that are painted: take a piece from the palette, tap squares, tap again or press long to clear.
//
// The selects under the squares hold the truth and are what is posted; this file only makes them pleasant. With the
// keyboard: arrows move, Enter or the space bar paints, Delete clears. What is asked of a piece stands on its square; it
// takes its own taps and keys, and the server draws it as soon as it knows of the piece.

import { changed } from "./live.js";

const LONG_PRESS = 500; // ms
const DRAGGED = 20; // boards with more squares than this are painted by dragging, too

export function boards() {
  for (const painting of document.querySelectorAll("[data-painting]:not([data-ready])")) {
    painting.dataset.ready = "";
    prepare(painting);
  }
}

function prepare(painting) {
  const board = painting.querySelector("[data-board]");
  const squares = [...board.querySelectorAll(".square")];
  squares.forEach((square, index) => {
    square.tabIndex = index === 0 ? 0 : -1;
    select(square).tabIndex = -1; // the square is what is painted
    name(square);
    square.addEventListener("keydown", (event) => key(event, painting, squares, index));
  });
  if (squares.length > DRAGGED) dragging(painting, board);
  else tapping(painting, board);
}

const pointed = (event) => (event.target.closest(".carried") ? null : event.target.closest(".square"));

function tapping(painting, board) {
  let timer = 0;
  let held = false;
  board.addEventListener("pointerdown", (event) => {
    const square = pointed(event);
    held = false;
    clearTimeout(timer);
    if (square) timer = setTimeout(() => ((held = true), put(square, blank(square))), LONG_PRESS);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    board.addEventListener(end, () => clearTimeout(timer));
  }
  board.addEventListener("contextmenu", (event) => event.preventDefault());
  board.addEventListener("click", (event) => {
    const square = pointed(event);
    if (square && !held) toggle(painting, square);
  });
}

// The first square says whether this stroke paints or clears.
function dragging(painting, board) {
  let value = null;
  board.classList.add("dragged-over");
  board.addEventListener("pointerdown", (event) => {
    const square = event.target.closest(".square");
    if (!square) return;
    event.preventDefault();
    const piece = taken(painting);
    value = current(square) === piece ? blank(square) : piece;
    put(square, value);
    focus(square);
  });
  board.addEventListener("pointermove", (event) => {
    if (value === null) return;
    const square = document.elementFromPoint(event.clientX, event.clientY)?.closest(".square");
    if (square && board.contains(square)) put(square, value);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (value = null));
}

function toggle(painting, square) {
  const piece = taken(painting);
  put(square, current(square) === piece ? blank(square) : piece);
}

const select = (square) => square.querySelector("select");
const current = (square) => select(square).value;
const blank = (square) => select(square).options[0].value;
const taken = (painting) => painting.querySelector(".palette input:checked").value;

function put(square, value) {
  if (current(square) === value) return;
  select(square).value = value;
  const pieces = square.closest("[data-painting]").querySelectorAll(".palette input");
  const piece = [...pieces].find((input) => input.value === value);
  square.querySelector(".face")?.remove();
  select(square).after(piece.parentElement.querySelector(".face").cloneNode(true));
  square.querySelector(".carried")?.replaceChildren();
  name(square);
  changed();
}

function name(square) {
  const chosen = select(square).selectedOptions[0].textContent;
  square.setAttribute("aria-label", `${square.dataset.cell}: ${chosen}`);
}

function focus(square) {
  for (const other of square.closest("[data-board]").querySelectorAll(".square")) other.tabIndex = -1;
  square.tabIndex = 0;
  square.focus({ preventScroll: true });
}

function key(event, painting, squares, index) {
  if (event.target !== squares[index]) return;
  const columns = squares[0].parentElement.children.length;
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  if (event.key in steps) {
    const there = index + steps[event.key];
    const sameRow = Math.floor(there / columns) === Math.floor(index / columns);
    if (squares[there] && (Math.abs(steps[event.key]) > 1 || sameRow)) focus(squares[there]);
  } else if (event.key === "Enter" || event.key === " ") toggle(painting, squares[index]);
  else if (event.key === "Delete" || event.key === "Backspace") put(squares[index], blank(squares[index]));
  else return;
  event.preventDefault();
}

// Squares with a fault are marked by the messages beside the board.
function mark() {
  const faulty = new Set([...document.querySelectorAll(".problems [data-field]")].map((one) => one.dataset.field));
  for (const square of document.querySelectorAll("[data-board] .square")) {
    const carried = [...square.querySelectorAll(".carried [id]")].some((one) => faulty.has(one.id));
    square.classList.toggle("faulty", carried || faulty.has(square.dataset.field));
  }
}

document.addEventListener("parts", boards);
document.addEventListener("parts", mark);
boards();
mark();
