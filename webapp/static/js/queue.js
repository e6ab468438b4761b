// Changes on their way to the server: kept in this browser until they have arrived, sent in order, each made once.
//
// A change is what a form held at that moment, with a name of its own by which the server knows it again if it comes
// twice, and the version it was made on. The list lives in memory and is mirrored in IndexedDB, from where the next page
// picks up what was left: on load, when the network is back, when the page is put away or looked at again. Events on
// document: "sent" {change, page} or {change, answer}, "unsent" (no answer; tried again soon), "conflict" {change}, "refused" {change}.

const STORE = "changes";
const MARK = "unsent changes"; // in localStorage, so that a page without forms need not look further
const RETRY = 2000; // ms, more or less: a server that comes back does not hear from everybody at once
const FORGOTTEN = 30 * 24 * 3600 * 1000; // ms; by then the table is gone as well

let changes = [];
let flushing = null;
let timer = 0;

const database = new Promise((resolve) => {
  const request = indexedDB.open("tidemark", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "order" });
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => resolve(null); // memory has to do
});

// Known once what earlier pages left behind is in the list: those changes.
export const ready = database.then(
  (db) =>
    new Promise((resolve) => {
      if (!db) return resolve([]);
      const request = db.transaction(STORE).objectStore(STORE).getAll();
      request.onsuccess = () => {
        const known = new Set(changes.map((change) => change.name));
        const left = request.result.filter((change) => !known.has(change.name));
        for (const old of left.filter((change) => change.made < Date.now() - FORGOTTEN)) forget(old);
        const kept = left.filter((change) => change.made >= Date.now() - FORGOTTEN);
        changes = [...kept, ...changes];
        resolve(kept);
      };
      request.onerror = () => resolve([]);
    })
);

function store(action) {
  if (changes.length) localStorage.setItem(MARK, "1");
  else localStorage.removeItem(MARK);
  database.then((db) => {
    if (!db) return;
    const kept = db.transaction(STORE, "readwrite");
    action(kept.objectStore(STORE));
    kept.commit?.(); // not only once its answer was heard, for a page that is left at once hears nothing any more
  });
}

function forget(change) {
  changes = changes.filter((one) => one !== change);
  store((changes) => changes.delete(change.order));
}

// Not crypto.randomUUID, which plain http does not have.
function newName() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join("");
}

// Keep what the form holds. The latest values make place for newer ones of the same form, which hold them too, unless they
// have been on their way; a pressed button is an act that nothing takes the place of.
export function keep(url, pairs, version, pressed) {
  const last = changes.at(-1);
  if (last?.url === url && !last.tried && !last.pressed) {
    Object.assign(last, { pairs, pressed });
    store((changes) => changes.put(last));
    return;
  }
  const order = Math.max(Date.now() * 1000, (changes.at(-1)?.order ?? 0) + 1);
  const change = { order, name: newName(), url, pairs, version, pressed, tried: 0, made: Date.now() };
  changes.push(change);
  store((changes) => changes.put(change));
}

// Whose board it is: players of a game that has begun without a network may change places.
export const player = ({ pairs }) => pairs.find(([name]) => name === "player")?.[1];

export const unsent = (url) => changes.some((change) => (!url || change.url === url) && !change.refused);
export const refused = () => changes.filter((change) => change.refused);

export function discard() {
  for (const change of refused()) forget(change);
}

// Send what there is; true when all of it has arrived.
export async function flush() {
  await ready;
  flushing ??= sendAll().finally(() => (flushing = null));
  return flushing;
}

async function sendAll() {
  clearTimeout(timer);
  for (;;) {
    const change = changes.find((one) => !one.refused);
    if (!change) return true;
    if (!(await send(change))) {
      tell("unsent", { change });
      timer = setTimeout(flush, RETRY * (0.75 + Math.random() / 2));
      return false;
    }
  }
}

// The tags of what this page shows: who sends them is answered with the parts that have others.
export function known(url) {
  const form = document.querySelector("form[data-tags]");
  return form && new URL(form.action).pathname === url ? form.dataset.tags : null;
}

async function send(change) {
  const token = document.querySelector('input[name="csrf_token"]')?.value;
  if (!token) return false;
  change.tried += 1;
  store((changes) => changes.put(change));
  const body = new URLSearchParams(); // which the server reads faster than FormData
  for (const [name, value] of change.pairs) body.append(name, value);
  body.append("csrf_token", token);
  body.append("change", change.name);
  if (change.version !== null) body.append("version", change.version);
  const tags = known(change.url);
  if (tags) body.append("tags", tags);
  let answer, text;
  try {
    answer = await fetch(change.url, { method: "POST", body, headers: { "X-Tidemark": "part" }, keepalive: true });
    text = await answer.text();
  } catch {
    return false;
  }
  return arrived(change, answer, text);
}

function arrived(change, answer, text) {
  if (answer.status === 409) {
    forget(change);
    tell("conflict", { change });
  } else if (answer.ok && answer.headers.get("Content-Type") === "application/json") {
    const parts = JSON.parse(text);
    follow(change, String(parts.version), parts.fields);
    tell("sent", { change, answer: parts });
  } else if (answer.ok && !answer.redirected) {
    const page = new DOMParser().parseFromString(text, "text/html");
    follow(change, page.querySelector('form[data-live] input[name="version"]')?.value ?? null);
    tell("sent", { change, page });
  } else if ([403, 404, 410, 413].includes(answer.status) || answer.redirected) {
    change.refused = answer.status;
    store((changes) => changes.put(change));
    tell("refused", { change });
  } else return false; // busy, restarting, or a page too old to post from: later
  return true;
}

// What was entered on top of this change is now on top of what the server made of it, and of what another phone changed
// in fields that this one has left alone since.
function follow(change, version, fields = {}) {
  forget(change);
  const sent = new Map(change.pairs);
  for (const next of changes.filter((one) => one.url === change.url && player(one) === player(change))) {
    next.version = version;
    next.pairs = next.pairs.map(([name, value]) => [name, value === sent.get(name) && name in fields ? fields[name] : value]);
    store((changes) => changes.put(next));
  }
}

function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

for (const moment of ["online", "pagehide"]) window.addEventListener(moment, flush);
document.addEventListener("visibilitychange", flush);
