// An order among the players is tapped: each name takes the next place, a second tap gives it back.
//
// The selects hold the truth; here they give way to one button for each name.

function orders() {
  for (const order of document.querySelectorAll("fieldset.order:not([data-ready])")) {
    order.dataset.ready = "";
    const selects = [...order.querySelectorAll("select")];
    const names = [...selects[0].options].map((option) => option.value).filter((name) => name);
    const chips = document.createElement("div");
    chips.className = "chips";
    chips.append(...names.map((name) => chip(selects, name)));
    for (const select of selects) select.parentElement.hidden = true;
    order.append(chips);
  }
}

function chip(selects, name) {
  const button = document.createElement("button");
  const place = selects.findIndex((select) => select.value === name);
  button.type = "button";
  button.className = "chip";
  button.id = `${selects[0].id} ${name}`;
  button.setAttribute("aria-pressed", place >= 0);
  const badge = document.createElement("b");
  badge.textContent = place < 0 ? "" : selects[place].labels[0].firstChild.textContent.trim();
  button.append(badge, ` ${name}`);
  button.addEventListener("click", () => take(selects, name, place));
  return button;
}

function take(selects, name, place) {
  const free = selects.filter((select) => !select.value);
  const changed = place >= 0 ? selects[place] : free[0];
  changed.value = place >= 0 ? "" : name;
  if (place < 0 && free.length === 2) {
    const taken = selects.map((select) => select.value);
    free[1].value = [...free[1].options].map((option) => option.value).find((other) => other && !taken.includes(other));
  }
  const order = changed.closest("fieldset.order");
  order.querySelector(".chips").remove();
  delete order.dataset.ready;
  orders();
  document.getElementById(`${selects[0].id} ${name}`).focus({ preventScroll: true });
  changed.dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("parts", orders);
orders();
