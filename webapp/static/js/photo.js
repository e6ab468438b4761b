// Photos looked over: boards given to players by tap or drag, squares changed by a tap, corners dragged where they
// belong. The selects hold the truth and are what is posted; this file only makes them pleasant.

import "./corners.js";
import { busy, changed } from "./live.js";
import { swap } from "./parts.js";
import { say } from "./words.js";

const form = document.querySelector("form[data-live]");
const FOLLOW = 500; // ms between two looks whether the cards are read
const DRAG = 8; // px that a finger moves before it drags

// -- whose is it --

let chosen = ""; // the board that the next name is for

const whose = (name) => form.elements[`whose/${name}`];
const boards = () => [...document.querySelectorAll("[data-board]")];

function choose(name) {
  chosen = name;
  for (const board of boards()) board.classList.toggle("chosen", board.dataset.board === name);
  document.querySelector(".names")?.classList.toggle("settled", name === "");
  const add = form.querySelector("[name=add]");
  if (add) add.value = name;
}

// The first that nobody has been named for, unless one was tapped.
function chooseNext() {
  const there = boards().map((board) => board.dataset.board);
  const asked = there.find((name) => whose(name).value === "");
  if (!there.includes(chosen) || (asked && whose(chosen).value !== "")) chosen = "";
  choose(chosen || asked || "");
}

function give(name, value) {
  const select = whose(name);
  if (!select) return;
  for (const other of boards().map((board) => whose(board.dataset.board))) {
    if (other !== select && other.value === value && value !== "nobody") other.value = "";
  }
  select.value = value;
  chosen = "";
  chooseNext();
  changed();
}

document.addEventListener("click", (event) => {
  const board = event.target.closest("[data-board]");
  if (board) choose(board.dataset.board);
});

document.addEventListener("pointerdown", (event) => {
  const chip = event.target.closest("[data-give]");
  if (!chip || event.button) return;
  const value = chip.dataset.give;
  let ghost = null;
  const over = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("[data-board]");
  const move = (moved) => {
    if (!ghost && Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) < DRAG) return;
    if (!ghost) {
      ghost = chip.cloneNode(true);
      ghost.classList.add("dragged-name");
      document.body.append(ghost);
    }
    ghost.style.left = `${moved.clientX + 8}px`;
    ghost.style.top = `${moved.clientY - 56}px`;
    const board = over(moved);
    if (board) choose(board.dataset.board);
  };
  const end = (up) => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", end);
    if (!ghost) return;
    ghost.remove();
    const board = up.type === "pointerup" && over(up);
    if (board) give(board.dataset.board, value);
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
});

document.addEventListener("click", (event) => {
  const chip = event.target.closest("[data-give]");
  if (chip && chosen) give(chosen, chip.dataset.give);
});

// Enter in the field of a new name adds the name.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.id === "new") {
    event.preventDefault();
    form.querySelector("[name=add]").click();
  }
});

// A name that has sat down is not wanted in the field any more; one that could not is.
let added = false;
form.addEventListener("submit", ({ submitter }) => (added ||= submitter?.name === "add"));
document.addEventListener("parts", () => {
  if (!added) return;
  added = false;
  setTimeout(() => form.querySelector(".names .errors") || (form.elements.new && (form.elements.new.value = "")));
});

// -- squares --

const panel = document.querySelector("[data-choosing]");
let open = null; // {seen, place}: the square whose choices stand open
const past = []; // what can be undone: {seen, place, value, sure}

const section = (seen) => document.querySelector(`[data-seen="${seen}"]`);
const squareAt = ({ seen, place }) => section(seen)?.querySelector(`[data-place="${place}"]`);
const cardOf = (seen) => document.getElementById(`own-${seen}`); // which one a piece of the board is
const sureOf = (seen) => section(seen).querySelector("[data-sure]");

function opened(square, byKey = false) {
  const seen = square.closest("[data-seen]").dataset.seen;
  open = { seen, place: square.dataset.place };
  for (const other of document.querySelectorAll(".spot.chosen")) other.classList.remove("chosen");
  square.classList.add("chosen");
  const title = square.closest("[data-seen]").querySelector("h2").firstChild.textContent.trim();
  panel.querySelector("p").textContent = say("{board}, {cell}", { board: title, cell: square.dataset.cell });
  picture(square);
  const select = square.querySelector("select");
  const now = select.selectedOptions[0];
  const others = [...select.options].filter((option) => option !== now).map((option) => button(option));
  const card = "wantsCard" in square.dataset ? cardOf(open.seen) : null;
  const cards = card ? [...card.options].filter((option) => option.value).map((option) => button(option, false, "card")) : [];
  panel.querySelector("[data-now]").replaceChildren(card ? card.labels[0].textContent : button(now, true));
  panel.querySelector(".options").replaceChildren(...cards, ...others);
  panel.hidden = false;
  const hidden = square.getBoundingClientRect().bottom > panel.getBoundingClientRect().top - 8;
  if (hidden || square.getBoundingClientRect().top < 0) {
    square.scrollIntoView({ block: "center" });
    const below = square.getBoundingClientRect().bottom - panel.getBoundingClientRect().top + 16;
    if (below > 0) window.scrollBy(0, below);
  }
  if (byKey) panel.querySelector("button[data-value], button[data-card]").focus();
}

