// Streets scroll sideways: they keep their position after an answer, and show the open card.
// The panel of that card scrolls into view with each next question.

const places = new Map();
let stage = document.getElementById("opened")?.dataset.stage;

document.addEventListener(
  "scroll",
  (event) => {
    const strip = event.target;
    if (strip.dataset?.strip) places.set(strip.dataset.strip, strip.scrollLeft);
  },
  true
);

function settle() {
  for (const strip of document.querySelectorAll("[data-strip]")) {
    strip.scrollLeft = places.get(strip.dataset.strip) ?? 0;
    const open = strip.querySelector("[aria-expanded=true]");
    if (open) strip.scrollLeft = open.offsetLeft - (strip.clientWidth - open.offsetWidth) / 2;
  }
}

function show() {
  const panel = document.getElementById("opened");
  if (panel && panel.dataset.stage !== stage) {
    const { top } = panel.getBoundingClientRect();
    if (top < 0 || top > window.innerHeight / 2) panel.scrollIntoView({ block: "start" });
  }
  stage = panel?.dataset.stage;
}

// A fault is in the panel of a card or a resident, so its message links to that panel.
function lead(hash) {
  const where = decodeURIComponent(hash.slice(1));
  if (!where || document.getElementById(where)) return;
  const parts = [...document.querySelectorAll("button[name=open]")].filter((one) => one.value);
  parts.find((one) => where.startsWith(`${one.value}/`))?.click();
}

// A button works once until the answer is here: the next tap is meant for the controls that appear.
document.addEventListener(
  "submit",
  (event) => {
    const button = event.submitter;
    if (!button?.name || button.hasAttribute("data-go")) return;
    if ("pressed" in button.dataset) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    button.dataset.pressed = "";
  },
  true
);

document.addEventListener("click", (event) => {
  const message = event.target.closest(".problems a");
  if (message) lead(message.hash);
});

document.addEventListener("parts", () => {
  for (const button of document.querySelectorAll("[data-pressed]")) delete button.dataset.pressed;
});
document.addEventListener("parts", settle);
document.addEventListener("parts", show);
settle();
lead(location.hash);
