// A town's streets are strips that scroll sideways: they stay where they were, and show the card that is open.

const places = new Map();

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

document.addEventListener("parts", settle);
settle();
