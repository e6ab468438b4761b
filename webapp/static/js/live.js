// Keeps a form and the server in step: every change is kept, sent, and the parts of the page that it changes come back.
//
// A form marked data-live is posted whenever something in it changes. The answer is the whole page, or, to a form with
// data-tags, only what is new: each element marked data-part takes its new content. Without a network, buttons marked
// data-go show the other pages of the game that this one has kept. Without this file the same buttons post and reload.

import { byNews } from "./leaving.js";
import "./page.js";
import { has, placeOf, show } from "./pages.js";
import { fetched } from "./parts.js";
import { discard, flush, keep, known, player, ready, refused, unsent } from "./queue.js";
import "./stepper.js";

let form, url; // none on the home page, from where a game can begin without a network
find();
const pause = 120; // ms; taps in quick succession travel together
const patience = 4000; // ms until somebody who wants to go on is told that it has not arrived
const typed = "[data-waits]:not([type=checkbox])"; // a choice that waits is kept until one goes on
let timer = 0;
let goes = false; // everything has arrived
let leaving = null; // the button by which somebody wants to go on
let isKept = false; // this page was shown without a network, and may be old
const told = { version: 0, laid: 0 }; // of this seat and its table, by the news

function find() {
  form = document.querySelector("form[data-live]");
  url = form && new URL(form.action).pathname;
}

const version = () => form.elements.version?.value ?? null;

export function changed() {
  waitFor(null);
  put(null);
  clearTimeout(timer);
  timer = setTimeout(flush, pause);
}

function put(button) {
  const waits = (name) => !button && form.elements[name]?.hasAttribute?.("data-waits");
  const leads = button && has(placeOf(button.value)); // this page is done
  const sent = ([name]) => !["csrf_token", "version"].includes(name) && !waits(name) && (name !== "go" || leads);
  keep(url, [...new FormData(form, button)].filter(sent), version(), button !== null);
}

// What is being typed into a field marked data-waits travels only with a button.
function entered(event) {
  const forgotten = event.target.closest(".field")?.querySelector("[data-forgotten] input");
  if (event.target === forgotten) {
    const number = forgotten.closest(".field").querySelector("[data-stepper] input");
    if (forgotten.checked) number.value = "";
  } else if (forgotten && event.target.value) forgotten.checked = false;
  if (!event.target.hasAttribute("data-waits")) changed();
}

document.addEventListener("input", (event) => form?.contains(event.target) && entered(event));
document.addEventListener("change", (event) => form?.contains(event.target) && entered(event));
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (goes || event.target !== form) return;
  if (button?.hasAttribute("data-go") && !unsent() && navigator.onLine) return; // by itself
  event.preventDefault();
  clearTimeout(timer);
  if (button?.hasAttribute("data-go")) leave(button);
  else post(button);
});

function post(button) {
  put(button);
  for (const field of form.querySelectorAll(typed)) field.value = ""; // it has gone with the button
  flush();
}

// Somebody wants to go on: once everything has arrived, or without an answer to a page that is kept here. Of all others
// only the result comes by itself as soon as there is a network: nobody is taken to where others are further by then.
async function leave(button) {
  leaving = button;
  const late = setTimeout(() => stay(button), patience);
  const arrived = (await flush()) && navigator.onLine;
  clearTimeout(late);
  if (leaving !== button) return;
  if (arrived && !unsent()) return go(button);
  stay(button);
  waitFor(button.value === "result" ? button : null);
}

function waitFor(button) {
  leaving = button;
  document.body.classList.toggle("awaits", button !== null);
}

function go(button) {
  waitFor(null);
  goes = true;
  form.requestSubmit(button.isConnected ? button : form.querySelector(`[data-go][value="${button.value}"]`));
  goes = false;
}

function stay(button) {
  const place = placeOf(button.value);
  document.body.classList.add("unsent");
  if (!has(place)) return;
  post(button);
  show(place);
}

document.addEventListener("shown", () => {
  find();
  isKept = true;
  waitFor(null);
  Object.assign(told, { version: 0, laid: 0 });
  document.dispatchEvent(new CustomEvent("parts"));
});

