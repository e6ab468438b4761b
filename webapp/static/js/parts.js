// Fetches the page anew and exchanges the parts that differ.

let fetching = false;
let again = false;

// This page as the server would make it now; null where there is no network.
export async function fetched() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

// One part of the page alone.
export async function part(name) {
  const fresh = (await fetched())?.querySelector(`[data-part="${name}"]`);
  if (fresh) document.querySelector(`[data-part="${name}"]`)?.replaceWith(fresh);
}

export async function swap() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  const page = await fetched(); // or else the next news comes here again
  if (page) exchange(page);
  fetching = false;
  if (again) {
    again = false;
    await swap();
  }
}

export function exchange(page) {
  for (const old of document.querySelectorAll("[data-part]")) {
    const fresh = page.querySelector(`[data-part="${CSS.escape(old.dataset.part)}"]`);
    const differs = fresh && (old.innerHTML !== fresh.innerHTML || ("follow" in old.dataset) !== ("follow" in fresh.dataset));
    if (differs && !old.contains(document.activeElement)) old.replaceWith(fresh);
    else if (differs) keepFocus(old, fresh);
  }
  document.dispatchEvent(new CustomEvent("parts"));
}

// Somebody is in the middle of this part: what she has typed stays, and where she is.
function keepFocus(old, fresh) {
  const active = document.activeElement;
  const place = active.closest("form")?.action;
  const typed = [...old.querySelectorAll("input[type=number], input[type=text], input:not([type])")];
  old.replaceWith(fresh);
  for (const { name, value } of typed) {
    const same = fresh.querySelector(`input[name="${CSS.escape(name)}"]`);
    if (same) same.value = value;
  }
  const form = [...fresh.querySelectorAll("form")].find((form) => form.action === place);
  const field = active.name && form?.querySelector(`input[name="${CSS.escape(active.name)}"]`);
  (field || form?.querySelector("button"))?.focus();
}
