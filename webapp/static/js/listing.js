// The history on a wide screen: the game that was chosen opens beside the list. Elsewhere each row leads to its page.

import "./page.js";

const wide = matchMedia("(min-width: 56.25rem)");
const pane = document.querySelector("[data-reading]");
const rows = [...document.querySelectorAll(".plays a")];

for (const row of rows) {
  row.addEventListener("click", (event) => {
    if (!wide.matches || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(row);
  });
}
wide.addEventListener("change", begin);
begin();

// The one that was open before one went elsewhere and came back, or the first.
function begin() {
  if (wide.matches && rows.length && pane.hidden) open(rows.find((row) => key(row) === location.hash) ?? rows[0]);
}

function key(row) {
  return `#${row.pathname.split("/").pop()}`;
}

async function open(row) {
  for (const other of rows) other.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
  history.replaceState(null, "", key(row));
  let page;
  try {
    const answer = await fetch(row.href);
    if (!answer.ok) return location.assign(row.href);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return; // no network: the list is still there
  }
  await dress(page);
  if (!row.hasAttribute("aria-current")) return; // another was chosen meanwhile
  pane.replaceChildren(...page.querySelector("[data-read]").children);
  for (const mark of ["world", "drawn"]) {
    if (mark in page.body.dataset) pane.dataset[mark] = page.body.dataset[mark];
    else delete pane.dataset[mark];
  }
  pane.hidden = false;
  pane.scrollTop = 0;
  const pageLink = pane.querySelector("[data-whole]");
  pageLink.href = row.href;
  pageLink.hidden = false;
}

// The sheets of the game's own page that are not here yet.
function dress(page) {
  const here = new Set([...document.querySelectorAll("link[rel=stylesheet]")].map((sheet) => sheet.href));
  const missing = [...page.querySelectorAll("link[rel=stylesheet]")].filter((sheet) => !here.has(sheet.href));
  return Promise.all(missing.map(load));
}

function load({ href }) {
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(sheet);
  return new Promise((done) => (sheet.onload = sheet.onerror = done));
}