// What is entered on other boards changes what stands here.
async function refresh() {
  const place = new URL(location.href);
  place.searchParams.set("moved", version());
  const answer = form.dataset.tags ? await fresh(place) : null;
  const page = form.dataset.tags ? null : await fetched();
  if (busy() || !(answer || page)) isKept = true;
  else if (answer) take(answer);
  else replace(page);
}

document.addEventListener("sent", ({ detail: { change, page, answer } }) => {
  if (!unsent()) {
    document.body.classList.remove("unsent");
    if (leaving) return go(leaving);
    if (form && isKept && change.url !== url) refresh();
    isKept = false;
  }
  if (change.url !== url || player(change) !== form.elements.player?.value) return;
  if (form.inert) return reload(); // what an earlier page left behind is in place now
  if (answer) return take(answer, new Map(change.pairs));
  const now = page.querySelector('form[data-live] input[name="version"]');
  if (now && form.elements.version) form.elements.version.value = now.value;
  if (unsent(url)) return;
  if (isStale()) look();
  else replace(page);
});

// What the server made of a tap, or of what another phone has changed: fields that hold something else than this page
// had, what to say about it, and the parts that differ, unless there is more to send, which brings them as well.
function take(answer, had) {
  form.elements.version.value = answer.version;
  const fields = Object.entries(answer.fields).filter(([name]) => {
    const value = form.elements[name]?.value;
    return value !== undefined && value === (had?.get(name) ?? value);
  });
  document.dispatchEvent(new CustomEvent("fields", { detail: Object.fromEntries(fields) }));
  for (const [name, value] of fields) form.elements[name].value = value;
  if (answer.notice) document.querySelector("[data-moved]").replaceChildren(...parsed(answer.notice).childNodes);
  if (unsent(url)) return;
  if (isStale()) return look();
  const parts = Object.entries(answer.parts);
  const tags = Object.fromEntries(parts.map(([name, { tag }]) => [name, tag]));
  form.dataset.tags = JSON.stringify({ ...JSON.parse(form.dataset.tags), ...tags });
  for (const [name, { tag, html }] of parts) {
    const old = html !== undefined && document.querySelector(`[data-part="${CSS.escape(name)}"]`);
    if (!old) continue;
    if (old.dataset.shape) old.dataset.shape = tag;
    exchange(old, parsed(html));
  }
  for (const field of form.querySelectorAll(typed)) field.value ||= field.defaultValue; // refused once more
  finish();
}

// This page has emptied a part by itself: the server is to send it again, also if it is as it was.
export function stale(part) {
  if (!form.dataset.tags || !part) return;
  const { [part.dataset.part]: _, ...tags } = JSON.parse(form.dataset.tags);
  form.dataset.tags = JSON.stringify(tags);
}

function parsed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
}

document.addEventListener("unsent", () => document.body.classList.add("unsent"));
document.addEventListener("conflict", ({ detail: { change } }) => change.url === url && !unsent(url) && reload());
document.addEventListener("refused", () => {
  document.body.classList.add("refused");
  if (form) form.inert = false;
});
document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-discard]")) return;
  discard();
  reload();
});

function reload() {
  byNews(() => location.reload());
}

// What an earlier page could not send goes first: nothing may be entered on top of a board that is about to change.
// What was tapped on this page while we looked is no such thing.
ready.then((left) => {
  if (refused().length) document.body.classList.add("refused");
  if (form) form.inert = left.some((change) => change.url === url && !change.refused);
  return flush();
});

// A page that comes back from the browser's memory shows what was, not what is.
window.addEventListener("pageshow", (event) => event.persisted && form && reload());

// Another phone has changed this seat, or the cards on the table. What this one has not sent yet is judged by the
// server, so we wait for that.
document.addEventListener("news", ({ detail }) => {
  const seat = detail.seats?.find((one) => one.name === form.elements.player?.value);
  if (!seat) return;
  Object.assign(told, { version: seat.version, laid: detail.laid });
  if (isStale() && !busy()) look();
});

