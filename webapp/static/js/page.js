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
