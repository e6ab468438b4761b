// Begins a game without a network. While there is one, the pages of a new game are loaded, with placeholders for its key
// and for names (new_table.py). Without one they are filled in and shown. The first change tells the server of the game.

import { changed } from "./live.js";
import * as kept from "./pages.js";
import "./seat.js";
import "./setup.js";
import { say } from "./words.js";

const NAME = /~(\d+)~/g; // the players, but for the one whose board it is, which is 0
const NAMING = ["", "add", "remove", "up", "down", "order"]; // buttons that change only the names
const BOARD = /\/(seats\/\d+|facts)$/;

const blanks = new Map(); // the pages of each game, as text
let blank = null; // those of the game that has begun
let place = ""; // where it is: the path of its pages
let rows = []; // the players of its set-up page
let cards = new Map(); // those of its boards

const parsed = (text) => new DOMParser().parseFromString(text, "text/html");
const escaped = (text) => Object.assign(document.createElement("i"), { textContent: text }).innerHTML.replaceAll('"', "&quot;");

export async function load(tables, game) {
  const fetched = async (page) => {
    const answer = await fetch(`${tables}/new/${page}?game=${game}`, { cache: "no-store", redirect: "error" });
    if (!answer.ok) throw answer;
    return answer.text();
  };
  const setup = await fetched("setup");
  const last = parsed(setup).querySelectorAll("[name=seated]").length - 1;
  const seat = await fetched(`seats/${last}`);
  const facts = parsed(seat).querySelector("[data-go][value=facts]") ? await fetched("facts") : null;
  for (const page of [setup, seat].map(parsed)) {
    for (const { src } of page.querySelectorAll("script[type=module]")) await import(src);
    kept.load(page);
  }
  blanks.set(game, { setup, seat, facts, last });
}

// False if the pages of this game are not there.
export function begin(tables, game) {
  if (!blanks.has(game)) return false;
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  place = `${new URL(tables).pathname}/${key}/`;
  blank = { ...blanks.get(game) };
  for (const page of ["setup", "seat", "facts"]) blank[page] = blank[page]?.replaceAll("/tables/new/", `/tables/${key}/`);
  const page = parsed(blank.setup);
  page.querySelector("[name=deal]")?.remove(); // only the server knows what it would deal
  blank.cards = cards = chosen(page);
  const list = page.querySelector("[data-players]");
  rows = [...list.children].map((row) => row.outerHTML);
  kept.put(`${place}setup`, page);
  kept.begin(place);
  seat(JSON.parse(list.dataset.players));
  changed();
  return true;
}

// The names of a game that the server does not know yet stand in its set-up page and in the pages of its boards.
function seat(names) {
  document.getElementById("new-errors")?.remove();
  const list = document.querySelector("[data-players]");
  list.dataset.players = JSON.stringify(names);
  list.innerHTML = names.map((name, number) => rows[number].replace(NAME, () => escaped(name))).join("");
  for (const chip of document.querySelectorAll("#known [name=add]")) chip.hidden = names.includes(chip.value);
  const entered = new Map([...kept.pages].filter(([at]) => at.startsWith(place) && BOARD.test(at)));
  for (const at of entered.keys()) kept.pages.delete(at);
  if (names.length < Number(list.dataset.fewest)) return;
  const now = chosen(document);
  names.forEach((name, number) => kept.put(`${place}seats/${number}`, board(number, names, entered, now)));
  cards = now;
  const whole = [names[blank.last], ...names.slice(0, blank.last)];
  if (blank.facts) kept.put(`${place}facts`, filled(blank.facts, "facts", whole, names));
}

// What is chosen on a set-up page, its name and its mark, by the name of its field.
function chosen(page) {
  const found = [...page.querySelectorAll("form[data-live] :is([type=radio], option):checked")];
  const shown = (one) => (one.matches("option") ? one : one.closest("label").lastElementChild);
  const told = (one) => ({ words: shown(one).lastChild?.textContent.trim(), mark: shown(one).querySelector("b")?.textContent });
  return new Map(found.map((one) => [one.name ?? one.closest("select").name, { value: one.value, ...told(one) }]));
}

