// Sends photos: shown at once, made small and upright first, with word of how far they are; never the same twice.

import { say } from "./words.js";

const LONGEST = 2600; // pixels; more tell the reader nothing
const QUALITY = 0.86;

let busy = false;

// Send what the field holds, one photo after the other, and go to where the last answer stands.
export async function send(field) {
  const form = field.form;
  const place = field.closest(".shoot"); // the field may stand in the midst of another form
  if (busy) return;
  busy = true;
  place.inert = true;
  const shown = preview(place);
  const photos = [...field.files];
  let target = { url: form.action, pairs: [...new FormData(form)].filter(([name]) => name !== "photo") };
  for (const [index, photo] of photos.entries()) {
    shown.show(photo, index, photos.length);
    const small = await smaller(photo);
    const answer = await arrived(target, small, shown);
    const page = answer && new DOMParser().parseFromString(answer.responseText, "text/html");
    if (!answer || answer.status >= 400 || answer.responseURL === target.url) {
      return stop(place, shown, answer, page);
    }
    // A table that was laid with the first photo takes the others.
    const next = page.querySelector("[data-shoot]");
    if (index + 1 === photos.length || !next) return window.location.assign(answer.responseURL);
    target = { ...target, url: new URL(next.getAttribute("action"), answer.responseURL).href };
  }
}

// It could not be read, or did not arrive: the words for it, and everything as before.
function stop(place, shown, answer, page) {
  busy = false;
  place.inert = false;
  shown.remove();
  for (const field of place.querySelectorAll("input[type=file]")) field.value = "";
  place.dispatchEvent(new Event("refused"));
  const said = page?.querySelector(".shoot .errors, #photo-errors");
  const words = answer
    ? (page?.querySelector("main h1")?.textContent ?? say("Something went wrong with the photo."))
    : say("No connection. Take the photo again in a moment.");
  const list = said ?? Object.assign(document.createElement("ul"), { className: "errors" });
  if (!said) list.append(Object.assign(document.createElement("li"), { textContent: words }));
  place.querySelector("[role=alert]").replaceChildren(list);
}

// The picture as it is on the phone, and beneath it how far it is.
function preview(place) {
  const figure = Object.assign(document.createElement("figure"), { className: "sending" });
  const picture = Object.assign(document.createElement("img"), { alt: "" });
  const bar = document.createElement("progress");
  const words = document.createElement("p");
  words.setAttribute("role", "status");
  bar.setAttribute("aria-label", say("Photo progress"));
  figure.append(picture, bar, words);
  place.append(figure);
  place.querySelector("[role=alert]").replaceChildren();
  let which = "";
  const report = (text) => (words.textContent = which + text);
  return {
    show(photo, index, count) {
      URL.revokeObjectURL(picture.src);
      picture.hidden = false;
      picture.onerror = () => (picture.hidden = true); // a kind that this browser cannot show
      picture.src = URL.createObjectURL(photo);
      which = count > 1 ? say("Photo {n} of {count}: ", { n: index + 1, count }) : "";
      bar.removeAttribute("value");
      report(say("Shrinking the photo…"));
      figure.scrollIntoView({ block: "nearest" });
    },
    sending(share) {
      bar.value = share;
      report(say("Sending… {percent}%", { percent: Math.round(100 * share) }));
    },
    reading() {
      bar.removeAttribute("value");
      report(say("Reading the boards…"));
    },
    remove() {
      URL.revokeObjectURL(picture.src);
      figure.remove();
    },
  };
}

// XMLHttpRequest, the one that tells how far it is. Its answer, or null if none came.
function arrived({ url, pairs }, photo, shown) {
  const body = new FormData();
  for (const [name, value] of pairs) body.append(name, value);
  body.append("photo", photo, "photo.jpg");
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) => shown.sending(loaded / total));
    request.upload.addEventListener("load", () => shown.reading());
    request.addEventListener("load", () => done(request));
    request.addEventListener("error", () => done(null));
    request.open("POST", url);
    request.send(body);
  });
}

// What the browser cannot decode, such as HEIC on most, is sent as it is.
async function smaller(photo) {
  try {
    const picture = await upright(photo);
    const [wide, high] = [picture.naturalWidth ?? picture.width, picture.naturalHeight ?? picture.height];
    const scale = Math.min(1, LONGEST / Math.max(wide, high));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(wide * scale), Math.round(high * scale)];
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close?.();
    return await new Promise((done) => canvas.toBlob((blob) => done(blob ?? photo), "image/jpeg", QUALITY));
  } catch {
    return photo;
  }
}

// The way the phone was held is in the file; older iPhones turn pictures only where an image element draws them.
async function upright(photo) {
  try {
    return await createImageBitmap(photo, { imageOrientation: "from-image" });
  } catch {
    const image = new Image();
    image.src = URL.createObjectURL(photo);
    try {
      await image.decode();
    } finally {
      URL.revokeObjectURL(image.src);
    }
    return image;
  }
}

// Somebody who comes back to a page finds it as it was, not in the middle of sending.
window.addEventListener("pageshow", ({ persisted }) => persisted && window.location.reload());
