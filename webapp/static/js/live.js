// Keeps a form and the server in step: every change is sent, and the parts of the page that it changes come back.
//
// A form marked data-live is posted whenever something in it changes; the answer is the whole page, of which each
// element marked data-part takes its new content. Without this file the same buttons post and reload.

import "./page.js";

const form = document.querySelector("form[data-live]");
const pause = 120; // ms; taps in quick succession travel together
let timer = 0;
let running = null;
let waiting = null; // the name and value of the button to be pressed next, or true if only values have changed
let edits = 0; // how often something was tapped or typed
let kept = 0; // how much of that has left this page

export function changed() {
  edits += 1;
  clearTimeout(timer);
  timer = setTimeout(() => send(true), pause);
}

// What is being typed into a field marked data-waits travels only with a button.
function entered(event) {
  if (!event.target.hasAttribute("data-waits")) changed();
}

form.addEventListener("input", entered);
form.addEventListener("change", entered);
form.addEventListener("submit", (event) => {
  const button = event.submitter;
  clearTimeout(timer);
  if (button?.hasAttribute("data-go")) {
    kept = edits;
    return; // leaves the page, and posts everything on the way
  }
  event.preventDefault();
  send(button ? [button.name, button.value] : true); // the button itself may be gone when its turn comes
});

async function send(button) {
  if (running) {
    if (waiting === null || waiting === true) waiting = button;
    else await running.then(() => send(button));
    return;
  }
  running = post(button);
  await running;
  running = null;
  const next = waiting;
  waiting = null;
  if (next !== null) await send(next);
}

async function post(button) {
  const body = new FormData(form);
  if (button !== true) body.append(...button);
  const sent = edits;
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Tidemark": "part" } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    kept = sent;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (edits === sent) replace(page); // else it is behind the form, and another answer is on its way
    document.body.classList.remove("unsent");
  } catch {
    document.body.classList.add("unsent"); // what was tapped is still in the form and goes with the next change
    timer = setTimeout(() => send(true), 3000);
  }
}

// A tap just before the page goes away, as when the phone is locked, is not lost.
addEventListener("pagehide", () => {
  if (kept === edits) return;
  fetch(form.action, { method: "POST", body: new FormData(form), headers: { "X-Tidemark": "part" }, keepalive: true });
});

// An element that looks after itself while it is being worked on, such as a board, says so with data-shape: it is
// exchanged only when its shape is another.
function replace(page) {
  const focused = [];
  for (const old of document.querySelectorAll("[data-part]")) {
    const fresh = page.querySelector(`[data-part="${old.dataset.part}"]`);
    if (!fresh || (old.dataset.shape && old.dataset.shape === fresh.dataset.shape)) continue;
    if (old.innerHTML === fresh.innerHTML) continue;
    const focus = old.contains(document.activeElement) ? describe(document.activeElement) : null;
    const typing = document.activeElement?.matches("input:not([type=radio], [type=checkbox]), textarea");
    const text = typing && focus ? document.activeElement.value : null;
    unfold(old, fresh);
    old.replaceChildren(...fresh.childNodes);
    if (fresh.dataset.shape) old.dataset.shape = fresh.dataset.shape;
    focused.push(() => refocus(old, focus, text));
  }
  document.dispatchEvent(new CustomEvent("parts"));
  for (const restore of focused) restore(); // now that steppers and the like stand again
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
    return part.querySelector("[data-next] :is(button, input, select)")?.focus({ preventScroll: true });
  }
  if (text !== null) same.value = text; // what is being typed is ahead of what was sent
  same.focus({ preventScroll: true });
}

// Numbers are tapped, not typed: a button on either side.
function steppers() {
  for (const stepper of document.querySelectorAll("[data-stepper]:not([data-ready])")) {
    stepper.dataset.ready = "";
    const input = stepper.querySelector("input");
    stepper.prepend(step(input, -1, "−", "less"));
    stepper.append(step(input, 1, "+", "more"));
  }
}

function step(input, by, sign, words) {
  const button = document.createElement("button");
  button.type = "button";
  button.id = `${input.id} ${words}`;
  button.textContent = sign;
  button.setAttribute("aria-label", `${input.labels[0]?.textContent ?? ""} ${words}`);
  button.addEventListener("click", () => {
    const [low, high] = [Number(input.dataset.low), Number(input.dataset.high)];
    const now = Number.parseInt(input.value, 10);
    input.value = Number.isNaN(now) ? Math.max(low, 0) : Math.min(high, Math.max(low, now + by));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return button;
}

document.addEventListener("parts", steppers);
steppers();
