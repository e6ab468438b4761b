// Laying a table: seats can be dragged into order; the arrows beside them do the same.

import "./live.js";
import "./lots.js";

const form = document.querySelector("form[data-live]");

document.addEventListener("pointerdown", (event) => {
  const name = event.target.closest("[data-seat] .name");
  if (name) drag(name.parentElement, event);
});

function drag(seat, start) {
  const list = seat.parentElement;
  let moved = false;
  const move = (event) => {
    if (Math.abs(event.clientY - start.clientY) > 8) moved = true;
    if (!moved) return;
    seat.classList.add("dragged");
    const below = [...list.children].find((other) => {
      const box = other.getBoundingClientRect();
      return other !== seat && event.clientY < box.top + box.height / 2;
    });
    list.insertBefore(seat, below ?? null);
  };
  const drop = () => {
    document.removeEventListener("pointermove", move);
    seat.classList.remove("dragged");
    if (!moved) return;
    const order = document.createElement("button");
    order.name = "order";
    order.value = [...list.children].map((one) => one.dataset.seat).join(",");
    order.hidden = true;
    form.append(order);
    form.requestSubmit(order);
    order.remove();
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", drop, { once: true });
  document.addEventListener("pointercancel", drop, { once: true });
}

// Enter in the field of a new name adds the name instead of pressing the page's first button.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.id === "new") {
    event.preventDefault();
    event.target.parentElement.querySelector("button").click();
  }
});
