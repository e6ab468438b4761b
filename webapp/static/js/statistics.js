// Loads a part of a page when its link is followed. Without this script the link opens the page with that part.

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-fetch]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const old = link.closest("[data-lazy]");
  old.setAttribute("aria-busy", "true");
  const part = await fetched(link.dataset.fetch);
  if (!part) {
    window.location.assign(link.href);
    return;
  }
  old.replaceWith(part);
  history.replaceState(null, "", link.href);
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
});

// The part at that address; null if it cannot be had.
async function fetched(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    if (!answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-lazy]");
  } catch {
    return null;
  }
}
