// What every page with a little life in it shares: questions before something is thrown away, sharing, copying,
// and squares that light up with the line they belong to.

import { say } from "./words.js";

document.documentElement.classList.add("js");

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.ask;
  if (question && !window.confirm(question)) event.preventDefault();
});

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = button.dataset.share;
    if (navigator.share) {
      await navigator.share({ text }).catch(() => {}); // closing the sheet is no fault
    } else {
      await copy(text);
      button.textContent = say("Copied");
    }
  });
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

export function lightUp(root = document) {
  let last = ""; // where the pointer was: a page that scrolls away under it has not been pointed at
  const place = (event) => `${event.clientX} ${event.clientY}`;
  root.addEventListener("pointerover", (event) => place(event) !== last && light(event.target.closest("[data-cells]")));
  root.addEventListener("pointermove", (event) => (last = place(event)));
  root.addEventListener("focusin", (event) => light(event.target.closest("[data-cells]")));
  root.addEventListener("click", (event) => light(event.target.closest("[data-cells]")));
}

function light(line) {
  if (!line) return;
  const cells = new Set(line.dataset.cells.split(" "));
  const home = line.closest("[data-why]") ?? document;
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  line.classList.add("lit");
  for (const square of home.querySelectorAll("[data-cell]")) {
    square.classList.toggle("lit", cells.has(square.dataset.cell));
  }
}

lightUp();
for (const link of document.querySelectorAll(".pad a")) {
  link.addEventListener("click", () => light(document.getElementById(link.hash.slice(1))));
}