// Whether there is something newer than what stands here. What this phone has sent is news to itself as well, and may be
// told before it is answered: so that is judged by the answer.
function isStale() {
  return told.version > Number(version()) || (form.dataset.laid && told.laid > Number(form.dataset.laid));
}

// What is otherwise than in the version that stands here, put in its place; the page anew if other cards were chosen, or
// if there is something to choose.
async function look() {
  const place = new URL(location.href);
  place.searchParams.set("moved", version());
  place.hash = "";
  const answer = told.laid > Number(form.dataset.laid) ? null : await fresh(place);
  if (busy()) return; // what has been tapped meanwhile is answered with all of it
  if (answer?.laid === Number(form.dataset.laid)) take(answer);
  else byNews(() => location.replace(place));
}

async function fresh(place) {
  const tags = known(url);
  if (!tags) return null;
  const address = new URL(place);
  address.searchParams.set("tags", tags);
  try {
    const answer = await fetch(address, { cache: "no-store" });
    return answer.ok && answer.headers.get("Content-Type") === "application/json" ? await answer.json() : null;
  } catch {
    return null;
  }
}

export const busy = () => unsent();

// An element that looks after itself while it is being worked on, such as a board, says so with data-shape: it is
// exchanged only when its shape is another.
function replace(page) {
  for (const old of document.querySelectorAll("[data-part]")) {
    const fresh = page.querySelector(`[data-part="${CSS.escape(old.dataset.part)}"]`);
    if (!fresh || (old.dataset.shape && old.dataset.shape === fresh.dataset.shape)) continue;
    if (fresh.dataset.shape) old.dataset.shape = fresh.dataset.shape;
    if (old.innerHTML !== fresh.innerHTML) exchange(old, fresh);
    else for (const field of old.querySelectorAll(typed)) field.value ||= field.defaultValue; // refused once more
  }
  finish();
}

const focused = []; // how to find again where somebody is, once all is in place

function exchange(old, fresh) {
  const focus = old.contains(document.activeElement) ? describe(document.activeElement) : null;
  const typing = document.activeElement?.matches("input:not([type=radio], [type=checkbox]), textarea");
  const text = typing && focus ? document.activeElement.value : null;
  unfold(old, fresh);
  old.replaceChildren(...fresh.childNodes);
  focused.push(() => refocus(old, focus, text));
}

function finish() {
  document.dispatchEvent(new CustomEvent("parts"));
  for (const restore of focused.splice(0)) restore(); // now that steppers and the like stand again
}

// What somebody has folded or unfolded stays so.
function unfold(old, fresh) {
  for (const folded of old.querySelectorAll("details[id][data-chosen]")) {
    const same = fresh.querySelector(`[id="${folded.id}"]`);
    if (!same) continue;
    same.open = folded.open;
    same.dataset.chosen = "";
  }
}

document.addEventListener("click", (event) => {
  const summary = event.target.closest("summary");
  if (summary) summary.parentElement.dataset.chosen = "";
});

function describe(element) {
  return { id: element.id, name: element.getAttribute("name"), value: element.getAttribute("value") };
}

function refocus(part, focus, text) {
  if (!focus) return;
  const same = [...part.querySelectorAll("input, select, textarea, button, [tabindex]")].find(
    (element) =>
      (focus.id && element.id === focus.id) ||
      (focus.name && element.getAttribute("name") === focus.name && element.getAttribute("value") === focus.value)
  );
  // What was pressed may be gone, its question answered: then on to the next one.
  if (!same?.checkVisibility()) {
    const next = part.querySelector("[data-first] input") ?? part.querySelector("[data-next] :is(button, input, select)");
    return next?.focus({ preventScroll: true });
  }
  const isGone = text === "" && same.hasAttribute("data-waits"); // what the server could not take comes back
  if (text !== null && !isGone) same.value = text; // what is being typed is ahead of what was sent
  same.focus({ preventScroll: true });
}
