// The other pages of this game that this phone enters: fetched while there is a network, and shown without one. They are
// kept in memory only, because they hold tokens. A page that is left without a network stays as it was.

import { unsent } from "./queue.js";

const SOON = 1500; // ms after the page is there, or after a change was sent
const CARRIED = [".keeping", "[data-part=acts]", "[data-lots]"]; // the same on every page, and up to date on this one
const KINDS = ["laying", "editing"]; // classes of the body

const pages = new Map(); // by path; the one that is shown is not among them
let here = location.pathname;
let timer = 0;

// The path of the page a button leads to, if this phone may have kept it.
export function placeOf(go) {
  const table = new URL(document.querySelector("form[data-live]").action).pathname.replace(/(seats\/\d+|facts|setup|companion)$/, "");
  if (go === "start" && !document.querySelector("[data-news]")) return `${table}seats/0`;
  return /^(\d+|facts)$/.test(go) ? table + go.replace(/^\d/, "seats/$&") : null;
}

export const has = (place) => pages.has(place);

function soon() {
  clearTimeout(timer);
  timer = setTimeout(fetchAll, SOON);
}

// One page after the other; each may lead to more.
async function fetchAll() {
  const places = linked(document);
  for (const place of places) {
    if (unsent() || !navigator.onLine) return;
    if (place !== here && !pages.has(place)) await fetchOne(place);
    if (pages.has(place)) places.push(...linked(pages.get(place).main).filter((one) => !places.includes(one)));
  }
}

function linked(page) {
  const places = [...page.querySelectorAll("[data-go]")].map((button) => placeOf(button.value));
  return [...new Set(places)].filter(Boolean);
}

async function fetchOne(place) {
  try {
    const answer = await fetch(place, { cache: "no-store", redirect: "manual" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const { src } of page.querySelectorAll("script[type=module]")) await import(src);
    if (!unsent(place)) put(place, page);
  } catch {
    // no network; fetched after the next change that is sent
  }
}

// A board that this phone may not enter leads elsewhere, and has no form.
function put(place, page) {
  const main = page.querySelector("main:has(form[data-live])");
  if (main) pages.set(place, { main, title: page.title, kind: kindOf(page) });
  else pages.delete(place);
}

const kindOf = (page) => KINDS.find((kind) => page.body.classList.contains(kind));

export function show(place) {
  const page = pages.get(place);
  pages.delete(place);
  const left = document.querySelector("main");
  pages.set(here, { main: left, title: document.title, kind: kindOf(document) });
  for (const name of CARRIED) {
    const [ours, theirs] = [left.querySelector(name), page.main.querySelector(name)];
    if (!ours || !theirs) continue;
    ours.replaceWith(ours.cloneNode(true));
    theirs.replaceWith(ours);
  }
  left.replaceWith(page.main);
  document.body.classList.replace(kindOf(document), page.kind);
  document.title = page.title;
  here = place;
  if (location.pathname !== here) history.pushState(null, "", here);
  window.scrollTo(0, 0);
  page.main.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("shown"));
}

document.addEventListener("sent", ({ detail: { change, page } }) => {
  if (change.url.endsWith("/setup")) pages.clear(); // other names, other cards
  if (page && change.url !== here && !unsent(change.url)) put(change.url, page);
  soon();
});
window.addEventListener("popstate", () => has(location.pathname) && show(location.pathname));
window.addEventListener("load", soon);
