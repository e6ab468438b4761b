// Boards that are painted: take a piece from the palette, tap squares or draw over them, tap again to clear.
//
// The selects under the squares hold the truth and are what is posted; this file only makes them pleasant. What is asked
// of a piece stands on its square and takes its own taps; the server draws it as soon as it knows of the piece.

import { keepOneStop, keys } from "./gridkeys.js";
import { changed, stale } from "./live.js";
import { strokes } from "./strokes.js";

const MOST = 40; // strokes that can be taken back
const hands = new Map(); // the piece that was taken last from each palette, which may come anew with another board
const doing = new WeakMap(); // what can be done to each painting

export function boards() {
  for (const painting of document.querySelectorAll("[data-painting]:not([data-ready])")) {
    painting.dataset.ready = "";
    prepare(painting);
  }
  for (const board of document.querySelectorAll("[data-painting] [data-board]")) keepOneStop(board);
}

function prepare(painting) {
  const board = painting.querySelector("[data-board]");
  const squares = [...board.querySelectorAll(".square")];
  for (const square of squares) {
    square.id = select(square).id; // where messages lead
    select(square).removeAttribute("id");
    select(square).hidden = true; // what is seen is the square
    draw(painting, square);
  }
  const hand = pieces(painting).find((piece) => piece.value === hands.get(piece.name));
  if (hand) hand.checked = true;
  const act = acts(painting);
  doing.set(painting, act);
  keys(squares, act);
  strokes(board, squares, act, (element) => element.closest(".carried"));
  painting.querySelector("[data-undo]").addEventListener("click", act.takeBack);
  const palette = painting.querySelector(".palette");
  palette.addEventListener("change", ({ target }) => hands.set(target.name, target.value));
  // A tap right after a quick stroke ends, to the browser, the stroke's momentum and is no click.
  palette.addEventListener("pointerup", ({ target }) => hold(target.closest("label")?.querySelector("input")));
  board.addEventListener("input", ({ target }) => target.closest("[data-stepper]") && act.counted(target));
}

// What can be done to a board. A stroke goes over squares and is then done, or undone as if it had never been.
function acts(painting) {
  const history = [];
  let stroke = null;
  const begin = (value) => (stroke = { value, before: new Map() });
  const act = {
    over(square) {
      // The first square says whether this stroke paints or clears.
      if (!stroke) begin(current(square) === taken(painting) ? blank(square) : taken(painting));
      if (!stroke.before.has(square)) stroke.before.set(square, current(square));
      put(painting, square, stroke.value);
    },
    done() {
      const before = [...stroke.before].filter(([square, value]) => current(square) !== value);
      stroke = null;
      if (!before.length) return;
      history.push(before);
      if (history.length > MOST) history.shift();
      told(painting, history, before.at(-1)[0]);
    },
    undone() {
      for (const [square, value] of stroke.before) put(painting, square, value);
      stroke = null;
    },
    tap(square) {
      act.over(square);
      act.done();
      square.focus({ preventScroll: true });
    },
    clear(square) {
      begin(blank(square));
      act.over(square);
      act.done();
    },
    both(one, other) {
      begin(taken(painting));
      act.over(one);
      act.over(other);
      act.done();
    },
    counted(number) {
      history.push([[number.id, number.dataset.before ?? number.defaultValue]]);
      number.dataset.before = number.value;
      painting.querySelector("[data-undo]").disabled = false;
    },
    takeBack() {
      const before = history.pop();
      if (!before) return;
      for (const [place, value] of before) {
        if (place instanceof Element) put(painting, place, value);
        else recount(document.getElementById(place), value);
      }
      told(painting, history, before[0][0]);
    },
    take: (letter) => take(painting, letter),
    // Another phone's: what was done to this square before cannot be taken back any more.
    theirs(square, value) {
      for (const before of history) before.splice(0, before.length, ...before.filter(([place]) => place !== square));
      history.splice(0, history.length, ...history.filter((before) => before.length));
      painting.querySelector("[data-undo]").disabled = !history.length;
      put(painting, square, value);
    },
  };
  return act;
}

const select = (square) => square.querySelector("select");
const current = (square) => select(square).value;
const blank = (square) => select(square).options[0].value;
const pieces = (painting) => [...painting.querySelectorAll(".palette input")];
const taken = (painting) => painting.querySelector(".palette input:checked").value;
const said = (painting, words) => (painting.querySelector("[data-said]").textContent = words);

function put(painting, square, value) {
  if (current(square) === value) return;
  select(square).value = value;
  square.querySelector(".carried")?.replaceChildren();
  stale(square.querySelector(".carried"));
  square.querySelector(".face")?.remove();
  draw(painting, square)?.classList.add("dropped");
}

// Whatever the select holds is what the square shows.
function draw(painting, square) {
  square.setAttribute("aria-label", `${square.dataset.cell}: ${select(square).selectedOptions[0].textContent}`);
  const piece = pieces(painting).find((input) => input.value === current(square));
  if (!piece || square.querySelector(".face")) return null;
  select(square).after(piece.parentElement.querySelector(".face").cloneNode(true));
  return square.querySelector(".face");
}

// A number on a square, if what it counts still stands there.
function recount(number, value) {
  if (number) number.value = number.dataset.before = value;
}

function told(painting, history, place) {
  painting.querySelector("[data-undo]").disabled = !history.length;
  const square = place instanceof Element ? place : document.getElementById(place)?.closest(".square");
  said(painting, square?.getAttribute("aria-label") ?? "");
  changed();
}

function hold(piece) {
  if (!piece) return;
  piece.checked = true;
  hands.set(piece.name, piece.value);
}

// Pieces by the first letter of their name, one after the other, or by their place in the palette.
function take(painting, letter) {
  const all = pieces(painting);
  const names = [...painting.querySelector(".square select").options].map((option) => option.textContent);
  const after = all.findIndex((piece) => piece.checked) + 1;
  const turn = [...names.keys()].map((step) => (after + step) % names.length);
  const same = (place) => names[place].charAt(0).localeCompare(letter, undefined, { sensitivity: "base" }) === 0;
  const found = /\d/.test(letter) ? Number(letter) - 1 : turn.find(same);
  if (!all[found]) return false;
  hold(all[found]);
  said(painting, names[found]);
  return true;
}

// Squares with a fault are marked by the messages beside the board.
function mark() {
  const faulty = new Set([...document.querySelectorAll(".problems [data-field]")].map((one) => one.dataset.field));
  for (const square of document.querySelectorAll("[data-board] .square")) {
    const carried = [...square.querySelectorAll(".carried [id]")].some((one) => faulty.has(one.id));
    square.classList.toggle("faulty", carried || faulty.has(square.dataset.field));
  }
}

document.addEventListener("fields", ({ detail }) => {
  for (const square of document.querySelectorAll("[data-painting] .square")) {
    const value = detail[square.dataset.field];
    if (value !== undefined) doing.get(square.closest("[data-painting]")).theirs(square, value);
  }
});
document.addEventListener("parts", boards);
document.addEventListener("parts", mark);
boards();
mark();
