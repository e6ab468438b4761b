// The corners of a board, dragged where they belong; they may lie outside the picture.

import { say } from "./words.js";

for (const form of document.querySelectorAll("[data-corners]")) prepare(form);

function prepare(form) {
  const all = JSON.parse(form.dataset.corners);
  const svg = form.querySelector("svg");
  const field = form.querySelector("[name=corners]");
  const which = form.querySelector("[name=board]");
  const { x, y, width, height } = svg.viewBox.baseVal;
  const size = Math.max(width, height);
  let points = all[which.value].map((point) => [...point]);
  field.hidden = true;
  const marks = points.map((_, index) => mark(index));
  which.addEventListener("change", () => {
    points = all[which.value].map((point) => [...point]);
    draw();
  });
  draw();

  function circle(radius, name) {
    const element = document.createElementNS(svg.namespaceURI, "circle");
    element.setAttribute("r", radius);
    element.setAttribute("class", name);
    return element;
  }

  // A small mark to see by, in a circle large enough for a finger.
  function mark(index) {
    const group = document.createElementNS(svg.namespaceURI, "g");
    group.append(circle(size / 15, "hand"), circle(size / 50, "mark"));
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "slider");
    group.setAttribute("aria-label", say("Corner {n}", { n: index + 1 }));
    let from = null; // where the finger and the corner were
    group.addEventListener("pointerdown", (event) => {
      group.setPointerCapture(event.pointerId);
      from = { at: place(event), was: points[index] };
    });
    group.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [right, down] = place(event).map((value, axis) => value - from.at[axis] + from.was[axis]);
      points[index] = [clamp(right, x, x + width), clamp(down, y, y + height)];
      draw();
    });
    for (const end of ["pointerup", "pointercancel"]) group.addEventListener(end, () => (from = null));
    group.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      points[index] = points[index].map((value, axis) => value + (step[axis] * size) / 200);
      draw();
    });
    svg.append(group);
    return group;
  }

  function place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  function draw() {
    marks.forEach((group, index) => {
      const [right, down] = points[index];
      group.setAttribute("transform", `translate(${right} ${down})`);
      group.setAttribute("aria-valuetext", points[index].map(Math.round).join(", "));
      group.setAttribute("aria-valuenow", Math.round(right));
    });
    svg.querySelector("polygon").setAttribute("points", points.map((point) => point.join(",")).join(" "));
    field.value = JSON.stringify(points.map((point) => point.map(Math.round)));
  }
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
