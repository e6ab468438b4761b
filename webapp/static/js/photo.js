// A photo instead of taps: made small before it is sent, looked over by tapping, its corners dragged where they belong.

import "./page.js";
import { say } from "./words.js";

const LONGEST = 2200; // pixels; more tell the reader nothing
const QUALITY = 0.88;

// -- taking and sending --

const shoot = document.querySelector("[data-shoot]");
if (shoot) {
  const file = shoot.querySelector("input[type=file]");
  file.addEventListener("change", () => file.files.length && shoot.requestSubmit());
  shoot.addEventListener("submit", async (event) => {
    event.preventDefault();
    const status = shoot.querySelector("[role=status]");
    status.hidden = false;
    status.textContent = status.dataset.sending;
    const body = new FormData(shoot);
    body.set("photo", await smaller(file.files[0]), "board.jpg");
    const upload = new XMLHttpRequest(); // the one that tells how far it is
    upload.upload.addEventListener("progress", ({ loaded, total }) => {
      const { sending, reading } = status.dataset;
      const share = Math.round((100 * loaded) / total);
      status.textContent = loaded < total ? say("{sending} {share} %", { sending, share }) : reading;
    });
    upload.addEventListener("load", () => show(upload));
    upload.addEventListener("error", () => shoot.submit());
    upload.open("POST", shoot.action);
    upload.send(body);
  });
}

// The answer is either the review, at an address of its own, or this page with what was wrong.
function show(upload) {
  if (upload.responseURL !== shoot.action) {
    window.location.assign(upload.responseURL);
    return;
  }
  const page = new DOMParser().parseFromString(upload.responseText, "text/html");
  const fresh = page.querySelector(".errors");
  shoot.querySelector(".errors")?.remove();
  shoot.querySelector("[role=status]").hidden = true;
  if (fresh) shoot.querySelector("input[type=file]").after(fresh);
  else window.location.reload();
}

// What the browser cannot decode, such as HEIC, is sent as it is.
async function smaller(photo) {
  try {
    const picture = await createImageBitmap(photo, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob((blob) => done(blob ?? photo), "image/jpeg", QUALITY));
  } catch {
    return photo;
  }
}

// -- looking over: each tap shows the next likeliest piece --

for (const square of document.querySelectorAll("[data-reading] .square")) {
  const select = square.querySelector("select");
  square.addEventListener("click", () => {
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    shown(square, select);
    select.focus({ preventScroll: true });
  });
  select.addEventListener("click", (event) => event.stopPropagation());
  select.addEventListener("change", () => shown(square, select));
}

function shown(square, select) {
  square.classList.remove("doubtful");
  for (const face of square.querySelectorAll("[data-face]")) face.hidden = face.dataset.face !== select.value;
}

// -- corners --

const corners = document.querySelector("[data-corners]");
if (corners) {
  const svg = corners.querySelector("svg");
  const field = corners.querySelector("[name=corners]");
  const points = JSON.parse(field.value);
  const size = Math.max(svg.viewBox.baseVal.width, svg.viewBox.baseVal.height);
  const marks = points.map((_, index) => mark(index));
  field.hidden = true;
  draw();

  function mark(index) {
    const circle = document.createElementNS(svg.namespaceURI, "circle");
    circle.setAttribute("r", size / 28);
    circle.setAttribute("tabindex", "0");
    circle.setAttribute("role", "slider");
    circle.setAttribute("aria-label", say("Corner {n}", { n: index + 1 }));
    circle.addEventListener("pointerdown", (event) => {
      circle.setPointerCapture(event.pointerId);
      circle.onpointermove = (moved) => place(index, moved);
    });
    circle.addEventListener("pointerup", () => (circle.onpointermove = null));
    circle.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      points[index] = points[index].map((value, axis) => value + (step[axis] * size) / 200);
      draw();
    });
    svg.append(circle);
    return circle;
  }

  function place(index, event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    points[index] = [Math.round(point.x), Math.round(point.y)];
    draw();
  }

  function draw() {
    marks.forEach((circle, index) => {
      circle.setAttribute("cx", points[index][0]);
      circle.setAttribute("cy", points[index][1]);
      circle.setAttribute("aria-valuetext", points[index].map(Math.round).join(", "));
      circle.setAttribute("aria-valuenow", Math.round(points[index][0]));
    });
    svg.querySelector("polygon").setAttribute("points", points.map((point) => point.join(",")).join(" "));
    field.value = JSON.stringify(points);
  }
}
