// Fetches the page anew and exchanges the parts that differ.

let fetching = false;
let again = false;

export async function swap() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.ok) exchange(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // no network; the next news comes here again
  }
  fetching = false;
  if (again) {
    again = false;
    await swap();
  }
}

function exchange(page) {
  for (const old of document.querySelectorAll("[data-part]")) {
    const fresh = page.querySelector(`[data-part="${old.dataset.part}"]`);
    if (fresh && old.innerHTML !== fresh.innerHTML && !old.contains(document.activeElement)) old.replaceWith(fresh);
    else if (fresh && old.innerHTML !== fresh.innerHTML) keepFocus(old, fresh);
  }
  document.dispatchEvent(new CustomEvent("parts"));
}

function keepFocus(old, fresh) {
  const place = document.activeElement.closest("form")?.action;
  old.replaceWith(fresh);
  [...fresh.querySelectorAll("form")].find((form) => form.action === place)?.querySelector("button")?.focus();
}
