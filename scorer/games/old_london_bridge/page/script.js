// Enters a bridge: choose a space, tap a building, then one of the numbers that fit there.
//
// The form posts the selects and number fields of the spaces; this script only makes them easier to fill in.
// The server says in each answer which numbers fit.

import { changed } from "../../js/live.js";

const GARDEN = "P";
let chosen = 0;
let typed = ""; // digits of a number that is not complete yet

const laying = () => document.querySelector("[data-laying]");
const spaces = () => [...laying().querySelectorAll(".spaces .square")];
const kind = (space) => space.querySelector("select");
const number = (space) => space.querySelector("input");
const isEmpty = (space) => !kind(space).value && !number(space).value;

function prepare() {
  const bridge = laying();
  if (!bridge || "ready" in bridge.dataset) return refresh();
  bridge.dataset.ready = "";
  const all = spaces();
  const free = all.findIndex(isEmpty);
  all.forEach((space, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "space";
    button.addEventListener("click", () => choose(index));
    button.addEventListener("keydown", (event) => step(event, index));
    space.append(button);
  });
  bridge.querySelector("[data-kinds]").addEventListener("click", (event) => build(event.target.closest("button")));
  bridge.querySelector("[data-keypad]").addEventListener("click", (event) => give(event.target.closest("button")));
  bridge.querySelector("[data-moves]").addEventListener("click", (event) => move(event.target.closest("button")));
  for (const part of bridge.querySelectorAll("[data-kinds], [data-moves]")) part.hidden = false;
  chosen = free < 0 ? all.length - 1 : free;
  refresh();
}

// A bridge has no gaps: a choice beyond its end goes to its end.
function choose(index) {
  typed = "";
  close();
  const free = spaces().findIndex(isEmpty);
  chosen = free < 0 ? index : Math.min(index, free);
  refresh();
}

function step(event, index) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -index, End: spaces().length };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Delete" || event.key === "Backspace") move({ value: "away" });
  else if (event.key in steps) choose(Math.max(0, Math.min(index + steps[event.key], spaces().length - 1)));
  else if (!spell(event.key)) return;
  event.preventDefault();
  spaces()[chosen].querySelector(".space").focus();
}

// A letter chooses a building, digits its number: at once if no other number begins with them, otherwise with Enter.
function spell(key) {
  const kinds = [...laying().querySelectorAll("[data-kinds] button")];
  const builder = kinds.find((button) => button.value === key.toUpperCase());
  const pad = laying().querySelector("[data-keypad]");
  if (builder) typed = "";
  if (builder) build(builder);
  if (builder || pad.hidden || !(/^\d$/.test(key) || (key === "Enter" && typed))) return Boolean(builder);
  const sought = key === "Enter" ? typed : typed + key;
  const fitting = [...pad.children].filter((button) => button.value.startsWith(sought));
  const whole = fitting.find((button) => button.value === sought);
  typed = fitting.length ? sought : "";
  if (whole && (key === "Enter" || fitting.length === 1)) give(whole);
  return true;
}

function build(button) {
  if (!button) return;
  const space = spaces()[chosen];
  kind(space).value = button.value;
  if (button.value === GARDEN) {
    number(space).value = "";
    onward();
  }
  refresh();
  space.querySelector(".face")?.classList.add("dropped");
  changed();
}

function give(button) {
  if (!button) return;
  typed = "";
  number(spaces()[chosen]).value = button.value;
  onward();
  refresh();
  changed();
  laying().querySelector("[data-kinds] button").focus({ preventScroll: true }); // the keypad is gone
}

function onward() {
  const all = spaces();
  laying().querySelector("[data-said]").textContent = described(all[chosen]);
  const free = all.findIndex(isEmpty);
  chosen = free < 0 ? chosen : free;
}

function move(button) {
  if (!button) return;
  const all = spaces();
  const tiles = all.map((space) => [kind(space).value, number(space).value]);
  if (button.value === "away") tiles.push(...tiles.splice(chosen, 1).map(() => ["", ""]));
  else if (isEmpty(all[all.length - 1]) && !isEmpty(all[chosen])) tiles.splice(chosen, 0, ["", ""]);
  lay(tiles);
  refresh();
  changed();
}

function lay(tiles) {
  spaces().forEach((space, index) => ([kind(space).value, number(space).value] = tiles[index]));
}

// An inserted space without a building closes again.
function close() {
  const tiles = spaces().map((space) => [kind(space).value, number(space).value]);
  const laid = tiles.filter(([letter, digits]) => letter || digits);
  lay(tiles.map((_, index) => laid[index] ?? ["", ""]));
}

const named = (space) => (kind(space).value ? kind(space).selectedOptions[0].textContent : "");
const described = (space) => `${space.dataset.cell}: ${named(space)} ${number(space).value}`.trim();

function refresh() {
  if (!laying()) return;
  const all = spaces();
  all.forEach((space, index) => show(space, index === chosen));
  for (const button of laying().querySelectorAll("[data-kinds] button")) {
    button.setAttribute("aria-pressed", button.value === kind(all[chosen]).value);
  }
  keypad(all[chosen]);
}

function show(space, isChosen) {
  space.querySelector(".face")?.remove();
  space.querySelector(".number")?.remove();
  const letter = kind(space).value;
  const face = letter && laying().querySelector(`[data-kinds] [value=${letter}] .face`).cloneNode(true);
  const digits = document.createElement("span");
  digits.className = "number";
  digits.textContent = letter + number(space).value;
  space.append(...(face ? [face] : []), digits);
  const button = space.querySelector(".space");
  button.setAttribute("aria-label", described(space));
  button.tabIndex = isChosen ? 0 : -1;
  if (isChosen) button.setAttribute("aria-current", "true");
  else button.removeAttribute("aria-current");
}

function keypad(space) {
  const pad = laying().querySelector("[data-keypad]");
  const wanted = kind(space).value && kind(space).value !== GARDEN;
  pad.hidden = !wanted;
  if (!wanted) return;
  // The next space uses the server's last list until the answer arrives.
  const open = JSON.parse(document.querySelector("[data-open]").dataset.open);
  const numbers = open[Math.min(chosen, open.length - 1)] ?? [];
  if (pad.dataset.shown === `${chosen} ${numbers}`) return press(pad, space);
  pad.dataset.shown = `${chosen} ${numbers}`;
  pad.replaceChildren(
    ...numbers.map((digits) => {
      const button = document.createElement("button");
      button.type = "button";
      button.value = button.textContent = digits;
      return button;
    })
  );
  press(pad, space);
}

function press(pad, space) {
  for (const button of pad.children) button.setAttribute("aria-pressed", button.value === number(space).value);
}

document.addEventListener("parts", prepare);
prepare();
