// What is drawn and how long a turn may last, in step on all screens: by the server's clock, which each page tells.

import { fetched } from "./parts.js";

const DRAWING = 2500; // ms; lots.py says the same
const ROUND = 120; // ms for each name

let offset = 0;
let timer = 0;
let over = 0; // the end that has been felt already

const still = matchMedia("(prefers-reduced-motion: reduce)");
const box = () => document.querySelector("[data-lots]");
const moment = () => Date.now() + offset;

function begin() {
  const lots = box();
  if (!lots) return;
  if (!lots.read) offset = Number(lots.dataset.now) - Date.now();
  lots.read = true; // it tells the time at which the page was made, which is now only once
  clearTimeout(timer);
  turn();
}

function turn() {
  const drawn = box()?.querySelector("[data-fell]");
  const clock = box()?.querySelector("[data-ends]");
  const draws = drawn ? draw(drawn) : false;
  const runs = clock ? tick(clock) : false;
  if (draws || runs) timer = setTimeout(turn, draws ? ROUND : 250);
}

function draw(lot) {
  const since = moment() - Number(lot.dataset.fell);
  const goes = since < DRAWING && !still.matches;
  const [falls, round] = lot.querySelectorAll(".falls, .goes-round");
  falls.hidden = goes;
  round.hidden = !goes;
  const names = JSON.parse(round.dataset.names);
  if (goes) round.textContent = names[Math.max(0, Math.floor(since / ROUND)) % names.length];
  return goes;
}

function tick(clock) {
  const ends = Number(clock.dataset.ends);
  const left = Math.max(0, Math.ceil((ends - moment()) / 1000));
  clock.textContent = left
    ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
    : clock.dataset.over;
  clock.classList.toggle("over", !left);
  if (!left && over !== ends && moment() - ends < 2000) {
    over = ends;
    navigator.vibrate?.(300);
  }
  return left > 0;
}

document.addEventListener("news", async ({ detail }) => {
  if (!box() || detail.lots === undefined || detail.lots === box().dataset.lots) return;
  const fresh = (await fetched())?.querySelector("[data-lots]");
  if (!fresh) return;
  box().replaceWith(fresh);
  begin();
});
document.addEventListener("parts", begin);
begin();