// On boards, cards of this game take the place of those that stand there, as seats.py does it.
function exchange(main, before, now) {
  for (const [name, { value }] of before) {
    const next = now.get(name) ?? { value };
    if (next.value === value) continue;
    for (const piece of main.querySelectorAll(".palette input")) {
      if (piece.value === value) put(piece.closest("label"), piece, piece.parentElement.lastElementChild, next);
    }
    for (const piece of main.querySelectorAll(".square option")) {
      if (piece.value === value) put(piece.selected && piece.closest(".square"), piece, piece, next);
    }
  }
}

// The place is what is shown of the piece: an entry of the palette, or a square where it lies.
function put(place, piece, label, { value, words, mark }) {
  piece.value = value;
  label.textContent = words;
  if (!place) return;
  if (mark) place.querySelector(".face b").textContent = mark;
  if (place.dataset.cell) place.ariaLabel = `${place.dataset.cell}: ${words}`;
}

// The page of a player: new, or with what has been entered on it.
function board(number, names, entered, now) {
  const others = names.filter((_, other) => other !== number);
  const text = blank.seat.replaceAll(`/seats/${blank.last}`, `/seats/${number}`);
  const page = filled(text, String(number), [names[number], ...others], names);
  const next = page.querySelector(".bar .primary");
  if (number + 1 < names.length) {
    next.value = number + 1;
    next.textContent = say("Next: {name}", { name: names[number + 1] });
  }
  const before = [...entered.values()].find(({ main }) => main.querySelector("[name=player]")?.value === names[number])?.main;
  exchange(before ?? page, before ? cards : blank.cards, now);
  if (!before) return page;
  before.querySelector("form[data-live]").action = page.querySelector("form[data-live]").action;
  for (const part of ["[data-part=tabs]", ".bar"]) before.querySelector(part).replaceWith(page.querySelector(part));
  page.querySelector("main").replaceWith(before);
  return page;
}

// A page with names in the places of players. Whatever asks about a player who is not there goes.
function filled(text, here, places, names) {
  const page = parsed(text);
  for (const tab of page.querySelectorAll(".tabs button:has(.name)")) {
    if (tab.value >= names.length) tab.remove();
    else tab.querySelector(".name").textContent = names[tab.value];
    if (tab.value === here) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  const isNobody = (part) => [...part.outerHTML.matchAll(NAME)].some(([, number]) => places[number] === undefined);
  for (const part of [...page.querySelectorAll("option, label, li")].reverse()) if (isNobody(part)) part.remove();
  page.title = page.title.replace(NAME, (_, number) => places[number] ?? "");
  page.body.innerHTML = page.body.innerHTML.replace(NAME, (_, number) => escaped(places[number] ?? ""));
  return page;
}

// The names after a button of the set-up page was tapped.
function after(names, { name, value }, typed) {
  const at = Number(value);
  if (name === "remove") return names.filter((_, number) => number !== at);
  if (name === "order") return value.split(",").map((number) => names[number]);
  if (name === "up" || name === "down") {
    const other = (at + (name === "up" ? -1 : 1) + names.length) % names.length;
    return names.map((name, number) => (number === at ? names[other] : number === other ? names[at] : name));
  }
  const fresh = (name === "add" ? value : typed).trim().replace(/\s+/g, " ");
  const isThere = names.some((one) => !one.localeCompare(fresh, undefined, { sensitivity: "accent" }));
  return fresh && !isThere && names.length <= blank.last ? [...names, fresh] : names;
}

document.addEventListener(
  "submit",
  (event) => {
    const list = event.target.querySelector("[data-players]");
    if (!list || !event.submitter) return;
    const field = document.getElementById("new");
    const names = after(JSON.parse(list.dataset.players), event.submitter, field.value);
    seat(names);
    field.value = "";
    const isFew = event.submitter.value === "start" && names.length < Number(list.dataset.fewest);
    if (isFew) list.parentElement.append(list.parentElement.querySelector("template").content.cloneNode(true));
    else if (!NAMING.includes(event.submitter.name)) return; // it sends the names as well
    event.preventDefault();
    event.stopImmediatePropagation();
    changed();
  },
  true
);
