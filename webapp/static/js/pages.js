// The other pages of this game that this phone enters: fetched while there is a network, and shown without one. They are
// kept in memory only, because they hold tokens. A page that is left without a network stays as it was.

import { unsent } from "./queue.js";

const SOON = 1500; // ms after the page is there, or after a change was sent
const CARRIED = [".keeping", "[data-part=acts]", "[data-lots]"]; // the same on every page, and up to date on this one
const KINDS = ["home", "laying", "editing"]; // classes of the body

export const pages = new Map(); // by path; the one that is shown is not among them
let here = location.pathname;
let begun = null; // where a game has begun of which the server has not heard yet: nothing could be loaded from there
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
export function put(place, page) {
  if (page.querySelector("main form[data-live]")) pages.set(place, kept(page));
  else pages.delete(place);
}

const kindOf = (page) => KINDS.find((kind) => page.body.classList.contains(kind));
const stylesOf = (page) => [...page.querySelectorAll("link[rel=stylesheet]")];

function kept(page) {
  const styles = stylesOf(page).filter((link) => link.media !== "none");
  const { title, body } = page;
  return {
    main: page.querySelector("main"),
    title,
    kind: kindOf(page),
    styles: styles.map((link) => link.href),
    world: { ...body.dataset },
  };
}

// The styles of another kind of page are loaded, and wait.
export function load(page) {
  const here = stylesOf(document).map((link) => link.href);
  for (const link of stylesOf(page).filter(({ href }) => !here.includes(href))) {
    document.head.append(Object.assign(link.cloneNode(), { media: "none" }));
  }
}

function dress({ styles, kind, world, title }) {
  for (const link of stylesOf(document)) link.media = styles.includes(link.href) ? "" : "none";
  document.body.classList.replace(kindOf(document), kind);
  for (const name of ["world", "drawn"]) {
    if (name in world) document.body.dataset[name] = world[name];
    else delete document.body.dataset[name];
  }
  document.title = title;
}

// A game of which the server hears with its first change.
export function begin(place) {
  begun = place;
  show(`${place}setup`);
}

export function show(place, moves = true) {
  const page = pages.get(place);
  pages.delete(place);
  const left = document.querySelector("main");
  pages.set(here, kept(document));
  for (const name of CARRIED) {
    const [ours, theirs] = [left.querySelector(name), page.main.querySelector(name)];
    if (!ours || !theirs) continue;
    ours.replaceWith(ours.cloneNode(true));
    theirs.replaceWith(ours);
  }
  left.replaceWith(page.main);
  dress(page);
  here = place;
  const address = begun && place.startsWith(begun) ? undefined : place;
  if (moves) history.pushState(place, "", address);
  else history.replaceState(place, "", address);
  window.scrollTo(0, 0);
  page.main.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("shown"));
}

document.addEventListener("sent", ({ detail: { change, page } }) => {
  if (change.url.endsWith("/setup")) pages.clear(); // other names, other cards
  if (begun && change.url === `${begun}setup`) {
    if (here.startsWith(begun)) history.replaceState(here, "", here);
    begun = null;
  }
  if (page && change.url !== here && !unsent(change.url)) put(change.url, page);
  soon();
});
window.addEventListener("popstate", ({ state }) => {
  const place = state ?? location.pathname;
  if (place === here || location.hash) return;
  if (has(place)) show(place, false);
  else location.reload();
});
window.addEventListener("load", soon);
