// The home page: a game can begin without a network, because the pages of a new one are loaded in time.

const SOON = 3000; // ms after the home page is there; most people have tapped by then
const PAUSE = 5000; // ms between two games: nobody waits for them
const PATIENCE = 3000; // ms until a server that doesn't answer counts as no network

const form = document.querySelector("form[data-begins]");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
let begin = null;
let asks = false; // whether the server can be reached
let goes = false; // it can

async function prepare() {
  if (navigator.connection?.saveData) return;
  await pause(SOON);
  const game = await import("./new_game.js");
  begin = game.begin;
  for (const { value } of form.querySelectorAll("[name=game]")) {
    await game.load(form.action, value).catch(() => {}); // no network: this game can't begin without one
    await pause(PAUSE);
  }
}

// A phone may have a network from which it can't reach a server at home.
async function isReached() {
  if (!navigator.onLine) return false;
  const address = document.querySelector("link[rel=manifest]").href;
  const options = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE) };
  return fetch(address, options).then(
    () => true,
    () => false
  );
}

form.addEventListener("submit", async (event) => {
  const { submitter } = event;
  if (goes || !begin) return;
  event.preventDefault();
  if (asks) return;
  asks = true;
  goes = (await isReached()) || !begin(form.action, submitter.value);
  if (goes) form.requestSubmit(submitter);
  asks = goes = false;
});
window.addEventListener("load", () => prepare().catch(() => {})); // no network for its scripts
