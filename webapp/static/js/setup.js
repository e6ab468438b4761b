// Laying a table: names are suggested while one types; seats are dragged into order, as the arrows beside them do it, too.

import "./live.js";
import "./lots.js";

// -- seats ---

const FAR = 6; // px from which a press is a drag

// A finger drags by the grip, since the rest of the page scrolls; a mouse by the name as well.
document.addEventListener("pointerdown", (event) => {
  const by = event.pointerType === "mouse" ? ".grip, .name" : ".grip";
  const seat = event.button === 0 && event.target.closest(by)?.closest("[data-seat]");
  if (seat && event.isPrimary) drag(seat, event);
});

const seatsNow = () => [...document.querySelector("[data-seats]").children];

// Told by places, not by elements: an answer of the server may bring the seats anew meanwhile.
function drag(seat, start) {
  const from = seatsNow().indexOf(seat);
  const boxes = seatsNow().map((one) => one.getBoundingClientRect());
  const middle = (box) => box.top + box.height / 2;
  let to = from;
  let moved = false;
  const move = (event) => {
    if (event.pointerId !== start.pointerId) return;
    const by = event.clientY - start.clientY;
    moved ||= Math.abs(by) > FAR;
    if (!moved) return;
    const [below, above] = [boxes.slice(from + 1), boxes.slice(0, from)];
    to = from + below.filter((box) => middle(box) < boxes[from].bottom + by).length;
    to -= above.filter((box) => middle(box) > boxes[from].top + by).length;
    seatsNow().forEach((one, index) => {
      const shift = (index > from && index <= to ? -1 : 0) + (index < from && index >= to ? 1 : 0);
      one.classList.toggle("dragged", index === from);
      one.style.transform = `translateY(${index === from ? by : shift * boxes[from].height}px)`;
    });
  };
  const drop = (event) => {
    if (event.pointerId !== start.pointerId) return;
    for (const [name, heard] of Object.entries(ways)) document.removeEventListener(name, heard);
    const seats = seatsNow();
    for (const one of seats) {
      one.classList.remove("dragged");
      one.style.transform = "";
    }
    if (event.type === "pointerup" && to !== from && seats.length === boxes.length) reseat(seats, from, to);
  };
  const ways = { pointermove: move, pointerup: drop, pointercancel: drop };
  for (const [name, heard] of Object.entries(ways)) document.addEventListener(name, heard);
}

function reseat(seats, from, to) {
  const [seat] = seats.splice(from, 1);
  seats.splice(to, 0, seat);
  seat.parentElement.append(...seats); // at once; the server says the same
  const order = document.createElement("button");
  order.name = "order";
  order.value = seats.map((one) => one.dataset.seat).join(",");
  order.hidden = true;
  const form = seat.closest("form");
  form.append(order);
  form.requestSubmit(order);
  order.remove();
  seats.forEach((one, number) => {
    one.dataset.seat = number; // as the server counts them from now on
    for (const button of one.querySelectorAll("button")) button.value = button.value.replace(/\d+$/, number);
  });
}

// -- names ---

const MOST = 8; // suggestions
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

// Our own chips stand in the place of the browser's list: one tap seats whom it names.
function suggest() {
  const field = document.getElementById("new");
  const known = document.getElementById("known");
  if (!field) return; // a board is shown
  field.removeAttribute("list");
  const words = plain(field.value);
  const chips = [...known.querySelectorAll("button:not([data-found])")];
  const names = [...(document.getElementById("names")?.options ?? chips)].map((one) => one.value);
  const found = names.filter((name) => words && plain(name).split(/[\s-]+/).some((word) => word.startsWith(words)));
  const whole = names.filter((name) => words && plain(name).startsWith(words) && !found.includes(name));
  for (const old of known.querySelectorAll("[data-found]")) old.remove();
  for (const chip of chips) chip.hidden = Boolean(words);
  known.append(...[...whole, ...found].slice(0, MOST).map(chip));
  known.hidden = ![...known.children].some((one) => !one.hidden);
}

function chip(name) {
  const button = document.createElement("button");
  Object.assign(button, { name: "add", value: name, className: "chip", textContent: `+ ${name}` });
  button.dataset.found = "";
  // Not the letters that led to it: they are no name.
  button.addEventListener("click", () => (document.getElementById("new").value = ""));
  return button;
}

document.addEventListener("input", (event) => event.target.id === "new" && suggest());
document.addEventListener("focusin", (event) => event.target.id === "new" && suggest()); // typed on while seats came anew
document.addEventListener("parts", suggest);
suggest();

// A finger on “Add” or on a suggestion leaves the field in use, so that the keyboard stays for the next name.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest("#new + button, [data-found]")) event.preventDefault();
});

// Enter in the field of a new name adds the name instead of pressing the page's first button.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.id === "new") {
    event.preventDefault();
    if (event.target.value.trim()) event.target.parentElement.querySelector("button").click();
    suggest();
  }
});
