// A number with a button on either side: a tap is one more or less, a long press runs. It can be typed as well.

import { say } from "./words.js";

const PATIENCE = 450; // ms until a press is a long one
const PACE = 90; // ms between its steps
const TENS = 12; // steps after which it takes ten at once
const ECHO = 500; // ms in which a click still belongs to a long press
const ENDS = ["pointerup", "pointercancel"];
let ran = -ECHO;

function steppers() {
  for (const stepper of document.querySelectorAll("[data-stepper]:not([data-ready])")) {
    stepper.dataset.ready = "";
    const input = stepper.querySelector("input");
    const label = input.labels[0]?.textContent ?? "";
    stepper.prepend(button(input, -1, "−", "less", say("{label}: less", { label })));
    stepper.append(button(input, 1, "+", "more", say("{label}: more", { label })));
  }
}

function button(input, by, sign, name, label) {
  const element = document.createElement("button");
  element.type = "button";
  element.id = `${input.id} ${name}`;
  element.textContent = sign;
  element.setAttribute("aria-label", label);
  element.addEventListener("click", (event) => event.timeStamp - ran > ECHO && step(input, by) && notify(input));
  element.addEventListener("pointerdown", (event) => event.button === 0 && run(input, by));
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  return element;
}

// What is not told yet begins with the first number that says something: one more is 1, one less is none.
function step(input, by) {
  const [low, high] = [Number(input.dataset.low), Number(input.dataset.high)];
  const now = Number.parseInt(input.value, 10);
  const wanted = Number.isNaN(now) ? Math.max(by, low < 0 ? by : 0) : now + by;
  const next = String(Math.min(high, Math.max(low, wanted)));
  if (input.value === next) return false;
  input.value = next;
  return true;
}

const notify = (input) => input.dispatchEvent(new Event("input", { bubbles: true }));

// The page is told once it is over: what comes back would exchange the button under the finger.
function run(input, by) {
  const before = input.value;
  let steps = 0;
  const go = () => {
    steps += 1;
    step(input, steps > TENS ? 10 * by : by);
    timer = setTimeout(go, PACE);
  };
  let timer = setTimeout(go, PATIENCE);
  const stop = (event) => {
    clearTimeout(timer);
    for (const end of ENDS) document.removeEventListener(end, stop);
    if (!steps) return;
    if (event.type === "pointercancel") input.value = before; // it has become a scroll
    else {
      ran = event.timeStamp;
      notify(input);
    }
  };
  for (const end of ENDS) document.addEventListener(end, stop);
}

// The keyboard's own key goes on to the next number, so that a whole list of them is typed without a tap between them.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("form[data-live] [data-stepper] input")) return;
  event.preventDefault();
  const all = [...document.querySelectorAll("form[data-live] [data-stepper] input")].filter((one) => one.checkVisibility());
  const next = all[all.indexOf(event.target) + 1];
  if (next) next.focus();
  else event.target.blur();
});

document.addEventListener("parts", steppers);
steppers();
