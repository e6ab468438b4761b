// What every page does: install the service worker, send what an earlier page could not, and say once what plain http
// has to do without.

const UNDERSTOOD = "plain http is understood";

// Once the page is there: what the worker fetches is for later.
const worker = new URL("sw.js", document.querySelector('link[rel="manifest"]').href);
window.addEventListener("load", () => navigator.serviceWorker?.register(worker).catch(() => {})); // private windows refuse

// Pages that are entered see to it themselves.
const elsewhere = document.querySelector('form:not([data-live]) input[name="csrf_token"]');
if (localStorage.getItem("unsent changes") && elsewhere && !document.querySelector("form[data-live]")) {
  import("./queue.js").then(({ flush, unsent }) => {
    const isHome = () => document.body.classList.contains("home"); // which lists the game that has begun
    document.addEventListener("sent", () => isHome() && !unsent() && location.reload());
    flush();
  });
}

const plain = document.querySelector(".when-plain");
if (plain && !window.isSecureContext && !localStorage.getItem(UNDERSTOOD)) {
  document.body.classList.add("plain");
  localStorage.setItem(UNDERSTOOD, "1");
  plain.querySelector("button").addEventListener("click", () => document.body.classList.remove("plain"));
}

// On a phone with a camera that pages may use, the way to it is the page with the live picture.
let live = false;
const cameras = document.querySelector("[data-shoot]") && matchMedia("(pointer: coarse)").matches && navigator.mediaDevices;
if (cameras && !document.querySelector("[data-viewfinder]")) {
  cameras.enumerateDevices().then((found) => (live = found.some(({ kind }) => kind === "videoinput")));
}
document.addEventListener("click", (event) => {
  const { target } = event;
  if (!live || !target.hasAttribute("capture") || !target.form?.matches("[data-shoot]") || target.form.elements.wants) return;
  event.preventDefault();
  window.location.assign(target.form.action);
});

// A photo is sent as soon as it is there; the script for it comes while the camera opens.
document.addEventListener("click", ({ target }) => {
  if (target.type === "file" && target.form?.matches("[data-shoot]")) import("./shoot.js").catch(() => {});
});
document.addEventListener("change", ({ target }) => {
  if (target.type !== "file" || !target.form?.matches("[data-shoot]") || !target.files.length) return;
  import("./shoot.js").then(
    ({ send }) => send(target),
    () => target.form.submit()
  );
});
