// The reveal, beat by beat. All screens count from the moment somebody pressed the button, as the server tells it, so
// that whoever comes late is where the others are. Who only comes to the result finds it there, see curtain.js.

import { fit } from "./fit.js";
import { spray } from "./spray.js";

const STEPS = 4; // of a number that is counting
const COUNTING = 500; // ms
const APART = 60; // ms between two players
const root = document.documentElement;
const still = matchMedia("(prefers-reduced-motion: reduce)");

let end = null;

export const running = () => end !== null;
export const finish = () => end?.();

export function reveal() {
  const stage = document.querySelector("[data-stage]:not([data-ready])");
  if (!stage) return;
  stage.dataset.ready = "";
  const once = document.querySelector("script[data-once]")?.dataset.once;
  if (still.matches || (once && !root.classList.contains("showing"))) return remove(stage);
  root.classList.add("showing");
  if (once) remember(once);
  fit();
  play(stage);
}

function play(stage) {
  const beats = JSON.parse(stage.dataset.beats);
  const length = Number(stage.dataset.length);
  const begun = performance.now() - Number(stage.dataset.elapsed);
  const racers = [...stage.querySelectorAll("[data-racer]")].map((racer) => new Racer(racer, Number(stage.dataset.full)));
  let next = 0;
  let timer = 0;

  end = () => {
    end = null;
    clearTimeout(timer);
    const focused = stage.contains(document.activeElement);
    remove(stage);
    root.classList.remove("showing");
    announce(focused);
  };
  const turn = () => {
    const now = performance.now() - begun;
    if (now >= length) return end();
    while (next < beats.length && beats[next].at <= now) {
      perform(stage, racers, beats[next], now - beats[next].at < 1000);
      next += 1;
    }
    timer = setTimeout(turn, (next < beats.length ? beats[next].at : length) - now + 5);
  };
  stage.querySelector("[data-skip]").addEventListener("click", skip);
  turn();
}

// A button in a form tells the server, which tells all others; any other is for the own screen.
function skip(event) {
  const form = event.currentTarget;
  event.preventDefault();
  const sent = form.tagName === "FORM" && new FormData(form);
  end?.();
  if (sent) fetch(form.action, { method: "POST", body: sent, redirect: "manual", keepalive: true }).catch(() => {});
}

function perform(stage, racers, beat, fresh) {
  stage.dataset.now = beat.kind;
  if (beat.text && beat.kind !== "flag") stage.querySelector("[data-now]").textContent = beat.text;
  for (const [seat, racer] of racers.entries()) racer.perform(beat, seat, fresh);
  if (beat.kind === "flag") crown(stage, beat, fresh);
  if (fresh) document.dispatchEvent(new CustomEvent("beat", { detail: beat }));
}

function crown(stage, beat, fresh) {
  stage.querySelector("[data-verdict]").textContent = beat.text;
  stage.querySelector("[data-summit]").hidden = false;
  if (fresh) spray(stage.querySelector("[data-spray]"), stage.querySelectorAll(".racer .token circle"));
}

class Racer {
  constructor(place, full) {
    this.place = place;
    this.full = full;
    this.sum = 0;
    this.shown = place.querySelector("[data-sum]");
    this.gain = place.querySelector("[data-gain]");
    this.tide = place.querySelector(".tide");
    this.unknown = place.hasAttribute("data-unknown");
    this.write(0);
  }

  perform(beat, seat, fresh) {
    if (beat.kind === "line") this.score(beat, seat, fresh);
    else this.light([]);
    if (beat.kind === "level") this.place.classList.toggle("level", Boolean(beat.words[seat]));
    if (beat.kind === "flag") this.gain.textContent = "";
    if (beat.words) {
      this.place.classList.toggle("told", Boolean(beat.words[seat]) || this.place.classList.contains("told"));
      if (beat.words[seat]) this.gain.textContent = beat.words[seat];
    }
  }

  score({ points, sums, cells }, seat, fresh) {
    const from = this.sum;
    this.sum = sums[seat];
    const go = () => {
      this.light(cells[seat]);
      this.gain.textContent = points[seat] ? (points[seat] > 0 ? "+" : "") + signed(points[seat]) : "";
      this.rise();
      if (fresh) this.count(from);
      else this.write(this.sum);
    };
    if (fresh) setTimeout(go, seat * APART);
    else go();
  }

  rise() {
    const share = Math.max(0, Math.min(1, this.sum / this.full));
    this.tide.style.transform = `translateY(${94 - 94 * share}%)`;
  }

  count(from) {
    for (let step = 1; step <= STEPS; step += 1) {
      const value = Math.round(from + ((this.sum - from) * step) / STEPS);
      setTimeout(() => this.write(value), (COUNTING * step) / STEPS);
    }
  }

  write(value) {
    this.shown.textContent = signed(value) + (this.unknown ? " + ?" : "");
  }

  light(cells) {
    for (const square of this.place.querySelectorAll("[data-cell]")) {
      square.classList.toggle("lit", cells.includes(square.dataset.cell));
    }
  }
}

const signed = (number) => String(number).replace("-", "\u2212");

function remove(stage) {
  stage.remove();
  root.classList.remove("showing");
}

// The result is told as a whole, once: what had the focus is gone, and what stood hidden is heard only when it changes.
function announce(focused) {
  const after = document.querySelector("[data-after-reveal]");
  const status = after?.querySelector("[role=status]");
  if (status) status.replaceWith(status.cloneNode(true));
  if (after && focused) {
    after.tabIndex = -1;
    after.focus({ preventScroll: true });
  }
  window.scrollTo(0, 0);
  document.dispatchEvent(new CustomEvent("revealed"));
}

for (const button of document.querySelectorAll("[data-again]")) {
  button.hidden = still.matches;
  button.addEventListener("click", () => {
    sessionStorage.removeItem(document.querySelector("script[data-once]").dataset.once);
    location.reload();
  });
}

function remember(once) {
  try {
    sessionStorage.setItem(once, "seen");
  } catch {
    // no storage: it is watched again
  }
}

document.addEventListener("keydown", ({ key }) => key === "Escape" && document.querySelector("[data-skip]")?.click());
document.addEventListener("parts", reveal);
reveal();