// The square enlarged, with a little of what lies around it: pieces lean over.
function picture(square) {
  const [row, column] = square.dataset.place.split("/").map(Number);
  const rows = square.closest(".spots").children.length;
  const columns = square.parentElement.children.length;
  const [wide, high] = [1, rows / columns]; // of the straightened picture
  const inside = 1 / 1.24; // of which is the board
  const side = inside / columns;
  const x = (wide * (1 - inside)) / 2 + column * side;
  const y = (high * (1 - inside)) / 2 + row * side;
  const svg = panel.querySelector("svg");
  svg.setAttribute("viewBox", [x - side * 0.2, y - side * 0.2, side * 1.4, side * 1.4].join(" "));
  const image = svg.querySelector("image");
  image.setAttribute("href", square.closest("[data-seen]").querySelector("img").src);
  image.setAttribute("width", wide);
  image.setAttribute("height", high);
}

function button(option, isNow = false, what = "value") {
  const element = document.createElement("button");
  element.type = "button";
  element.dataset[what] = option.value;
  const face = what === "value" && document.querySelector(`[data-faces] [data-face="${CSS.escape(option.value)}"] .face`);
  if (face) element.append(face.cloneNode(true));
  element.append(isNow ? say("{piece} is right", { piece: option.textContent }) : option.textContent);
  return element;
}

function put({ seen, place }, value, sure) {
  const square = squareAt({ seen, place });
  const field = sureOf(seen);
  const said = new Set(field.value.split(",").filter(Boolean));
  const before = { seen, place, value: square.querySelector("select").value, sure: said.has(place) };
  if (sure) said.add(place);
  else said.delete(place);
  field.value = [...said].join(",");
  if (value !== before.value) delete square.dataset.wantsCard;
  square.querySelector("select").value = value;
  square.querySelector(".face")?.remove();
  const face = document.querySelector(`[data-faces] [data-face="${CSS.escape(value)}"] .face`);
  if (face) square.append(face.cloneNode(true));
  square.classList.toggle("doubtful", !sure && square.dataset.doubt === "");
  changed();
  return before;
}

// Which card the piece on that square is, so that the piece is right as well.
function nameCard(at, value) {
  cardOf(at.seen).value = value;
  delete squareAt(at).dataset.wantsCard;
  past.push(put(at, squareAt(at).querySelector("select").value, true));
}

function close(toSquare = false) {
  const square = open && squareAt(open);
  open = null;
  panel.hidden = true;
  for (const other of document.querySelectorAll(".spot.chosen")) other.classList.remove("chosen");
  if (toSquare && square) square.focus({ preventScroll: true });
}

function nextDoubt(byKey) {
  const next = [...document.querySelectorAll("[data-seen]:not(:has([data-nobodys])) .spot.doubtful")][0];
  if (next) opened(next, byKey);
  else close(byKey);
}

const byKeyboard = (event) => event.detail === 0;

document.addEventListener("click", (event) => {
  const option = event.target.closest("[data-choosing] [data-value]");
  const card = event.target.closest("[data-choosing] [data-card]");
  const square = event.target.closest("[data-seen] .spot");
  if (card) {
    nameCard(open, card.dataset.card);
    nextDoubt(byKeyboard(event));
  } else if (option) {
    const stepping = squareAt(open).classList.contains("doubtful");
    past.push(put(open, option.dataset.value, true));
    if (stepping) nextDoubt(byKeyboard(event));
    else close(byKeyboard(event));
  } else if (square) opened(square);
  else if (event.target.closest("[data-next-doubt]")) nextDoubt(byKeyboard(event));
  else if (event.target.closest("[data-undo]")) undo();
  else if (!event.target.closest("[data-choosing]") && open) close();
  shown();
});

function undo() {
  const last = past.pop();
  if (!last || !squareAt(last)) return;
  put(last, last.value, last.sure);
  close();
  squareAt(last).scrollIntoView({ block: "nearest" });
}

function shown() {
  for (const button of document.querySelectorAll("[data-undo]")) button.hidden = past.length === 0;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && open) close(true);
  const square = event.target.closest?.("[data-seen] .spot");
  if (!square) return;
  const squares = [...square.closest(".spots").querySelectorAll(".spot")];
  const columns = square.parentElement.children.length;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
  if (step) squares[squares.indexOf(square) + step]?.focus();
  else if (event.key === "Enter" || event.key === " ") opened(square, true);
  else return;
  event.preventDefault();
});

// -- what comes from the server --

// Squares are buttons with a name, one stop of the tab key a board; the selects beneath them need none.
function prepare() {
  for (const board of document.querySelectorAll("[data-seen] .spots")) {
    for (const [index, square] of [...board.querySelectorAll(".spot")].entries()) {
      const select = square.querySelector("select");
      const words = select.selectedOptions[0]?.textContent ?? "";
      if (square.classList.contains("doubtful")) square.dataset.doubt = "";
      const template = square.classList.contains("doubtful") ? say("{cell}: {piece}, not sure") : say("{cell}: {piece}");
      const name = template.replace("{cell}", square.dataset.cell).replace("{piece}", words);
      square.setAttribute("aria-label", name);
      square.tabIndex = index ? -1 : 0;
      select.tabIndex = -1;
    }
  }
  if (open && squareAt(open)) squareAt(open).classList.add("chosen");
  chooseNext();
  shown();
}

let following = 0;
async function follow() {
  if (following || !document.querySelector("[data-follow]")) return;
  following = setTimeout(async () => {
    if (!busy() && !open) await swap();
    following = 0;
    follow();
  }, FOLLOW);
}

document.addEventListener("parts", prepare);
document.addEventListener("parts", follow);
prepare();
follow();
