// The reveal, beat by beat. All phones count from the moment the host pressed the button, as the server tells it.

export function reveal() {
  const stage = document.querySelector("[data-stage]:not([data-ready])");
  if (!stage) return;
  stage.dataset.ready = "";
  const after = document.querySelector("[data-after-reveal]");
  const beats = [...stage.querySelectorAll("[data-beat]")];
  const step = Number(stage.dataset.step);
  const start = performance.now() - Number(stage.dataset.elapsed);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;

  const end = () => {
    clearTimeout(timer);
    stage.remove();
    after.classList.remove("after-reveal");
    after.querySelector(".winner")?.scrollIntoView({ block: "nearest" });
  };
  const turn = () => {
    const due = Math.floor((performance.now() - start) / step);
    if (still.matches || due > beats.length) return end();
    beats.forEach((beat, index) => beat.classList.toggle("shown", index < due));
    const acts = [...stage.querySelectorAll("[data-act]")];
    const now = acts.findLastIndex((act) => act.querySelector(".shown"));
    acts.forEach((act, index) => {
      act.classList.toggle("past", index < now);
      act.classList.toggle("coming", index > now);
    });
    beats[due - 1]?.scrollIntoView({ block: "nearest" });
    timer = setTimeout(turn, step - ((performance.now() - start) % step) + 5);
  };
  stage.querySelector("[data-skip]").addEventListener("click", end);
  turn();
}

document.addEventListener("parts", reveal);
reveal();
