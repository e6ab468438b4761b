// What every page does: install the service worker, send what an earlier page could not, and say once what plain http
// has to do without.

const UNDERSTOOD = "plain http is understood";

// Once the page is there: what the worker fetches is for later.
const worker = new URL("sw.js", document.querySelector('link[rel="manifest"]').href);
window.addEventListener("load", () => navigator.serviceWorker?.register(worker).catch(() => {})); // private windows refuse

// Pages that are entered see to it themselves.
const elsewhere = document.querySelector('form:not([data-live]) input[name="csrf_token"]');
if (localStorage.getItem("unsent changes") && elsewhere && !document.querySelector("form[data-live]")) {
  import("./queue.js").then((queue) => queue.flush());
}

const plain = document.querySelector(".when-plain");
if (plain && !window.isSecureContext && !localStorage.getItem(UNDERSTOOD)) {
  document.body.classList.add("plain");
  localStorage.setItem(UNDERSTOOD, "1");
  plain.querySelector("button").addEventListener("click", () => document.body.classList.remove("plain"));
}

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
