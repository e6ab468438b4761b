// The live picture of the camera: outlines of the boards, one hint, the shutter, and a countdown that presses it. What is
// taken goes the way of any photo (shoot.js). Without a camera, or if nobody allows it, the page stays as it is.

import { say } from "./words.js";

const EVERY = 500; // ms between two looks
const LATE = 400; // ms after which what was seen no longer fits the picture
const GIVEN_UP = 4000; // ms
const COUNTDOWN = 1000; // ms
const FRAME = { side: 640, most: 60 * 1024, qualities: [0.75, 0.5, 0.25] }; // pixels, bytes
const PHOTO = { side: 2600, most: Infinity, qualities: [0.9] };
const MOVED = 0.02; // of the picture: corners that went further were not held still
const STEADY = 3; // looks in a row that saw the same
const BY_HAND = "photos by hand"; // in localStorage

const place = document.querySelector("[data-viewfinder]");
const form = document.querySelector("form[data-shoot]");
const field = form.querySelector("input[capture]");
const video = place.querySelector("video");
const outlines = place.querySelector("svg");
const hint = place.querySelector("[data-hint]");
const auto = place.querySelector("[data-auto]");
const canvas = document.createElement("canvas");
let seen = [];
let steady = 0;
let countdown = 0;

auto.checked = !localStorage.getItem(BY_HAND);
auto.addEventListener("change", () => {
  if (auto.checked) localStorage.removeItem(BY_HAND);
  else localStorage.setItem(BY_HAND, "1");
  wait();
});
place.querySelector("[data-shutter]").addEventListener("click", take);
form.addEventListener("refused", begin);
if (navigator.mediaDevices) begin();

async function begin() {
  const wanted = { facingMode: "environment", width: { ideal: 2592 }, height: { ideal: 1944 } };
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: wanted });
    await video.play();
  } catch {
    return;
  }
  place.hidden = false;
  field.previousElementSibling.textContent = say("Use the phone’s own camera");
  field.parentElement.classList.replace("primary", "quiet");
  while (video.srcObject) {
    const began = performance.now();
    if (document.hidden) wait();
    else show(await readFrame());
    await new Promise((done) => setTimeout(done, Math.max(EVERY - (performance.now() - began), 50)));
  }
}

// What the server sees on the picture of this moment; null if that took too long to be true any more.
async function readFrame() {
  const body = await picture(FRAME);
  const headers = { "Content-Type": "image/jpeg", "X-CSRFToken": form.elements.csrf_token.value };
  const asked = performance.now();
  try {
    const signal = AbortSignal.timeout(GIVEN_UP);
    const answer = await fetch(`${form.action}/look`, { method: "POST", body, headers, signal });
    const found = answer.ok ? await answer.json() : null;
    return found?.boards && performance.now() - asked <= LATE ? found : null;
  } catch {
    return null;
  }
}

// The picture of this moment as a JPEG of at most so many bytes.
async function picture({ side, most, qualities }) {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  [canvas.width, canvas.height] = [video.videoWidth * scale, video.videoHeight * scale];
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  let blob;
  for (const quality of qualities) {
    blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    if (blob.size <= most) break;
  }
  return blob;
}

function show(found) {
  if (!video.srcObject) return;
  const boards = found?.boards ?? [];
  const still = boards.length === seen.length && boards.every((board) => seen.some((other) => near(board, other)));
  seen = boards;
  steady = found?.good && still ? steady + 1 : 0;
  outlines.replaceChildren(...boards.map(outline), ...(found?.at ? [spot(found.at)] : []));
  if (steady < STEADY || !auto.checked) wait();
  else countdown ||= setTimeout(take, COUNTDOWN);
  place.classList.toggle("counting", Boolean(countdown));
  if (!found) hint.textContent = say("Take the photo yourself");
  else if (countdown) hint.textContent = say("Taking the photo…");
  else hint.textContent = found.hint || (boards.length && !still ? say("Hold still") : "");
}

function wait() {
  clearTimeout(countdown);
  countdown = 0;
}

function near(board, other) {
  return board.every(([x, y], index) => Math.abs(x - other[index][0]) < MOVED && Math.abs(y - other[index][1]) < MOVED);
}

function drawn(name, values) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) shape.setAttribute(key, value);
  return shape;
}

function outline(board) {
  return drawn("polygon", { points: board.map((corner) => corner.join()).join(" ") });
}

function spot([x, y]) {
  return drawn("ellipse", { cx: x, cy: y, rx: 0.05, ry: (0.05 * video.videoWidth) / video.videoHeight });
}

async function take() {
  wait();
  steady = 0;
  const photo = new File([await picture(PHOTO)], "photo.jpg", { type: "image/jpeg" });
  for (const track of video.srcObject?.getTracks() ?? []) track.stop();
  video.srcObject = null;
  place.hidden = true;
  const files = new DataTransfer();
  files.items.add(photo);
  field.files = files.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
