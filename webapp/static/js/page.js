// What every page with a little life in it shares: questions before something is thrown away, sharing, copying,
// and squares that light up with the line they belong to.

import { say } from "./words.js";

document.documentElement.classList.add("js");

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const question = submitter?.dataset.ask ?? form.dataset.ask;
  if (!question || form.dataset.answered) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // nothing is sent before the answer
  ask(question, submitter.ariaLabel ?? submitter.textContent, () => {
    form.dataset.answered = "yes";
    form.requestSubmit(submitter);
    delete form.dataset.answered;
  });
});

// The button that agrees says the same as the one that was tapped, so that nobody has to guess what “OK” does.
function ask(question, verb, agreed) {
  const dialog = document.createElement("dialog");
  dialog.innerHTML = `<form method="dialog"><p id="question"></p>
    <div class="bar"><button value="agreed"></button><button class="quiet" autofocus></button></div></form>`;
  dialog.setAttribute("aria-labelledby", "question");
  dialog.querySelector("p").textContent = question;
  const [agree, cancel] = dialog.querySelectorAll("button");
  agree.textContent = verb;
  cancel.textContent = say("Cancel");
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue === "agreed") agreed();
  });
  document.body.append(dialog);
  dialog.showModal();
}

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = false;
  const files = [];
  if (button.dataset.picture && navigator.canShare) window.setTimeout(prepare, 1500, button.dataset.picture, files);
  button.addEventListener("click", () => {
    const text = button.dataset.share;
    if (files.length && navigator.canShare({ files })) {
      navigator.share({ files }).catch(() => {}); // closing the sheet is no fault
    } else if (navigator.share) {
      navigator.share({ text }).catch(() => {});
    } else {
      copy(text).then(() => (button.textContent = say("Copied")));
    }
  });
}

// A device hands on a file only if it is there when the button is pressed.
async function prepare(address, files, tries = 3) {
  try {
    const answer = await fetch(address);
    if (answer.ok) files.push(new File([await answer.blob()], "tidemark.png", { type: "image/png" }));
    else if (answer.status === 503 && tries > 1) window.setTimeout(prepare, 2500, address, files, tries - 1);
  } catch {
    // no network: the text is shared
  }
}

for (const button of document.querySelectorAll("[data-copy-text]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button.dataset.copyText).then(() => (button.textContent = say("Copied"))));
}

// Where a device can hand on files, the picture goes straight to whom it is meant for; elsewhere it is downloaded.
for (const link of document.querySelectorAll("[data-share-picture]")) {
  if (!navigator.canShare) continue;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const answer = await fetch(link.href);
    const picture = new File([await answer.blob()], `${link.download || "tidemark"}.png`, { type: "image/png" });
    if (navigator.canShare({ files: [picture] })) {
      await navigator.share({ files: [picture] }).catch(() => {}); // closing the sheet is no fault
    } else {
      window.location.assign(link.href);
    }
  });
}

for (const link of document.querySelectorAll("[data-copy]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    copy(link.href).then(() => link.insertAdjacentText("afterend", " " + say("Copied.")));
  });
}

// The clipboard is there only over HTTPS; at home we select the text and copy the old way.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// A line lights the squares it counts: under the pointer, with the keyboard, and when it is tapped, which also brings
// them into view; so does a number in the table of all players, which names its line.
let last = ""; // where the pointer was: a page that scrolls away under it has not been pointed at
const place = (event) => `${event.clientX} ${event.clientY}`;
const line = (event) => event.target.closest("[data-cells]");
document.addEventListener("pointerover", (event) => place(event) !== last && light(line(event)));
document.addEventListener("pointermove", (event) => (last = place(event)));
document.addEventListener("focusin", (event) => light(line(event)));
document.addEventListener("click", (event) => {
  const named = event.target.closest(".pad a");
  const cited = named ? document.getElementById(named.hash.slice(1)) : line(event);
  if (!cited || event.defaultPrevented) return;
  if (named) {
    event.preventDefault(); // the line alone would come into view, without its board
    history.replaceState(null, "", named.hash);
    cited.querySelector("details")?.toggleAttribute("open", true);
    cited.focus({ preventScroll: true });
  }
  light(cited);
  bring(cited);
});

function light(line) {
  if (!line) return;
  const cells = new Set(line.dataset.cells.split(" "));
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  line.classList.add("lit");
  for (const square of squares(line)) square.classList.toggle("lit", cells.has(square.dataset.cell));
}

const squares = (line) => (line.closest("[data-why]") ?? document).querySelectorAll("[data-cell]");

// The line and its squares come into view together; if they are too far apart, the squares do.
function bring(line) {
  const lit = [...squares(line)].filter((square) => square.classList.contains("lit"));
  const bar = document.querySelector(".outcome, .editing main > form > .bar")?.offsetHeight ?? 0;
  const room = window.innerHeight - bar - 16;
  const boxes = [line, ...lit].map((one) => one.getBoundingClientRect());
  const board = boxes.slice(lit.length ? 1 : 0);
  const [top, end] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  const first = end - top > room - 16 ? Math.min(...board.map((box) => box.top)) : top;
  const low = end - top > room - 16 ? Math.min(first + room - 16, Math.max(...board.map((box) => box.bottom))) : end;
  const by = first < 16 ? first - 16 : Math.max(0, low - room);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (by) window.scrollBy({ top: by, behavior: still ? "instant" : "smooth" });
  // a street of cards moves sideways in its own box
  for (const square of lit.slice(0, 1)) {
    const strip = square.closest(".strip, [role=grid]");
    if (strip && strip.scrollWidth > strip.clientWidth) strip.scrollTo({ left: square.offsetLeft - strip.offsetLeft - 48 });
  }
}
