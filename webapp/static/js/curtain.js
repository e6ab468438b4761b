// Runs before the first paint and hides the result while the reveal plays. Without this file, or with reduced motion,
// the result is shown at once.

(function () {
  const { once, left } = document.currentScript.dataset;
  const root = document.documentElement;
  let seen = false;
  try {
    seen = Boolean(once && sessionStorage.getItem(once));
  } catch (fault) {
    // no storage: it is watched again
  }
  if (seen || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  root.classList.add("showing");
  setTimeout(() => root.classList.remove("showing"), Number(left) + 4000); // whatever happens to the other scripts
})();
